package tfregistry

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/apparentlymart/go-versions/versions"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// signed reads a file of testdata/signed: a list of checksums, its signature,
// and the public key that made it. The private key is nowhere.
func signed(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "signed", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// answers is a network: bodies by the end of the path that they answer.
type answers map[string][]byte

// RoundTrip implements [http.RoundTripper].
func (a answers) RoundTrip(req *http.Request) (*http.Response, error) {
	resp := &http.Response{
		Request: req, StatusCode: http.StatusNotFound, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: http.Header{"Content-Type": {"application/json"}}, Body: http.NoBody,
	}
	for suffix, body := range a {
		if strings.HasSuffix(req.URL.Path, suffix) {
			resp.StatusCode, resp.Body, resp.ContentLength = http.StatusOK, io.NopCloser(bytes.NewReader(body)), int64(len(body))
		}
	}
	return resp, nil
}

// answered is a registry whose network are the answers, in the year of
// testdata/signed.
func answered(t testing.TB, a answers) *Registry {
	t.Helper()
	r, diags := New(Options{
		Transport: a, CacheDir: filepath.Join(os.TempDir(), "formation-unused"), WorkDir: os.TempDir(), Env: noEnv,
		Platform: Platform{OS: "linux", Arch: "amd64"},
		Clock: Clock{
			Now:   func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) },
			Sleep: func(context.Context, time.Duration) error { return nil },
		},
	})
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	return r
}

const (
	wellKnown      = `{"providers.v1": "/v1/providers/"}`
	versionsAnswer = `{"versions": [{"version": "1.2.0", "protocols": ["5.0"]}, {"version": "none"}], "warnings": ["moved"]}`
)

