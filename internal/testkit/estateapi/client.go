// Package estateapi is the client of the synthetic estate's HTTP API, for the
// test providers. It retries what is throttled and obeys crashes that a test
// asks for; everything else it hands back as an *Error.
package estateapi

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// Object is one thing of the estate as JSON, numbers as json.Number.
type Object = map[string]any

// Client calls one estate. Its fields may not change while it is in use; its
// methods may be called concurrently.
type Client struct {
	// Endpoint is the API's URL without a trailing slash.
	Endpoint string
	// Token, where not empty, is sent with every call.
	Token string
	// MaxRetries is how often a throttled call is tried again.
	MaxRetries int
	// HTTP makes the calls; nil means http.DefaultClient.
	HTTP *http.Client
	// Crash is called when the API asks the provider to die; it does not
	// return. nil means that such answers are errors.
	Crash func(message string)
}

// Error is a refusal of the API.
type Error struct {
	Status        int
	Code, Message string
}

func (e *Error) Error() string {
	return fmt.Sprintf("estate API: %d %s: %s", e.Status, e.Code, e.Message)
}

// NotFound says that the object does not exist.
func (e *Error) NotFound() bool { return e.Status == http.StatusNotFound }

// Create adds an object and answers it as the API completed it.
func (c *Client) Create(ctx context.Context, kind string, obj Object) (Object, error) {
	return c.call(ctx, http.MethodPost, "/v1/"+kind, obj)
}

// Get reads an object.
func (c *Client) Get(ctx context.Context, kind, id string) (Object, error) {
	return c.call(ctx, http.MethodGet, path(kind, id), nil)
}

// Update replaces an object.
func (c *Client) Update(ctx context.Context, kind, id string, obj Object) (Object, error) {
	return c.call(ctx, http.MethodPut, path(kind, id), obj)
}

// Delete removes an object.
func (c *Client) Delete(ctx context.Context, kind, id string) error {
	_, err := c.call(ctx, http.MethodDelete, path(kind, id), nil)
	return err
}

// List walks all pages of a kind. It ends after the first error, which comes
// with a nil object.
func (c *Client) List(ctx context.Context, kind string, filter map[string]string) iter.Seq2[Object, error] {
	return func(yield func(Object, error) bool) {
		query := url.Values{}
		for name, value := range filter {
			query.Set(name, value)
		}
		for {
			page, err := c.call(ctx, http.MethodGet, "/v1/"+kind+"?"+query.Encode(), nil)
			if err != nil {
				yield(nil, err)
				return
			}
			items, _ := page["items"].([]any)
			for _, item := range items {
				obj, ok := item.(Object)
				if !ok {
					yield(nil, fmt.Errorf("estate API: list %s: an item is no object", kind))
					return
				}
				if !yield(obj, nil) {
					return
				}
			}
			next, _ := page["next_page_token"].(string)
			if next == "" {
				return
			}
			query.Set("page_token", next)
		}
	}
}

// path keeps the slashes of composite ids and escapes the rest.
func path(kind, id string) string {
	parts := strings.Split(id, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return "/v1/" + kind + "/" + strings.Join(parts, "/")
}

// call makes one call, again while it is throttled.
func (c *Client) call(ctx context.Context, method, path string, body Object) (Object, error) {
	for attempt := 0; ; attempt++ {
		answer, wait, err := c.once(ctx, method, path, body)
		if wait < 0 || attempt >= c.MaxRetries {
			return answer, err
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		case <-timer.C:
		}
	}
}

// once makes one call. A wait of 0 or more says that it was throttled.
func (c *Client) once(ctx context.Context, method, path string, body Object) (Object, time.Duration, error) {
	const final = time.Duration(-1)
	request, err := c.request(ctx, method, path, body)
	if err != nil {
		return nil, final, err
	}
	client := c.HTTP
	if client == nil {
		client = http.DefaultClient
	}
	response, err := client.Do(request)
	if err != nil {
		return nil, final, fmt.Errorf("estate API: %w", err)
	}
	defer response.Body.Close()
	if message := response.Header.Get("X-Estate-Crash"); message != "" {
		if c.Crash != nil {
			c.Crash(message)
		}
		return nil, final, fmt.Errorf("estate API: asked to crash: %s", message)
	}
	data, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, final, fmt.Errorf("estate API: read the answer to %s %s: %w", method, path, err)
	}
	wait := final
	if response.StatusCode == http.StatusTooManyRequests {
		wait = retryAfter(response.Header)
	}
	obj, err := parse(response.StatusCode, data)
	return obj, wait, err
}

func (c *Client) request(ctx context.Context, method, path string, body Object) (*http.Request, error) {
	var payload io.Reader
	if body != nil {
		data, err := json.Marshal(body)
		if err != nil {
			return nil, fmt.Errorf("estate API: encode %s %s: %w", method, path, err)
		}
		payload = bytes.NewReader(data)
	}
	request, err := http.NewRequestWithContext(ctx, method, c.Endpoint+path, payload)
	if err != nil {
		return nil, fmt.Errorf("estate API: %w", err)
	}
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
	}
	return request, nil
}

// parse reads an answer: an object, nothing, or a refusal.
func parse(status int, data []byte) (Object, error) {
	if status == http.StatusNoContent {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var obj Object
	err := d.Decode(&obj)
	if status < 300 {
		if err != nil {
			return nil, fmt.Errorf("estate API: the answer is not JSON: %w", err)
		}
		return obj, nil
	}
	refusal := &Error{Status: status, Code: http.StatusText(status), Message: "no reason given"}
	if detail, ok := obj["error"].(Object); ok {
		refusal.Code, _ = detail["code"].(string)
		refusal.Message, _ = detail["message"].(string)
	}
	return nil, refusal
}

func retryAfter(header http.Header) time.Duration {
	seconds, err := strconv.Atoi(header.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return time.Second
	}
	return time.Duration(seconds) * time.Second
}
