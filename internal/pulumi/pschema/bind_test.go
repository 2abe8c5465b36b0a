package pschema_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
)

// bind binds a schema that must have no mistakes.
func bind(t *testing.T, text string, loader pschema.Loader) *pschema.Package {
	t.Helper()
	pkg, diags := schematest.Bind(t.Context(), []byte(text), pschema.Options{Filename: "schema.json", Loader: loader})
	if len(diags) > 0 {
		t.Fatalf("diagnostics:\n%s", strings.Join(lines(diags), "\n"))
	}
	return pkg
}

// lines writes each diagnostic as `pointer severity code: detail`.
func lines(diags diag.List) []string {
	var all []string
	for _, d := range diags {
		all = append(all, fmt.Sprintf("%s %s %s: %s", d.Address, d.Severity, d.Code, d.Detail))
	}
	return all
}

// places takes the marks out of a schema: each stands where a diagnostic
// begins, in the order in which they come. Places are `line:column`.
func places(marked string) (schema string, at []string) {
	parts := strings.Split(marked, "¡")
	for i, part := range parts {
		schema += part
		line := 1 + strings.Count(schema, "\n")
		column := 1 + utf8.RuneCountInString(schema[strings.LastIndex(schema, "\n")+1:])
		if i < len(parts)-1 {
			at = append(at, fmt.Sprintf("%d:%d", line, column))
		}
	}
	return schema, at
}

const zoo = `{
  "name": "zoo", "version": "1.2",
  "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
  "config": {"variables": {"keeper": {"type": "string", "defaultInfo": {"environment": ["KEEPER", "ZOO_KEEPER"]}}}, "defaults": ["keeper"]},
  "provider": {
    "properties": {"keeper": {"type": "string"}, "visitors": {"type": "integer"}},
    "inputProperties": {"keeper": {"type": "string", "secret": true}},
    "methods": {"open": "pulumi:providers:zoo/open"}
  },
  "resources": {
    "zoo:house/cage:Cage": {
      "description": "A cage.",
      "properties": {"animal": {"$ref": "#/types/zoo:house%2Fanimal:Animal"}, "size": {"type": "number"}},
      "required": ["size"],
      "inputProperties": {
        "animal": {"$ref": "#/types/zoo:house/animal:Animal", "plain": true},
        "bars": {"type": "array", "items": {"type": "string", "plain": true}, "replaceOnChanges": true},
        "next": {"$ref": "#/resources/zoo:house%2Fcage:Cage"},
        "owner": {"$ref": "#/provider"},
        "food": {"type": "string", "oneOf": [{"type": "string"}, {"$ref": "#/types/zoo:index/food:Food"}], "default": "hay"},
        "tags": {"type": "object", "additionalProperties": {"$ref": "pulumi.json#/Any"}}
      },
      "requiredInputs": ["animal"],
      "stateInputs": {"properties": {"size": {"type": "number"}}},
      "aliases": ["zoo:old:Cage", {"type": "zoo:older:Cage"}],
      "methods": {"clean": "zoo:house/cage:Cage/clean"}
    },
    "zoo:index/zoo:Zoo": {"isComponent": true, "properties": {"id": {"type": "string"}}}
  },
  "functions": {
    "zoo:house/cage:Cage/clean": {
      "inputs": {"properties": {"__self__": {"$ref": "#/resources/zoo:house%2Fcage:Cage"}, "soap": {"type": "boolean"}}, "required": ["__self__"]}
    },
    "pulumi:providers:zoo/open": {
      "inputs": {"properties": {"__self__": {"$ref": "#/provider"}}},
      "outputs": {"plain": true, "properties": {"at": {"type": "integer", "default": 9}}}
    },
    "zoo:index/feed:feed": {
      "inputs": {"properties": {"animal": {"type": "string"}, "much": {"type": "boolean"}}},
      "multiArgumentInputs": ["much", "animal"],
      "outputs": {"type": "array", "items": {"type": "string"}}
    },
    "zoo:index/nothing:nothing": {"outputs": {}}
  },
  "types": {
    "zoo:house/animal:Animal": {
      "type": "object",
      "properties": {"kind": {"type": "string", "const": "animal"}, "young": {"type": "array", "items": {"$ref": "#/types/zoo:house/animal:Animal"}}},
      "required": ["kind"]
    },
    "zoo:index/food:Food": {"type": "string", "enum": [{"name": "Hay", "value": "hay"}, {"value": "meat", "deprecationMessage": "no"}]}
  }
}`

