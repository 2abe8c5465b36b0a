package install

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"github.com/formation-iac/formation/internal/base/archive"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin"
	"github.com/formation-iac/formation/internal/plugin/source"
)

// FileRequest asks for a plugin to be installed from a file that the user has.
type FileRequest struct {
	// Plugin is what the file holds. Checksums hold an archive to them.
	Plugin plugin.Concrete
	// Path is an executable, a directory, or an archive of one (.tar.gz).
	Path      string
	Reinstall bool
}

// InstallFile installs a plugin from a file, and all that it depends on.
func (i *Installer) InstallFile(ctx context.Context, req FileRequest) (Installed, diag.List) {
	p := req.Plugin
	if err := plugin.CheckName(p.Name); err != nil {
		return Installed{}, diag.List{unusableFile(req.Path, err)}
	}
	fill := func(_ context.Context, room source.Room) diag.List {
		err := fillFromFile(p, req.Path, room.Dir)
		var said *diag.Diagnostic
		switch {
		case err == nil || errors.As(err, &said):
			return diag.FromError(codeInternal, "", err)
		case isBelow(room.Dir, err):
			return diag.List{unwritableCache(i.opts.Cache, p, err)}
		}
		return diag.List{unusableFile(req.Path, err)}
	}
	w := &want{descriptor: plugin.Descriptor{Kind: p.Kind, Source: p.Name, Constraint: plugin.Exactly(p.Version), Checksums: p.Checksums}}
	w.resolution.Plugin = p
	n := &node{key: i.opts.Cache.Dir(p), label: p.String(), plugin: p, fill: fill}
	if path, err := filepath.Abs(req.Path); err == nil {
		n.plugin.Server = path // for who is to mend it
	}
	w.node = n
	diags := i.newGraph(Request{Reinstall: req.Reinstall}).run(ctx, []*want{w})
	return w.installed(), diags
}

// fillFromFile puts what path leads to into a directory.
func fillFromFile(p plugin.Concrete, path, dir string) error {
	info, err := os.Stat(path)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return copyDir(path, dir)
	}
	packed, err := isCompressed(path)
	if err != nil {
		return err
	}
	if packed {
		if err := source.CheckSum(p, path); err != nil {
			return err
		}
		return archive.UnpackTarGz(path, dir)
	}
	if runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
		return errors.New("it is neither executable nor an archive")
	}
	return copyFile(path, filepath.Join(dir, p.Executable()+plugin.ExecutableExtensions()[0]))
}

// isBelow reports whether an error is one of the disk, about a file below dir.
func isBelow(dir string, err error) bool {
	var fault *os.PathError
	var link *os.LinkError
	path := ""
	if errors.As(err, &fault) {
		path = fault.Path
	} else if errors.As(err, &link) {
		path = link.New
	}
	rel, relErr := filepath.Rel(dir, path)
	return relErr == nil && filepath.IsLocal(rel)
}

// isCompressed reports whether a file begins as gzip's do.
func isCompressed(path string) (bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	var head [2]byte
	_, err = io.ReadFull(f, head[:])
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return false, errors.New("it is empty")
	}
	return bytes.Equal(head[:], []byte{0x1f, 0x8b}), err
}

// copyDir copies a directory of the user's. Links in it must not lead out:
// what they lead to would change under the installed plugin.
func copyDir(from, to string) error {
	if err := archive.CheckLinks(from); err != nil {
		return err
	}
	return os.CopyFS(to, os.DirFS(from))
}

func copyFile(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o755)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}
