package bridge_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// kubeAPI is as much of a Kubernetes cluster as its provider needs to keep
// objects that nothing happens to: it stores what it is given.
type kubeAPI struct {
	url string
	// refuses answers creations with an error, hangs with nothing; hung is how
	// many of the latter there are.
	refuses, hangs atomic.Bool
	hung           atomic.Int32

	mu      sync.Mutex
	objects map[string]map[string]any // by URL path
}

func startKubeAPI(t *testing.T) *kubeAPI {
	t.Helper()
	k := &kubeAPI{objects: map[string]map[string]any{
		"/api/v1/namespaces/default/configmaps/settings": {
			"metadata": map[string]any{"name": "settings", "namespace": "default"}, "data": map[string]any{"colour": "blue"},
		},
	}}
	server := httptest.NewServer(k)
	t.Cleanup(server.Close)
	k.url = server.URL
	return k
}

// ServeHTTP implements http.Handler.
func (k *kubeAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	if r.Method == http.MethodPost && k.hangs.Load() {
		k.hung.Add(1)
		<-r.Context().Done()
		return
	}
	object, code := k.answer(r.Method, r.URL.Path, body)
	if code != 0 {
		object = map[string]any{
			"kind": "Status", "apiVersion": "v1", "status": "Failure", "code": code,
			"reason": strings.ReplaceAll(http.StatusText(code), " ", ""), "message": fmt.Sprintf("%s %s: not now", r.Method, r.URL.Path),
		}
	}
	w.Header().Set("Content-Type", "application/json")
	if code != 0 {
		w.WriteHeader(code)
	}
	_ = json.NewEncoder(w).Encode(object)
}

// answer is an object, or the status of a failure.
func (k *kubeAPI) answer(method, at string, body []byte) (object map[string]any, failed int) {
	k.mu.Lock()
	defer k.mu.Unlock()
	object, found := k.objects[at]
	switch {
	case method == http.MethodPost && k.refuses.Load():
		return nil, http.StatusForbidden
	case method == http.MethodPost:
		return k.create(at, body)
	case !found:
		return nil, http.StatusNotFound
	case method == http.MethodPatch:
		return object, patch(object, body)
	case method == http.MethodDelete:
		delete(k.objects, at)
	}
	return object, 0
}

func (k *kubeAPI) create(at string, body []byte) (map[string]any, int) {
	var object map[string]any
	if err := json.Unmarshal(body, &object); err != nil {
		return nil, http.StatusBadRequest
	}
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	if name == "" || k.objects[path.Join(at, name)] != nil {
		return nil, http.StatusConflict
	}
	metadata["uid"], metadata["resourceVersion"], metadata["generation"] = "uid-of-"+name, "1", 1
	k.objects[path.Join(at, name)] = object
	return object, 0
}

// patch applies a JSON patch that leads through objects alone.
func patch(object map[string]any, body []byte) int {
	var operations []struct {
		Op, Path string
		Value    any
	}
	if err := json.Unmarshal(body, &operations); err != nil {
		return http.StatusBadRequest
	}
	for _, operation := range operations {
		in := object
		steps := strings.Split(strings.TrimPrefix(operation.Path, "/"), "/")
		last := steps[len(steps)-1]
		for _, step := range steps[:len(steps)-1] {
			inner, ok := in[step].(map[string]any)
			if !ok {
				return http.StatusUnprocessableEntity
			}
			in = inner
		}
		if delete(in, last); operation.Op != "remove" {
			in[last] = operation.Value
		}
	}
	return 0
}
