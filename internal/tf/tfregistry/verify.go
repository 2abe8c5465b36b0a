package tfregistry

import (
	"bytes"
	"context"
	"encoding/hex"
	"errors"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/ProtonMail/go-crypto/openpgp"
	pgperrors "github.com/ProtonMail/go-crypto/openpgp/errors"
	"github.com/ProtonMail/go-crypto/openpgp/packet"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// verified is what checking a registry's answer gave.
type verified struct {
	vouched []string
	notes   diag.List
}

// verify checks that the list of checksums names the package with the sum
// the registry gives, and that one of the registry's keys signed the list.
// The package itself is held to the sum once it has come.
func (d *direct) verify(ctx context.Context, p tfaddr.Provider, version string, base *url.URL, answer packageAnswer) (verified, error) {
	if sum, err := hex.DecodeString(answer.Sum); err != nil || len(sum) != 32 {
		return verified{}, registryFailed(p, d.describe(p), errors.New("its SHA-256 of the package is malformed"))
	}
	sums, err := d.document(ctx, p, base, answer.SumsURL)
	if err != nil {
		return verified{}, err
	}
	listed, ok := parseSums(sums)
	if !ok {
		return verified{}, registryFailed(p, d.describe(p), errors.New("its list of checksums is malformed"))
	}
	if !strings.EqualFold(listed[answer.Filename], answer.Sum) {
		return verified{}, sumsDisagree(p, version, answer.Filename)
	}
	var out verified
	if len(answer.SigningKeys.GPG) == 0 {
		// The public OpenTofu registry has providers whose keys it does not
		// know; every other registry must sign.
		if p.Host != tfaddr.DefaultHost || d.r.opts.Env("OPENTOFU_ENFORCE_GPG_VALIDATION") == "true" {
			return verified{}, unsigned(p, version)
		}
		out.notes = diag.List{unsignedWarning(p, version)}
		return out, nil
	}
	signature, err := d.document(ctx, p, base, answer.SignatureURL)
	if err != nil {
		return verified{}, err
	}
	var keys []string
	for _, key := range answer.SigningKeys.GPG {
		keys = append(keys, key.Armor)
	}
	switch result, detail := checkSignature(sums, signature, keys, d.r.opts.Clock.Now); result {
	case signatureExpired:
		if d.r.opts.Env("OPENTOFU_ENFORCE_GPG_EXPIRATION") == "true" {
			return verified{}, badSignature(p, version, "the key that made it has expired, which OPENTOFU_ENFORCE_GPG_EXPIRATION forbids")
		}
		out.notes = diag.List{expiredKey(p, version)}
	case signatureBad:
		return verified{}, badSignature(p, version, detail)
	}
	for _, sum := range listed {
		out.vouched = append(out.vouched, schemeZip+strings.ToLower(sum))
	}
	slices.Sort(out.vouched)
	return out, nil
}

// document gets one of the texts that a package answer points to. They are
// public: no token goes with the request.
func (d *direct) document(ctx context.Context, p tfaddr.Provider, base *url.URL, ref string) ([]byte, error) {
	address, err := fetch.Resolve(base, ref)
	if err != nil {
		return nil, registryFailed(p, d.describe(p), err)
	}
	body, _, err := d.r.client.Get(fetch.WithoutAuthorization(ctx), address.String(), fetch.MaxDocument)
	if err != nil && !fetch.IsTransient(err) && !errors.Is(err, context.Canceled) {
		return nil, registryFailed(p, d.describe(p), err)
	}
	return body, err
}

// parseSums reads lines of a hexadecimal SHA-256 and a file name, and maps
// names to sums. ok is false where a line is anything else.
func parseSums(src []byte) (sums map[string]string, ok bool) {
	sums = map[string]string{}
	for line := range strings.Lines(string(src)) {
		fields := strings.Fields(line)
		if len(fields) == 0 {
			continue
		}
		if raw, err := hex.DecodeString(fields[0]); len(fields) != 2 || err != nil || len(raw) != 32 {
			return nil, false
		}
		// sha256sum marks files that it read as binary with a star.
		sums[strings.TrimPrefix(fields[1], "*")] = fields[0]
	}
	return sums, true
}

type signatureResult uint8

const (
	signatureGood signatureResult = iota
	// signatureExpired is a good one by a key that has expired since: as in
	// the field, old releases stay installable.
	signatureExpired
	signatureBad
)

// checkSignature tells whether one of the ASCII-armoured keys made the
// detached signature of message. detail says why not.
func checkSignature(message, signature []byte, keys []string, now func() time.Time) (result signatureResult, detail string) {
	result, detail = signatureBad, "none of the registry's keys made it"
	for _, armor := range keys {
		keyring, err := openpgp.ReadArmoredKeyRing(strings.NewReader(armor))
		if err != nil {
			detail = "a key of the registry cannot be read: " + err.Error()
			continue
		}
		_, err = openpgp.CheckDetachedSignature(keyring, bytes.NewReader(message), bytes.NewReader(signature), &packet.Config{Time: now})
		switch {
		case err == nil:
			return signatureGood, ""
		case errors.Is(err, pgperrors.ErrKeyExpired), errors.Is(err, pgperrors.ErrSignatureExpired):
			result = signatureExpired
		case !errors.Is(err, pgperrors.ErrUnknownIssuer):
			detail = err.Error()
		}
	}
	return result, detail
}
