package registrytest

import (
	"net/http"
	"strings"
	"time"
)

// Fault is a way to misbehave.
type Fault struct {
	// Path selects requests whose path contains it.
	Path string
	// Times is how many requests meet the fault; 0 means all.
	Times int

	// Status, where not 0, is answered instead, with Header.
	Status int
	Header http.Header
	// Cut, where not 0, ends the connection after so many bytes of the body.
	Cut int
	// Pace, where not 0, waits that long after every 16 KiB of the body.
	Pace time.Duration
	// Redirect, where not "", sends the client to that host with the path.
	Redirect string
	// NoValidator leaves out the ETag, and NoRange does not look at Range, as
	// simple servers do.
	NoValidator, NoRange bool
	// Body, where not nil, is answered instead.
	Body []byte
}

type fault struct {
	Fault
	left int
}

// Fail adds a fault. Of several that select a request the first one counts.
func (s *Server) Fail(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = append(s.faults, &fault{f, f.Times})
}

// Heal takes all faults back.
func (s *Server) Heal() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.faults = nil
}

// takeFault finds the fault for a request. The caller holds the lock.
func (s *Server) takeFault(path string) *fault {
	for _, f := range s.faults {
		if !strings.Contains(path, f.Path) || f.Times > 0 && f.left == 0 {
			continue
		}
		f.left--
		return f
	}
	return nil
}

func (f *fault) apply(w http.ResponseWriter, r *http.Request, next http.HandlerFunc) {
	switch {
	case f.Status != 0:
		for name, values := range f.Header {
			w.Header()[name] = values
		}
		w.WriteHeader(f.Status)
		return
	case f.Redirect != "":
		http.Redirect(w, r, "https://"+f.Redirect+r.URL.Path, http.StatusTemporaryRedirect)
		return
	case f.Body != nil:
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(f.Body)
		return
	}
	if f.NoRange {
		r.Header.Del("Range")
	}
	next(&bent{ResponseWriter: w, fault: f, left: f.Cut}, r)
}

// bent is a response that does not come as it should.
type bent struct {
	http.ResponseWriter
	fault *fault
	left  int
}

func (b *bent) WriteHeader(status int) {
	if b.fault.NoValidator {
		b.Header().Del("ETag")
		b.Header().Del("Last-Modified")
	}
	b.ResponseWriter.WriteHeader(status)
}

func (b *bent) Write(p []byte) (int, error) {
	if b.fault.Cut > 0 && len(p) >= b.left {
		_, _ = b.ResponseWriter.Write(p[:b.left])
		b.flush()
		panic(http.ErrAbortHandler)
	}
	b.left -= len(p)
	if b.fault.Pace == 0 {
		return b.ResponseWriter.Write(p)
	}
	return b.slowly(p)
}

func (b *bent) slowly(p []byte) (int, error) {
	written := 0
	for len(p) > 0 {
		n, err := b.ResponseWriter.Write(p[:min(len(p), 16<<10)])
		written += n
		if err != nil {
			return written, err
		}
		p = p[n:]
		b.flush()
		time.Sleep(b.fault.Pace)
	}
	return written, nil
}

func (b *bent) flush() {
	if f, ok := b.ResponseWriter.(http.Flusher); ok {
		f.Flush()
	}
}
