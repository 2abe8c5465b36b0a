package link

import (
	"fmt"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
)

const exampleRule = `For example:

aws_s3_bucket = {
  "logging[].target_bucket" = aws_s3_bucket.id
}`

// notAnObject reports a type whose rules are no object.
func notAnObject(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("LK0002", "Rules are not an object",
		"The rules of %s must be paths and targets in braces. %s", name, exampleRule).At(at)
}

// unexpectedBlock reports a block other than resource at the top level.
func unexpectedBlock(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("LK0003", fmt.Sprintf("Unexpected block %q", name),
		`A rule file has attributes of the form TYPE = { ... }, and the blocks resource "TYPE" { ... } and targets { ... }.`).At(at)
}

// oneLabel reports a resource block without exactly one type.
func oneLabel(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("LK0004", "Resource block needs one label",
		`Rules are for all resources of a type: resource "aws_s3_bucket" { ... }, without a name.`).At(at)
}

// nestedLabel reports a label on an inner block.
func nestedLabel(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("LK0005", "Unexpected label",
		"Blocks inside a resource stand for all elements of %s and have no label.", name).At(at)
}

// badPath reports a path that cannot be read.
func badPath(why string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("LK0006", "Invalid path",
		"The path cannot be read: %s. A path is names joined by dots, with [] after what has several elements: "+
			`"policy.Statement[].Resource".`, why).At(at)
}

// badTarget reports a target that cannot be read.
func badTarget(why string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("LK0007", "Invalid target",
		"The target cannot be read: %s. A target is TYPE.ATTRIBUTE, such as aws_iam_role.arn, "+
			`or that in a text, such as "${aws_s3_bucket.arn}/*", or a list of these.`, why).At(at)
}

// unknownList reports the name of a list of targets that was not declared
// before.
func unknownList(name string, declared []string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("LK0009", "Unknown list of targets",
		"targets.%s is not declared above this line.%s", name, suggest.DidYouMean(name, declared)).At(at)
}

// duplicateList reports a second list of targets of one name.
func duplicateList(name string, at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("LK0010", "Duplicate list of targets", "targets.%s is declared already. Rename one.", name).At(at)
}

// duplicateRule reports a second rule for one path.
func duplicateRule(r *Rule, first hcl.Range) *diag.Diagnostic {
	return diag.Errorf("LK0008", "Duplicate rule",
		"%s has a rule for %s already, at %s:%d. Put all targets into one list.",
		r.Type, r.Path, first.Filename, first.Start.Line).At(r.Range)
}

// warnSkipped warns of what a reader of the result would wonder about: values
// that could mean several resources, and references given up for a cycle.
func warnSkipped(s Skipped) diag.List {
	switch s.Reason {
	case Ambiguous:
		return diag.List{diag.Warnf("LK0201", "Value is shared by several resources",
			"%s stays as it is, because it could mean any of %s. Write the reference that you mean by hand, or say in a rule within what the value is unique: TYPE[ATTRIBUTE].NAME.",
			s.Path, s.candidates()).For(s.From.String()).InList()}
	case Cycle:
		return diag.List{diag.Warnf("LK0202", "Reference would close a cycle",
			"%s stays as it is: it means %s, which depends on this resource already, and Terraform refuses cycles.",
			s.Path, s.candidates()).For(s.From.String()).InList()}
	}
	return nil
}
