package tfhost

import (
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
		"a log to read": {
			Environment{ProviderLog: io.Discard, Vars: []string{"TF_LOG_SDK_PROTO=debug", "GOGC=50"}},
			[]string{
				"TF_LOG_SDK_PROTO=debug", "GOGC=50", "TF_LOG_PROVIDER=warn", "TF_LOG_SDK=warn",
				"TF_LOG_SDK_FRAMEWORK=warn", "TF_LOG_SDK_HELPER_SCHEMA=warn", "TF_LOG_SDK_MUX=warn",
			},
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
