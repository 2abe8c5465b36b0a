package fetch

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

// ErrOffline is what every request meets in offline mode.
var ErrOffline = errors.New("the network is not to be used")

// StatusError is an answer that is not the thing asked for.
type StatusError struct {
	URL  string
	Code int
	// After is how long the server asks to wait, or 0.
	After time.Duration
	// RateLimited says that it is asked too often, and not what it thinks of
	// the request.
	RateLimited bool
}

func newStatusError(resp *http.Response, now time.Time) *StatusError {
	e := &StatusError{URL: CleanURL(resp.Request.URL), Code: resp.StatusCode, After: retryAfter(resp.Header.Get("Retry-After"), now)}
	e.RateLimited = e.Code == http.StatusTooManyRequests
	// GitHub and GitLab say so beside a 403, or a 429 without Retry-After.
	if resp.Header.Get("X-Ratelimit-Remaining") == "0" && (e.Code == http.StatusForbidden || e.RateLimited) {
		e.RateLimited = true
		if reset, err := strconv.ParseInt(resp.Header.Get("X-Ratelimit-Reset"), 10, 64); err == nil && e.After == 0 {
			e.After = max(0, time.Unix(reset, 0).Sub(now)).Truncate(time.Second)
		}
	}
	return e
}

func (e *StatusError) Error() string {
	text := fmt.Sprintf("%s answered %d %s", e.URL, e.Code, http.StatusText(e.Code))
	if e.After > 0 {
		text += fmt.Sprintf(" (to be asked again after %s)", e.After)
	}
	return text
}

// HasStatus reports whether err is an answer with one of the codes.
func HasStatus(err error, codes ...int) bool {
	var status *StatusError
	if !errors.As(err, &status) {
		return false
	}
	for _, code := range codes {
		if status.Code == code {
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

// NetworkError is a connection that could not be made or broke.
type NetworkError struct {
	URL string
	Err error
}

func (e *NetworkError) Error() string { return fmt.Sprintf("%s: %s", e.URL, e.Err) }
func (e *NetworkError) Unwrap() error { return e.Err }

// AnswerError is an answer that does not follow the protocol.
type AnswerError struct {
	URL string
	Err error
}

func (e *AnswerError) Error() string { return fmt.Sprintf("%s: %s", e.URL, e.Err) }
func (e *AnswerError) Unwrap() error { return e.Err }

// CleanURL prints a URL without user, query and fragment, where secrets are.
func CleanURL(u *url.URL) string {
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String()
}

// CleanError takes the URL, which net/http prints whole, out of err.
func CleanError(u *url.URL, err error) error {
	var status *StatusError
	if errors.As(err, &status) {
		return status
	}
	var outer *url.Error
	if errors.As(err, &outer) {
		err = outer.Err
	}
	return &NetworkError{CleanURL(u), err}
}

// IsTransient reports whether err is a fault of the network or of a server's
// moment, and not an answer. A certificate that does not verify is an answer,
// and so is being told to stop.
func IsTransient(err error) bool {
	if err == nil || errors.Is(err, context.Canceled) || errors.Is(err, ErrOffline) {
		return false
	}
	var status *StatusError
	if errors.As(err, &status) {
		return status.Code == http.StatusTooManyRequests || status.Code == http.StatusRequestTimeout || status.Code >= 500
	}
	if Untrusted(err) {
		return false
	}
	var broken *NetworkError
	return errors.As(err, &broken)
}

// Untrusted reports whether a server's certificate did not verify.
func Untrusted(err error) bool {
	var certificate *tls.CertificateVerificationError
	return errors.As(err, &certificate)
}

// isHopeless reports whether trying again soon will not help.
func isHopeless(err error) bool {
	var dns *net.DNSError
	return errors.As(err, &dns) && dns.IsNotFound
}

// longestWait is the most that Retry-After can make us wait.
const longestWait = 2 * time.Minute

// Retry runs op until it succeeds, fails for good, or has had its attempts.
func (c *Client) Retry(ctx context.Context, op func() error) error {
	for attempt := 1; ; attempt++ {
		err := op()
		if !IsTransient(err) || ctx.Err() != nil {
			return err
		}
		if !c.pause(ctx, err, attempt) {
			return err
		}
	}
}

// pause waits before the next attempt; false says that there is none.
func (c *Client) pause(ctx context.Context, err error, attempt int) bool {
	if attempt >= c.opts.Attempts || isHopeless(err) {
		return false
	}
	wait := c.opts.FirstWait << (attempt - 1)
	var status *StatusError
	if errors.As(err, &status) && status.After > 0 {
		wait = status.After
	}
	if wait > longestWait {
		return false
	}
	event := progress.Event{Task: "wait", Label: err.Error(), Total: int64(wait / time.Second), Unit: "seconds"}
	progress.From(ctx).Send(event)
	slept := c.opts.Clock.Sleep(ctx, wait)
	event.Done, event.End = event.Total, true
	progress.From(ctx).Send(event)
	return slept == nil
}
