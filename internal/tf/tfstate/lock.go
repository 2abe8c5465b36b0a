package tfstate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// lockInfo is what Terraform writes beside a local state while it works on
// it. Source: OpenTofu 1.12.6, states/statemgr.LockInfo.
type lockInfo struct {
	ID, Operation, Info, Who, Version, Created, Path string
}

// lockPath is `.NAME.lock.info` beside the state file.
func lockPath(path string) string {
	name := strings.TrimPrefix(filepath.Base(path), ".")
	return filepath.Join(filepath.Dir(path), "."+name+".lock.info")
}

// holder describes who holds a lock, as far as the file says.
func holder(name string) string {
	src, err := os.ReadFile(name)
	var info lockInfo
	if err != nil || json.Unmarshal(src, &info) != nil {
		return ""
	}
	var parts []string
	for _, part := range []struct{ label, value string }{
		{"by", info.Who}, {"for", info.Operation}, {"since", info.Created}, {"lock", info.ID},
	} {
		if part.value != "" {
			parts = append(parts, part.label+" "+part.value)
		}
	}
	if len(parts) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s)", strings.Join(parts, ", "))
}
