package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/formation-iac/formation/internal/base/progress"
	"github.com/formation-iac/formation/internal/base/wholefile"
)

// Download brings one file onto this machine. What has come stays on disk
// and is continued, in this run or a later one, while the server's validator
// says that the file is still the same.
type Download struct {
	Client *Client
	URL    string
	// Path is where the bytes go. The caller keeps others away from it, in
	// this process and in others.
	Path string
	// Sum is the SHA-256 that the file should have, hexadecimal; or "".
	Sum string
	// Label says in progress events what is downloaded.
	Label string
}

// partial stands beside what has come so far: Path + ".json".
type partial struct {
	URL  string `json:"url"`
	Sum  string `json:"sha256,omitempty"`
	ETag string `json:"etag,omitempty"`
	// Modified is the Last-Modified header, for servers without strong ETags.
	Modified string `json:"last_modified,omitempty"`
}

// Bounds of one download.
const (
	// maxDownload is the largest file accepted, in bytes.
	maxDownload = 4 << 30
	// maxResumes is how often a connection may break that did bring bytes.
	maxResumes = 50
	// stall is how long a connection may bring nothing.
	stall = time.Minute
)

// Discard removes what has come.
func (d Download) Discard() {
	_ = os.Remove(d.Path + ".json")
	_ = os.Remove(d.Path)
}

// Run leaves the whole file at Path. An error that [IsTransient] says that it
// was tried as often as it may be. Where a continued file does not have
// the sum it should, it is fetched once more from the start; what came in one
// piece is the caller's to judge.
func (d Download) Run(ctx context.Context) error {
	err := d.complete(ctx)
	event := progress.Event{Task: "download", Label: d.Label, Done: d.size(), Unit: progress.UnitBytes, End: true}
	if err == nil {
		event.Total = event.Done
	}
	progress.From(ctx).Send(event)
	return err
}

func (d Download) complete(ctx context.Context) error {
	if d.Sum != "" {
		if have, err := wholefile.SHA256(d.Path); err == nil && have == d.Sum {
			return nil
		}
	}
	continued, err := d.attempts(ctx)
	if err != nil || !continued || d.Sum == "" {
		return err
	}
	have, err := wholefile.SHA256(d.Path)
	if err != nil || have == d.Sum {
		return err
	}
	d.Discard()
	_, err = d.attempts(ctx)
	return err
}

// attempts tries until the file is whole. An attempt that brought bytes does
// not count against the number of attempts.
func (d Download) attempts(ctx context.Context) (continued bool, err error) {
	fruitless := 0
	for range maxResumes {
		before := d.size()
		resumed, err := d.attempt(ctx)
		continued = continued || resumed
		if !IsTransient(err) || ctx.Err() != nil {
			return continued, err
		}
		if d.size() > before {
			fruitless = 0
		}
		fruitless++
		if !d.Client.pause(ctx, err, fruitless) {
			return continued, err
		}
	}
	return continued, fmt.Errorf("the connection broke %d times", maxResumes)
}

