package discover

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
)

// Inventory is a list of objects that the user brings: a file of JSON lines,
// CSV or `import` blocks, or a directory whose `.tf` files have the blocks.
// JSON lines may also be the elements of one array, as jq, SQL and cloud tools
// print them.
//
// JSON lines have the keys type, id or identity, and name; so do the columns
// of CSV, where an identity is one column `identity.<attribute>` per part.
// The format is told by the file's extension, else by its content.
// A malformed inventory is an error as a whole: every fault is reported (up
// to 20), and nothing of it should be used. An entry that is well, and that the
// provider's schema speaks against, is rejected without harm to the others.
type Inventory struct {
	Path string
	// Text is what to read, where it is no file; Path is then what messages
	// call it. It can be read once.
	Text io.Reader
	// LocalName is what `import` blocks call the provider: its type, such as
	// "aws". Those of other providers are left out with a warning.
	LocalName string
}

// Name is "ids" and the path.
func (i Inventory) Name() string { return "ids " + i.Path }

// Discover reads the inventory.
func (i Inventory) Discover(ctx context.Context, scope Scope, yield func(Found) error) (Outcome, diag.List) {
	in := newIntake(ctx, i.Name(), scope, yield)
	in.localName = i.LocalName
	if i.Text != nil {
		in.read(i.Path, formatUnknown, i.Text)
		return in.done(i.Path)
	}
	info, err := os.Stat(i.Path)
	switch {
	case err != nil:
		in.fault(unreadableInventory(i.Path, err))
	case info.IsDir():
		in.directory(i.Path)
	default:
		in.file(i.Path)
	}
	return in.done(i.Path)
}

func (in *intake) file(path string) {
	f, err := os.Open(path)
	if err != nil {
		in.fault(unreadableInventory(path, err))
		return
	}
	defer f.Close()
	in.read(path, formatOfName(path), f)
}

// read takes in one stream. Its name stands in the ranges of messages. An
// unknown format is told by the content.
func (in *intake) read(name string, format format, r io.Reader) {
	buf := bufio.NewReaderSize(&bounded{r: r, left: maxInventory}, sniffLength)
	if bom, _ := buf.Peek(3); bytes.Equal(bom, []byte("\xef\xbb\xbf")) {
		_, _ = buf.Discard(3)
	}
	head, err := buf.Peek(sniffLength)
	if err != nil && !errors.Is(err, io.EOF) {
		in.fault(unreadableInventory(name, err))
		return
	}
	format = cmp.Or(format, formatOfContent(head))
	switch {
	case isUTF16(head):
		in.fault(unreadableInventory(name, errUTF16))
	case len(bytes.TrimSpace(head)) == 0 && errors.Is(err, io.EOF):
		// done says that nothing was there.
	case format == formatJSONLines && bytes.HasPrefix(bytes.TrimSpace(head), []byte("[")):
		in.jsonArray(name, buf)
	case format == formatJSONLines && spreadObject(head) && looksLikeState(head):
		in.fault(stateAsInventory(name))
	case format == formatJSONLines && spreadObject(head):
		in.fault(objectOverLines(name))
	case format == formatJSONLines:
		in.jsonLines(name, buf)
	case format == formatCSV:
		in.csv(name, buf)
	case format == formatBlocks:
		in.importBlocks(name, buf)
	default:
		in.fault(unknownFormat(name))
	}
}

// The bounds on outside bytes. An inventory of a million objects is well
// within them.
const (
	maxInventory = 512 << 20
	maxWhole     = 32 << 20
	maxLine      = 1 << 20
	maxProblems  = 20
	sniffLength  = 4096
)

type format uint8

const (
	formatUnknown format = iota
	formatJSONLines
	formatCSV
	formatBlocks
)

func formatOfName(name string) format {
	name = strings.ToLower(filepath.Base(name))
	switch filepath.Ext(name) {
	case ".csv":
		return formatCSV
	case ".jsonl", ".ndjson":
		return formatJSONLines
	case ".tf", ".tofu", ".hcl":
		return formatBlocks
	case ".json":
		if isBlocksFile(name) {
			return formatBlocks
		}
		return formatJSONLines
	}
	return formatUnknown
}

// isBlocksFile reports whether Terraform or OpenTofu reads the file as
// configuration.
func isBlocksFile(name string) bool {
	for _, ext := range []string{".tf", ".tf.json", ".tofu", ".tofu.json"} {
		if strings.HasSuffix(name, ext) {
			return true
		}
	}
	return false
}

func formatOfContent(head []byte) format {
	head = bytes.TrimSpace(head)
	columns := csvHeader(head)
	switch {
	case len(head) == 0:
		return formatUnknown
	case head[0] == '{', head[0] == '[':
		return formatJSONLines
	case len(columns) > 1 && slices.Contains(columns, "type"):
		return formatCSV
	case head[0] == '#' || bytes.HasPrefix(head, []byte("//")) || bytes.HasPrefix(head, []byte("/*")) ||
		bytes.HasPrefix(head, []byte("import")):
		return formatBlocks
	}
	return formatUnknown
}

// csvHeader splits the first line that is no comment, as far as that is needed
// to tell the header of CSV.
func csvHeader(head []byte) []string {
	for line := range strings.Lines(string(head)) {
		if line = strings.TrimSpace(line); line == "" || line[0] == csvComment {
			continue
		}
		columns := strings.Split(strings.ReplaceAll(line, `"`, ""), ",")
		for i := range columns {
			columns[i] = strings.TrimSpace(columns[i])
		}
		return columns
	}
	return nil
}

var errTooLarge = errors.New("it has more than 512 MiB")

// bounded reads up to left bytes and then fails, where io.LimitReader would
// pretend that the stream ended.
type bounded struct {
	r    io.Reader
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, errTooLarge
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	return n, err
}
