package discover

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
)

const (
	identityColumn = "identity."
	csvComment     = '#'
)

// csv takes in comma-separated values with a header line (RFC 4180). An
// empty cell is an absent value. Blanks around a cell are not part of it, in
// quotes neither: people write them after commas, and databases pad with them.
// Lines that begin with # are comments, unless rows begin with what may do so.
func (in *intake) csv(name string, r io.Reader) {
	rows := csv.NewReader(r)
	rows.ReuseRecord, rows.TrimLeadingSpace, rows.Comment = true, true, csvComment
	header, err := rows.Read()
	if err != nil {
		in.csvFault(name, rows, err)
		return
	}
	if in.csvUnreadable(name, rows, header) {
		return
	}
	columns, err := csvColumns(header)
	if err != nil {
		in.fault(badCSVHeader(rowRange(name, rows, 0), err))
		return
	}
	if columns[0] != "type" {
		rows.Comment = 0
	}
	for !in.stopped {
		start := int(rows.InputOffset())
		row, err := rows.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			if !in.csvFault(name, rows, err) {
				return
			}
			continue
		}
		if in.csvUnreadable(name, rows, row) {
			continue
		}
		e := csvEntry(columns, row)
		e.at = rowRange(name, rows, start)
		in.add(e)
	}
}

// csvFault reports an error of the reader, and whether later rows can still
// be looked at. A row of several lines is at fault where it begins: mostly that
// is where a quote was opened and not closed.
func (in *intake) csvFault(name string, rows *csv.Reader, err error) bool {
	syntax, ok := errors.AsType[*csv.ParseError](err)
	if !ok {
		in.fault(unreadableInventory(name, err))
		return false
	}
	pos := hcl.Pos{Line: syntax.Line, Column: syntax.Column, Byte: int(rows.InputOffset())}
	if syntax.StartLine != syntax.Line {
		pos.Line, pos.Column = syntax.StartLine, 1
		err = fmt.Errorf("%w; the row that begins here goes on to line %d", syntax.Err, syntax.Line)
	} else {
		err = syntax.Err
	}
	in.fault(badCSVRow(hcl.Range{Filename: name, Start: pos, End: pos}, err))
	return true
}

// csvUnreadable reports a row that has a cell which is no UTF-8.
func (in *intake) csvUnreadable(name string, rows *csv.Reader, row []string) bool {
	for i, cell := range row {
		if !utf8.ValidString(cell) {
			pos := hcl.Pos{Byte: int(rows.InputOffset())}
			pos.Line, pos.Column = rows.FieldPos(i)
			in.fault(badCSVRow(hcl.Range{Filename: name, Start: pos, End: pos}, errNotUTF8))
			return true
		}
	}
	return false
}

// csvColumns checks a header and returns a copy of it.
func csvColumns(header []string) ([]string, error) {
	columns := make([]string, len(header))
	seen := map[string]bool{}
	for i, column := range header {
		column = strings.TrimSpace(column)
		if !knownColumn(column) {
			return nil, fmt.Errorf("there is no column %q; the columns are type, id, name and identity.<attribute>", column)
		}
		if seen[column] {
			return nil, fmt.Errorf("the column %q is there twice", column)
		}
		seen[column] = true
		columns[i] = column
	}
	if !seen["type"] {
		return nil, errors.New("there is no column \"type\"")
	}
	delete(seen, "type")
	delete(seen, "name")
	if len(seen) == 0 {
		return nil, errors.New("there is neither a column \"id\" nor one \"identity.<attribute>\"")
	}
	return columns, nil
}

func knownColumn(column string) bool {
	switch column {
	case "type", "id", "name":
		return true
	}
	return strings.HasPrefix(column, identityColumn) && len(column) > len(identityColumn)
}

// csvEntry reads one row. Cells of an identity are strings, for the schema
// to convert.
func csvEntry(columns, row []string) entry {
	var e entry
	for i, cell := range row {
		cell = strings.TrimSpace(cell)
		if cell == "" {
			continue
		}
		switch column := columns[i]; column {
		case "type":
			e.typeName = cell
		case "id":
			e.id = cell
		case "name":
			e.name = cell
		default:
			if e.identity == nil {
				e.identity = map[string]cty.Value{}
			}
			e.identity[strings.TrimPrefix(column, identityColumn)] = cty.StringVal(cell)
		}
	}
	return e
}

// rowRange is the place of the row read last, which began at byte start. Its
// end is exact in bytes only: the reader says no more.
func rowRange(name string, rows *csv.Reader, start int) hcl.Range {
	line, column := rows.FieldPos(0)
	at := hcl.Pos{Line: line, Column: column, Byte: start}
	return hcl.Range{Filename: name, Start: at, End: hcl.Pos{Line: line, Column: column, Byte: int(rows.InputOffset())}}
}
