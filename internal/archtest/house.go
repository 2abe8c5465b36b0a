package archtest

import "slices"

// house lists the storeys of the repository from the top down, each with its
// rooms. A room imports itself and the storeys below.
func house() [][]string {
	return [][]string{
		{"cmd"},
		{"internal/cli"},
		{"internal/workflow"},
		{"internal/importer", "internal/bridge", "internal/convert", "internal/packages"},
		{"internal/mapping", "internal/plugin"},
		{"internal/tf", "internal/pulumi"},
		{"internal/base"},
	}
}

// The rooms beside the house: for tests, so that they may look into all of it.
const (
	testkit  = "internal/testkit"
	archtest = "internal/archtest"
)

// place is where in the house the package dir is: its storey, counted from the
// top, and its room. The rooms beside the house have no place.
func place(dir string) (storey int, room string, ok bool) {
	for storey, rooms := range house() {
		at := slices.IndexFunc(rooms, func(room string) bool { return below(dir, room) })
		if at >= 0 {
			return storey, rooms[at], true
		}
	}
	return 0, "", false
}

// misplaced finds packages that are in no room, once each.
func (t *Tree) misplaced() []Violation {
	var found []Violation
	seen := map[string]bool{}
	for _, file := range t.Files {
		dir := file.Package()
		_, _, ok := place(dir)
		if ok || seen[dir] || below(dir, testkit, archtest) {
			continue
		}
		seen[dir] = true
		found = append(found, t.violation(file.Syntax.Package,
			"the house has no such room: choose one of ARCHITECTURE.md, or build one there and in archtest",
			"package in %s", dir))
	}
	return found
}
