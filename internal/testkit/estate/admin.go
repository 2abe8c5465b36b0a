package estate

import (
	"encoding/json"
	"net/http"
)

// adminRoutes adds what tests need and no cloud has. Faults and statistics do
// not touch these calls.
func (a *API) adminRoutes() {
	a.mux.HandleFunc("GET /_admin/faults", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, a.CurrentFaults())
	})
	a.mux.HandleFunc("POST /_admin/faults", admin(a.postFaults))
	a.mux.HandleFunc("DELETE /_admin/faults", func(w http.ResponseWriter, _ *http.Request) {
		a.SetFaults(Faults{})
		w.WriteHeader(http.StatusNoContent)
	})
	a.mux.HandleFunc("GET /_admin/stats", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, a.Stats())
	})
	a.mux.HandleFunc("DELETE /_admin/stats", func(w http.ResponseWriter, _ *http.Request) {
		a.ResetStats()
		w.WriteHeader(http.StatusNoContent)
	})
	a.mux.HandleFunc("GET /_admin/dump", admin(a.dump))
	a.mux.HandleFunc("POST /_admin/reset", func(w http.ResponseWriter, _ *http.Request) {
		a.Store.Reset()
		w.WriteHeader(http.StatusNoContent)
	})
	a.mux.HandleFunc("POST /_admin/seed", admin(a.postSeed))
}

func admin(serve func(http.ResponseWriter, *http.Request) error) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := serve(w, r); err != nil {
			answerError(w, err)
		}
	}
}

// postFaults replaces the faults in force with the body, a Faults document.
func (a *API) postFaults(w http.ResponseWriter, r *http.Request) error {
	f, err := parseFaults(json.NewDecoder(r.Body))
	if err != nil {
		return err
	}
	a.SetFaults(f)
	answer(w, http.StatusOK, f)
	return nil
}

// dump answers the store: ?ids=drop for what does not depend on generated
// values, ?secrets=1 to include what the API never answers otherwise.
func (a *API) dump(w http.ResponseWriter, r *http.Request) error {
	opts := DumpOptions{Secrets: r.URL.Query().Get("secrets") == "1"}
	switch mode := r.URL.Query().Get("ids"); mode {
	case "", "keep":
	case "drop":
		opts.DropGenerated = true
	default:
		return invalid("ids: must be keep or drop, not %q", mode)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(a.Store.Dump(opts))
	return nil
}

// postSeed adds ?n= objects, ?bucket_objects= and ?ledgers= (sealed ones) to the store.
func (a *API) postSeed(w http.ResponseWriter, r *http.Request) error {
	n, err := number64(r.URL.Query(), "n", 60)
	if err != nil {
		return err
	}
	objects, err := number64(r.URL.Query(), "bucket_objects", 0)
	if err != nil {
		return err
	}
	ledgers, err := number64(r.URL.Query(), "ledgers", 0)
	if err != nil {
		return err
	}
	counts, err := a.Store.Seed(SeedOptions{Objects: n, BucketObjects: objects, Ledgers: ledgers})
	if err != nil {
		return err
	}
	answer(w, http.StatusOK, Object{"created": counts, "total": a.Store.Total()})
	return nil
}
