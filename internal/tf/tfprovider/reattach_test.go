package tfprovider_test

import (
	"bufio"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// TestReattach uses a provider that runs under a debugger, as it were, and
// leaves it running.
func TestReattach(t *testing.T) {
	t.Parallel()
	server := estate.Start(t, estate.Options{Seed: estate.SeedOptions{Objects: 60}})
	cmd := exec.CommandContext(t.Context(), build.Binary(t, "terraform-provider-estate"), "-debug")
	cmd.Env = environment("ESTATE_ENDPOINT=" + server.URL)
	value := debugged(t, cmd)
	all, err := tfprovider.ParseReattach("OUR_PROVIDERS", value)
	if err != nil || len(all) != 1 {
		t.Fatalf("%s: %v, %v", value, all, err)
	}
	var at *tfprovider.Reattach
	for _, at = range all {
	}
	for range 2 { // the first one leaves it running
		p := launch(t, tfprovider.Config{Reattach: at})
		p.estate = server
		noDiags(t, p.Configure(t.Context(), p.object(t, tfschema.KindProvider, "", nil)))
		p.read(t, "estate_network", p.ids(t, "networks")[0])
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	p := launch(t, tfprovider.Config{Reattach: at})
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	diags := p.Configure(t.Context(), p.object(t, tfschema.KindProvider, "", nil))
	wantDiag(t, diags, tfprovider.CodeNotStarted, "Cannot attach to its process at", "start it again, and set OUR_PROVIDERS to what it prints")
}

// debugged starts a provider and returns the variable that it prints.
func debugged(t *testing.T, cmd *exec.Cmd) string {
	t.Helper()
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	for lines := bufio.NewScanner(out); lines.Scan(); {
		if _, value, found := strings.Cut(lines.Text(), "TF_REATTACH_PROVIDERS="); found {
			go func() {
				for lines.Scan() { // it must not wait for a reader
				}
			}()
			return strings.Trim(value, "'")
		}
	}
	t.Fatal("it prints no TF_REATTACH_PROVIDERS")
	return ""
}

func TestParseReattach(t *testing.T) {
	t.Parallel()
	const good = `{"Protocol":"grpc","ProtocolVersion":6,"Pid":1,"Test":true,"Addr":{"Network":"tcp","String":"127.0.0.1:1"}}`
	tests := map[string]struct {
		value string
		want  string // the address, or what the error says
	}{
		"good":           {`{"hashicorp/time":` + good + `}`, "registry.opentofu.org/hashicorp/time"},
		"no version":     {`{"hashicorp/time":{"Protocol":"grpc","Addr":{"Network":"unix","String":"/x"}}}`, "registry.opentofu.org/hashicorp/time"},
		"no JSON":        {`{`, "OUR_PROVIDERS is not a JSON object of connections: unexpected end of JSON input"},
		"bad address":    {`{"a b":` + good + `}`, "OUR_PROVIDERS: "},
		"null":           {`{"hashicorp/time":null}`, `"hashicorp/time" needs Addr.Network "unix" or "tcp"`},
		"no network":     {`{"hashicorp/time":{"Protocol":"grpc"}}`, `"hashicorp/time" needs Addr.Network "unix" or "tcp"`},
		"no address":     {`{"hashicorp/time":{"Protocol":"grpc","Addr":{"Network":"tcp"}}}`, "needs Addr.String"},
		"net/rpc":        {`{"hashicorp/time":{"Protocol":"netrpc","Addr":{"Network":"tcp","String":"x"}}}`, `needs Protocol "grpc"`},
		"protocol 4":     {`{"hashicorp/time":{"Protocol":"grpc","ProtocolVersion":4,"Addr":{"Network":"tcp","String":"x"}}}`, "speaks protocol 4; protocols 5 and 6 are supported"},
		"twice the same": {`{"time":` + good + `,"hashicorp/time":` + good + `}`, "is named twice"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			all, err := tfprovider.ParseReattach("OUR_PROVIDERS", test.value)
			got := ""
			for address := range all {
				got = address.String()
			}
			if err != nil {
				got = err.Error()
			}
			if !strings.Contains(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
	if all, err := tfprovider.ParseReattach("OUR_PROVIDERS", ""); err != nil || len(all) != 0 {
		t.Errorf("an empty value gives %v, %v", all, err)
	}
}

// FuzzParseReattach expects an error, or connections that can be written and
// read again.
func FuzzParseReattach(f *testing.F) {
	f.Add(`{"hashicorp/time":{"Protocol":"grpc","ProtocolVersion":6,"Addr":{"Network":"tcp","String":"127.0.0.1:1"}}}`)
	f.Add(`{"a/b/c":null}`)
	f.Fuzz(func(t *testing.T, value string) {
		all, err := tfprovider.ParseReattach("OUR_PROVIDERS", value)
		if err != nil || all == nil {
			return
		}
		named := map[string]*tfprovider.Reattach{}
		for address, at := range all {
			named[address.String()] = at
		}
		data, err := json.Marshal(named)
		if err != nil {
			t.Fatal(err)
		}
		var again map[tfaddr.Provider]*tfprovider.Reattach
		if again, err = tfprovider.ParseReattach("OUR_PROVIDERS", string(data)); err != nil {
			t.Fatalf("%s: %v", data, err)
		}
		if diff := cmp.Diff(all, again); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	})
}