func (d Download) size() int64 {
	info, err := os.Stat(d.Path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// attempt makes one request and takes what it brings.
func (d Download) attempt(ctx context.Context) (resumed bool, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, d.URL, nil)
	if err != nil {
		return false, errors.New("the address is not a valid URL")
	}
	// Transport-level compression would make lengths and ranges meaningless.
	req.Header.Set("Accept-Encoding", "identity")
	offset := d.offer(req)
	resp, err := d.Client.do(req)
	if err != nil {
		return false, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusRequestedRangeNotSatisfiable {
		d.Discard()
		return false, &NetworkError{CleanURL(req.URL), errors.New("the part that has come does not fit the file any more")}
	}
	if resp.StatusCode == http.StatusPartialContent && !strings.HasPrefix(resp.Header.Get("Content-Range"), fmt.Sprintf("bytes %d-", offset)) {
		d.Discard()
		return false, &NetworkError{CleanURL(req.URL), errors.New("another part came than was asked for")}
	}
	if resp.StatusCode == http.StatusOK {
		offset = 0
	}
	return offset > 0, d.receive(ctx, cancel, resp, offset)
}

// offer asks for the rest of a file of which a part has come, and returns
// the part's length.
func (d Download) offer(req *http.Request) int64 {
	var state partial
	size := d.size()
	if size == 0 || wholefile.ReadJSON(d.Path+".json", &state) != nil || state.URL != CleanURL(req.URL) || state.Sum != d.Sum {
		return 0
	}
	validator := state.ETag
	if validator == "" {
		validator = state.Modified
	}
	if validator == "" {
		return 0
	}
	req.Header.Set("Range", fmt.Sprintf("bytes=%d-", size))
	req.Header.Set("If-Range", validator)
	return size
}

func (d Download) receive(ctx context.Context, cancel context.CancelCauseFunc, resp *http.Response, offset int64) error {
	total := int64(0)
	if resp.ContentLength >= 0 {
		total = offset + resp.ContentLength
	}
	if total > maxDownload {
		return fmt.Errorf("the file has %d bytes; at most %d are accepted", total, int64(maxDownload))
	}
	out, err := d.open(offset, resp)
	if err != nil {
		return err
	}
	defer out.Close()
	meter := &meter{ctx: ctx, label: d.Label, done: offset, total: total}
	meter.report()
	watch := time.AfterFunc(stall, func() { cancel(fmt.Errorf("nothing came for %s", stall)) })
	defer watch.Stop()
	body := readerFunc(func(p []byte) (int, error) {
		n, err := resp.Body.Read(p)
		watch.Reset(stall)
		return n, err
	})
	n, err := io.Copy(io.MultiWriter(out, meter), io.LimitReader(body, maxDownload-offset+1))
	var disk *os.PathError
	if errors.As(err, &disk) {
		return err
	}
	if err != nil {
		return d.broken(ctx, resp.Request.URL, err)
	}
	if offset+n > maxDownload {
		return fmt.Errorf("the file has more than %d bytes", int64(maxDownload))
	}
	return out.Close()
}

// broken is the error of a body that ended early: final where the caller
// ended it, else one that may be tried again.
func (d Download) broken(ctx context.Context, u *url.URL, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		if errors.Is(cause, context.Canceled) || errors.Is(cause, context.DeadlineExceeded) {
			return cause
		}
		err = cause
	}
	return &NetworkError{CleanURL(u), fmt.Errorf("the connection broke: %w", err)}
}

// open readies the file for what follows offset, and writes down what lets a
// later attempt go on.
func (d Download) open(offset int64, resp *http.Response) (*os.File, error) {
	if err := os.MkdirAll(filepath.Dir(d.Path), 0o755); err != nil {
		return nil, err
	}
	flags := os.O_WRONLY | os.O_CREATE
	if offset == 0 {
		flags |= os.O_TRUNC
	}
	out, err := os.OpenFile(d.Path, flags, 0o644)
	if err != nil {
		return nil, err
	}
	if _, err = out.Seek(offset, io.SeekStart); err == nil {
		err = d.note(resp)
	}
	if err != nil {
		out.Close()
		return nil, err
	}
	return out, nil
}

// note writes down what the file is a part of. It goes into the file itself,
// as a process that is killed could leave a temporary one; what was half
// written says nothing.
func (d Download) note(resp *http.Response) error {
	src, err := json.Marshal(d.state(resp))
	if err != nil {
		return err
	}
	return os.WriteFile(d.Path+".json", append(src, '\n'), 0o644)
}

func (d Download) state(resp *http.Response) partial {
	address, _ := url.Parse(d.URL)
	state := partial{URL: CleanURL(address), Sum: d.Sum, Modified: resp.Header.Get("Last-Modified")}
	if tag := resp.Header.Get("ETag"); !strings.HasPrefix(tag, "W/") {
		state.ETag = tag
	}
	return state
}
