package tfstate

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
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

// acquireLock takes the lock of a state file, or says who has it.
func acquireLock(path string) (release func(), diags diag.List) {
	name := lockPath(path)
	file, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, diag.List{locked(name, holder(name))}
	case err != nil:
		return nil, diag.List{unwritable(path, err)}
	}
	info, err := json.Marshal(lockInfo{Operation: "write", Who: "formation", Version: WriterVersion, Path: path})
	if err == nil {
		_, err = file.Write(info)
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return nil, diag.List{unwritable(path, errors.Join(err, os.Remove(name)))}
	}
	return func() { _ = os.Remove(name) }, nil
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
