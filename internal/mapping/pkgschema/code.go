package pkgschema

import (
	"strings"

	"github.com/formation-iac/formation/internal/tf/tfdocs/docpage"
)

// exampleNote stands before the first example.
const exampleNote = "> Examples are as Terraform's documentation has them: in its language, and with its names."

// plainCode makes the fenced code blocks of a page indented ones: generators
// of SDKs leave out what is fenced, but for shell commands and their own
// language. Before the first block of Terraform's language comes note, if
// there is one.
func plainCode(text, note string) string {
	if !strings.Contains(text, "```") && !strings.Contains(text, "~~~") {
		return text
	}
	c := &coder{note: note}
	for line := range strings.SplitSeq(text, "\n") {
		c.line(line)
	}
	return strings.Join(c.out, "\n")
}

// coder passes on the lines of a text.
type coder struct {
	note  string
	fence docpage.Fence
	out   []string
	// shell says that the block at hand keeps its fences; they stand at
	// indent.
	shell  bool
	indent string
	// ended says that the line before ended an indented block.
	ended bool
}

func (c *coder) line(line string) {
	wasOpen := c.fence.Open()
	switch code := c.fence.Code(line); {
	case !code:
		c.add(line)
	case !wasOpen:
		c.open(line)
	case c.shell:
		c.out = append(c.out, line)
	case !c.fence.Open():
		c.ended = true
	case strings.TrimSpace(line) == "":
		c.out = append(c.out, "")
	default:
		c.out = append(c.out, c.indent+"    "+strings.TrimPrefix(line, c.indent))
	}
}

// add passes on a line that is no code.
func (c *coder) add(line string) {
	if c.ended && strings.TrimSpace(line) != "" {
		c.apart()
	}
	c.ended = false
	c.out = append(c.out, line)
}

// open begins a block.
func (c *coder) open(line string) {
	fence := strings.TrimLeft(line, " \t")
	c.indent = line[:len(line)-len(fence)]
	language, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(strings.TrimLeft(fence, "`~"))), " ")
	c.shell = false
	switch language {
	case "sh", "shell", "bash", "console", "shell-session":
		c.shell = true
		c.add(c.indent + fence[:len(fence)-len(strings.TrimLeft(fence, "`~"))] + "sh")
		return
	case "terraform", "hcl", "tf":
		c.sayNote()
	}
	c.apart()
	c.ended = false
}

func (c *coder) sayNote() {
	if c.note == "" {
		return
	}
	c.apart()
	c.out = append(c.out, c.note)
	c.note = ""
}

// apart has a blank line before what comes next: indented code neither
// interrupts a paragraph nor is told from one right behind it.
func (c *coder) apart() {
	if len(c.out) > 0 && strings.TrimSpace(c.out[len(c.out)-1]) != "" {
		c.out = append(c.out, "")
	}
}