func TestBind(t *testing.T) {
	t.Parallel()
	pkg := bind(t, zoo, nil)
	cage, _ := pkg.Resource("zoo:house/cage:Cage")
	feed, _ := pkg.Function("zoo:index/feed:feed")
	open, _ := pkg.Function("pulumi:providers:zoo/open")
	nothing, _ := pkg.Function("zoo:index/nothing:nothing")
	animal, _ := pkg.Type("zoo:house/animal:Animal")
	food, _ := pkg.Type("zoo:index/food:Food")
	cageType, _ := cage.Input("next")
	want := map[string]string{
		"version": "1.2.0", "config": "keeper:string! env[KEEPER ZOO_KEEPER]",
		"provider outputs": "keeper:string", "provider inputs": "keeper:string secret",
		"provider methods": "open=pulumi:providers:zoo/open",
		"outputs":          "animal:zoo:house/animal:Animal size:number!",
		"inputs": "animal:zoo:house/animal:Animal! plain bars:Array<string> food:Union<string, zoo:index/food:Food> default(hay) " +
			"next:zoo:house/cage:Cage owner:pulumi:providers:zoo tags:Map<Any>",
		"aliases": "[zoo:old:Cage zoo:older:Cage]", "methods": "clean=zoo:house/cage:Cage/clean",
		"state inputs": "size:number", "modules": "house, ,",
		"feed": "much:boolean animal:string", "feed returns": "Array<string>", "nothing returns": "<nil>",
		"open returns": "at:integer default(9)", "open plain": "true",
		"animal": "kind:string! const(animal) young:Array<zoo:house/animal:Animal>",
		"food":   "string Hay=hay =meat",
		"bars":   "true", "self": "true",
		"tokens": "[zoo:house/cage:Cage zoo:index/zoo:Zoo]",
	}
	bars, _ := cage.Input("bars")
	foodEnum := food.(*pschema.Enum)
	got := map[string]string{
		"version": pkg.Version(), "config": properties(pkg.Config()),
		"provider outputs": properties(pkg.Provider().Outputs), "provider inputs": properties(pkg.Provider().Inputs),
		"provider methods": methods(pkg.Provider()),
		"outputs":          properties(cage.Outputs), "inputs": properties(cage.Inputs),
		"aliases": fmt.Sprint(cage.Aliases), "methods": methods(cage),
		"state inputs": properties(cage.StateInputs.Properties()),
		"modules":      fmt.Sprintf("%s, %s,%s", pkg.Module(cage.Token), pkg.Module(feed.Token), pkg.Module(open.Token)),
		"feed":         properties(feed.Arguments()), "feed returns": feed.Returns.Type.String(),
		"nothing returns": fmt.Sprint(nothing.Returns),
		"open returns":    properties(open.InlineResult().Properties()), "open plain": fmt.Sprint(open.Returns.Plain),
		"animal": properties(animal.(*pschema.Object).Properties()),
		"food":   fmt.Sprintf("%s %s=%v %s=%v", foodEnum.Elem, foodEnum.Values[0].Name, foodEnum.Values[0].Value, foodEnum.Values[1].Name, foodEnum.Values[1].Value),
		"bars":   fmt.Sprint(bars.Type.(*pschema.Array).Elem.Plain),
		"self":   fmt.Sprint(cageType.Type.(*pschema.ResourceType).Resource() == cage),
		"tokens": fmt.Sprint(pkg.ResourceTokens()),
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("bound (-want +got):\n%s", diff)
	}
}

