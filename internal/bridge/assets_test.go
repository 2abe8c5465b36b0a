package bridge

import (
	"archive/zip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/archive"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource/asset"
	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/base/fetch"
)

func textAsset(text string) property.Value { return property.New(&asset.Asset{Text: text}) }

func assetsIn(dir string) assets {
	return assets{dir: dir, web: fetch.New(fetch.Options{Attempts: 1})}
}

func archiveOf(members map[string]any) property.Value {
	return property.New(&archive.Archive{Assets: members})
}

func TestAssetTexts(t *testing.T) {
	t.Parallel()
	dir := assetsIn(filepath.Join(t.TempDir(), "assets"))
	put := func(text string) string {
		t.Helper()
		path, err := dir.file(t.Context(), textAsset(text))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(path)
		if err != nil || string(got) != text {
			t.Errorf("%s has %q, %v", path, got, err)
		}
		return path
	}
	one := put("one")
	if again, other := put("one"), put(""); again != one || other == one {
		t.Errorf("%s, then %s; of another text %s", one, again, other)
	}
	for path, want := range map[string]os.FileMode{one: 0o600, dir.dir: 0o700 | os.ModeDir} {
		if info, err := os.Stat(path); err != nil || info.Mode() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	if err := os.WriteFile(one, []byte("damaged"), 0o600); err != nil {
		t.Fatal(err)
	}
	put("one")
}

func TestAssetArchives(t *testing.T) {
	t.Parallel()
	dir := assetsIn(t.TempDir())
	file := filepath.Join(t.TempDir(), "f")
	if err := os.WriteFile(file, []byte("file"), 0o600); err != nil {
		t.Fatal(err)
	}
	made := func() property.Value {
		return archiveOf(map[string]any{
			"a": &asset.Asset{Text: "text"}, "b": &asset.Asset{Path: file},
			"c": &archive.Archive{Assets: map[string]any{"d": &asset.Asset{Text: "inner"}}},
		})
	}
	path, err := dir.file(t.Context(), made())
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"a": "text", "b": "file", "c/d": "inner"}
	if diff := cmp.Diff(want, unzipped(t, path)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if again, err := dir.file(t.Context(), made()); err != nil || again != path {
		t.Errorf("%s, then %s, %v", path, again, err)
	}
	if err := os.WriteFile(file, []byte("changed"), 0o600); err != nil {
		t.Fatal(err)
	}
	if other, err := dir.file(t.Context(), made()); err != nil || other == path || unzipped(t, other)["b"] != "changed" {
		t.Errorf("a changed file is in %s, %v", other, err)
	}
}

func unzipped(t *testing.T, path string) map[string]string {
	t.Helper()
	r, err := zip.OpenReader(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	out := map[string]string{}
	for _, f := range r.File {
		in, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(in)
		if err != nil {
			t.Fatal(err)
		}
		out[f.Name] = string(data)
	}
	return out
}

// TestAssetsRefused makes no file of what did not come along.
func TestAssetsRefused(t *testing.T) {
	t.Parallel()
	hash := "2c26b46b68ffc68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"
	for name, test := range map[string]struct {
		v    property.Value
		want error
	}{
		"elided":         {property.New(&asset.Asset{Hash: hash}), errAbsent},
		"elided archive": {property.New(&archive.Archive{Hash: hash}), errAbsent},
		"no file":        {archiveOf(map[string]any{"a": &asset.Asset{Path: "nowhere"}}), os.ErrNotExist},
	} {
		dir := assetsIn(t.TempDir())
		path, err := dir.file(t.Context(), test.v)
		entries, _ := os.ReadDir(dir.dir)
		if !errors.Is(err, test.want) || path != "" || len(entries) > 0 {
			t.Errorf("%s: got %q, %v, %v", name, path, err, entries)
		}
	}
}

func TestAssetsUnwritable(t *testing.T) {
	t.Parallel()
	inTheWay := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(inTheWay, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, v := range map[string]property.Value{"text": textAsset("a"), "archive": archiveOf(nil)} {
		if path, err := assetsIn(inTheWay).file(t.Context(), v); err == nil || path != "" {
			t.Errorf("%s: got %q, %v", name, path, err)
		}
	}
}
