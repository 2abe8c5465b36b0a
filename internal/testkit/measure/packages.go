package measure

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
)

// listedPlugins is how many plugins are installed where they are listed.
const listedPlugins = 200

// packages measures the commands about plugins and packages.
func (s *suite) packages(ctx context.Context) error {
	s.say("SDKs, schemas and the list of plugins")
	group := "Packages"
	for _, language := range []string{"typescript", "python", "go"} {
		if err := s.sdk(ctx, group, language); err != nil {
			return err
		}
	}
	if err := s.schema(ctx, group, "package get-schema, warm", "terraform-provider-estate", atMost(100)); err != nil {
		return err
	}
	if err := s.schema(ctx, group, "package get-schema of "+count(s.Types)+" resources, warm", "terraform-provider-wide", atMost(100)); err != nil {
		return err
	}
	return s.pluginList(ctx, group)
}

// schema measures writing the schema of a provider that is known already.
func (s *suite) schema(ctx context.Context, group, name, provider string, limit target) error {
	schema := s.packageCommand("package", "get-schema", "terraform-bridge", filepath.Join(s.Testkit, provider))
	schema.unheard = true
	if _, err := schema.run(ctx); err != nil { // the first one fills the cache
		return err
	}
	used, err := schema.median(ctx, 3*s.Repeats, nil)
	if err != nil {
		return err
	}
	s.report.add(group, name, milliseconds(used.wall), "ms", limit)
	return nil
}

func (s *suite) packageCommand(args ...string) process {
	p := s.formation(args...)
	p.env = append(p.env, "PULUMI_HOME="+s.pulumiHome(), fmt.Sprintf("WIDE_TYPES=%d", s.Types), "PATH="+filepath.Dir(s.Bridge)+string(os.PathListSeparator)+os.Getenv("PATH"))
	return p
}

// sdk measures the way from the schema of many resources to files.
func (s *suite) sdk(ctx context.Context, group, language string) error {
	schema := filepath.Join(s.work, "wide-schema.json")
	if _, err := os.Stat(schema); err != nil {
		used, err := s.packageCommand("package", "get-schema", "terraform-bridge", filepath.Join(s.Testkit, "terraform-provider-wide")).run(ctx)
		if err != nil {
			return err
		}
		if err := os.WriteFile(schema, used.stdout, 0o600); err != nil {
			return err
		}
	}
	out := filepath.Join(s.work, "sdk")
	generate := s.packageCommand("package", "gen-sdk", schema, "--language", language, "--out", out)
	used, err := generate.median(ctx, s.Repeats, func() error { return os.RemoveAll(out) })
	if err != nil {
		return err
	}
	name := "a " + language + " SDK of " + count(s.Types) + " resources"
	var timely, small target
	if language == "typescript" {
		timely, small = atMost(1.5), atMost(250)
	}
	s.report.add(group, name, used.wall.Seconds(), "s", timely)
	s.report.add(group, name+", processor time", used.cpu.Seconds(), "s", target{})
	s.report.add(group, name+", memory", float64(used.memory)/(1<<20), "MB", small)
	return nil
}

// pluginList measures what a full cache costs to list.
func (s *suite) pluginList(ctx context.Context, group string) error {
	home := filepath.Join(s.work, "many")
	for n := range listedPlugins {
		dir := filepath.Join(home, "plugins", fmt.Sprintf("resource-plugin%03d-v1.%d.0", n, n))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("pulumi-resource-plugin%03d", n)), []byte("#!/bin/sh\n"), 0o755); err != nil {
			return err
		}
	}
	list := s.formation("plugin", "ls")
	list.env = append(list.env, "PULUMI_HOME="+home)
	used, err := list.median(ctx, 3*s.Repeats, nil)
	if err != nil {
		return err
	}
	s.report.add(group, fmt.Sprintf("plugin ls, %d installed", listedPlugins), milliseconds(used.wall), "ms", atMost(50))
	return nil
}