func properties(all []*pschema.Property) string {
	var texts []string
	for _, p := range all {
		text := p.Name + ":" + p.Type.String()
		if p.Required {
			text += "!"
		}
		if p.Plain {
			text += " plain"
		}
		if p.Secret {
			text += " secret"
		}
		if p.Const != nil {
			text += fmt.Sprintf(" const(%v)", p.Const)
		}
		if p.Default != nil && p.Default.Value != nil {
			text += fmt.Sprintf(" default(%v)", p.Default.Value)
		}
		if p.Default != nil && p.Default.Environment != nil {
			text += fmt.Sprintf(" env%v", p.Default.Environment)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " ")
}

func methods(r *pschema.Resource) string {
	var texts []string
	for _, m := range r.Methods {
		texts = append(texts, m.Name+"="+m.Function.Token)
	}
	return strings.Join(texts, " ")
}

// one puts a member into a schema that is right otherwise.
func one(section, token, member string) string {
	return `{"name": "p", "` + section + `": {"` + token + `":
` + member + `}}`
}

func resource(member string) string { return one("resources", "p:m:R", member) }
func input(property string) string {
	return resource(`{"inputProperties": {"in": ` + property + `}}`)
}

func TestMistakes(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		schema string
		want   []string
	}{
		"not JSON": {"{\n \"name\": n¡ope}", []string{
			"# error PS0001: invalid character 'o' in literal null (expecting 'u'). Nothing of the schema was read.",
		}},
		"cut off":       {`{"name":¡ `, []string{"# error PS0001: unexpected end of JSON input. Nothing of the schema was read."}},
		"no object":     {`¡[1]`, []string{"# error PS0002: Here should be an object, and there is an array. It was left out."}},
		"wrong kind":    {`{"name": "p", "keywords": ¡"x"}`, []string{"#/keywords error PS0002: Here should be an array, and there is a string. It was left out."}},
		"unknown once":  {`{"name": "p", "colour": ¡1}`, []string{`#/colour warning PS0004: "colour" means nothing in a package, and was left out. Is it misspelt, or is the schema newer than this program?`}},
		"unknown often": {resource(`{"properties": {"a": {"type": "string", "x": ¡1}, "b": {"type": "string", "x": 1}}}`), []string{`#/resources/p:m:R/properties/a/x warning PS0004: "x" means nothing in a property, and was left out. Is it misspelt, or is the schema newer than this program? It stands in 1 more places.`}},
		"same token": {`{"name": "p", "resources": {"p:m:R": {}, ¡"p:m:R": {}}}`, []string{
			`#/resources/p:m:R error PS0003: "p:m:R" stands in this object already. The last one counts; remove the others.`,
		}},
		"same member":        {input(`{"type": "string", ¡"type": "number"}`), []string{`#/resources/p:m:R/inputProperties/in/type error PS0003: "type" stands in this object already. The last one counts; remove the others.`}},
		"no name":            {`¡{}`, []string{`# error PS0012: Give it one, in "name".`}},
		"reserved package":   {`{"name": ¡"pulumi"}`, []string{`#/name error PS0013: "pulumi" is Pulumi's own. Choose another.`}},
		"version":            {`{"name": "p", "version": ¡"one"}`, []string{`#/version error PS0010: "one" should be like 1.2.3.`}},
		"module format":      {`{"name": "p", "meta": {"moduleFormat": ¡"("}}`, []string{"#/meta/moduleFormat error PS0011: error parsing regexp: missing closing ): `(`. Tokens are read as if there were none."}},
		"module format, all": {`{"name": "p", "meta": {"moduleFormat": ¡"x"}}`, []string{"#/meta/moduleFormat error PS0011: it has no group, which would be the module. Tokens are read as if there were none."}},
		"both parameters": {`{"name": "p", "parameterization": {"baseProvider": {"name": "b", "version": "1.0.0"}, "parameter": ¡"!"},
			"extensionParameterization": ¡{"baseProvider": ¡{"version": ¡"x"}}, "provider": ¡{}}`, []string{
			"#/parameterization/parameter error PS0005: illegal base64 data at input byte 0.",
			"#/extensionParameterization error PS0014: It either is made by a parameter (parameterization) or is added to another (extensionParameterization). Remove one.",
			`#/extensionParameterization/baseProvider error PS0016: Say which one it is, in "name".`,
			`#/extensionParameterization/baseProvider/version error PS0010: "x" should be like 1.2.3.`,
			`#/provider error PS0015: The provider of its resources is the one that it extends. Remove this one.`,
		}},
		"type":          {input(`{"type": ¡"strnig"}`), []string{`#/resources/p:m:R/inputProperties/in/type error PS0020: "strnig" should be boolean, integer, number, string, array or object. It was read as any value.`}},
		"no type":       {input(`¡{}`), []string{`#/resources/p:m:R/inputProperties/in error PS0020: "" should be boolean, integer, number, string, array or object. It was read as any value.`}},
		"no items":      {input(`¡{"type": "array"}`), []string{`#/resources/p:m:R/inputProperties/in error PS0021: Say it in "items".`}},
		"union of one":  {input(`¡{"oneOf": [{"type": "string"}]}`), []string{`#/resources/p:m:R/inputProperties/in error PS0022: "oneOf" should list at least two types.`}},
		"dangling":      {strings.Replace(input(`{"$ref": ¡"#/types/p:m:Tpye"}`), "{", `{"types": {"p:m:Type": {"type": "object"}}, `, 1), []string{`#/resources/p:m:R/inputProperties/in/$ref error PS0025: Package p has no p:m:Tpye in its "types". Did you mean "p:m:Type"?`}},
		"bad reference": {input(`{"type": "array", "items": {"$ref": ¡"nowhere"}}`), []string{`#/resources/p:m:R/inputProperties/in/items/$ref error PS0024: "nowhere": it has no fragment, which begins with #.`}},
		"bad path":      {input(`{"$ref": ¡"/q/schema.json#/types/q:m:T"}`), []string{`#/resources/p:m:R/inputProperties/in/$ref error PS0024: "/q/schema.json#/types/q:m:T": its path should be /PACKAGE/vVERSION/schema.json.`}},
		"no loader":     {input(`{"$ref": ¡"/q/v1.0.0/schema.json#/types/q:m:T"}`), []string{`#/resources/p:m:R/inputProperties/in/$ref error PS0027: Package q, version 1.0.0: schemas of other packages are not available here. What refers to it takes any value.`}},
		"old provider":  {input(`{"$ref": ¡"#/resources/pulumi:providers:p"}`), []string{`#/resources/p:m:R/inputProperties/in/$ref warning PS0026: pulumi:providers:p is not among the resources. It is read as #/provider; write that.`}},
		"default":       {input(`{"type": "integer", "default": ¡1.5}`), []string{`#/resources/p:m:R/inputProperties/in/default error PS0030: 1.5 cannot be a value of integer. It was left out.`}},
		"huge default":  {input(`{"type": "number", "default": ¡1e999}`), []string{`#/resources/p:m:R/inputProperties/in/default error PS0006: Pulumi's numbers are of 64-bit floating point, and 1e999 is none.`}},
		"default kind":  {input(`{"type": "string", "default": ¡{}}`), []string{`#/resources/p:m:R/inputProperties/in/default error PS0002: Here should be a string, a number or a boolean, and there is an object. It was left out.`}},
		"const":         {input(`{"type": "array", "items": {"type": "string"}, "const": ¡"x"}`), []string{`#/resources/p:m:R/inputProperties/in/const error PS0030: x cannot be a value of Array<string>. It was left out.`}},
		"required":      {resource(`{"requiredInputs": ["a", ¡"b"], "inputProperties": {"a": {"type": "string"}}}`), []string{`#/resources/p:m:R/requiredInputs/1 error PS0031: There is no property "b" here.`}},
		"names":         {resource(`{"properties": {"a b": ¡{"type": "string"}, "pulumi": ¡{"type": "string"}, "id": ¡{"type": "string"}}}`), []string{`#/resources/p:m:R/properties/a b error PS0032: "a b": names are of printable characters without spaces.`, `#/resources/p:m:R/properties/pulumi error PS0033: "pulumi" means something to Pulumi itself. Choose another.`, `#/resources/p:m:R/properties/id warning PS0035: Programs see Pulumi's own "id" instead of this one.`}},
		"plain lists":   {resource(`{"plainInputs": ¡["x"]}`), []string{`#/resources/p:m:R/plainInputs error PS0029: Say "plain": true in the types of those properties instead.`}},
		"no method":     {resource(`{"methods": {"go": ¡"p:m:R/go"}}`), []string{`#/resources/p:m:R/methods/go error PS0040: There is no function p:m:R/go.`}},
		"odd methods": {`{"name": "p", "resources": {"p:m:R": {"properties": {"go": {"type": "string"}}, "methods": {"go": ¡¡"p:m:go"}}},
			"functions": {"p:m:go": {}, "p:m:lost": ¡{"inputs": {"properties": {"__self__": {"$ref": "#/provider"}}}}}}`, []string{
			`#/resources/p:m:R/methods/go error PS0041: p:m:go should be p:m:R, a slash and the method's name.`,
			`#/resources/p:m:R/methods/go error PS0043: The resource has an output "go" as well.`,
			`#/functions/p:m:lost warning PS0044: Function p:m:lost takes __self__, and no resource names it as a method. Nothing can call it.`,
		}},
		"multi-argument": {one("functions", "p:m:f", `{"multiArgumentInputs": ¡¡["a", "c"], "inputs": {"properties": {"a": {"type": "string"}, "b": {"type": "string"}}}}`), []string{
			"#/functions/p:m:f/multiArgumentInputs error PS0045: multiArgumentInputs should name every input once: the input b is not in it.",
			"#/functions/p:m:f/multiArgumentInputs error PS0045: multiArgumentInputs should name every input once: there is no input c.",
		}},
		"token parts":      {one("resources", "p:R", `¡{}`), []string{"#/resources/p:R error PS0050: \"p:R\": it should have three parts, `package:module:Name`."}},
		"token of another": {one("resources", "q:m:R", `¡{}`), []string{`#/resources/q:m:R error PS0050: "q:m:R": its first part should be the package, p, or one of allowedPackageNames.`}},
		"token that climbs": {one("types", "p:../m:R", `¡{"type": "object"}`), []string{
			"#/types/p:..~1m:R error PS0050: \"p:../m:R\": a part of it is `..`, or none at all.",
		}},
		"provider's name":  {one("resources", "p:index:Provider", `¡{}`), []string{`#/resources/p:index:Provider error PS0050: "p:index:Provider": the provider has that name in the root module.`}},
		"same but case":    {`{"name": "p", "resources": {"p:m:R": {}}, "functions": {"p:M:r": ¡{}}}`, []string{`#/functions/p:M:r error PS0051: Programs cannot tell p:M:r from #/resources/p:m:R: modules and names are told apart without regard to case.`}},
		"name of a module": {`{"name": "p", "resources": {"p:m/sub:R": {}}, "functions": {"p:m:sub": ¡{}}}`, []string{`#/functions/p:m:sub error PS0052: p:m:sub and a module beside it have one name, without regard to case.`}},
		"endless object": {`{"name": "p", "types": {
			"p:m:A": ¡{"type": "object", "properties": {"b": {"$ref": "#/types/p:m:B"}}, "required": ["b"]},
			"p:m:B": {"type": "object", "properties": {"a": {"$ref": "#/types/p:m:A"}}, "required": ["a"]}}}`, []string{
			"#/types/p:m:A error PS0053: No value of it can be finite, as each requires the next: p:m:A → p:m:B → p:m:A.",
		}},
		"enum":         {one("types", "p:m:E", `{"type": "integer", "enum": [{"value": 1}, {"value": ¡"x"}]}`), []string{`#/types/p:m:E/enum/1/value error PS0030: x cannot be a value of integer. It was left out.`}},
		"type of type": {one("types", "p:m:T", `{"type": ¡"array"}`), []string{`#/types/p:m:T/type error PS0028: Its "type" is "array". It should be "object", or with "enum" one of boolean, integer, number and string. It was read as an object.`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			schema, wantAt := places(test.schema)
			_, diags := schematest.Bind(t.Context(), []byte(schema), pschema.Options{Filename: "schema.json"})
			if diff := cmp.Diff(test.want, lines(diags)); diff != "" {
				t.Errorf("diagnostics (-want +got):\n%s", diff)
			}
			var at []string
			for _, d := range diags {
				at = append(at, fmt.Sprintf("%d:%d", d.Subject.Start.Line, d.Subject.Start.Column))
			}
			if diff := cmp.Diff(wantAt, at); diff != "" {
				t.Errorf("places (-want +got):\n%s", diff)
			}
		})
	}
}

