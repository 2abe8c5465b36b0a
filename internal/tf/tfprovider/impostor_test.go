package tfprovider

import (
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/tf/wire"
)

// TestImpostor has a provider that names one certificate as it starts, and
// somebody who shows another, or the same, where it should be listening.
func TestImpostor(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("the provider is a shell script")
	}
	own, other := peerIdentity(t), peerIdentity(t)
	for name, c := range map[string]struct {
		named  []byte
		served tls.Certificate
		want   codes.Code
		says   string
	}{
		"itself":                 {own.Certificate[0], own, codes.Unimplemented, "unknown service"},
		"another":                {own.Certificate[0], other, codes.Unavailable, "certificate"},
		"a provider without one": {nil, other, codes.Unavailable, "certificate"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := launch(t.Context(), Config{Path: announcing(t, serving(t, c.served), c.named), Env: os.Environ()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(s.end)
			err = s.conn.Invoke(t.Context(), s.dialect.methods.StopProvider, &wire.Empty{}, new(wire.StopResponse))
			if status.Code(err) != c.want || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

func peerIdentity(t *testing.T) tls.Certificate {
	t.Helper()
	config, _, err := clientIdentity()
	if err != nil {
		t.Fatal(err)
	}
	return config.Certificates[0]
}

// serving listens with a certificate, serves nothing, and returns where.
func serving(t *testing.T, certificate tls.Certificate) net.Addr {
	t.Helper()
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer(grpc.Creds(credentials.NewTLS(&tls.Config{
		Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12,
	})))
	go func() { _ = server.Serve(listener) }() // until it is stopped
	t.Cleanup(server.Stop)
	return listener.Addr()
}

// announcing is a provider that only says where somebody else listens, and by
// which certificate to know it.
func announcing(t *testing.T, at net.Addr, certificate []byte) string {
	t.Helper()
	line := fmt.Sprintf("1|6|%s|%s|grpc|%s", at.Network(), at, base64.RawStdEncoding.EncodeToString(certificate))
	path := filepath.Join(t.TempDir(), "terraform-provider-impostor")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho '"+line+"'\nexec sleep 600\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}
