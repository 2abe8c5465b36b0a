package measure

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/formation-iac/formation/internal/testkit/tfcli"
	"github.com/formation-iac/formation/internal/testkit/truth"
)

// accuracy applies a configuration of which everything is known for each
// protocol, throws it away, imports what it made, and compares.
func (s *suite) accuracy(ctx context.Context) error {
	judges := s.judges()
	switch {
	case len(s.Truths) == 0:
		return nil
	case len(judges) == 0:
		s.report.Missing = append(s.report.Missing, "accuracy: neither tofu nor terraform is on the PATH to judge it")
		return nil
	}
	modules, err := truth.Load()
	if err != nil {
		return err
	}
	for _, name := range s.Truths {
		at := slices.IndexFunc(modules, func(m truth.Module) bool { return m.Name == name })
		if at < 0 {
			return fmt.Errorf("there is no ground truth %q", name)
		}
		s.say("recovering the ground truth %s", name)
		if err := s.recovery(ctx, modules[at], judges); err != nil {
			return fmt.Errorf("ground truth %s: %w", name, err)
		}
	}
	return nil
}

// accuracyToken must come with every call to the estate: it is one more secret.
const accuracyToken = "synthetic-bench-token"

// recovery is one ground truth under measure.
type recovery struct {
	*suite
	truth.Module
	group  string
	server *server
	// dir is the module's directory, out that of its import.
	dir, out string
	judges   []judge
	// inventory is the file that names what the module made.
	inventory string
	// applied is the state that the module left, before the estate's dump.
	applied []tfcli.Instance
	before  []byte
}

func (s *suite) recovery(ctx context.Context, m truth.Module, judges []judge) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	server, err := startServer(ctx, filepath.Join(s.Testkit, "estate-server"), "--token="+accuracyToken)
	if err != nil {
		return err
	}
	defer server.wait(cancel)
	r := &recovery{
		suite: s, Module: m, server: server, judges: judges,
		group: fmt.Sprintf("Ground truth over the provider %s, %d resources", m.Name, len(m.Resources)),
		dir:   filepath.Join(s.work, "truth-"+m.Name), out: filepath.Join(s.work, "recovered-"+m.Name),
	}
	for _, step := range []func(context.Context) error{r.apply, r.importAll, r.noOps, r.compare, r.byImportBlocks, r.again} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *recovery) env() []string {
	return []string{"ESTATE_ENDPOINT=" + r.server.url, "ESTATE_TOKEN=" + accuracyToken}
}

// client is a judge that works in a directory.
func (r *recovery) client(j judge, dir string) client {
	return client{process{path: j.path, dir: dir, env: append(r.suite.env(), append(r.env(), "TF_DATA_DIR="+filepath.Join(r.work, "data"))...)}}
}

// apply makes the estate.
func (r *recovery) apply(ctx context.Context) error {
	if err := os.MkdirAll(r.dir, 0o700); err != nil {
		return err
	}
	if err := r.Save(r.dir); err != nil {
		return err
	}
	client := r.client(r.judges[0], r.dir)
	if err := client.apply(ctx); err != nil {
		return err
	}
	var err error
	if r.applied, err = client.state(ctx); err != nil {
		return err
	}
	r.before, err = r.server.dump(ctx)
	return err
}

// importAll imports the estate, and looks for secrets in what that wrote.
func (r *recovery) importAll(ctx context.Context) error {
	dump, err := r.server.objects(ctx)
	if err != nil {
		return err
	}
	items, err := r.Inventory(dump)
	if err != nil {
		return err
	}
	r.inventory = filepath.Join(r.work, r.Name+".jsonl")
	if err := os.WriteFile(r.inventory, []byte(truth.JSONLines(items)), 0o600); err != nil {
		return err
	}
	one, err := r.importInto(ctx, r.out, len(r.Resources), 1, r.env(), r.Provider, "--ids", r.inventory)
	if err != nil {
		return err
	}
	r.report.share(r.group, "resources imported", one.Report.Summary.Imported, one.want, exactly(100))
	files, err := readFiles(r.out)
	if err != nil {
		return err
	}
	secrets, err := truth.Secrets(r.before)
	if err != nil {
		return err
	}
	files["stdout"], files["stderr"] = string(one.stdout), string(one.stderr)
	leaks := truth.Leaks(append(secrets, accuracyToken), files)
	r.report.add(r.group, "secrets outside state and tfvars", float64(len(leaks)), "", exactly(0))
	return nil
}

