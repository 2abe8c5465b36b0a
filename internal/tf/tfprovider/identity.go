package tfprovider

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"time"
)

// certificateEnv gives the provider the certificate that it is to expect of
// its client. It answers with one of its own in the line of the handshake.
const certificateEnv = "PLUGIN_CLIENT_CERT"

// clientIdentity is who a client is to one provider process, for as long as
// that runs: a key pair, its certificate for the TLS handshake, and the entry
// of the process's environment that names it.
//
// It stands in for go-plugin's AutoMTLS, which makes the same for the curve
// P-521 before it starts the process. P-256 takes a fortieth of the time, here
// and in the provider, which has to verify it.
func clientIdentity() (config *tls.Config, env string, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, "", err
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: peerName}, DNSNames: []string{peerName},
		NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().AddDate(lifeInYears, 0, 0),
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
		IsCA:        true, BasicConstraintsValid: true,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, "", err
	}
	config = &tls.Config{
		Certificates: []tls.Certificate{{Certificate: [][]byte{der}, PrivateKey: key}},
		MinVersion:   tls.VersionTLS12, ServerName: peerName,
		RootCAs: x509.NewCertPool(), // until go-plugin puts the provider's there, nobody is trusted
	}
	text := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	return config, certificateEnv + "=" + string(text), nil
}

const (
	// peerName is what both sides' certificates call themselves.
	peerName = "localhost"
	// lifeInYears outlasts every process.
	lifeInYears = 30
)

// expectCertificate makes the tables that verifying the provider's
// certificate needs: go-plugin signs with P-521, whose tables take some 8 ms
// on their first use. Before that the provider makes a key of that curve on
// one processor, which leaves another one with nothing to do.
func expectCertificate() {
	_, _ = ecdh.P521().GenerateKey(rand.Reader) // what it returns is not wanted
}
