package plugin

import (
	"cmp"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/base/wholefile"
)

// Credentials are the user's logins to Pulumi services, as the pulumi program
// keeps them.
type Credentials struct {
	// Current is the URL of the backend that is logged in to; or "".
	Current string
	tokens  map[string]string // by the backend's URL
}

// LoadCredentials reads credentials.json in PULUMI_CREDENTIALS_PATH, or in
// PULUMI_HOME. Who never logged in has none.
func LoadCredentials(env func(string) string) Credentials {
	dir := env("PULUMI_CREDENTIALS_PATH")
	if dir == "" {
		var err error
		if dir, err = Home(env); err != nil {
			return Credentials{}
		}
	}
	var file struct {
		Current  string            `json:"current"`
		Tokens   map[string]string `json:"accessTokens"`
		Accounts map[string]struct {
			Token string `json:"accessToken"`
		} `json:"accounts"`
	}
	_ = wholefile.ReadJSON(filepath.Join(dir, "credentials.json"), &file)
	c := Credentials{Current: file.Current, tokens: map[string]string{}}
	for url, token := range file.Tokens {
		c.tokens[url] = token
	}
	for url, account := range file.Accounts {
		c.tokens[url] = cmp.Or(account.Token, c.tokens[url])
	}
	return c
}

// Token is that for a service: PULUMI_ACCESS_TOKEN, or that of the login; or "".
func (c Credentials) Token(env func(string) string, service string) string {
	return cmp.Or(env("PULUMI_ACCESS_TOKEN"), c.tokens[service])
}

// CloudLogin is the Pulumi service that keeps the user's stacks, and the token
// for it. It is PULUMI_BACKEND_URL, else the project's backend, which may be
// "", else where the user is logged in. ok is false where stacks are kept
// elsewhere, and without a token.
func CloudLogin(env func(string) string, backend string) (service, token string, ok bool) {
	c := LoadCredentials(env)
	service = cmp.Or(env("PULUMI_BACKEND_URL"), backend, c.Current)
	token = c.Token(env, service)
	return service, token, IsService(service) && token != ""
}

// IsService reports whether a backend is a Pulumi service, and not a place
// that holds files.
func IsService(backend string) bool {
	return strings.HasPrefix(backend, "https://") || strings.HasPrefix(backend, "http://")
}
