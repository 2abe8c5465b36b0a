package registrytest

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// Document is a page of documentation to serve.
type Document struct {
	Namespace, Type, Version string
	// Kind is as in Terraform's registry: "overview", "resources",
	// "data-sources", "functions", "ephemeral-resources" or "guides".
	Kind string
	// Name is the page's: "index" for the overview.
	Name string
	Text string
	// Language defaults to "hcl".
	Language string
}

// The paths of documentation: of OpenTofu's registry, which has it on a host of
// its own, and of Terraform's.
const (
	openTofuDocsPath  = "/registry/docs/providers/"
	terraformDocsPath = "/v2/provider-docs/"
)

// Document adds a page to what is served, in the form of either registry.
func (s *Server) Document(d Document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d.Language = cmp.Or(d.Language, "hcl")
	s.documents = append(s.documents, d)
}

// WithholdDocuments has OpenTofu's registry say that licenses do not let it
// show pages.
func (s *Server) WithholdDocuments() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.withheld = true
}

// documentsOf returns the pages of a version, each under its ID.
func (s *Server) documentsOf(namespace, typ, version string) map[int]Document {
	out := map[int]Document{}
	for i, d := range s.documents {
		if d.Namespace == namespace && d.Type == typ && d.Version == version {
			out[i] = d
		}
	}
	return out
}

// terraformIndex answers NS/TYPE/VERSION, which lists pages among other things.
func (s *Server) terraformIndex(w http.ResponseWriter, r *http.Request, namespace, typ, version string) {
	docs := []map[string]string{}
	for id, d := range s.documentsOf(namespace, typ, version) {
		docs = append(docs, map[string]string{
			"id": strconv.Itoa(id), "title": d.Name, "path": fmt.Sprintf("docs/%s/%s.md", d.Kind, d.Name),
			"slug": d.Name, "category": d.Kind, "language": d.Language,
		})
	}
	if len(docs) == 0 && !slices.ContainsFunc(s.of(namespace, typ), func(p *Package) bool { return p.Version == version }) {
		http.NotFound(w, r)
		return
	}
	answer(w, map[string]any{"id": namespace + "/" + typ + "/" + version, "docs": docs})
}

// terraformPage answers with the page of an ID.
func (s *Server) terraformPage(w http.ResponseWriter, r *http.Request, id string) {
	i, err := strconv.Atoi(id)
	if err != nil || i < 0 || i >= len(s.documents) {
		http.NotFound(w, r)
		return
	}
	answer(w, map[string]any{"data": map[string]any{
		"type": "provider-docs", "id": id, "attributes": map[string]any{"content": s.documents[i].Text, "language": s.documents[i].Language},
	}})
}

// openTofuKinds are OpenTofu's names for kinds of pages, in lists and paths.
func openTofuKinds() map[string]string {
	return map[string]string{"resources": "resources", "data-sources": "datasources", "functions": "functions", "ephemeral-resources": "ephemeral", "guides": "guides"}
}

// openTofuDocs answers NS/TYPE/vVERSION/index.json and .../KIND/NAME.md.
func (s *Server) openTofuDocs(w http.ResponseWriter, r *http.Request, parts []string) {
	if len(parts) < 4 {
		http.NotFound(w, r)
		return
	}
	documents := s.documentsOf(parts[0], parts[1], strings.TrimPrefix(parts[2], "v"))
	file := strings.Join(parts[3:], "/")
	if file == "index.json" && len(documents) > 0 {
		answer(w, map[string]any{"id": parts[2], "docs": openTofuIndex(documents, s.withheld), "incompatible_license": s.withheld})
		return
	}
	for _, d := range documents {
		path := "index.md"
		if d.Kind != "overview" {
			path = openTofuKinds()[d.Kind] + "/" + strings.ToLower(d.Name) + ".md"
		}
		if path == file && d.Language == "hcl" && !s.withheld {
			w.Header().Set("Content-Type", "text/markdown")
			_, _ = io.WriteString(w, d.Text)
			return
		}
	}
	http.NotFound(w, r)
}

func openTofuIndex(documents map[int]Document, withheld bool) map[string]any {
	docs := map[string]any{}
	for _, name := range openTofuKinds() {
		docs[name] = []map[string]string{}
	}
	for _, d := range documents {
		item := map[string]string{"name": d.Name, "title": d.Name}
		switch {
		case d.Kind == "overview":
			docs["index"] = item
		case d.Language == "hcl" && !withheld:
			name := openTofuKinds()[d.Kind]
			docs[name] = append(docs[name].([]map[string]string), item)
		}
	}
	return docs
}
