package e2e_test

import (
	"encoding/json"
	"encoding/pem"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/gitrepo"
)

// TestPackageScripts runs every testdata/packages/*.txtar like [TestScripts],
// beside a registry of packages that is the service at PULUMI_API, and a git
// repository at git.example/org/repo, whose files are in $REPO. $PLUGINS has
// plugins as files, and $PLUGINS/runtime the language plugin fake with a
// program that it runs. Commands are, besides "exits",
//
//	registry MODE           how the registry answers from now on
//	registered NAME FILE    writes what was published under a name to FILE
//	await FILE              waits for FILE
func TestPackageScripts(t *testing.T) {
	t.Parallel()
	shared := t.TempDir()
	mirror := mirrorOf(t, filepath.Join(shared, "mirror"))
	programs := programsOf(t, filepath.Join(shared, "bin"))
	plugins := filepath.Join(shared, "plugins")
	for _, name := range []string{"pulumi-resource-fake", "runtime/pulumi-language-fake", "runtime/pulumi-resource-site"} {
		place(t, filepath.Join(plugins, filepath.FromSlash(name)), build.Binary(t, "pulumi-fake"))
	}
	place(t, filepath.Join(plugins, "pulumi-resource-crd"), build.Binary(t, "pulumi-resource-crd"))
	config := cliConfig(t, shared, mirror)
	params := scriptsIn(t, "testdata/packages")
	params.Cmds = map[string]func(*testscript.TestScript, bool, []string){
		"exits": exits, "registry": registryMode, "registered": registered, "await": await,
	}
	params.Setup = func(env *testscript.Env) error {
		registry := startPackageRegistry(t)
		env.Values[packageRegistryKey{}] = registry
		repo := gitrepo.New(t)
		ca := filepath.Join(env.WorkDir, ".ca.pem")
		put(t, ca, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: registry.http.Certificate().Raw})))
		for _, entry := range repo.Environ {
			if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "GIT_") {
				env.Setenv(name, value)
			}
		}
		env.Setenv("PATH", programs+string(os.PathListSeparator)+env.Getenv("PATH"))
		env.Setenv("PROGRAMS", programs)
		env.Setenv("PLUGINS", plugins)
		env.Setenv("REPO", repo.Dir)
		env.Setenv("PULUMI_HOME", filepath.Join(env.WorkDir, ".pulumi"))
		env.Setenv("PULUMI_API", registry.http.URL)
		env.Setenv("PULUMI_ACCESS_TOKEN", token)
		env.Setenv("TOKEN", token)
		env.Setenv("SSL_CERT_FILE", ca)
		env.Setenv("XDG_CACHE_HOME", filepath.Join(env.WorkDir, ".cache"))
		env.Setenv("TF_CLI_CONFIG_FILE", config)
		return nil
	}
	testscript.Run(t, params)
}

type packageRegistryKey struct{}

// packageRegistry is a registry as a Pulumi service has it: enough of it to
// publish packages to. It knows no token but one. Its modes are
//
//	ok               answers as it should
//	refuse STATUS    so the service answers
//	full             the store for documents answers with 403
//	cut              connections to the store end without an answer
//	cut at the end   the service completes a publication, without an answer
type packageRegistry struct {
	http *httptest.Server

	mu   sync.Mutex
	mode string
	// uploads are documents that are not published yet, by their path.
	uploads map[string]string
	// packages are those that are, each with its documents.
	packages map[string]map[string]string
}

func startPackageRegistry(t *testing.T) *packageRegistry {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("other systems cannot be told by a variable to trust a server")
	}
	r := &packageRegistry{mode: "ok", uploads: map[string]string{}, packages: map[string]map[string]string{}}
	r.http = httptest.NewTLSServer(r)
	t.Cleanup(r.http.Close)
	return r
}

// ServeHTTP implements http.Handler.
func (r *packageRegistry) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	parts := strings.Split(strings.Trim(req.URL.Path, "/"), "/")
	body, _ := io.ReadAll(req.Body)
	inStore, completes := parts[0] == "store", parts[len(parts)-1] == "complete"
	refusal, refuses := strings.CutPrefix(r.mode, "refuse ")
	switch {
	case r.mode == "cut" && inStore:
		panic(http.ErrAbortHandler)
	case r.mode == "cut at the end" && completes:
		r.complete(parts)
		panic(http.ErrAbortHandler)
	case r.mode == "full" && inStore:
		w.WriteHeader(http.StatusForbidden)
	case refuses && !inStore:
		status, _ := strconv.Atoi(refusal)
		w.WriteHeader(status)
	case inStore && req.Method == http.MethodPut:
		r.uploads[req.URL.Path] = string(body)
	case req.Header.Get("Authorization") != "token "+token:
		w.WriteHeader(http.StatusUnauthorized)
	case req.Method != http.MethodPost:
		w.WriteHeader(http.StatusNotFound)
	case completes:
		r.complete(parts)
	default:
		r.begin(w, parts, body)
	}
}

// begin answers where documents are to be uploaded: api, registry, packages,
// source, publisher, name, versions.
func (r *packageRegistry) begin(w http.ResponseWriter, parts []string, body []byte) {
	var wish struct{ Version string }
	if err := json.Unmarshal(body, &wish); err != nil || len(parts) != 7 {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	name := strings.Join(parts[3:6], "/") + "/" + wish.Version
	if r.packages[name] != nil {
		w.WriteHeader(http.StatusConflict)
		return
	}
	at := r.http.URL + "/store/" + name + "/"
	_ = json.NewEncoder(w).Encode(map[string]any{"operationID": "1", "uploadURLs": map[string]string{
		"schema": at + "schema", "index": at + "readme", "installationConfiguration": at + "install",
	}})
}

// complete publishes what was uploaded.
func (r *packageRegistry) complete(parts []string) {
	name := strings.Join(slices.Concat(parts[3:6], parts[7:8]), "/")
	r.packages[name] = map[string]string{}
	for path, text := range r.uploads {
		if document, ok := strings.CutPrefix(path, "/store/"+name+"/"); ok {
			r.packages[name][document] = text
		}
	}
}

// registryMode is the command "registry".
func registryMode(ts *testscript.TestScript, neg bool, args []string) {
	r := ts.Value(packageRegistryKey{}).(*packageRegistry)
	if neg || len(args) != 1 {
		ts.Fatalf("usage: registry MODE")
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.mode = args[0]
}

// registered is the command "registered".
func registered(ts *testscript.TestScript, neg bool, args []string) {
	r := ts.Value(packageRegistryKey{}).(*packageRegistry)
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case neg && len(args) == 1:
		if r.packages[args[0]] != nil {
			ts.Fatalf("%s is published", args[0])
		}
	case !neg && len(args) == 2:
		text, err := json.MarshalIndent(r.packages[args[0]], "", "  ")
		ts.Check(err)
		ts.Check(os.WriteFile(ts.MkAbs(args[1]), append(text, '\n'), 0o600))
	default:
		ts.Fatalf("usage: registered NAME FILE, or ! registered NAME")
	}
}

// await is the command "await".
func await(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: await FILE")
	}
	for range 3000 {
		if _, err := os.Stat(ts.MkAbs(args[0])); err == nil {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("%s does not appear", args[0])
}