// TestManyMistakes cuts a long list, and counts what it leaves out as errors.
func TestManyMistakes(t *testing.T) {
	t.Parallel()
	var types []string
	for i := range 150 {
		types = append(types, fmt.Sprintf(`"p:m:T%d": {"type": "object", "properties": {"x": {}}}`, i))
	}
	_, diags := schematest.Bind(t.Context(), []byte(`{"name": "p", "types": {`+strings.Join(types, ",")+`}}`), pschema.Options{})
	if len(diags) != 101 || !strings.HasPrefix(diags[100].Detail, "50 more") || diags[100].Severity != diag.Error {
		t.Errorf("got %d diagnostics, the last: %v", len(diags), diags[len(diags)-1])
	}
}

// packages loads the schemas that it has, by name.
type packages map[string]string

func (p packages) Load(ctx context.Context, dependency pschema.DependencySpec) (*pschema.Package, error) {
	text, ok := p[dependency.Name+"@"+dependency.Version]
	if !ok {
		return nil, errors.New("no such package")
	}
	pkg, diags := pschema.Open(ctx, []byte(text), pschema.Options{Loader: p})
	return pkg, diags.Err()
}

// TestOtherPackages has two packages that refer to each other.
func TestOtherPackages(t *testing.T) {
	t.Parallel()
	schema := `{"name": "a", "version": "2.0.0",
		"dependencies": [{"name": "plugin", "version": "0.1.0", "parameterization": {"name": "b", "version": "1.0.0", "value": "eA=="}}],
		"resources": {"a:m:R": {"inputProperties": {
			"type": {"$ref": "/b/v1.0.0/schema.json#/types/b:m:T"},
			"resource": {"$ref": "/b/v1.0.0/schema.json#/resources/b:m:R"},
			"provider": {"$ref": "https://example.com/b/v1.0.0/schema.json#/provider"}
		}}}}`
	loader := packages{"plugin@0.1.0": `{"name": "b", "version": "1.0.0",
		"types": {"b:m:T": {"type": "object", "properties": {"back": {"$ref": "/a/v2.0.0/schema.json#/resources/a:m:R"}}}},
		"resources": {"b:m:R": {}}}`, "a@2.0.0": schema}
	pkg := bind(t, schema, loader)
	r, _ := pkg.Resource("a:m:R")
	if got, want := properties(r.Inputs), "provider:pulumi:providers:b resource:b:m:R type:b:m:T"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	input, _ := r.Input("type")
	object := input.Type.(*pschema.Object)
	if got := object.Package.Name() + " " + properties(object.Properties()); got != "b back:a:m:R" {
		t.Errorf("type is %s", got)
	}
}

// TestOpenIsLazy finds a mistake only when its member is asked for.
func TestOpenIsLazy(t *testing.T) {
	t.Parallel()
	pkg, diags := pschema.Open(t.Context(), []byte(`{"name": "p",
		"resources": {"p:m:Good": {}, "p:m:Bad": {"properties": {"x": {}}}}}`), pschema.Options{})
	pkg.Resource("p:m:Good")
	if diags = append(diags, pkg.Diagnostics()...); len(diags) > 0 {
		t.Fatalf("the other resource was bound: %v", diags)
	}
	pkg.Resource("p:m:Bad")
	pkg.Resource("p:m:Bad")
	if got := pkg.Diagnostics(); len(got) != 1 || got[0].Code != "PS0020" {
		t.Errorf("got %v, want one PS0020", got)
	}
}
