package tfverify

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/hcltext"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
)

// envPrefix begins the environment variables that give values.
const envPrefix = "TF_VAR_"

// rootInputs gathers the values given to the root module's variables, before
// any conversion.
func rootInputs(req Request, module *tfconfig.Module) (map[string]cty.Value, diag.List) {
	values := map[string]cty.Value{}
	var diags diag.List
	for _, entry := range req.Env {
		name, text, _ := strings.Cut(entry, "=")
		if name, ok := strings.CutPrefix(name, envPrefix); ok && module.Variables[name] != nil {
			diags = append(diags, setText(values, module.Variables[name], text, envPrefix+name)...)
		}
	}
	files, more := valueFiles(req)
	diags = append(diags, more...)
	for _, file := range files {
		diags = append(diags, setFile(values, module, file)...)
	}
	for _, name := range sortedKeys(req.Vars) {
		v := module.Variables[name]
		if v == nil {
			diags = append(diags, undeclaredVariable(name))
			continue
		}
		diags = append(diags, setText(values, v, req.Vars[name], "-var "+name)...)
	}
	return values, diags
}

// valueFiles lists the files of values, the later ones winning.
func valueFiles(req Request) ([]string, diag.List) {
	entries, err := os.ReadDir(req.Dir)
	if err != nil {
		return nil, diag.List{unreadableValues(req.Dir, err)}
	}
	var auto, files []string
	for _, name := range []string{"terraform.tfvars", "terraform.tfvars.json"} {
		path := filepath.Join(req.Dir, name)
		if _, err := os.Stat(path); err == nil {
			files = append(files, path)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, diag.List{unreadableValues(path, err)}
		}
	}
	for _, entry := range entries {
		if name := entry.Name(); strings.HasSuffix(name, ".auto.tfvars") || strings.HasSuffix(name, ".auto.tfvars.json") {
			auto = append(auto, filepath.Join(req.Dir, name))
		}
	}
	slices.Sort(auto)
	return append(append(files, auto...), req.VarFiles...), nil
}

func setFile(values map[string]cty.Value, module *tfconfig.Module, path string) diag.List {
	text, err := os.ReadFile(path)
	if err != nil {
		return diag.List{unreadableValues(path, err)}
	}
	// The text stays out of the module's sources: values are secrets, and
	// diagnostics quote sources.
	file, hclDiags := hcltext.Parse(text, path)
	diags := diag.FromHCL(codeValues, hclDiags)
	if diags.HasErrors() {
		return diags
	}
	attrs, hclDiags := file.Body.JustAttributes()
	diags = append(diags, diag.FromHCL(codeValues, hclDiags)...)
	for _, name := range sortedKeys(attrs) {
		attr := attrs[name]
		if module.Variables[name] == nil {
			diags = append(diags, undeclaredInFile(name, attr.NameRange))
			continue
		}
		v, more := tflang.Eval(attr.Expr, nil, cty.DynamicPseudoType)
		if diags = append(diags, more...); !more.HasErrors() {
			values[name] = v
		}
	}
	return diags
}

// setText reads a value that came as text: as it is for a variable of a
// primitive type, else as an expression.
func setText(values map[string]cty.Value, v *tfconfig.Variable, text, origin string) diag.List {
	if v.Literal {
		values[v.Name] = cty.StringVal(text)
		return nil
	}
	expr, hclDiags := hcltext.ParseExpression([]byte(text), origin, hcl.InitialPos)
	if hclDiags.HasErrors() {
		return diag.List{unreadableText(v.Name, origin)}
	}
	value, diags := tflang.Eval(expr, nil, cty.DynamicPseudoType)
	if diags.HasErrors() {
		return diag.List{unreadableText(v.Name, origin)}
	}
	values[v.Name] = value
	return nil
}
