package discover

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/gocty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/suggest"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Query is a parsed `.tfquery.hcl` file: `list` blocks, which say what to
// list and with which configuration, and the `provider`, `variable` and
// `locals` blocks that they need. It is made by [LoadQuery].
type Query struct {
	// Path is the file.
	Path string
	// ProviderBlocks are the file's provider configurations, in order. They
	// are not applied here: whoever configures the provider decides.
	ProviderBlocks []ProviderBlock

	lists []*hcl.Block
	ev    *evaluator
}

// ProviderBlock is one `provider` block. Evaluate its expressions with
// [Query.Evaluate].
type ProviderBlock struct {
	Name  string
	Body  hcl.Body
	Range hcl.Range
}

// defaultLimit is what a list block without a limit takes, as Terraform has
// it.
const defaultLimit = 100

// LoadQuery reads a query file. variables are the user's values for its
// variables; it may be nil. The query is nil beside errors.
func LoadQuery(path string, variables map[string]cty.Value) (*Query, diag.List) {
	f, err := os.Open(path)
	if err != nil {
		return nil, diag.List{unreadableQuery(path, err)}
	}
	defer f.Close()
	src, err := io.ReadAll(io.LimitReader(f, maxWhole+1))
	if err == nil && len(src) > maxWhole {
		err = errors.New("it has more than 32 MiB")
	}
	if err != nil {
		return nil, diag.List{unreadableQuery(path, err)}
	}
	return ParseQuery(path, src, variables)
}

// ParseQuery is [LoadQuery] for text that is at hand.
func ParseQuery(path string, src []byte, variables map[string]cty.Value) (*Query, diag.List) {
	body, diags := ParseBody(codeSyntax, path, src)
	if diags.HasErrors() {
		return nil, diags
	}
	content, hclDiags := body.Content(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{
		{Type: "list", LabelNames: []string{"type", "name"}}, {Type: "provider", LabelNames: []string{"name"}},
		{Type: "variable", LabelNames: []string{"name"}}, {Type: "locals"},
	}})
	diags = append(diags, diag.FromHCL(codeSyntax, hclDiags)...)
	q := &Query{Path: path, ev: newEvaluator(filepath.Dir(path))}
	q.ev.given = variables
	for _, block := range content.Blocks {
		switch block.Type {
		case "list":
			q.lists = append(q.lists, block)
		case "provider":
			q.ProviderBlocks = append(q.ProviderBlocks, ProviderBlock{block.Labels[0], block.Body, block.DefRange})
		case "variable":
			diags = append(diags, q.ev.declareVariable(block)...)
		case "locals":
			diags = append(diags, q.ev.declareLocals(block)...)
		}
	}
	if diags.HasErrors() {
		return nil, diags
	}
	return q, diags
}

// Evaluate evaluates an expression of the file: literals, functions,
// variables and locals.
func (q *Query) Evaluate(expr hcl.Expression) (cty.Value, diag.List) { return q.ev.value(expr, nil) }

// Context returns what the references of an expression or a body of the file
// need, for decoding a [ProviderBlock].
func (q *Query) Context(refs []hcl.Traversal) (*hcl.EvalContext, diag.List) {
	return q.ev.context(refs, nil)
}

// QuerySource lists what a query says, as [List] lists whole types.
type QuerySource struct {
	Query    *Query
	Provider tfprovider.Provider
	// LocalName is what the query calls the provider: its type, such as
	// "aws". Lists of other providers are left out with a warning.
	LocalName string
	// IncludeObjects asks for the objects even where the query does not.
	IncludeObjects bool
	// Parallel is how many lists are made at once; below 1 is 1.
	Parallel int
}

// Name is "query" and the path.
func (s QuerySource) Name() string { return "query " + s.Query.Path }

// Types are those that the query's list blocks for this provider are for,
// sorted: it says what of them is wanted.
func (s QuerySource) Types() []string {
	types := map[string]bool{}
	for _, block := range s.Query.lists {
		content, _, _ := block.Body.PartialContent(listBlock())
		if expr := exprOf(content, "provider"); expr != nil {
			if mine, _ := isMine(s.LocalName, "list", expr); mine {
				types[block.Labels[0]] = true
			}
		}
	}
	return sortedKeys(types)
}

// Discover makes the lists of the query. Every fault in it is reported
// before anything is listed.
func (s QuerySource) Discover(ctx context.Context, scope Scope, yield func(Found) error) (Outcome, diag.List) {
	run := &listing{provider: s.Provider, source: s.Name(), catalog: scope.Catalog, yield: yield}
	var queries []query
	var diags diag.List
	for _, block := range s.Query.lists {
		more, ds := s.queries(scope, block)
		queries = append(queries, more...)
		diags = append(diags, ds...)
	}
	if diags.HasErrors() {
		return run.outcome, diags
	}
	run.outcome.Enumerated = s.unasked(scope, queries)
	if len(s.Query.lists) == 0 {
		diags = append(diags, emptyQuery(s.Query.Path))
	}
	outcome, more := run.all(ctx, queries, s.Parallel)
	return outcome, append(diags, more...)
}

