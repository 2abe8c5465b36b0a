package tfdocs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
)

// without says what comes of it.
const without = "Descriptions are those that the provider itself gives"

// noIndex reports documentation that is not to be had, now or at all. what is
// the provider with its version.
func noIndex(what string, err error) *diag.Diagnostic {
	switch {
	case errors.Is(err, fetch.ErrOffline):
		return diag.Warnf("TD0001", "The documentation of "+what+" is not on this machine", "The network is not to be used. %s.", without)
	case absent(err):
		return Absent(what, err)
	default:
		return diag.Warnf("TD0003", "The documentation of "+what+" did not come", "%s. %s; another try asks again.", sentence(err), without)
	}
}

// Absent reports that there is no documentation of what, the provider with its
// version.
func Absent(what string, err error) *diag.Diagnostic {
	return diag.Warnf("TD0002", "No documentation of "+what,
		"%s. %s. Where you have the provider's repository, --upstreamRepoPath DIRECTORY takes it from there.", sentence(err), without)
}

// incomplete reports pages that did not come.
func incomplete(what string, missing, wanted int, first error) *diag.Diagnostic {
	return diag.Warnf("TD0004", fmt.Sprintf("%d of %d pages of the documentation of %s did not come", missing, wanted, what),
		"%s. %s there; another try asks for these pages alone.", sentence(first), without)
}

// sentence begins with a capital letter and lacks its full stop.
func sentence(err error) string {
	text := strings.TrimRight(err.Error(), ".")
	if text != "" && text[0] >= 'a' && text[0] <= 'z' {
		return string(text[0]-'a'+'A') + text[1:]
	}
	return text
}
