package tflang

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"net/url"
	"unicode/utf8"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/ianaindex"
)

// maxInflated bounds what base64gunzip may produce, in bytes, so that a small
// string cannot fill the memory.
const maxInflated = 64 << 20

func encodingFunctions() map[string]function.Function {
	return map[string]function.Function{
		"base64encode":     textFunc("str", func(s string) (string, error) { return base64.StdEncoding.EncodeToString([]byte(s)), nil }),
		"base64decode":     textFunc("str", base64Text),
		"base64gzip":       textFunc("str", gzipText),
		"base64gunzip":     textFunc("str", gunzipText),
		"textencodebase64": charsetFunc("string", encodeCharset),
		"textdecodebase64": charsetFunc("source", decodeCharset),
		"urlencode":        textFunc("str", func(s string) (string, error) { return url.QueryEscape(s), nil }),
		"urldecode":        textFunc("str", urlText),
	}
}

var (
	errNotBase64 = errors.New("failed to decode base64 data")
	errNotUTF8   = errors.New("the result of decoding the provided string is not valid UTF-8")
)

func base64Text(s string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return "", errNotBase64 // the library's message could quote a secret
	}
	if !utf8.Valid(raw) {
		return "", errNotUTF8
	}
	return string(raw), nil
}

// gzipText compresses as Terraform does: a flush goes before the close, which
// adds an empty block to the stream.
func gzipText(s string) (string, error) {
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	_, err := w.Write([]byte(s))
	if err = errors.Join(err, w.Flush(), w.Close()); err != nil {
		return "", fmt.Errorf("failed to compress: %w", err)
	}
	return base64.StdEncoding.EncodeToString(buf.Bytes()), nil
}

func gunzipText(s string) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return "", errNotBase64
	}
	r, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return "", fmt.Errorf("failed to decompress: %w", err)
	}
	out, err := io.ReadAll(io.LimitReader(r, maxInflated+1))
	if err != nil {
		return "", fmt.Errorf("failed to decompress: %w", err)
	}
	if len(out) > maxInflated {
		return "", fmt.Errorf("the decompressed text is longer than %d bytes", maxInflated)
	}
	if !utf8.Valid(out) {
		return "", errNotUTF8
	}
	return string(out), nil
}

func urlText(s string) (string, error) {
	out, err := url.QueryUnescape(s)
	if err != nil {
		return "", errors.New("the given string is not a valid URL encoding")
	}
	if !utf8.ValidString(out) {
		return "", errNotUTF8
	}
	return out, nil
}

// charsetFunc makes a function of a text and the IANA name of its encoding.
func charsetFunc(first string, impl func(s string, enc encoding.Encoding) (string, error)) function.Function {
	params := []function.Parameter{param(first, cty.String), param("encoding", cty.String)}
	return scalarFunc(cty.String, params, func(args []cty.Value) (cty.Value, error) {
		enc, err := ianaindex.IANA.Encoding(args[1].AsString())
		if err != nil || enc == nil {
			return cty.UnknownVal(cty.String), function.NewArgErrorf(1, "%q is not a supported IANA encoding name or alias", args[1].AsString())
		}
		out, err := impl(args[0].AsString(), enc)
		if err != nil {
			return cty.UnknownVal(cty.String), function.NewArgError(0, err)
		}
		return cty.StringVal(out), nil
	})
}

func encodeCharset(s string, enc encoding.Encoding) (string, error) {
	raw, err := enc.NewEncoder().Bytes([]byte(s))
	if err != nil {
		return "", errors.New("the given string contains characters that the encoding cannot represent")
	}
	return base64.StdEncoding.EncodeToString(raw), nil
}

func decodeCharset(s string, enc encoding.Encoding) (string, error) {
	raw, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return "", errNotBase64
	}
	out, err := enc.NewDecoder().Bytes(raw)
	if err != nil || bytes.ContainsRune(out, utf8.RuneError) {
		return "", errors.New("the given string contains symbols that the encoding does not define")
	}
	return string(out), nil
}