// unasked are the types whose list blocks are repeated zero times: the user
// wants none of them.
func (s QuerySource) unasked(scope Scope, queries []query) []string {
	return slices.DeleteFunc(s.Types(), func(typeName string) bool {
		return scope.excludes(typeName) || slices.ContainsFunc(queries, func(q query) bool { return q.typeName == typeName })
	})
}

// listBlock is what a list block has.
func listBlock() *hcl.BodySchema {
	return &hcl.BodySchema{
		Attributes: []hcl.AttributeSchema{
			{Name: "provider", Required: true}, {Name: "count"}, {Name: "for_each"}, {Name: "limit"}, {Name: "include_resource"},
		},
		Blocks: []hcl.BlockHeaderSchema{{Type: "config"}},
	}
}

// queries expands one list block.
func (s QuerySource) queries(scope Scope, block *hcl.Block) ([]query, diag.List) {
	content, hclDiags := block.Body.Content(listBlock())
	diags := diag.FromHCL(codeSyntax, hclDiags)
	if diags.HasErrors() {
		return nil, diags
	}
	mine, diags := isMine(s.LocalName, "list", content.Attributes["provider"].Expr)
	typeName := block.Labels[0]
	if diags.HasErrors() || !mine {
		return nil, diags
	}
	if !scope.Catalog.Has(tfschema.KindList, typeName) {
		return nil, append(diags, unknownListType(block.LabelRanges[0], typeName, suggest.Nearest(typeName, scope.Catalog.Names(tfschema.KindList))))
	}
	if scope.excludes(typeName) {
		return nil, diags
	}
	schema, err := scope.Catalog.Schema(tfschema.KindList, typeName)
	if err != nil {
		return nil, append(diags, badListSchema(typeName, err).At(block.DefRange))
	}
	if len(content.Blocks) > 1 {
		return nil, append(diags, secondConfig(content.Blocks[1].DefRange))
	}
	instances, more := s.Query.ev.repetitions(exprOf(content, "count"), exprOf(content, "for_each"))
	diags = append(diags, more...)
	var out []query
	for _, instance := range instances {
		q, more := s.instance(block, content, schema, instance)
		diags = append(diags, more...)
		out = append(out, q)
	}
	return out, diags
}

func exprOf(content *hcl.BodyContent, name string) hcl.Expression {
	if attr, ok := content.Attributes[name]; ok {
		return attr.Expr
	}
	return nil
}

// instance makes one list of a block.
func (s QuerySource) instance(block *hcl.Block, content *hcl.BodyContent, schema *tfschema.Schema, instance repetition) (query, diag.List) {
	at := block.DefRange
	q := query{
		label: "list." + block.Labels[0] + "." + block.Labels[1], typeName: block.Labels[0],
		limit: defaultLimit, includeObject: s.IncludeObjects, at: &at,
	}
	if instance.key != "" {
		q.label += "[" + instance.key + "]"
	}
	var diags diag.List
	if expr := exprOf(content, "limit"); expr != nil {
		v, more := s.Query.ev.value(expr, instance.vars)
		diags = append(diags, more...)
		v = ctyx.Unmark(v)
		if !more.HasErrors() && (v.IsNull() || !v.IsKnown() || gocty.FromCtyValue(v, &q.limit) != nil || q.limit < 1) {
			diags = append(diags, unsuitableLimit(expr.Range()))
		}
	}
	if expr := exprOf(content, "include_resource"); expr != nil {
		v, more := s.Query.ev.value(expr, instance.vars)
		diags = append(diags, more...)
		v = ctyx.Unmark(v)
		v, err := convert.Convert(v, cty.Bool)
		if !more.HasErrors() && (err != nil || v.IsNull() || !v.IsKnown()) {
			diags = append(diags, unsuitableFlag(expr.Range()))
		} else if !more.HasErrors() {
			q.includeObject = q.includeObject || v.True()
		}
	}
	body, bodyAt := hcl.EmptyBody(), at
	if len(content.Blocks) == 1 {
		body, bodyAt = content.Blocks[0].Body, content.Blocks[0].DefRange
	}
	config, more := decodeConfig(s.Query.ev, body, bodyAt, schema.Block, instance.vars)
	diags = append(diags, more...)
	if !more.HasErrors() && !config.IsWhollyKnown() {
		diags = append(diags, unknownConfig(bodyAt, q.typeName))
	}
	q.config = config
	return q, diags
}