// downloadAnswer is a registry's answer about the package of testdata/signed.
func downloadAnswer(t testing.TB) []byte {
	t.Helper()
	sum, _, _ := strings.Cut(string(signed(t, "SHA256SUMS")), " ")
	out, err := json.Marshal(map[string]any{
		"protocols": []string{"5.0"}, "os": "linux", "arch": "amd64", "filename": "terraform-provider-time_1.2.0_linux_amd64.zip",
		"download_url": "/files/time.zip", "shasums_url": "/files/SHA256SUMS", "shasums_signature_url": "/files/SHA256SUMS.sig", "shasum": sum,
		"signing_keys": map[string]any{"gpg_public_keys": []map[string]string{{"ascii_armor": string(signed(t, "key.asc"))}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// FuzzRegistryAnswers holds that, whatever a registry answers, versions are
// versions, and a package is only taken with a checksum that its list has; of
// a registry that must sign, only by the list that was signed.
func FuzzRegistryAnswers(f *testing.F) {
	sums, signature, download := signed(f, "SHA256SUMS"), signed(f, "SHA256SUMS.sig"), downloadAnswer(f)
	f.Add([]byte(wellKnown), []byte(versionsAnswer), download, sums, signature)
	f.Add([]byte(wellKnown), []byte(`{"versions": null}`), bytes.ReplaceAll(download, []byte("amd64"), []byte("arm64")), sums, signature)
	f.Add([]byte(wellKnown), []byte(`{"versions": [{}]}`), bytes.ReplaceAll(download, []byte("/files/time.zip"), []byte("ftp://x")), sums, signature[:9])
	f.Add([]byte(wellKnown), []byte(`[]`), bytes.ReplaceAll(download, []byte("gpg_public_keys"), []byte("none")), sums, []byte{})
	f.Add([]byte(`{"providers.v1": "http://plain/"}`), []byte(`{`), []byte(`null`), append(slices.Clone(sums), '!'), signature)
	f.Fuzz(func(t *testing.T, discovery, list, download, checksums, sig []byte) {
		d := answered(t, answers{
			"/.well-known/terraform.json": discovery, "/versions": list, "/download/linux/amd64": download,
			"SHA256SUMS": checksums, "SHA256SUMS.sig": sig,
		}).newDirect()
		for _, host := range []string{tfaddr.DefaultHost, "registry.example"} {
			p := tfaddr.Provider{Host: host, Namespace: "hashicorp", Type: "time"}
			found, notes, err := d.versions(t.Context(), p)
			explained(t, err)
			for _, v := range found {
				if again, err := versions.ParseVersion(v.String()); err != nil || !again.Same(v) {
					t.Errorf("%q is no version", v)
				}
			}
			for _, note := range notes {
				if note.Code == "" {
					t.Errorf("a warning without a code: %+v", note)
				}
			}
			o, err := d.locate(t.Context(), p, versions.MustParseVersion("1.2.0"))
			explained(t, err)
			if err != nil {
				continue
			}
			fetchable(t, o.url)
			if _, err := hex.DecodeString(o.zipSum); err != nil || len(o.zipSum) != 64 || !strings.Contains(strings.ToLower(string(checksums)), o.zipSum) {
				t.Errorf("offered with the checksum %q, listed are %q", o.zipSum, checksums)
			}
			switch bySignature := len(o.vouched) > 0; {
			case bySignature && !bytes.Equal(checksums, sums):
				t.Errorf("vouched for %q by the signature of another list", o.vouched)
			case !bySignature && host != tfaddr.DefaultHost:
				t.Errorf("%s offers without a signature", host)
			}
		}
	})
}

// TestAnswersAreTaken holds that the fuzz targets begin with answers that
// lead to packages.
func TestAnswersAreTaken(t *testing.T) {
	t.Parallel()
	sum := "zh:" + strings.Repeat("a1", 32)
	r := answered(t, answers{
		"/.well-known/terraform.json": []byte(wellKnown), "/versions": []byte(versionsAnswer), "/download/linux/amd64": downloadAnswer(t),
		"SHA256SUMS": signed(t, "SHA256SUMS"), "SHA256SUMS.sig": signed(t, "SHA256SUMS.sig"),
		"/index.json": []byte(`{"versions": {"1.2.0": {}}}`), "/1.2.0.json": []byte(`{"archives": {"linux_amd64": {"url": "time.zip", "hashes": ["` + sum + `"]}}}`),
	})
	m, err := r.newNetMirror(Method{Location: "https://mirror.example/p"})
	if err != nil {
		t.Fatal(err)
	}
	p := tfaddr.Provider{Host: "registry.example", Namespace: "hashicorp", Type: "time"}
	for _, src := range []source{r.newDirect(), m} {
		found, _, err := src.versions(t.Context(), p)
		if err != nil || len(found) != 1 {
			t.Errorf("%s: versions %v, %v", src.describe(p), found, err)
		}
		o, err := src.locate(t.Context(), p, versions.MustParseVersion("1.2.0"))
		if err != nil || o.url == "" || len(o.vouched)+len(o.anyOf) == 0 {
			t.Errorf("%s: offers %+v, %v", src.describe(p), o, err)
		}
	}
}

// explained holds that an error says what the user can do.
func explained(t *testing.T, err error) {
	t.Helper()
	for _, d := range asDiagnostics(err) {
		if d.Code == "" || d.Summary == "" || d.Detail == "" {
			t.Errorf("%v: the diagnostic %+v lacks something", err, d)
		}
	}
}

// fetchable holds that an address leads to a web server.
func fetchable(t *testing.T, address string) {
	t.Helper()
	if u, err := url.Parse(address); err != nil || u.Scheme != "https" && u.Scheme != "http" {
		t.Errorf("a package at %q", address)
	}
}

// FuzzMirrorAnswers holds that, whatever a mirror answers, a package from a
// plain address comes with a hash to hold it to.
func FuzzMirrorAnswers(f *testing.F) {
	sum := "zh:" + strings.Repeat("a1", 32)
	f.Add([]byte(`{"versions": {"1.2.0": {}, "1.10.0": {}, "x": {}}}`), []byte(`{"archives": {"linux_amd64": {"url": "time.zip", "hashes": ["`+sum+`"]}, "a_b": {"hashes": ["h1:x"]}}}`))
	f.Add([]byte(`{"versions": []}`), []byte(`{"archives": {"linux_amd64": {"url": "http://plain/time.zip"}}}`))
	f.Add([]byte(`null`), []byte(`{"archives": {"linux_amd64": {"url": "https://x/time.zip", "hashes": ["md5:1"]}}}`))
	f.Add([]byte(`{"versions": {"1.2": null}}`), []byte(`{"archives": {"linux_amd64": null}}`))
	f.Fuzz(func(t *testing.T, index, archives []byte) {
		r := answered(t, answers{"/index.json": index, "/1.2.0.json": archives})
		m, err := r.newNetMirror(Method{Location: "https://mirror.example/p", TrustAllHashes: true})
		if err != nil {
			t.Fatal(err)
		}
		p := tfaddr.Provider{Host: "registry.example", Namespace: "hashicorp", Type: "time"}
		found, _, err := m.versions(t.Context(), p)
		explained(t, err)
		if !slices.IsSortedFunc(found, inOrder) {
			t.Errorf("versions out of order: %v", found)
		}
		o, err := m.locate(t.Context(), p, versions.MustParseVersion("1.2.0"))
		explained(t, err)
		if err != nil {
			return
		}
		fetchable(t, o.url)
		if !strings.HasPrefix(o.url, "https://") && len(o.anyOf) == 0 {
			t.Errorf("%s has no hash", o.url)
		}
		for _, h := range append(slices.Clone(o.anyOf), o.vouched...) {
			if !hasScheme([]string{h}, schemeH1) && !hasScheme([]string{h}, schemeZip) {
				t.Errorf("the hash %q cannot be checked", h)
			}
		}
	})
}

func inOrder(a, b versions.Version) int {
	switch {
	case a.LessThan(b):
		return -1
	case b.LessThan(a):
		return 1
	default:
		return 0
	}
}

// FuzzParseSums holds that a list of checksums is read whole or not at all,
// and that what was read, written again, reads the same.
func FuzzParseSums(f *testing.F) {
	f.Add(signed(f, "SHA256SUMS"))
	f.Add([]byte(strings.Repeat("0f", 32) + " *binary.zip\r\n\n"))
	f.Add([]byte("deadbeef  short.zip\n"))
	f.Add([]byte(strings.Repeat("0F", 32) + "  a name with spaces.zip"))
	f.Fuzz(func(t *testing.T, src []byte) {
		sums, ok := parseSums(src)
		if !ok {
			if sums != nil {
				t.Error("half of it was read")
			}
			return
		}
		var again strings.Builder
		for name, sum := range sums {
			if raw, err := hex.DecodeString(sum); err != nil || len(raw) != 32 || !bytes.Contains(src, []byte(name)) {
				t.Errorf("%q has the checksum %q", name, sum)
			}
			again.WriteString(sum + "  *" + name + "\n")
		}
		twice, ok := parseSums([]byte(again.String()))
		if !ok || len(twice) != len(sums) {
			t.Fatalf("%q reads as %v", again.String(), twice)
		}
		for name, sum := range sums {
			if twice[name] != sum {
				t.Errorf("%s: %s, and again %s", name, sum, twice[name])
			}
		}
	})
}

// FuzzCheckSignature holds that only what was signed passes, and that what
// stands beside the right key in a list changes nothing.
func FuzzCheckSignature(f *testing.F) {
	sums, signature, key := signed(f, "SHA256SUMS"), signed(f, "SHA256SUMS.sig"), string(signed(f, "key.asc"))
	now := func() time.Time { return time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC) }
	f.Add(sums, signature, key)
	f.Add(sums[1:], signature, "")
	f.Add(sums, signature[:len(signature)-1], strings.Replace(key, "x", "y", 1))
	f.Add(append(slices.Clone(sums), '\n'), append(slices.Clone(signature), signature...), key+key)
	f.Add([]byte{}, []byte(nil), "-----BEGIN PGP PUBLIC KEY BLOCK-----\n\n-----END PGP PUBLIC KEY BLOCK-----")
	f.Fuzz(func(t *testing.T, message, sig []byte, armor string) {
		result, detail := checkSignature(message, sig, []string{armor, key}, now)
		if result != signatureBad && !bytes.Equal(message, sums) {
			t.Errorf("another message passes: %q", message)
		}
		if result == signatureBad && detail == "" {
			t.Error("refused without a reason")
		}
		for _, keys := range [][]string{{armor, key}, {key, armor}} {
			if result, detail := checkSignature(sums, signature, keys, now); result != signatureGood {
				t.Errorf("beside the key %q the right one fails: %s", armor, detail)
			}
		}
	})
}
