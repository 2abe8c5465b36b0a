package host_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/host"
)

// logged are the lines of a log, as "progress method" with the members that
// a line has beside.
func logged(t *testing.T, path string) (lines []string, entries []map[string]any) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(text) {
		var entry map[string]any
		if err := json.Unmarshal(line, &entry); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if at, err := time.Parse(time.RFC3339Nano, entry["timestamp"].(string)); err != nil || time.Since(at) > time.Hour {
			t.Errorf("%v: %s", err, line)
		}
		var members []string
		for _, name := range []string{"request", "response", "errors", "duration"} {
			if _, ok := entry[name]; ok {
				members = append(members, name)
			}
		}
		method := entry["method"].(string)
		progress, _ := entry["progress"].(string)
		lines = append(lines, strings.TrimSpace(method[strings.LastIndexByte(method, '/')+1:]+" "+progress+" "+strings.Join(members, ",")))
		entries = append(entries, entry)
	}
	return lines, entries
}

// TestRPCLog logs calls with one answer, and what becomes of those that fail.
func TestRPCLog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "grpc.json")
	p := fake(t, "PULUMI_DEBUG_GRPC="+path)
	h := p.host()
	r := resource(t, h, plugin.Parameterization{Args: []string{"pkg"}})
	args, err := structpb.NewStruct(map[string]any{"a": "<b>"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := r.Client.Invoke(t.Context(), &pulumirpc.InvokeRequest{Tok: "fake:index:self", Args: args}); err != nil {
		t.Fatal(err)
	}
	_, err = r.Client.Delete(t.Context(), &pulumirpc.DeleteRequest{Id: "x"})
	if d := diag.FromError("", "", err); err == nil || strings.Contains(d.Err().Error(), "PH0015") {
		t.Errorf("got %v", err)
	}
	if err := h.Close(); err != nil {
		t.Fatal(err)
	}
	lines, entries := logged(t, path)
	want := []string{
		"Handshake request_started request", "Handshake response_completed request,response,duration",
		"Parameterize request_started request", "Parameterize response_completed request,response,duration",
		"Invoke request_started request", "Invoke response_completed request,response,duration",
		"Delete request_started request", "Delete response_completed request,errors,duration",
		"Cancel request_started request", "Cancel response_completed request,response,duration",
	}
	if diff := cmp.Diff(want, lines); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"mode": "client", "kind": "resource", "name": "fake"}, entries[0]["metadata"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]any{"tok": "fake:index:self", "args": map[string]any{"a": "<b>"}}, entries[5]["request"]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := entries[7]["errors"].([]any)[0].(string); !strings.HasPrefix(got, "rpc error: code = Unimplemented") {
		t.Errorf("the error is %s", got)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v", info, err)
	}
}

// TestRPCLogOfStreams has two hosts log to one file: a guest is run by a
// stream of its language plugin.
func TestRPCLogOfStreams(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "grpc.json")
	p, dir := guests(t, plugin.Resource, "PULUMI_DEBUG_GRPC="+path)
	for range 2 {
		h := p.host()
		if r, diags := h.Resource(t.Context(), host.Wanted{Path: dir}); r == nil {
			t.Fatal(diags)
		}
		if err := h.Close(); err != nil {
			t.Fatal(err)
		}
	}
	lines, entries := logged(t, path)
	seen := map[string]int{}
	for n, line := range lines {
		seen[line]++
		metadata := entries[n]["metadata"].(map[string]any)
		if strings.HasPrefix(line, "RunPlugin") && metadata["runtime"] != "fake" || strings.HasPrefix(line, "Handshake") && metadata["path"] != dir {
			t.Errorf("%s of %v", line, metadata)
		}
	}
	if seen["RunPlugin  request"] != 2 || seen["RunPlugin  response"] < 2 || seen["Handshake request_started request"] != 2 {
		t.Errorf("logged are %v", seen)
	}
}

// TestRPCLogUnwritable names a file that cannot be.
func TestRPCLogUnwritable(t *testing.T) {
	t.Parallel()
	p := fake(t, "PULUMI_DEBUG_GRPC="+filepath.Join(t.TempDir(), "nowhere", "grpc.json"))
	_, err := host.New(t.Context(), p.opts)
	wantDiag(t, diag.FromError("", "", err), "PH0015", "PULUMI_DEBUG_GRPC names a file")
	if _, err := os.Stat("/dev/full"); err != nil {
		return // the system has no disk that is always full
	}
	p = fake(t, "PULUMI_DEBUG_GRPC=/dev/full")
	_, diags := p.host().Resource(t.Context(), host.Wanted{Name: "fake"})
	wantDiag(t, diags, host.CodeNotStarted, "no space left")
}
