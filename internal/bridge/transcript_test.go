package bridge_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
)

// transcript writes down what an engine and a plugin say to each other, in the
// order of the calls' beginnings.
type transcript struct {
	mu    sync.Mutex
	calls []*exchange
}

// exchange is one call: what was asked, all that was answered, and how it
// ended.
type exchange struct {
	method  string
	request proto.Message
	answers []proto.Message
	err     error
}

// dial has the calls of a connection written down.
func (s *transcript) dial() []grpc.DialOption {
	return []grpc.DialOption{grpc.WithUnaryInterceptor(s.unary), grpc.WithStreamInterceptor(s.stream)}
}

func (s *transcript) begin(method string) *exchange {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := &exchange{method: path.Base(method)}
	s.calls = append(s.calls, e)
	return e
}

func (s *transcript) unary(
	ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, invoke grpc.UnaryInvoker, opts ...grpc.CallOption,
) error {
	e := s.begin(method)
	err := invoke(ctx, method, req, reply, conn, opts...)
	s.mu.Lock()
	defer s.mu.Unlock()
	e.request, e.err = message(req), err
	if err == nil {
		e.answers = append(e.answers, message(reply))
	}
	return err
}

func (s *transcript) stream(
	ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer, opts ...grpc.CallOption,
) (grpc.ClientStream, error) {
	inner, err := open(ctx, desc, conn, method, opts...)
	return &recordedStream{inner, s, s.begin(method)}, err
}

// recordedStream writes down the messages of a stream.
type recordedStream struct {
	grpc.ClientStream
	transcript *transcript
	exchange   *exchange
}

func (s *recordedStream) SendMsg(m any) error {
	s.transcript.mu.Lock()
	defer s.transcript.mu.Unlock()
	s.exchange.request = message(m)
	return s.ClientStream.SendMsg(m)
}

func (s *recordedStream) RecvMsg(m any) error {
	err := s.ClientStream.RecvMsg(m)
	s.transcript.mu.Lock()
	defer s.transcript.mu.Unlock()
	switch {
	case err == nil:
		s.exchange.answers = append(s.exchange.answers, message(m))
	case !errors.Is(err, io.EOF):
		s.exchange.err = err
	}
	return err
}

// message keeps a message as it is now.
func message(m any) proto.Message {
	if m, ok := m.(proto.Message); ok {
		return proto.Clone(m)
	}
	return nil
}

// methods are the names of those that were called.
func (s *transcript) methods() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	names := map[string]bool{}
	for _, e := range s.calls {
		names[e.method] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// text is the transcript for people to read: a line for every field of a
// request (>), of an answer (<) and of an error (!). What differs from run to
// run has a name in place: own says which.
func (s *transcript) text(t *testing.T, own ...string) []byte {
	t.Helper()
	s.mu.Lock()
	defer s.mu.Unlock()
	var out strings.Builder
	for _, e := range s.calls {
		out.WriteString(e.method + "\n")
		writeFields(t, &out, ">", e.request)
		for _, answer := range e.answers {
			writeFields(t, &out, "<", answer)
		}
		writeError(t, &out, e.err)
		out.WriteByte('\n')
	}
	text := strings.NewReplacer(own...).Replace(out.String())
	for _, v := range volatile {
		text = v.pattern.ReplaceAllString(text, v.name)
	}
	return []byte(text)
}

// volatile is what no two runs have in common, whatever the provider.
var volatile = []struct {
	pattern *regexp.Regexp
	name    string
}{
	{regexp.MustCompile(`20\d\d-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "TIME"},
	{regexp.MustCompile(`127\.0\.0\.1:\d+`), "HOST"},
}

// long is what is of no use in a transcript: other tests look at it.
var long = map[string]bool{"schema": true, "data": true}

func writeFields(t *testing.T, out *strings.Builder, mark string, m proto.Message) {
	t.Helper()
	if m == nil {
		return
	}
	fields := map[string]any{}
	text, err := protojson.MarshalOptions{UseProtoNames: true}.Marshal(m)
	if err == nil {
		err = json.Unmarshal(text, &fields)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		if long[name] {
			fields[name] = "..."
		}
		fmt.Fprintf(out, "%s %s: %s\n", mark, name, compact(t, fields[name]))
	}
}

// compact is JSON with its keys sorted and its text as it reads.
func compact(t *testing.T, v any) string {
	t.Helper()
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(out.String())
}

func writeError(t *testing.T, out *strings.Builder, err error) {
	t.Helper()
	if status.Code(err) == codes.OK {
		return
	}
	for line := range strings.Lines(fmt.Sprintf("%s: %s", status.Code(err), status.Convert(err).Message())) {
		fmt.Fprintf(out, "! %s\n", strings.TrimRight(line, "\n"))
	}
	for _, detail := range status.Convert(err).Details() {
		if m, ok := detail.(proto.Message); ok {
			fmt.Fprintf(out, "! %s\n", m.ProtoReflect().Descriptor().Name())
			writeFields(t, out, "!", m)
		}
	}
}
