package host_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/formation-iac/formation/internal/plugin/host"
)

// TestEnvVarMappings has a plugin see variables under other names, before what
// it sees under these.
func TestEnvVarMappings(t *testing.T) {
	t.Parallel()
	p := fake(t, "FAKE_EU=eu", "FAKE_REGION=us", "FAKE_EMPTY=")
	mappings := map[string]string{"FAKE_EU": "FAKE_REGION", "FAKE_EMPTY": "FAKE_ZONE", "FAKE_NONE": "FAKE_EU"}
	r, diags := p.host().Resource(t.Context(), host.Wanted{Name: "fake", EnvVarMappings: mappings})
	if r == nil {
		t.Fatal(diags)
	}
	if got := self(t, r).Env; !slices.Equal(got, []string{"FAKE_EMPTY=", "FAKE_EU=eu", "FAKE_REGION=eu", "FAKE_ZONE="}) {
		t.Errorf("it sees %v", got)
	}
}

// TestLoggedIn tells plugins of the service that keeps the user's stacks.
func TestLoggedIn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, filepath.Join(dir, "credentials.json"), `{
  "current": "https://here.example",
  "accessTokens": {"https://here.example": "old", "https://there.example": "tea"},
  "accounts": {"https://here.example": {"accessToken": "new"}}
}`, 0o600)
	for name, test := range map[string]struct {
		env            []string
		backend        string
		service, token string
	}{
		"logged in":     {nil, "", "https://here.example", "new"},
		"project":       {nil, "https://there.example", "https://there.example", "tea"},
		"variable":      {[]string{"PULUMI_BACKEND_URL=https://there.example"}, "file://state", "https://there.example", "tea"},
		"token":         {[]string{"PULUMI_ACCESS_TOKEN=milk"}, "", "https://here.example", "milk"},
		"ambient loses": {[]string{"PULUMI_API=https://old.example"}, "", "https://here.example", "new"},
		"files":         {nil, "file://state", "", ""},
		"unknown":       {nil, "https://nobody.example", "", ""},
		"nobody":        {[]string{"PULUMI_HOME=" + filepath.Join(dir, "none")}, "", "", ""},
		"elsewhere":     {[]string{"PULUMI_HOME=" + filepath.Join(dir, "none"), "PULUMI_CREDENTIALS_PATH=" + dir}, "", "https://here.example", "new"},
	} {
		env := append(host.Environment{"PULUMI_HOME=" + dir}, test.env...).LoggedIn(test.backend)
		if service, token := env.Lookup("PULUMI_API"), env.Lookup("PULUMI_ACCESS_TOKEN"); service != test.service || token != test.token {
			t.Errorf("%s: %s with %s", name, service, token)
		}
	}
}
