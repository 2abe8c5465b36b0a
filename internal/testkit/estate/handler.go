package estate

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"time"
)

// pageSize is the most that one list answer holds.
const pageSize = 50

// API serves a store over HTTP. It is an http.Handler and safe for concurrent
// use.
type API struct {
	Store *Store
	// Token, where set, must come as "Authorization: Bearer <token>" with
	// every call to /v1. It may not change while serving.
	Token string

	faults faultBox
	stats  statsBox
	mux    *http.ServeMux
}

// NewAPI wraps a store.
func NewAPI(store *Store) *API {
	a := &API{Store: store, mux: http.NewServeMux()}
	a.mux.HandleFunc("GET /{$}", a.describe)
	a.mux.HandleFunc("GET /v1/{kind}", a.object(OpList, a.list))
	a.mux.HandleFunc("POST /v1/{kind}", a.object(OpCreate, a.create))
	a.mux.HandleFunc("GET /v1/{kind}/{id...}", a.object(OpRead, a.read))
	a.mux.HandleFunc("PUT /v1/{kind}/{id...}", a.object(OpUpdate, a.update))
	a.mux.HandleFunc("DELETE /v1/{kind}/{id...}", a.object(OpDelete, a.delete))
	a.mux.HandleFunc("POST /v1/tokens", a.object(OpCreate, a.issueToken))
	a.adminRoutes()
	return a
}

func (a *API) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("X-Estate", "synthetic")
	a.mux.ServeHTTP(w, r)
}

// describe says what this is to whoever finds it.
func (a *API) describe(w http.ResponseWriter, _ *http.Request) {
	counts := map[string]int{}
	for _, k := range Kinds() {
		counts[k.Name] = a.Store.Count(k.Name)
	}
	answer(w, http.StatusOK, Object{
		"service":   "estate",
		"synthetic": true,
		"about": "A synthetic cloud for tests and demonstrations. " +
			"Nothing here is real; it is all in memory and ends with the process.",
		"objects": counts,
		"admin":   []string{"/_admin/dump", "/_admin/faults", "/_admin/reset", "/_admin/seed", "/_admin/stats"},
	})
}

// object wraps one endpoint with counting, authentication and faults.
func (a *API) object(op Op, serve func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		call := Call{Op: op, Kind: r.PathValue("kind"), ID: r.PathValue("id")}
		a.stats.count(call)
		if a.Token != "" && r.Header.Get("Authorization") != "Bearer "+a.Token {
			answerError(w, &Error{http.StatusUnauthorized, "Unauthorized", "the token is missing or wrong"})
			return
		}
		if a.faults.strike(w, r, call) {
			a.stats.fault()
			return
		}
		if err := serve(w, r); err != nil {
			answerError(w, err)
		}
	}
}

func (a *API) list(w http.ResponseWriter, r *http.Request) error {
	query := r.URL.Query()
	offset, err := number64(query, "page_token", 0)
	if err != nil {
		return err
	}
	size, err := number64(query, "page_size", pageSize)
	if err != nil {
		return err
	}
	if size < 1 || size > pageSize {
		return invalid("page_size: must be from 1 to %d", pageSize)
	}
	filter := map[string]string{}
	for name := range query {
		if name != "page_token" && name != "page_size" {
			filter[name] = query.Get(name)
		}
	}
	items, next, err := a.Store.Page(r.PathValue("kind"), filter, offset, size)
	if err != nil {
		return err
	}
	page := Object{"items": items}
	if items == nil {
		page["items"] = []any{}
	}
	if next > 0 {
		page["next_page_token"] = strconv.Itoa(next)
	}
	answer(w, http.StatusOK, page)
	return nil
}

func number64(query url.Values, name string, otherwise int) (int, error) {
	if !query.Has(name) {
		return otherwise, nil
	}
	n, err := strconv.Atoi(query.Get(name))
	if err != nil || n < 0 {
		return 0, invalid("%s: must be a whole number, not %q", name, query.Get(name))
	}
	return n, nil
}

func (a *API) create(w http.ResponseWriter, r *http.Request) error {
	in, err := decode(r.Body)
	if err != nil {
		return err
	}
	obj, err := a.Store.Create(r.PathValue("kind"), in)
	if err != nil {
		return err
	}
	answer(w, http.StatusCreated, obj)
	return nil
}

func (a *API) read(w http.ResponseWriter, r *http.Request) error {
	kind, id := r.PathValue("kind"), r.PathValue("id")
	obj, err := a.Store.Get(kind, id)
	if err != nil {
		return err
	}
	if k, ok := a.Store.Kind(kind); ok && k.unreadable {
		return sealed(kind, id)
	}
	answer(w, http.StatusOK, a.faults.turned(Call{OpRead, kind, id}, obj))
	return nil
}

func (a *API) update(w http.ResponseWriter, r *http.Request) error {
	in, err := decode(r.Body)
	if err != nil {
		return err
	}
	obj, err := a.Store.Update(r.PathValue("kind"), r.PathValue("id"), in)
	if err != nil {
		return err
	}
	answer(w, http.StatusOK, obj)
	return nil
}

func (a *API) delete(w http.ResponseWriter, r *http.Request) error {
	if err := a.Store.Delete(r.PathValue("kind"), r.PathValue("id")); err != nil {
		return err
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// issueToken serves short-lived tokens, for ephemeral resources. They are not
// kept and open nothing.
func (a *API) issueToken(w http.ResponseWriter, r *http.Request) error {
	in, err := decode(r.Body)
	if err != nil {
		return err
	}
	audience := str(in["audience"])
	if audience == "" {
		return invalid("audience: field is required")
	}
	a.Store.mu.Lock()
	defer a.Store.mu.Unlock()
	answer(w, http.StatusCreated, Object{
		"audience":   audience,
		"token":      a.Store.nextID("synthetic-token-", "tokens/"+audience),
		"expires_at": epoch.Add(24 * time.Hour).Format(time.RFC3339),
	})
	return nil
}

// answer writes value as JSON. A client that has gone away is no one's error.
func answer(w http.ResponseWriter, status int, value any) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	_ = e.Encode(value)
}

func answerError(w http.ResponseWriter, err error) {
	var refusal *Error
	if !errors.As(err, &refusal) {
		refusal = &Error{http.StatusInternalServerError, "Internal", err.Error()}
	}
	answer(w, refusal.Status, Object{"error": Object{"code": refusal.Code, "message": refusal.Message}})
}

// names lists the keys of a map in order.
func names[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
