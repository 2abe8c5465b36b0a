package packages

import (
	"os"
	"path/filepath"
	"strings"
)

// publishedIn is what a file with a program's dependencies says of one that has
// an SDK's name and does not lead to a directory; or "".
func publishedIn(file, sdk string) string {
	if filepath.Base(file) != requirementsTxt {
		return publishedInPyproject(file, sdk)
	}
	src, err := os.ReadFile(file)
	if err != nil {
		return "" // its edit says what is wrong with it
	}
	for _, line := range requirementLines(string(src)) {
		if text := strings.TrimSpace(requirementPart(line)); requires(text, sdk) && !isReference(text) {
			return text
		}
	}
	return ""
}

func publishedInPyproject(file, sdk string) string {
	var of struct {
		Project struct{ Dependencies []string }
		Tool    struct {
			UV     struct{ Sources map[string]any }
			Poetry struct{ Dependencies map[string]any }
		}
	}
	if readTOML(file, &of) != nil {
		return ""
	}
	for _, table := range []map[string]any{of.Tool.UV.Sources, of.Tool.Poetry.Dependencies} {
		for name, value := range table {
			if normalized(name) != sdk {
				continue
			}
			if versions, ok := value.(string); ok {
				return name + " " + versions
			}
			return "" // it says where it is
		}
	}
	for _, text := range of.Project.Dependencies {
		if requires(text, sdk) && !isReference(text) {
			return text
		}
	}
	return ""
}

// isReference reports whether a requirement says where its package is.
func isReference(requirement string) bool {
	what, _, _ := strings.Cut(requirement, ";")
	return strings.Contains(what, "@")
}
