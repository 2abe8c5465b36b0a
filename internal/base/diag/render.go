package diag

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/lastwords"
)

// Sources holds the text of files by the name that ranges use, so that a
// rendering can quote the line at fault. A nil map quotes nothing.
type Sources map[string][]byte

// Style decorates a rendering for its target; the zero value is plain text.
type Style struct{ Color bool }

const (
	ansiReset  = "\x1b[0m"
	ansiBold   = "\x1b[1m"
	ansiRed    = "\x1b[1;31m"
	ansiYellow = "\x1b[1;33m"
)

// Text renders one diagnostic over several lines, ending with a newline:
// the summary, the place with its source line, then the detail. What diagnostics
// and sources quote of others cannot do anything to a terminal.
func Text(d *Diagnostic, sources Sources, style Style) string {
	var b strings.Builder
	b.WriteString(heading(d, style))
	if place := place(d); place != "" {
		fmt.Fprintf(&b, "  %s\n", lastwords.Printable(place))
	}
	b.WriteString(lastwords.Printable(snippet(d.Subject, sources)))
	if d.Detail != "" {
		for line := range strings.Lines(lastwords.Printable(d.Detail)) {
			b.WriteString("  " + strings.TrimRight(line, "\n") + "\n")
		}
	}
	return b.String()
}

func heading(d *Diagnostic, style Style) string {
	label := strings.ToUpper(d.Severity.String()[:1]) + d.Severity.String()[1:]
	summary, code := lastwords.Printable(d.Summary), ""
	if d.Code != "" {
		code = " [" + d.Code + "]"
	}
	if !style.Color {
		return fmt.Sprintf("%s: %s%s\n", label, summary, code)
	}
	color := ansiRed
	if d.Severity == Warning {
		color = ansiYellow
	}
	return fmt.Sprintf("%s%s:%s %s%s%s%s\n", color, label, ansiReset, ansiBold, summary, ansiReset, code)
}

func place(d *Diagnostic) string {
	var parts []string
	if d.Subject != nil {
		parts = append(parts, "at "+point(*d.Subject))
	}
	if d.Address != "" {
		parts = append(parts, "in "+d.Address)
	}
	if len(d.Path) > 0 {
		parts = append(parts, "on "+ctyx.PathString(d.Path))
	}
	return strings.Join(parts, ", ")
}

// point is where a range begins, or its file where it is the whole of it.
func point(r hcl.Range) string {
	if r.Start.Line < 1 {
		return r.Filename
	}
	return fmt.Sprintf("%s:%d,%d", r.Filename, r.Start.Line, r.Start.Column)
}

func snippet(subject *hcl.Range, sources Sources) string {
	if subject == nil {
		return ""
	}
	src, ok := sources[subject.Filename]
	if !ok {
		return ""
	}
	lines := bytes.Split(src, []byte("\n"))
	if subject.Start.Line < 1 || subject.Start.Line > len(lines) {
		return ""
	}
	line := bytes.TrimRight(lines[subject.Start.Line-1], "\r")
	return fmt.Sprintf("  %4d | %s\n", subject.Start.Line, around(string(line), subject.Start.Column))
}

// around cuts a line that is too long to what stands around a column, which
// counts characters from 1.
func around(line string, column int) string {
	chars := []rune(line)
	if len(chars) <= mostQuoted {
		return line
	}
	start := max(0, min(column-1-mostQuoted/2, len(chars)-mostQuoted))
	out := string(chars[start : start+mostQuoted])
	if start > 0 {
		out = "…" + out
	}
	if start+mostQuoted < len(chars) {
		out += "…"
	}
	return out
}

// jsonDiagnostic is the machine form: the same fields by name.
type jsonDiagnostic struct {
	Severity string     `json:"severity"`
	Code     string     `json:"code,omitempty"`
	Summary  string     `json:"summary"`
	Detail   string     `json:"detail,omitempty"`
	Address  string     `json:"address,omitempty"`
	Path     string     `json:"path,omitempty"`
	Range    *jsonRange `json:"range,omitempty"`
}

type jsonRange struct {
	Filename string  `json:"filename"`
	Start    jsonPos `json:"start"`
	End      jsonPos `json:"end"`
}

type jsonPos struct {
	Line   int `json:"line"`
	Column int `json:"column"`
	Byte   int `json:"byte"`
}

// MarshalJSON writes severity, code, summary, detail, address, path and
// range; absent ones are left out. Lines and columns count from 1, bytes
// from 0, and the end of a range is not part of it.
func (d *Diagnostic) MarshalJSON() ([]byte, error) {
	out := jsonDiagnostic{
		Severity: d.Severity.String(), Code: d.Code, Summary: d.Summary,
		Detail: d.Detail, Address: d.Address, Path: ctyx.PathString(d.Path),
	}
	if r := d.Subject; r != nil {
		out.Range = &jsonRange{
			Filename: r.Filename,
			Start:    jsonPos{r.Start.Line, r.Start.Column, r.Start.Byte},
			End:      jsonPos{r.End.Line, r.End.Column, r.End.Byte},
		}
	}
	return json.Marshal(out)
}

// UnmarshalJSON reads what MarshalJSON wrote, but for the path, whose text
// names no value and is put before the detail.
func (d *Diagnostic) UnmarshalJSON(data []byte) error {
	var in jsonDiagnostic
	if err := json.Unmarshal(data, &in); err != nil {
		return err
	}
	*d = Diagnostic{Severity: Error, Code: in.Code, Summary: in.Summary, Detail: in.Detail, Address: in.Address}
	if in.Severity == Warning.String() {
		d.Severity = Warning
	}
	if in.Path != "" {
		d.Detail = "On " + in.Path + ": " + in.Detail
	}
	if r := in.Range; r != nil {
		d.Subject = &hcl.Range{
			Filename: r.Filename,
			Start:    hcl.Pos{Line: r.Start.Line, Column: r.Start.Column, Byte: r.Start.Byte},
			End:      hcl.Pos{Line: r.End.Line, Column: r.End.Column, Byte: r.End.Byte},
		}
	}
	return nil
}
