// Package diag carries what the user can fix: errors and warnings with a
// stable code, a place and a next step. Faults of the environment stay plain
// errors until the edge that reports them wraps them with [FromError].
//
// A place is a source range, a resource address, a value path, or any mix of
// the three. Text and JSON renderings are in render.go; nothing here prints.
package diag

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
)

// Severity says whether the work that raised a diagnostic could go on.
type Severity uint8

// The two severities. An Error means that the thing asked for was not done.
const (
	Error Severity = iota + 1
	Warning
)

// String returns "error" or "warning".
func (s Severity) String() string {
	if s == Warning {
		return "warning"
	}
	return "error"
}

// Diagnostic is one message for the user. It never holds a sensitive value.
type Diagnostic struct {
	Severity Severity
	// Code is stable across releases: two letters of the package, a number.
	Code string
	// Summary says what is wrong, in a line without a full stop.
	Summary string
	// Detail says why, and what to do next. It may have several lines.
	Detail string
	// Address names the resource concerned, such as "aws_vpc.main"; or "".
	Address string
	// Path leads to the value concerned inside the object at hand; or nil.
	Path cty.Path
	// Subject is the source range at fault, Context a wider one around it.
	Subject, Context *hcl.Range
	// Listed says that a summary of the work has a list with what this is about,
	// and need not repeat it.
	Listed bool
}

// Errorf makes an error whose detail is formatted.
func Errorf(code, summary, detail string, args ...any) *Diagnostic {
	return &Diagnostic{Severity: Error, Code: code, Summary: summary, Detail: sprintf(detail, args)}
}

// Warnf makes a warning whose detail is formatted.
func Warnf(code, summary, detail string, args ...any) *Diagnostic {
	return &Diagnostic{Severity: Warning, Code: code, Summary: summary, Detail: sprintf(detail, args)}
}

func sprintf(format string, args []any) string {
	if len(args) == 0 {
		return format
	}
	return fmt.Sprintf(format, args...)
}

// At returns d with its source range set.
func (d *Diagnostic) At(subject hcl.Range) *Diagnostic {
	d.Subject = &subject
	return d
}

// For returns d with the resource address it concerns.
func (d *Diagnostic) For(address string) *Diagnostic {
	d.Address = address
	return d
}

// On returns d with the value path it concerns.
func (d *Diagnostic) On(path cty.Path) *Diagnostic {
	d.Path = path
	return d
}

// InList returns d as one that is about something that is listed.
func (d *Diagnostic) InList() *Diagnostic {
	d.Listed = true
	return d
}

// Error renders d in one line, for use as a Go error.
func (d *Diagnostic) Error() string {
	var b strings.Builder
	if d.Subject != nil {
		fmt.Fprintf(&b, "%s: ", d.Subject)
	}
	if d.Address != "" {
		b.WriteString(d.Address)
		if len(d.Path) > 0 {
			b.WriteString("." + ctyx.PathString(d.Path))
		}
		b.WriteString(": ")
	} else if len(d.Path) > 0 {
		b.WriteString(ctyx.PathString(d.Path) + ": ")
	}
	b.WriteString(d.Summary)
	if d.Detail != "" {
		b.WriteString(": " + strings.ReplaceAll(d.Detail, "\n", " "))
	}
	return b.String()
}

// Brief is the summary and the first line of the detail, which has the reason,
// for a place with room for one line. A long line is cut.
func (d *Diagnostic) Brief() string {
	first, _, _ := strings.Cut(strings.TrimSpace(d.Detail), "\n")
	if first = strings.TrimSpace(first); first == "" {
		return d.Summary
	}
	return d.Summary + ": " + around(first, 1)
}

// mostQuoted is how many characters are quoted of a line that may be endless.
const mostQuoted = 200

// List is what a stage reports beside its result. Order is that of raising.
type List []*Diagnostic

// HasErrors reports whether any member is an error.
func (l List) HasErrors() bool {
	for _, d := range l {
		if d.Severity == Error {
			return true
		}
	}
	return false
}

// Errors returns the members that are errors.
func (l List) Errors() List {
	var out List
	for _, d := range l {
		if d.Severity == Error {
			out = append(out, d)
		}
	}
	return out
}

// Err returns nil where no member is an error, else all errors as one, which
// unwraps to each *Diagnostic.
func (l List) Err() error {
	var errs []error
	for _, d := range l.Errors() {
		errs = append(errs, d)
	}
	return errors.Join(errs...)
}

// ForAddress sets the address of every member that has none, and returns l.
func (l List) ForAddress(address string) List {
	for _, d := range l {
		if d.Address == "" {
			d.Address = address
		}
	}
	return l
}

// FromError wraps a fault of the environment so that it can be reported
// beside diagnostics. Diagnostics inside of err come out as they are, each
// one of a joined error by itself. A nil error gives an empty list.
func FromError(code, summary string, err error) List {
	if err == nil {
		return nil
	}
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		if d, ok := inner.(*Diagnostic); ok { //nolint:errorlint // the loop unwraps
			return List{d}
		}
		joined, ok := inner.(interface{ Unwrap() []error })
		if !ok {
			continue
		}
		var out List
		for _, e := range joined.Unwrap() {
			out = append(out, FromError(code, summary, e)...)
		}
		return out
	}
	return List{Errorf(code, summary, "%s", err.Error())}
}

// FromHCL carries over diagnostics of the HCL parser or evaluator.
func FromHCL(code string, diags hcl.Diagnostics) List {
	var out List
	for _, h := range diags {
		d := &Diagnostic{Severity: Error, Code: code, Summary: h.Summary, Detail: h.Detail, Subject: h.Subject, Context: h.Context}
		if h.Severity == hcl.DiagWarning {
			d.Severity = Warning
		}
		out = append(out, d)
	}
	return out
}
