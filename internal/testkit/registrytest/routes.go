package registrytest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"strings"
	"time"
)

// The registry's own paths. A host's discovery document leads to them.
const (
	registryPath = "/v1/providers/"
	mirrorPath   = "/mirror/"
	filesPath    = "/files/"
)

func silentLog() *log.Logger { return log.New(io.Discard, "", 0) }

func (s *Server) route(w http.ResponseWriter, r *http.Request) {
	path := r.URL.Path
	if rest, ok := strings.CutPrefix(path, filesPath); ok {
		s.file(w, r, strings.Split(rest, "/"))
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case path == "/.well-known/terraform.json":
		answer(w, map[string]any{"providers.v1": registryPath})
	case strings.HasPrefix(path, registryPath):
		s.registry(w, r, strings.Split(strings.TrimPrefix(path, registryPath), "/"))
	case strings.HasPrefix(path, terraformDocsPath):
		s.terraformPage(w, r, strings.TrimPrefix(path, terraformDocsPath))
	case strings.HasPrefix(path, openTofuDocsPath):
		s.openTofuDocs(w, r, strings.Split(strings.TrimPrefix(path, openTofuDocsPath), "/"))
	case strings.HasPrefix(path, mirrorPath):
		s.mirror(w, r, strings.Split(strings.TrimPrefix(path, mirrorPath), "/"))
	default:
		http.NotFound(w, r)
	}
}

func answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}

// of returns the packages of one provider.
func (s *Server) of(namespace, typ string) []*Package {
	var out []*Package
	for _, p := range s.packages {
		if p.Namespace == namespace && p.Type == typ {
			out = append(out, p)
		}
	}
	return out
}

// registry answers NS/TYPE/versions, NS/TYPE/VERSION/download/OS/ARCH, and
// NS/TYPE/VERSION.
func (s *Server) registry(w http.ResponseWriter, r *http.Request, parts []string) {
	if len(parts) < 3 {
		http.NotFound(w, r)
		return
	}
	packages := s.of(parts[0], parts[1])
	switch {
	case len(parts) == 3 && parts[2] != "versions":
		s.terraformIndex(w, r, parts[0], parts[1], parts[2])
		return
	case len(packages) == 0:
	case len(parts) == 3:
		answer(w, s.versions(packages))
		return
	case len(parts) == 6 && parts[3] == "download":
		for _, p := range packages {
			if p.Version == parts[2] && p.OS == parts[4] && p.Arch == parts[5] {
				answer(w, s.download(r, p))
				return
			}
		}
	}
	http.NotFound(w, r)
}

func (s *Server) versions(packages []*Package) map[string]any {
	byVersion := map[string]map[string]any{}
	list := []map[string]any{}
	for _, p := range packages {
		entry, ok := byVersion[p.Version]
		if !ok {
			entry = map[string]any{"version": p.Version, "protocols": p.Protocols, "platforms": []map[string]string{}}
			byVersion[p.Version] = entry
			list = append(list, entry)
		}
		entry["platforms"] = append(entry["platforms"].([]map[string]string), map[string]string{"os": p.OS, "arch": p.Arch})
	}
	return map[string]any{"versions": list, "warnings": s.warnings}
}

func (s *Server) download(r *http.Request, p *Package) map[string]any {
	host := r.Host
	if s.downloadHost != "" {
		host = s.downloadHost
	}
	files := fmt.Sprintf("%s%s/%s/%s/", filesPath, p.Namespace, p.Type, p.Version)
	keys := []map[string]string{}
	if !p.Unsigned {
		keys = append(keys, map[string]string{"key_id": s.key.PrimaryKey.KeyIdString(), "ascii_armor": armor(s.key)})
	}
	return map[string]any{
		"protocols": p.Protocols, "os": p.OS, "arch": p.Arch, "filename": p.filename(), "shasum": p.sum(),
		// A signed address, as object stores have them: the query is secret.
		"download_url":          "https://" + host + files + p.filename() + "?signature=very-secret",
		"shasums_url":           files + "SHA256SUMS",
		"shasums_signature_url": files + "SHA256SUMS.sig",
		"signing_keys":          map[string]any{"gpg_public_keys": keys},
	}
}

// mirror answers HOST/NS/TYPE/index.json and HOST/NS/TYPE/VERSION.json.
func (s *Server) mirror(w http.ResponseWriter, r *http.Request, parts []string) {
	if len(parts) != 4 {
		http.NotFound(w, r)
		return
	}
	packages := s.of(parts[1], parts[2])
	if len(packages) == 0 {
		http.NotFound(w, r)
		return
	}
	if parts[3] == "index.json" {
		versions := map[string]any{}
		for _, p := range packages {
			versions[p.Version] = map[string]any{}
		}
		answer(w, map[string]any{"versions": versions})
		return
	}
	archives := map[string]any{}
	for _, p := range packages {
		if p.Version+".json" != parts[3] {
			continue
		}
		hashes := p.MirrorHashes
		if hashes == nil {
			hashes = []string{"zh:" + p.sum()}
		}
		// Relative to this document, as mirrors made by the tools are.
		archives[p.platform()] = map[string]any{
			"url":    fmt.Sprintf("../../../..%s%s/%s/%s/%s", filesPath, p.Namespace, p.Type, p.Version, p.filename()),
			"hashes": hashes,
		}
	}
	if len(archives) == 0 {
		http.NotFound(w, r)
		return
	}
	answer(w, map[string]any{"archives": archives})
}

// file answers NS/TYPE/VERSION/NAME: archives, checksums, signatures. It
// holds no lock while bytes flow, which may take long.
func (s *Server) file(w http.ResponseWriter, r *http.Request, parts []string) {
	content, tag, ok := s.fileContent(parts)
	if !ok {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", fmt.Sprintf("%q", tag))
	w.Header().Set("Content-Type", "application/octet-stream")
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(content))
}

func (s *Server) fileContent(parts []string) (content []byte, tag string, ok bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(parts) != 4 {
		return nil, "", false
	}
	var release []*Package
	for _, p := range s.of(parts[0], parts[1]) {
		if p.Version != parts[2] {
			continue
		}
		release = append(release, p)
		if p.filename() == parts[3] {
			return p.Archive, p.sum()[:16], true
		}
	}
	if len(release) == 0 {
		return nil, "", false
	}
	sums := sumsOf(release)
	switch parts[3] {
	case "SHA256SUMS":
		return sums, "sums", true
	case "SHA256SUMS.sig":
		return s.sign(release[0], sums), "signature", true
	}
	return nil, "", false
}

func sumsOf(release []*Package) []byte {
	var out bytes.Buffer
	for _, p := range release {
		fmt.Fprintf(&out, "%s  %s\n", p.listedSum(), p.filename())
	}
	return out.Bytes()
}
