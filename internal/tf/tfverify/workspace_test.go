package tfverify

import "testing"

func TestArgumentsOfTheEnvironment(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ variable, value, state, want string }{
		"nothing":               {"TF_CLI_ARGS_plan", " ", "", ""},
		"idle":                  {"TF_CLI_ARGS", "-no-color -lock-timeout=10s --input=false -refresh=true", "", ""},
		"of another command":    {"TF_CLI_ARGS_init", "-upgrade", "", ""},
		"a target":              {"TF_CLI_ARGS_plan", "-no-color -target=a.b", "", "TF_CLI_ARGS_plan has -target, which changes what a client plans and is not looked at here. Unset it; variables and the state have flags of this command."},
		"a secret":              {"TF_CLI_ARGS", "'-var=password=hunter2'", "", "TF_CLI_ARGS has -var, which changes what a client plans and is not looked at here. Unset it; variables and the state have flags of this command."},
		"no refresh":            {"TF_CLI_ARGS_plan", "-refresh=false", "", "TF_CLI_ARGS_plan has -refresh, which changes what a client plans and is not looked at here. Unset it; variables and the state have flags of this command."},
		"encryption":            {"TF_ENCRYPTION", "{}", "", "TF_ENCRYPTION sets how states are encrypted, which changes what a client plans and is not looked at here. Unset it; variables and the state have flags of this command."},
		"encryption, and state": {"TF_ENCRYPTION", "{}", "plain.tfstate", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			req := Request{Dir: t.TempDir(), StatePath: c.state}
			diags := req.UseEnvironment(func(name string) string {
				if name == c.variable {
					return c.value
				}
				return ""
			})
			got := ""
			for _, d := range diags {
				got += d.Detail
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
