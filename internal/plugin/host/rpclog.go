package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"github.com/formation-iac/formation/internal/plugin"
)

// rpcLogVariable names a file that gets every call of a plugin.
const rpcLogVariable = "PULUMI_DEBUG_GRPC"

// rpcLog writes calls into a file: an object of JSON a line, in the form that
// the pulumi program has as well, so that the same tools read it. Nothing is
// left out, secrets neither: nobody else may read the file.
type rpcLog struct {
	mu   sync.Mutex
	file *os.File // nil once it is closed
}

// openRPCLog appends to a file. It returns nil for "".
func openRPCLog(path string) (*rpcLog, error) {
	if path == "" {
		return nil, nil
	}
	file, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, unwritableRPCLog(err)
	}
	return &rpcLog{file: file}, nil
}

func (l *rpcLog) close() error {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return nil
	}
	err := l.file.Close()
	l.file = nil
	return err
}

// rpcEntry is a line. A call with one answer has two: when it begins, and when
// it has ended. Of a stream there is a line for each message.
type rpcEntry struct {
	Method    string            `json:"method"`
	Request   json.RawMessage   `json:"request,omitempty"`
	Response  json.RawMessage   `json:"response,omitempty"`
	Errors    []string          `json:"errors,omitempty"`
	Metadata  map[string]string `json:"metadata,omitempty"`
	Progress  string            `json:"progress,omitempty"`
	Timestamp time.Time         `json:"timestamp"`
	// Duration is in nanoseconds.
	Duration time.Duration `json:"duration,omitempty"`
}

// What Progress says.
const (
	rpcStarted   = "request_started"
	rpcCompleted = "response_completed"
)

// record appends a line at once, so that several processes may share the file.
func (l *rpcLog) record(e rpcEntry) error {
	line, err := json.Marshal(e)
	if err != nil {
		return unwritableRPCLog(err)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file == nil {
		return errHostClosed
	}
	if _, err := l.file.Write(append(line, '\n')); err != nil {
		return unwritableRPCLog(err)
	}
	return nil
}

// rpcTrace logs the calls of one plugin. A call that cannot be logged fails: a
// log with holes would mislead.
type rpcTrace struct {
	log      *rpcLog
	metadata map[string]string
}

// trace makes the interceptors for a plugin; none without a log.
func (l *rpcLog) trace(f Found) []grpc.DialOption {
	if l == nil {
		return nil
	}
	t := rpcTrace{l, rpcMetadata(f)}
	return []grpc.DialOption{grpc.WithChainUnaryInterceptor(t.unary), grpc.WithChainStreamInterceptor(t.stream)}
}

// rpcMetadata says which plugin is called.
func rpcMetadata(f Found) map[string]string {
	m := map[string]string{"mode": "client", "kind": string(f.Kind)}
	switch {
	case f.Kind == plugin.Language:
		m["runtime"] = f.Name
	case f.Kind == plugin.Resource && f.Origin == FromCaller:
		m["path"] = f.Path
	default:
		m["name"] = f.Name
	}
	return m
}

func (t rpcTrace) unary(ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption) error {
	if method == livenessMethod {
		return invoke(ctx, method, req, reply, conn, opts...)
	}
	e := rpcEntry{Method: method, Metadata: t.metadata, Progress: rpcStarted, Timestamp: time.Now()}
	e.Request = e.encode(req)
	if err := t.log.record(e); err != nil {
		return err
	}
	err := invoke(ctx, method, req, reply, conn, opts...)
	if err != nil {
		e.Errors = append(e.Errors, err.Error())
	} else {
		e.Response = e.encode(reply)
	}
	e.Progress, e.Duration = rpcCompleted, time.Since(e.Timestamp)
	e.Timestamp = e.Timestamp.Add(e.Duration)
	return withLogged(err, t.log.record(e))
}

// withLogged is the error of a call. It is changed only where it could not be
// logged: its status must stay what it is.
func withLogged(err, unlogged error) error {
	if unlogged == nil {
		return err
	}
	return errors.Join(err, unlogged)
}

// encode is a message as JSON; one that has no such form is an error of the
// line.
func (e *rpcEntry) encode(message any) json.RawMessage {
	m, ok := message.(proto.Message)
	if !ok {
		e.Errors = append(e.Errors, fmt.Sprintf("%T is no message", message))
		return nil
	}
	text, err := protojson.Marshal(m)
	if err != nil {
		e.Errors = append(e.Errors, err.Error())
		return nil
	}
	return text
}

func (t rpcTrace) stream(ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption) (grpc.ClientStream, error) {
	s, err := open(ctx, desc, conn, method, opts...)
	if err != nil {
		return nil, withLogged(err, t.message(method, nil, nil, err))
	}
	return &tracedStream{s, t, method}, nil
}

// message logs one message of a stream, or the error in its place.
func (t rpcTrace) message(method string, req, reply any, err error) error {
	e := rpcEntry{Method: method, Metadata: t.metadata, Timestamp: time.Now()}
	switch {
	case err != nil:
		e.Errors = []string{err.Error()}
	case req != nil:
		e.Request = e.encode(req)
	default:
		e.Response = e.encode(reply)
	}
	return t.log.record(e)
}

type tracedStream struct {
	grpc.ClientStream
	trace  rpcTrace
	method string
}

// SendMsg implements grpc.ClientStream.
func (s *tracedStream) SendMsg(m any) error {
	err := s.ClientStream.SendMsg(m)
	return withLogged(err, s.trace.message(s.method, m, nil, err))
}

// RecvMsg implements grpc.ClientStream.
func (s *tracedStream) RecvMsg(m any) error {
	err := s.ClientStream.RecvMsg(m)
	if errors.Is(err, io.EOF) {
		return err // the stream's orderly end
	}
	return withLogged(err, s.trace.message(s.method, nil, m, err))
}
