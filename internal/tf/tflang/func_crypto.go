package tflang

import (
	"crypto/md5"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"hash"
	"unicode/utf8"

	"github.com/google/uuid"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/gocty"
	"golang.org/x/crypto/bcrypt"
	"golang.org/x/crypto/ssh"
)

// digest is a hash and how its sum is written.
type digest struct {
	new   func() hash.Hash
	write func([]byte) string
}

// digests are the hashes by the name of their function; with "file" before
// the name, the function reads a file.
func digests() map[string]digest {
	b64 := base64.StdEncoding.EncodeToString
	return map[string]digest{
		"md5":          {md5.New, hex.EncodeToString},
		"sha1":         {sha1.New, hex.EncodeToString},
		"sha256":       {sha256.New, hex.EncodeToString},
		"sha512":       {sha512.New, hex.EncodeToString},
		"base64sha256": {sha256.New, b64},
		"base64sha512": {sha512.New, b64},
	}
}

func digestFunctions() map[string]function.Function {
	out := map[string]function.Function{}
	for name, d := range digests() {
		out[name] = textFunc("str", func(s string) (string, error) {
			h := d.new()
			h.Write([]byte(s))
			return d.write(h.Sum(nil)), nil
		})
	}
	return out
}

func cryptoFunctions(h Host) map[string]function.Function {
	return map[string]function.Function{
		"bcrypt":     bcryptFunc(),
		"rsadecrypt": rsaDecryptFunc(),
		"uuid": scalarFunc(cty.String, nil, func([]cty.Value) (cty.Value, error) {
			id, err := uuid.NewRandomFromReader(h.Random)
			return cty.StringVal(id.String()), err
		}),
		"uuidv5": uuidV5Func(),
	}
}

func bcryptFunc() function.Function {
	cost := param("cost", cty.Number)
	return function.New(&function.Spec{
		Params:       []function.Parameter{param("str", cty.String)},
		VarParam:     &cost,
		Type:         function.StaticReturnType(cty.String),
		RefineResult: notNull,
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if len(args) > 2 {
				return cty.NilVal, errors.New("bcrypt() takes no more than two arguments")
			}
			rounds := bcrypt.DefaultCost
			if len(args) == 2 {
				if err := gocty.FromCtyValue(args[1], &rounds); err != nil {
					return cty.NilVal, function.NewArgError(1, err)
				}
			}
			out, err := bcrypt.GenerateFromPassword([]byte(args[0].AsString()), rounds)
			if err != nil {
				return cty.NilVal, err
			}
			return cty.StringVal(string(out)), nil
		},
	})
}

// rsaDecryptFunc decrypts PKCS #1 v1.5 with a PEM or OpenSSH private key. Its
// messages quote neither of its arguments.
func rsaDecryptFunc() function.Function {
	params := []function.Parameter{param("ciphertext", cty.String), param("privatekey", cty.String)}
	return scalarFunc(cty.String, params, func(args []cty.Value) (cty.Value, error) {
		cipher, err := base64.StdEncoding.DecodeString(args[0].AsString())
		if err != nil {
			return cty.NilVal, function.NewArgErrorf(0, "cipher text must be base64-encoded")
		}
		parsed, err := ssh.ParseRawPrivateKey([]byte(args[1].AsString()))
		if err != nil {
			return cty.NilVal, function.NewArgErrorf(1, "invalid private key: %s", err)
		}
		key, ok := parsed.(*rsa.PrivateKey)
		if !ok {
			return cty.NilVal, function.NewArgErrorf(1, "not an RSA private key")
		}
		plain, err := rsa.DecryptPKCS1v15(nil, key, cipher) //nolint:staticcheck // the function is defined as this padding
		if err != nil {
			return cty.NilVal, errors.New("failed to decrypt: the key does not fit the cipher text")
		}
		if !utf8.Valid(plain) {
			return cty.NilVal, errNotUTF8
		}
		return cty.StringVal(string(plain)), nil
	})
}

// uuidV5Func derives a UUID from a name in one of RFC 4122's namespaces, or
// in one given as a UUID.
func uuidV5Func() function.Function {
	named := map[string]uuid.UUID{
		"dns": uuid.NameSpaceDNS, "url": uuid.NameSpaceURL, "oid": uuid.NameSpaceOID, "x500": uuid.NameSpaceX500,
	}
	params := []function.Parameter{param("namespace", cty.String), param("name", cty.String)}
	return scalarFunc(cty.String, params, func(args []cty.Value) (cty.Value, error) {
		space, ok := named[args[0].AsString()]
		if !ok {
			var err error
			if space, err = uuid.Parse(args[0].AsString()); err != nil {
				return cty.NilVal, function.NewArgErrorf(0, "unsupported namespace: want dns, url, oid, x500 or a UUID")
			}
		}
		return cty.StringVal(uuid.NewSHA1(space, []byte(args[1].AsString())).String()), nil
	})
}
