package packages

import (
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// Question selects what to tell about a package: all of it, a module, or one
// resource or function. Names are tokens, or what stands last in them.
type Question struct{ Module, Resource, Function string }

// Info is what a package offers.
type Info struct {
	Name        string `json:"name"`
	Version     string `json:"version,omitempty"`
	Description string `json:"description,omitempty"`
	// Module is the one that was asked for; or "".
	Module    string   `json:"module,omitempty"`
	Modules   []string `json:"modules,omitempty"`
	Resources []Member `json:"resources,omitempty"`
	Functions []Member `json:"functions,omitempty"`
	// Inputs and Outputs are of the one member that was asked for.
	Inputs  []Field `json:"inputs,omitempty"`
	Outputs []Field `json:"outputs,omitempty"`
}

// Member is a resource or a function. Description is its first sentence, but
// all of it for the one member that was asked for.
type Member struct {
	Name        string `json:"name"`
	Token       string `json:"token"`
	Description string `json:"description,omitempty"`
	Deprecated  string `json:"deprecated,omitempty"`
}

// Field is a property.
type Field struct {
	Name        string `json:"name"`
	Type        string `json:"type"`
	Required    bool   `json:"required,omitempty"`
	Secret      bool   `json:"secret,omitempty"`
	Description string `json:"description,omitempty"`
}

// Info tells what the package offers.
func (pkg *Package) Info(q Question) (Info, diag.List) {
	bound := pkg.Bound
	out := Info{Name: bound.Name(), Version: bound.Version(), Description: firstSentence(bound.Header.Description)}
	resources, functions := bound.ResourceTokens(), bound.FunctionTokens()
	out.Modules = modules(bound, slices.Concat(resources, functions))
	if q.Module != "" {
		if !slices.Contains(out.Modules, q.Module) {
			return Info{}, diag.List{noSuchMember("module", q.Module, bound.Name(), out.Modules)}
		}
		elsewhere := func(token string) bool { return moduleOfToken(bound, token) != q.Module }
		resources, functions = slices.DeleteFunc(slices.Clone(resources), elsewhere), slices.DeleteFunc(slices.Clone(functions), elsewhere)
		out.Module = q.Module
	}
	switch {
	case q.Resource != "":
		return out.withResource(bound, q.Resource, resources)
	case q.Function != "":
		return out.withFunction(bound, q.Function, functions)
	}
	for _, token := range resources {
		if r, ok := bound.Resource(token); ok {
			out.Resources = append(out.Resources, Member{lastOf(token), token, firstSentence(r.Description), r.DeprecationMessage})
		}
	}
	for _, token := range functions {
		if f, ok := bound.Function(token); ok && !f.IsMethod {
			out.Functions = append(out.Functions, Member{lastOf(token), token, firstSentence(f.Description), f.DeprecationMessage})
		}
	}
	return out, nothingIn(pkg)
}

func (i Info) withResource(bound *pschema.Package, name string, tokens []string) (Info, diag.List) {
	token, ok := tokenOf(name, tokens)
	r, there := bound.Resource(token)
	if !ok || !there {
		return Info{}, diag.List{noSuchMember("resource", name, i.Name, lastsOf(tokens))}
	}
	i.Resources = []Member{{lastOf(token), token, r.Description, r.DeprecationMessage}}
	i.Inputs, i.Outputs = fields(r.Inputs), fields(r.Outputs)
	return i, nil
}

func (i Info) withFunction(bound *pschema.Package, name string, tokens []string) (Info, diag.List) {
	token, ok := tokenOf(name, tokens)
	f, there := bound.Function(token)
	if !ok || !there {
		return Info{}, diag.List{noSuchMember("function", name, i.Name, lastsOf(tokens))}
	}
	i.Functions = []Member{{lastOf(token), token, f.Description, f.DeprecationMessage}}
	i.Inputs = fields(f.Arguments())
	if f.Returns == nil {
		return i, nil
	}
	if object, ok := f.Returns.Type.(*pschema.Object); ok {
		i.Outputs = fields(object.Properties())
	} else {
		i.Outputs = []Field{{Name: "result", Type: typeText(f.Returns.Type), Required: true}}
	}
	return i, nil
}

func fields(properties []*pschema.Property) []Field {
	var out []Field
	for _, p := range properties {
		out = append(out, Field{p.Name, typeText(p.Type), p.Required, p.Secret, firstSentence(p.Description)})
	}
	return out
}

// typeText is a type in one line.
func typeText(t pschema.Type) string {
	if object, ok := t.(*pschema.Object); ok && object.Named {
		return lastOf(object.Token)
	}
	return t.String()
}

// modules are those of tokens, sorted.
func modules(bound *pschema.Package, tokens []string) []string {
	var out []string
	for _, token := range tokens {
		out = append(out, moduleOfToken(bound, token))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// moduleOfToken calls the root by the name that it has in tokens.
func moduleOfToken(bound *pschema.Package, token string) string {
	if module := bound.Module(token); module != "" {
		return module
	}
	return "index"
}

// tokenOf finds the token that a name means: itself, or the only or first one
// that ends in it.
func tokenOf(name string, tokens []string) (token string, ok bool) {
	for _, same := range []func(string) bool{
		func(t string) bool { return t == name },
		func(t string) bool { return lastOf(t) == name },
		func(t string) bool { return strings.EqualFold(lastOf(t), name) },
	} {
		if at := slices.IndexFunc(tokens, same); at >= 0 {
			return tokens[at], true
		}
	}
	return "", false
}

func lastOf(token string) string { return token[strings.LastIndexByte(token, ':')+1:] }

func lastsOf(tokens []string) []string {
	out := make([]string, len(tokens))
	for i, token := range tokens {
		out[i] = lastOf(token)
	}
	return out
}

// most is how many characters of a description a list shows.
const most = 120

// firstSentence is what fits on a line of a list.
func firstSentence(text string) string {
	text, _, _ = strings.Cut(strings.TrimSpace(text), "\n\n")
	text = strings.Join(strings.Fields(strings.TrimLeft(text, "> ")), " ")
	if at := strings.Index(text, ". "); at > 0 {
		text = text[:at+1]
	}
	if runes := []rune(text); len(runes) > most {
		text = strings.TrimRight(string(runes[:most-1]), " ") + "…"
	}
	return text
}