// noOps has every judge plan the import.
func (r *recovery) noOps(ctx context.Context) error {
	for _, j := range r.judges {
		plan, err := r.client(j, r.out).plan(ctx, filepath.Join(r.work, "plan"))
		if err != nil {
			return err
		}
		r.report.share(r.group, "no-op by "+j.name, times(plan, noOp), max(len(plan), len(r.Resources)), exactly(100))
	}
	return nil
}

// compare holds the configuration against the author's.
func (r *recovery) compare(ctx context.Context) error {
	client := r.client(r.judges[0], r.out)
	text, err := client.run(ctx, "providers", "schema", "-json")
	if err != nil {
		return err
	}
	schemas, err := r.DecodeSchemas(text)
	if err != nil {
		return err
	}
	state, err := client.state(ctx)
	if err != nil {
		return err
	}
	files, err := readFiles(r.out)
	if err != nil {
		return err
	}
	a, err := r.Compare(r.applied, truth.Import{Files: files, State: state}, schemas)
	if err != nil {
		return err
	}
	r.report.share(r.group, "attributes recovered", a.Recovered, a.Attributes, atLeast(99))
	r.report.add(r.group, "computed-only attributes emitted", float64(len(a.ComputedOnly)), "", exactly(0))
	r.report.share(r.group, "links recovered", a.LinksFound, a.Links, atLeast(99))
	r.report.share(r.group, "links that are the author's", a.LinksFound, a.LinksFound+len(a.LinksWrong), exactly(100))
	r.report.add(r.group, "resources in cycles", float64(len(a.Cycles)), "", exactly(0))
	return nil
}

// again destroys the estate through the import, fills in what could not be
// read, and makes the estate anew.
func (r *recovery) again(ctx context.Context) error {
	if err := r.fillIn(); err != nil {
		return err
	}
	client := r.client(r.judges[len(r.judges)-1], r.out)
	if err := client.destroy(ctx); err != nil {
		return err
	}
	left, err := r.server.dump(ctx)
	if err != nil {
		return err
	}
	if err := client.apply(ctx); err != nil {
		return err
	}
	after, err := r.server.dump(ctx)
	if err != nil {
		return err
	}
	undestroyed, err := differing(left, []byte("{}"))
	if err != nil {
		return err
	}
	changed, err := differing(r.before, after)
	if err != nil {
		return err
	}
	r.report.add(r.group, "objects left by destroy", float64(undestroyed), "", exactly(0))
	r.report.add(r.group, "objects that differ after destroy and apply", float64(changed), "", exactly(0))
	return nil
}

// fillIn gives the variables of the import that are stand-ins their values.
func (r *recovery) fillIn() error {
	text, err := os.ReadFile(filepath.Join(r.out, "report.json"))
	if err != nil {
		return err
	}
	var report struct {
		Variables []struct {
			truth.StandIn
			IsStandIn bool `json:"stand_in"`
		}
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return err
	}
	var standIns []truth.StandIn
	for _, v := range report.Variables {
		if v.IsStandIn {
			standIns = append(standIns, v.StandIn)
		}
	}
	path := filepath.Join(r.out, "secrets.auto.tfvars")
	values, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	filled, err := r.FillIn(string(values), standIns)
	if err != nil {
		return err
	}
	return os.WriteFile(path, []byte(filled), 0o600)
}

// readFiles reads a directory: content by the path below it.
func readFiles(dir string) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		text, err := os.ReadFile(path)
		out[filepath.ToSlash(name)] = string(text)
		return err
	})
	return out, err
}

// differing counts the objects of two dumps that only one of them has.
func differing(a, b []byte) (int, error) {
	count := map[string]int{}
	for sign, dump := range map[int][]byte{1: a, -1: b} {
		var all map[string][]json.RawMessage
		if err := json.Unmarshal(dump, &all); err != nil {
			return 0, err
		}
		for kind, objects := range all {
			for _, object := range objects {
				count[kind+string(object)] += sign
			}
		}
	}
	n := 0
	for _, times := range count {
		n += max(times, -times)
	}
	return n, nil
}
