// Package registrytest serves providers over HTTPS as a registry and as a
// network mirror: service discovery, the provider registry protocol with
// checksums and OpenPGP signatures made by a key of its own, the network
// mirror protocol, downloads that can be continued, and the documentation that
// OpenTofu's registry and Terraform's have of providers. It answers for every
// host name, and can be told to misbehave.
//
// It is for tests. A test in the same process uses [Server.Transport]; other
// programs are given [Server.Host] as the provider's host and the file of
// [Server.CAFile] to trust (SSL_CERT_FILE).
package registrytest

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ProtonMail/go-crypto/openpgp"
)

// Server is a running registry. Its methods may be called concurrently.
type Server struct {
	http *httptest.Server
	ca   *authority

	mu       sync.Mutex
	packages []*Package
	key      *openpgp.Entity
	stranger *openpgp.Entity
	faults   []*fault
	requests []Request
	// downloadHost is the host that archives are said to be on, or "".
	downloadHost string
	warnings     []string
	documents    []Document
	// withheld says that OpenTofu's registry shows none of them.
	withheld bool
}

// Request is one request that was made of the server.
type Request struct {
	Host, Path    string
	Range         string
	Authorization string
}

// Start runs a server until the test ends.
func Start(t testing.TB) *Server {
	t.Helper()
	s, err := New()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// New runs a server until it is closed.
func New() (*Server, error) {
	ca, err := newAuthority()
	if err != nil {
		return nil, err
	}
	key, err := newKey("registry", 0)
	if err != nil {
		return nil, err
	}
	stranger, err := newKey("stranger", 0)
	if err != nil {
		return nil, err
	}
	s := &Server{ca: ca, key: key, stranger: stranger}
	s.http = httptest.NewUnstartedServer(http.HandlerFunc(s.serve))
	s.http.TLS = &tls.Config{GetCertificate: ca.certificate}
	// Faults end connections on purpose: what the server thinks of that is
	// of no interest.
	s.http.Config.ErrorLog = silentLog()
	s.http.StartTLS()
	return s, nil
}

// Close ends the server.
func (s *Server) Close() { s.http.Close() }

// Host is where the server listens, as a provider's host: "localhost:PORT".
func (s *Server) Host() string {
	_, port, _ := net.SplitHostPort(s.http.Listener.Addr().String())
	return "localhost:" + port
}

// MirrorURL is the address of the network mirror on a host, such as
// "mirror.example"; "" means [Server.Host].
func (s *Server) MirrorURL(host string) string {
	if host == "" {
		host = s.Host()
	}
	return "https://" + host + "/mirror/"
}

// Transport trusts the server and brings requests for any host to it.
func (s *Server) Transport() *http.Transport {
	address := s.http.Listener.Addr().String()
	return &http.Transport{
		TLSClientConfig: &tls.Config{RootCAs: s.ca.pool()},
		DialContext: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, address)
		},
	}
}

// CAPEM is the certificate of the authority that vouches for the server.
func (s *Server) CAPEM() []byte { return s.ca.pem }

// CAFile writes [Server.CAPEM] to a file of the test and returns its path.
func (s *Server) CAFile(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(path, s.ca.pem, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Requests are those made so far, in the order of arrival.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.requests)
}

// Count is the number of requests whose path contains part.
func (s *Server) Count(part string) int {
	n := 0
	for _, r := range s.Requests() {
		if strings.Contains(r.Path, part) {
			n++
		}
	}
	return n
}

// DownloadFrom makes the registry say that archives are on another host.
func (s *Server) DownloadFrom(host string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.downloadHost = host
}

// Warn adds a warning to the answers that list versions.
func (s *Server) Warn(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.warnings = append(s.warnings, text)
}

// ExpireKey replaces the signing key by one that expired a year ago; what it
// signs, it signs as of the time when it was valid.
func (s *Server) ExpireKey() error {
	key, err := newKey("expired", expiredLifetime)
	if err != nil {
		return fmt.Errorf("registrytest: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = key
	return nil
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.requests = append(s.requests, Request{
		Host: r.Host, Path: r.URL.Path, Range: r.Header.Get("Range"), Authorization: r.Header.Get("Authorization"),
	})
	applied := s.takeFault(r.URL.Path)
	s.mu.Unlock()
	if applied == nil {
		s.route(w, r)
		return
	}
	applied.apply(w, r, s.route)
}
