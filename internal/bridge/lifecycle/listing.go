package lifecycle

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"iter"
	"math"
	"slices"
	"sync"

	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// page says how far the lists before it have come. It is the continuation
// token, so that a page can be asked for again, and of another process too.
type page struct {
	Listing string `json:"listing"`         // what is listed, and by whom
	Offset  int64  `json:"offset"`          // how many results came before
	Limit   int64  `json:"limit,omitempty"` // how many all pages have; 0 is no limit
}

// left is how many results may come from here on. Engines count down: the
// limit of a later page is what that of the first has left.
func (p page) left(limit int64) int64 {
	left := int64(math.MaxInt64)
	if p.Limit > 0 {
		left = p.Limit - p.Offset
	}
	if limit > 0 {
		left = min(left, limit)
	}
	return left
}

func (p page) token() string {
	data, err := json.Marshal(p)
	if err != nil { // a string and a number have a form
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(data)
}

// parsePage reads a continuation token.
func parsePage(token string) (page, bool) {
	data, err := base64.RawURLEncoding.DecodeString(token)
	if err != nil {
		return page{}, false
	}
	var p page
	if json.Unmarshal(data, &p) != nil || p.Offset < 0 || p.Limit < 0 || p.left(0) < 1 {
		return page{}, false
	}
	return p, true
}

// listing is a list that stands between two pages: the provider sends no
// more than was asked for.
type listing struct {
	at   page // the one that comes next
	next func() (tfprovider.ListEvent, bool)
	// cancel has the provider end the list; stop ends it for good.
	cancel, stop func()
	// ahead is an event that was taken and not handed out.
	ahead *tfprovider.ListEvent
}

// newListing begins a list, whatever page comes next. It outlives the request
// that begins it.
func newListing(at page, list func(context.Context) iter.Seq[tfprovider.ListEvent]) *listing {
	ctx, cancel := context.WithCancel(context.Background())
	next, stop := iter.Pull(list(ctx))
	at.Offset = 0
	return &listing{at: at, next: next, cancel: cancel, stop: func() { cancel(); stop() }}
}

// pull returns the next event, or false at the end.
func (l *listing) pull() (tfprovider.ListEvent, bool) {
	if e := l.ahead; e != nil {
		l.ahead = nil
		return *e, true
	}
	return l.next()
}

// more reports whether there is another event.
func (l *listing) more() bool {
	e, ok := l.pull()
	if ok {
		l.ahead = &e
	}
	return ok
}

// mostListings bounds the lists that stand open. The one that waited longest
// gives way; its next page then begins anew and skips what it had.
const mostListings = 8

// listings are the lists whose next page may be asked for.
type listings struct {
	mu      sync.Mutex
	waiting []*listing // the one that waits longest first
	closed  bool
}

// take removes a list that stands before a page, or returns nil.
func (s *listings) take(p page) *listing {
	s.mu.Lock()
	defer s.mu.Unlock()
	i := slices.IndexFunc(s.waiting, func(l *listing) bool { return l.at == p })
	if i < 0 {
		return nil
	}
	l := s.waiting[i]
	s.waiting = slices.Delete(s.waiting, i, i+1)
	return l
}

// put keeps a list for its next page.
func (s *listings) put(l *listing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		l.stop()
		return
	}
	s.waiting = append(s.waiting, l)
	if len(s.waiting) > mostListings {
		s.waiting[0].stop()
		s.waiting = slices.Delete(s.waiting, 0, 1)
	}
}

// close ends all lists.
func (s *listings) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	for _, l := range s.waiting {
		l.stop()
	}
	s.waiting = nil
}
