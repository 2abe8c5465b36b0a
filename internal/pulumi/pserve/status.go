package pserve

import (
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
)

// Error makes the error of a call from the errors among diags, for the engine
// to show. It returns nil where there is none.
//
// The engine takes Internal, DataLoss and Unknown for "it may have happened or
// not" and keeps a pending operation; every other code says that nothing did.
func Error(code codes.Code, diags diag.List) error {
	var texts []string
	for _, d := range diags.Errors() {
		texts = append(texts, Text(d))
	}
	if len(texts) == 0 {
		return nil
	}
	return status.Error(code, strings.Join(texts, "\n"))
}

// Text is a diagnostic as the engine shows it: what, where, and below that why
// and what to do.
func Text(d *diag.Diagnostic) string {
	var b strings.Builder
	if len(d.Path) > 0 {
		b.WriteString(ctyx.PathString(d.Path) + ": ")
	}
	b.WriteString(d.Summary)
	if d.Detail != "" {
		b.WriteString(": " + d.Detail)
	}
	return b.String()
}

// unreachable reports whether a call's error means that nobody answered.
func unreachable(err error) bool {
	switch status.Code(err) {
	case codes.Unavailable, codes.DeadlineExceeded, codes.Canceled:
		return true
	default:
		return false
	}
}
