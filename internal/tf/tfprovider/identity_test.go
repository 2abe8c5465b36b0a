package tfprovider

import (
	"crypto/tls"
	"os"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// TestIdentity looks at both ends of a real provider's connection: each has
// shown a certificate, and the provider turns away whoever shows another or
// none.
func TestIdentity(t *testing.T) {
	t.Parallel()
	s, err := launch(t.Context(), Config{Path: build.Binary(t, "terraform-provider-estate"), Env: os.Environ()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.end)
	var at peer.Peer
	var answer wire.StopResponse
	if err := s.conn.Invoke(t.Context(), s.dialect.methods.StopProvider, &wire.Empty{}, &answer, grpc.Peer(&at)); err != nil {
		t.Fatal(err)
	}
	info, ok := at.AuthInfo.(credentials.TLSInfo)
	if !ok || info.State.Version != tls.VersionTLS13 || len(info.State.VerifiedChains) == 0 {
		t.Errorf("the provider did not prove who it is: %+v", at.AuthInfo)
	}
	another, _, err := clientIdentity()
	if err != nil {
		t.Fatal(err)
	}
	for name, certificates := range map[string][]tls.Certificate{"none": nil, "another": another.Certificates} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			refused(t, s, &tls.Config{
				Certificates: certificates, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2"},
				InsecureSkipVerify: true, // it is the provider that is tested
			})
		})
	}
}

// refused fails where the provider of s serves a client of that configuration.
func refused(t *testing.T, s *session, config *tls.Config) {
	addr := s.client.ReattachConfig().Addr
	dialer := &tls.Dialer{Config: config}
	conn, err := dialer.DialContext(t.Context(), addr.Network(), addr.String())
	if err != nil {
		return
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	if n, err := conn.Read(make([]byte, 1)); n > 0 || err == nil || os.IsTimeout(err) {
		t.Errorf("the provider serves a client that it does not know: %d bytes, %v", n, err)
	}
}

// TestNobodyTrusted dials with an identity before the provider has shown its
// own.
func TestNobodyTrusted(t *testing.T) {
	t.Parallel()
	config, _, err := clientIdentity()
	if err != nil {
		t.Fatal(err)
	}
	if config.RootCAs == nil || len(config.RootCAs.Subjects()) != 0 { //nolint:staticcheck // no system roots are in it
		t.Error("a client without its provider's certificate trusts somebody")
	}
}
