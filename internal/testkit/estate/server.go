package estate

import (
	"net/http/httptest"
	"testing"
)

// Server is a running estate inside the test process.
type Server struct {
	*API
	// URL is where it answers, without a trailing slash.
	URL string
}

// Options configures Start. The zero value starts an empty estate.
type Options struct {
	// Seed is what to create outside Terraform.
	Seed SeedOptions
	// Token, where set, must come with every call.
	Token  string
	Faults Faults
}

// Start runs an estate for the length of a test.
func Start(t testing.TB, opts Options) *Server {
	t.Helper()
	api := NewAPI(NewStore(1))
	api.Token = opts.Token
	if _, err := api.Store.Seed(opts.Seed); err != nil {
		t.Fatalf("seed the estate: %v", err)
	}
	api.SetFaults(opts.Faults)
	server := httptest.NewServer(api)
	t.Cleanup(func() {
		server.CloseClientConnections()
		server.Close()
	})
	return &Server{API: api, URL: server.URL}
}
