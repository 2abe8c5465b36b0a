package archtest

import (
	"io/fs"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

// TestMap holds the list of packages in ARCHITECTURE.md to the directories.
func TestMap(t *testing.T) {
	t.Parallel()
	root := os.DirFS("../..")
	text, err := os.ReadFile("../../ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	rooms := roomsOf(string(text))
	if len(rooms) < 30 {
		t.Fatalf("only %d directories in the map: %v", len(rooms), slices.Sorted(maps.Keys(rooms)))
	}
	for _, complaint := range strayed(rooms, packages(t, root)) {
		t.Error(complaint)
	}
}

// strayed lists where map and directories differ. A package has a line of its
// own or is a word in that of a directory above; what only tests use needs no
// more than the line of the room.
func strayed(rooms map[string]string, found []string) []string {
	var out []string
	for _, dir := range found {
		if !named(rooms, dir) && !below(dir, "internal/testkit") {
			out = append(out, dir+" is not in the map of ARCHITECTURE.md")
		}
	}
	for _, room := range slices.Sorted(maps.Keys(rooms)) {
		if !slices.ContainsFunc(found, func(dir string) bool { return below(dir, room) }) {
			out = append(out, room+" is in the map of ARCHITECTURE.md, and has no package")
		}
	}
	return out
}

func named(rooms map[string]string, dir string) bool {
	if _, ok := rooms[dir]; ok {
		return true
	}
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(path.Base(dir)) + `\b`)
	return word.MatchString(rooms[path.Dir(dir)])
}

// roomsOf reads the tree of directories below internal/: what is said of each.
func roomsOf(text string) map[string]string {
	rooms := map[string]string{}
	_, tree, _ := strings.Cut(text, "\ninternal/\n")
	tree, _, _ = strings.Cut(tree, "\n```")
	var at []string // the directories that the line is in
	for line := range strings.Lines(tree) {
		name, said, _ := strings.Cut(strings.TrimSpace(line), " ")
		depth := (len(line) - len(strings.TrimLeft(line, " "))) / 2
		switch {
		case depth == 0:
			return rooms
		case strings.HasSuffix(name, "/") && depth <= len(at)+1:
			at = append(at[:depth-1], strings.TrimSuffix(name, "/"))
		default: // more of what was said
			said = name + " " + said
		}
		room := "internal/" + path.Join(at...)
		rooms[room] += " " + said
	}
	return rooms
}

// packages are the directories below internal/ that hold Go files.
func packages(t *testing.T, root fs.FS) []string {
	t.Helper()
	tree, err := Load(module, root)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]bool{}
	for _, f := range tree.Files {
		if dir := path.Dir(f.Path); below(dir, "internal") {
			found[dir] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}

func TestStrayed(t *testing.T) {
	t.Parallel()
	const text = "# Map\n\n```\ncmd/x    main\ninternal/\n  cli/     commands\n  tf/      the bank\n    tfdocs/  pages (docpage)\n  base/    below: diag,\n           shell\n  gone/    nothing\ntools/   x\n```\n"
	var found []string
	for _, dir := range []string{"base/diag", "base/shell", "base/shel", "cli", "cli/deep", "testkit/any", "tf/tfdocs", "tf/tfdocs/docpage", "tf/tfnew"} {
		found = append(found, packages(t, fstest.MapFS{"internal/" + dir + "/a.go": {Data: []byte("package a\n")}})...)
	}
	want := []string{
		"internal/base/shel is not in the map of ARCHITECTURE.md",
		"internal/cli/deep is not in the map of ARCHITECTURE.md",
		"internal/tf/tfnew is not in the map of ARCHITECTURE.md",
		"internal/gone is in the map of ARCHITECTURE.md, and has no package",
	}
	if diff := cmp.Diff(want, strayed(roomsOf(text), found)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
