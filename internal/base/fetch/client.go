package fetch

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// Clock is how the package tells time and waits.
type Clock struct {
	Now func() time.Time
	// Sleep waits for d, or until ctx ends and then returns its error.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Options configures a [Client]. The zero value is usable.
type Options struct {
	// Transport carries requests; nil means one with the system's trust and
	// proxies.
	Transport http.RoundTripper
	// Offline forbids every network access.
	Offline bool
	Clock   Clock
	// UserAgent is sent with every request; "" means "formation".
	UserAgent string
	// Attempts is how often something is tried, 0 meaning 4; FirstWait is
	// the pause before the second attempt, 0 meaning a second. Each further
	// pause is twice as long.
	Attempts  int
	FirstWait time.Duration
}

// WithDefaults returns the clock with what it lacks taken from the system's.
func (c Clock) WithDefaults() Clock {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Sleep == nil {
		c.Sleep = sleep
	}
	return c
}

func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}

func (o Options) withDefaults() Options {
	o.Clock = o.Clock.WithDefaults()
	if o.UserAgent == "" {
		o.UserAgent = "formation"
	}
	if o.Attempts == 0 {
		o.Attempts = 4
	}
	if o.FirstWait == 0 {
		o.FirstWait = time.Second
	}
	if o.Transport == nil {
		o.Transport = systemTransport()
	}
	return o
}

// Client speaks HTTP. Its methods may be called concurrently.
type Client struct {
	http *http.Client
	opts Options
}

// New makes a client. It touches no network.
func New(opts Options) *Client {
	opts = opts.withDefaults()
	return &Client{http: &http.Client{Transport: &transport{opts}, CheckRedirect: checkRedirect}, opts: opts}
}

// HTTP is the client underneath, for libraries that want one. It tries
// nothing again.
func (c *Client) HTTP() *http.Client { return c.http }

func systemTransport() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t = t.Clone()
	t.ResponseHeaderTimeout = 30 * time.Second
	return t
}

// authorization is a header and the one host, with its port, that may see it.
type authorization struct{ host, value string }

type (
	authorizationKey struct{}
	acceptKey        struct{}
)

// WithAuthorization returns a context whose requests carry the header
// "Authorization: value" when, and only when, they go to host by HTTPS:
// redirects elsewhere go without. A value of "" adds nothing.
func WithAuthorization(ctx context.Context, host, value string) context.Context {
	if value == "" {
		return ctx
	}
	return context.WithValue(ctx, authorizationKey{}, authorization{host, value})
}

// WithBearer is [WithAuthorization] with a bearer token, which may be "".
func WithBearer(ctx context.Context, host, token string) context.Context {
	if token == "" {
		return ctx
	}
	return WithAuthorization(ctx, host, "Bearer "+token)
}

// WithoutAuthorization returns a context whose requests carry none.
func WithoutAuthorization(ctx context.Context) context.Context {
	return context.WithValue(ctx, authorizationKey{}, nil)
}

// WithAccept returns a context whose requests ask for a media type.
func WithAccept(ctx context.Context, mediaType string) context.Context {
	return context.WithValue(ctx, acceptKey{}, mediaType)
}

// transport adds headers on every hop and turns answers that ask to come
// back later into errors, so that all callers meet them the same way.
type transport struct{ opts Options }

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.opts.Offline {
		return nil, ErrOffline
	}
	req = req.Clone(req.Context())
	req.Header.Set("User-Agent", t.opts.UserAgent)
	req.Header.Del("Authorization")
	// After a redirect this would tell the next host a signed address.
	req.Header.Del("Referer")
	if a, ok := req.Context().Value(authorizationKey{}).(authorization); ok && req.URL.Scheme == "https" && req.URL.Host == a.host {
		req.Header.Set("Authorization", a.value)
	}
	if mediaType, ok := req.Context().Value(acceptKey{}).(string); ok {
		req.Header.Set("Accept", mediaType)
	}
	resp, err := t.opts.Transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode == http.StatusTooManyRequests || resp.StatusCode >= 500 {
		defer resp.Body.Close()
		return nil, newStatusError(resp, t.opts.Clock.Now())
	}
	return resp, nil
}

// maxRedirects is how many hops one request may take.
const maxRedirects = 10

func checkRedirect(req *http.Request, via []*http.Request) error {
	if len(via) >= maxRedirects {
		return fmt.Errorf("more than %d redirects", maxRedirects)
	}
	if via[len(via)-1].URL.Scheme == "https" && req.URL.Scheme != "https" {
		return errors.New("redirected from https to an insecure address")
	}
	return nil
}

// do sends one request. An answer other than 200, 206 or 416 is a
// *StatusError; every error names the URL without its query, which may hold
// a signature.
func (c *Client) do(req *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, CleanError(req.URL, err)
	}
	switch resp.StatusCode {
	case http.StatusOK, http.StatusPartialContent, http.StatusRequestedRangeNotSatisfiable:
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, newStatusError(resp, c.opts.Clock.Now())
}

// Get gets a small document, trying again where that may help. It returns
// the URL that answered, after redirects. More than limit bytes are an error.
func (c *Client) Get(ctx context.Context, address string, limit int64) (body []byte, final *url.URL, err error) {
	err = c.Retry(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, AnswerWait)
		defer cancel()
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
		if err != nil {
			return errors.New("the address is not a valid URL")
		}
		resp, err := c.do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return newStatusError(resp, c.opts.Clock.Now())
		}
		final = resp.Request.URL
		body, err = io.ReadAll(io.LimitReader(resp.Body, limit+1))
		if err != nil {
			return &NetworkError{CleanURL(req.URL), err}
		}
		if int64(len(body)) > limit {
			return fmt.Errorf("%s answered with more than %d bytes", CleanURL(req.URL), limit)
		}
		return nil
	})
	return body, final, err
}

// AnswerWait bounds how long one small document may take.
const AnswerWait = time.Minute

// MaxDocument bounds JSON answers, checksum lists and signatures, in bytes.
const MaxDocument = 16 << 20

// GetJSON gets a JSON document into v. It returns the URL that answered.
func (c *Client) GetJSON(ctx context.Context, address string, v any) (*url.URL, error) {
	body, final, err := c.Get(ctx, address, MaxDocument)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(body, v); err != nil {
		return nil, &AnswerError{CleanURL(final), err}
	}
	return final, nil
}

// Resolve makes ref, an absolute or relative URL, absolute against base.
func Resolve(base *url.URL, ref string) (*url.URL, error) {
	u, err := url.Parse(ref)
	if err != nil || ref == "" {
		return nil, errors.New("a URL is missing or malformed")
	}
	u = base.ResolveReference(u)
	if u.Scheme != "https" && u.Scheme != "http" {
		return nil, fmt.Errorf("a URL has the scheme %q; want https", u.Scheme)
	}
	return u, nil
}

// Send makes one request with a body and returns the answer, which may be
// any success. It is not tried again; [Client.Retry] may where that is safe.
func (c *Client) Send(ctx context.Context, method, address string, body []byte, header http.Header) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, AnswerWait)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, method, address, bytes.NewReader(body))
	if err != nil {
		return nil, errors.New("the address is not a valid URL")
	}
	req.Header = header.Clone()
	if req.Header == nil {
		req.Header = http.Header{}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, CleanError(req.URL, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode < 200 || resp.StatusCode > 299 {
		return nil, newStatusError(resp, c.opts.Clock.Now())
	}
	answer, err := io.ReadAll(io.LimitReader(resp.Body, MaxDocument))
	if err != nil {
		return nil, &NetworkError{CleanURL(req.URL), err}
	}
	return answer, nil
}
