package tfregistry

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/formation-iac/formation/internal/base/progress"
)

// errOffline is what every request meets in offline mode.
var errOffline = errors.New("the network is not to be used")

// statusError is an answer that is not the thing asked for.
type statusError struct {
	url  string
	code int
	// after is what Retry-After asks to wait, or 0.
	after time.Duration
}

func newStatusError(resp *http.Response, now time.Time) *statusError {
	return &statusError{cleanURL(resp.Request.URL), resp.StatusCode, retryAfter(resp.Header.Get("Retry-After"), now)}
}

func (e *statusError) Error() string {
	text := fmt.Sprintf("%s answered %d %s", e.url, e.code, http.StatusText(e.code))
	if e.after > 0 {
		text += fmt.Sprintf(" (to be asked again after %s)", e.after)
	}
	return text
}

// hasStatus reports whether err is an answer with one of the codes.
func hasStatus(err error, codes ...int) bool {
	var status *statusError
	if !errors.As(err, &status) {
		return false
	}
	for _, code := range codes {
		if status.code == code {
			return true
		}
	}
	return false
}

// retryAfter reads the header's two forms, seconds and a date.
func retryAfter(header string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(header); err == nil && seconds > 0 {
		return time.Duration(min(seconds, 1<<30)) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// netError is a connection that could not be made or broke.
type netError struct {
	url string
	err error
}

func (e *netError) Error() string { return fmt.Sprintf("%s: %s", e.url, e.err) }
func (e *netError) Unwrap() error { return e.err }

// badAnswer is an answer that does not follow the protocol.
type badAnswer struct {
	url string
	err error
}

func (e *badAnswer) Error() string { return fmt.Sprintf("%s: %s", e.url, e.err) }
func (e *badAnswer) Unwrap() error { return e.err }

// cleanURL prints a URL without user, query and fragment, where secrets are.
func cleanURL(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// cleanError takes the URL, which net/http prints whole, out of err.
func cleanError(u *url.URL, err error) error {
	var status *statusError
	if errors.As(err, &status) {
		return status
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return &netError{cleanURL(u), err}
}

// isTransient reports whether err is a fault of the network or of a server's
// moment, and not an answer. A certificate that does not verify is an answer,
// and so is being told to stop.
func isTransient(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, errOffline) {
		return false
	}
	var status *statusError
	if errors.As(err, &status) {
		return status.code == http.StatusTooManyRequests || status.code == http.StatusRequestTimeout || status.code >= 500
	}
	if untrusted(err) {
		return false
	}
	var broken *netError
	return errors.As(err, &broken)
}

// untrusted reports whether a server's certificate did not verify.
func untrusted(err error) bool {
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &certificate)
}

// isHopeless reports whether trying again soon will not help.
func isHopeless(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound
}

// How often, and how long apart, a request is tried again.
const (
	maxAttempts = 4
	firstWait   = time.Second
	// longestWait is the most that Retry-After can make us wait.
	longestWait = 2 * time.Minute
)

// retry runs op until it succeeds, fails for good, or has had its attempts.
func (c *client) retry(ctx context.Context, op func() error) error {
	for attempt := 1; ; attempt++ {
		err := op()
		if !isTransient(err) || ctx.Err() != nil {
			return err
		}
		if !c.pause(ctx, err, attempt) {
			return err
		}
	}
}

// pause waits before the next attempt; false says that there is none.
func (c *client) pause(ctx context.Context, err error, attempt int) bool {
	if attempt >= maxAttempts || isHopeless(err) {
		return false
	}
	wait := firstWait << (attempt - 1)
	var status *statusError
	if errors.As(err, &status) && status.after > 0 {
		wait = status.after
	}
	if wait > longestWait {
		return false
	}
	event := progress.Event{Task: "wait", Label: err.Error(), Total: int64(wait / time.Second), Unit: "seconds"}
	progress.From(ctx).Send(event)
	slept := c.clock.Sleep(ctx, wait)
	event.Done, event.End = event.Total, true
	progress.From(ctx).Send(event)
	return slept == nil
}
