package tfregistry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"
)

// client speaks HTTP: it says who is asking, gives tokens only to the host
// they are for, and tells passing faults from final ones.
type client struct {
	http    *http.Client
	clock   Clock
	offline bool
}

func newClient(opts Options) *client {
	base := opts.Transport
	if base == nil {
		base = systemTransport()
	}
	return &client{
		http:    &http.Client{Transport: &transport{base: base, opts: opts}, CheckRedirect: checkRedirect},
		clock:   opts.Clock,
		offline: opts.Offline,
	}
}

func systemTransport() http.RoundTripper {
	t, ok := http.DefaultTransport.(*http.Transport)
	if !ok {
		return http.DefaultTransport
	}
	t = t.Clone()
	t.ResponseHeaderTimeout = 30 * time.Second
	return t
}

// bearer is a token and the one host, with its port, that may see it.
type bearer struct{ host, token string }

type bearerKey struct{}

// withToken returns a context whose requests carry token when, and only
// when, they go to host by HTTPS: redirects elsewhere go without.
func withToken(ctx context.Context, host, token string) context.Context {
	if token == "" {
		return ctx
	}
	return context.WithValue(ctx, bearerKey{}, bearer{host, token})
}

// transport adds headers on every hop and turns answers that ask to come
// back later into errors, so that all callers meet them the same way.
type transport struct {
	base http.RoundTripper
	opts Options
}

func (t *transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if t.opts.Offline {
		return nil, errOffline
	}
	req = req.Clone(req.Context())
	req.Header.Set("User-Agent", t.opts.UserAgent)
	req.Header.Del("Authorization")
	// After a redirect this would tell the next host a signed address.
	req.Header.Del("Referer")
	if b, ok := req.Context().Value(bearerKey{}).(bearer); ok && req.URL.Scheme == "https" && req.URL.Host == b.host {
		req.Header.Set("Authorization", "Bearer "+b.token)
	}
	resp, err := t.base.RoundTrip(req)
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
// *statusError; every error names the URL without its query, which may hold
// a signature.
func (c *client) do(req *http.Request) (*http.Response, error) {
	resp, err := c.http.Do(req)
	if err != nil {
		return nil, cleanError(req.URL, err)
	}
	switch resp.StatusCode {
	case http.StatusOK, http.StatusPartialContent, http.StatusRequestedRangeNotSatisfiable:
		return resp, nil
	}
	defer resp.Body.Close()
	return nil, newStatusError(resp, c.clock.Now())
}

// fetch gets a small document, trying again where that may help. It returns
// the URL that answered, after redirects. More than limit bytes are an error.
func (c *client) fetch(ctx context.Context, address string, limit int64) (body []byte, final *url.URL, err error) {
	err = c.retry(ctx, func() error {
		ctx, cancel := context.WithTimeout(ctx, answerWait)
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
			return newStatusError(resp, c.clock.Now())
		}
		final = resp.Request.URL
		body, err = io.ReadAll(io.LimitReader(resp.Body, limit+1))
		if err != nil {
			return &netError{cleanURL(req.URL), err}
		}
		if int64(len(body)) > limit {
			return fmt.Errorf("%s answered with more than %d bytes", cleanURL(req.URL), limit)
		}
		return nil
	})
	return body, final, err
}

// answerWait bounds how long one small document may take.
const answerWait = time.Minute

// maxDocument bounds JSON answers, checksum lists and signatures.
const maxDocument = 16 << 20

// fetchJSON gets a JSON document into v.
func (c *client) fetchJSON(ctx context.Context, address string, v any) (*url.URL, error) {
	body, final, err := c.fetch(ctx, address, maxDocument)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(body, v); err != nil {
		return nil, &badAnswer{cleanURL(final), err}
	}
	return final, nil
}

// resolve makes ref, an absolute or relative URL, absolute against base.
func resolve(base *url.URL, ref string) (*url.URL, error) {
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

// withoutToken returns a context whose requests carry none.
func withoutToken(ctx context.Context) context.Context {
	return context.WithValue(ctx, bearerKey{}, nil)
}
