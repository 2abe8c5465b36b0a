package estate

import (
	"fmt"
	"net/http"
)

// Error is what the API refuses with: an HTTP status, a code for programs and
// a message for people.
type Error struct {
	Status  int
	Code    string
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Code, e.Message) }

func invalid(format string, args ...any) error {
	return &Error{http.StatusBadRequest, "InvalidRequest", fmt.Sprintf(format, args...)}
}

func conflict(format string, args ...any) error {
	return &Error{http.StatusConflict, "Conflict", fmt.Sprintf(format, args...)}
}

func notFound(kind, id string) error {
	return &Error{http.StatusNotFound, "NotFound", fmt.Sprintf("there is no %s %q", kind, id)}
}

func unknownKind(kind string) error {
	return &Error{http.StatusNotFound, "NotFound", fmt.Sprintf("there are no %q here", kind)}
}

func sealed(kind, id string) error {
	return &Error{http.StatusInternalServerError, "Sealed",
		fmt.Sprintf("%s %q is sealed and cannot be read", kind, id)}
}
