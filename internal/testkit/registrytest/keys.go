package registrytest

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"sync"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	pgparmor "github.com/ProtonMail/go-crypto/openpgp/armor"
	"github.com/ProtonMail/go-crypto/openpgp/packet"
)

// expiredLifetime is that of a key made two years ago, a year ago expired.
const expiredLifetime = 365 * 24 * time.Hour

// newKey makes a signing key: of today without a lifetime, or with one as of
// two years ago.
func newKey(name string, lifetime time.Duration) (*openpgp.Entity, error) {
	config := &packet.Config{Algorithm: packet.PubKeyAlgoEdDSA}
	if lifetime > 0 {
		config.Time = func() time.Time { return time.Now().Add(-2 * 365 * 24 * time.Hour) }
		config.KeyLifetimeSecs = uint32(lifetime / time.Second)
	}
	return openpgp.NewEntity(name, "", name+"@registry.example", config)
}

func armor(key *openpgp.Entity) string {
	var out bytes.Buffer
	w, err := pgparmor.Encode(&out, openpgp.PublicKeyType, nil)
	if err != nil {
		return ""
	}
	if key.Serialize(w) != nil || w.Close() != nil {
		return ""
	}
	return out.String()
}

// sign signs the list of checksums, as of when the key was made.
func (s *Server) sign(p *Package, sums []byte) []byte {
	key := s.key
	if p.ForeignSignature {
		key = s.stranger
	}
	if p.BadSignature {
		sums = append([]byte("other "), sums...)
	}
	config := &packet.Config{Time: func() time.Time { return key.PrimaryKey.CreationTime }}
	var out bytes.Buffer
	if err := openpgp.DetachSign(&out, key, bytes.NewReader(sums), config); err != nil {
		return nil
	}
	return out.Bytes()
}

// authority makes certificates for whatever name a client asks for.
type authority struct {
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
	pem  []byte

	mu   sync.Mutex
	made map[string]*tls.Certificate
}

func newAuthority() (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "registrytest"},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, err
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return &authority{cert: cert, key: key, pem: text, made: map[string]*tls.Certificate{}}, nil
}

func (a *authority) pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

func (a *authority) certificate(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	name := hello.ServerName
	if name == "" {
		name = "localhost"
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if made, ok := a.made[name]; ok {
		return made, nil
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(int64(len(a.made) + 2)), Subject: pkix.Name{CommonName: name},
		NotBefore: a.cert.NotBefore, NotAfter: a.cert.NotAfter,
		DNSNames: []string{name}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, a.cert, a.key.Public(), a.key)
	if err != nil {
		return nil, err
	}
	made := &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: a.key}
	a.made[name] = made
	return made, nil
}
