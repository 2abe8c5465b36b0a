package tfhost

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestForProviders(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		env  Environment
		want []string
	}{
		"nothing chosen": {
			Environment{Vars: []string{"HOME=/h"}},
			[]string{
				"HOME=/h", "TF_LOG_PROVIDER=off", "TF_LOG_SDK=off", "TF_LOG_SDK_PROTO=off", "TF_LOG_SDK_FRAMEWORK=off",
				"TF_LOG_SDK_HELPER_SCHEMA=off", "TF_LOG_SDK_MUX=off", "GOGC=400", "GOMEMLIMIT=1GiB",
			},
		},
		"asked much, and briefly": {
			Environment{Brief: true, Vars: []string{"TF_LOG_PROVIDER=x", "TF_LOG_SDK=x"}},
			[]string{"TF_LOG_PROVIDER=x", "TF_LOG_SDK=x", "GOGC=6400", "GOMEMLIMIT=1GiB", "GODEBUG=gcstoptheworld=1"},
		},
		"briefly, by the user's runtime": {
			Environment{Brief: true, Vars: []string{"TF_LOG_PROVIDER=x", "TF_LOG_SDK=x", "GODEBUG=netdns=go"}},
			[]string{"TF_LOG_PROVIDER=x", "TF_LOG_SDK=x", "GODEBUG=netdns=go", "GOGC=6400", "GOMEMLIMIT=1GiB"},
		},
		"a log to read": {
			Environment{ProviderLog: io.Discard, Vars: []string{"TF_LOG_SDK_PROTO=debug", "GOGC=50"}},
			[]string{
				"TF_LOG_SDK_PROTO=debug", "GOGC=50", "TF_LOG_PROVIDER=warn", "TF_LOG_SDK=warn",
				"TF_LOG_SDK_FRAMEWORK=warn", "TF_LOG_SDK_HELPER_SCHEMA=warn", "TF_LOG_SDK_MUX=warn",
			},
		},
		"a log of the user's": {
			Environment{ProviderLog: io.Discard, Vars: []string{"TF_LOG=trace", "TF_LOG_SDK=info", "GOGC=50"}},
			[]string{"TF_LOG=trace", "TF_LOG_SDK=info", "GOGC=50", "TF_LOG_PROVIDER=trace"},
		},
		"a log that nobody reads": {
			Environment{Vars: []string{"TF_LOG=trace", "TF_LOG_SDK=info", "GOGC=50"}},
			[]string{"TF_LOG=trace", "TF_LOG_SDK=info", "GOGC=50", "TF_LOG_PROVIDER=off"},
		},
		"the user's choice": {
			Environment{Vars: []string{"GOMEMLIMIT=8GiB", "TF_LOG_SDK=trace"}},
			[]string{"GOMEMLIMIT=8GiB", "TF_LOG_SDK=trace", "TF_LOG_PROVIDER=off"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if diff := cmp.Diff(tt.want, tt.env.forProviders()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	env := Environment{Vars: []string{"A=1", "TF_LOG_SDK=trace", "A=2"}}
	if got := env.Lookup("A"); got != "2" {
		t.Errorf("the last value counts, got %q", got)
	}
	if got := env.forProviders(); !strings.Contains(strings.Join(got, " "), "TF_LOG_PROVIDER=off") || strings.Contains(strings.Join(got, " "), "TF_LOG_SDK=off") {
		t.Errorf("got %q", got)
	}
	if len(env.Vars) != 3 {
		t.Error("the environment given was changed")
	}
}

func TestReattachments(t *testing.T) {
	t.Parallel()
	running := func(pairs ...string) string {
		var entries []string
		for i := 0; i < len(pairs); i += 2 {
			entries = append(entries, fmt.Sprintf(`%q:{"Protocol":"grpc","ProtocolVersion":6,"Addr":{"Network":"unix","String":%q}}`, pairs[i], pairs[i+1]))
		}
		return "{" + strings.Join(entries, ",") + "}"
	}
	vars := []string{
		"TF_REATTACH_PROVIDERS=" + running("time", "/terraform", "random", "/terraform"),
		"OTHER=" + running("time", "/other", "hashicorp/null", "/other"),
	}
	for name, tt := range map[string]struct {
		env  Environment
		want map[string]string
	}{
		"by default":   {Environment{Vars: vars}, map[string]string{"time": "/terraform", "random": "/terraform"}},
		"none":         {Environment{Vars: vars, ReattachVars: []string{}}, map[string]string{}},
		"both":         {Environment{Vars: vars, ReattachVars: []string{"OTHER", "TF_REATTACH_PROVIDERS"}}, map[string]string{"time": "/other", "null": "/other", "random": "/terraform"}},
		"unset":        {Environment{Vars: vars, ReattachVars: []string{"UNSET"}}, map[string]string{}},
		"nothing said": {Environment{}, map[string]string{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, diags := tt.env.reattachments()
			if diags.HasErrors() {
				t.Fatal(diags.Err())
			}
			at := map[string]string{}
			for provider, r := range got {
				at[provider.Type] = r.Addr.String
			}
			if diff := cmp.Diff(tt.want, at); diff != "" {
				t.Error(diff)
			}
		})
	}
	_, diags := Environment{Vars: []string{"OTHER=yes"}, ReattachVars: []string{"OTHER"}}.reattachments()
	if err := diags.Err(); err == nil || !strings.Contains(err.Error(), "Malformed reattach information in OTHER") {
		t.Errorf("got %v", err)
	}
}
