package workflow

import (
	"os"
	"path/filepath"
	"time"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/ext/dynblock"
	"github.com/hashicorp/hcl/v2/hcldec"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/tf/tflang"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// providerConfig is a provider's configuration as the user wrote it.
type providerConfig struct {
	// written says that there is one.
	written bool
	value   cty.Value
}

// loadProviderConfig reads a file that holds a provider block, or what would
// stand inside one. Functions may be called; there are no variables. The file
// may hold secrets, so that diagnostics must not quote it.
func loadProviderConfig(path, localName string, block *tfschema.Block) (providerConfig, diag.List) {
	src, err := os.ReadFile(path)
	if err != nil {
		return providerConfig{}, diag.List{unreadableConfig(path, err)}
	}
	return parseProviderConfig(path, src, localName, block)
}

// codeConfig marks what is wrong with the text of a configuration.
const codeConfig = "WF0005"

func parseProviderConfig(path string, src []byte, localName string, block *tfschema.Block) (providerConfig, diag.List) {
	file, diags := discover.ParseBody(codeConfig, path, src)
	if diags.HasErrors() {
		return providerConfig{}, diags
	}
	body, diags := providerBody(file, path, localName)
	if diags.HasErrors() {
		return providerConfig{}, diags
	}
	if diags := withoutReferences(body, block); diags.HasErrors() {
		return providerConfig{}, diags
	}
	evalCtx := &hcl.EvalContext{Functions: tflang.Functions(tflang.NewHost(filepath.Dir(path), time.Now()))}
	return decodeProviderConfig(body, block, evalCtx)
}

// withoutReferences objects to references. Their names are not told: text that
// lacks its quotes looks like one.
func withoutReferences(body hcl.Body, block *tfschema.Block) diag.List {
	var diags diag.List
	for _, reference := range dynblock.VariablesHCLDec(body, block.DecoderSpec()) {
		diags = append(diags, variableInConfig(reference.SourceRange()))
	}
	return diags
}

// providerBody finds the provider's block in a file; without any provider
// block the file is the body.
func providerBody(file hcl.Body, path, localName string) (hcl.Body, diag.List) {
	content, rest, _ := file.PartialContent(&hcl.BodySchema{Blocks: []hcl.BlockHeaderSchema{{Type: "provider", LabelNames: []string{"name"}}}})
	if content == nil || len(content.Blocks) == 0 {
		return rest, nil
	}
	var found []hcl.Body
	for _, b := range content.Blocks {
		if b.Labels[0] == localName {
			found = append(found, b.Body)
		}
	}
	if len(found) != 1 {
		return nil, diag.List{wantOneProviderBlock(path, localName, len(found))}
	}
	return withoutMeta(found[0]), nil
}

// withoutMeta drops what is not for the provider itself.
func withoutMeta(body hcl.Body) hcl.Body {
	_, rest, _ := body.PartialContent(&hcl.BodySchema{Attributes: []hcl.AttributeSchema{{Name: "alias"}, {Name: "version"}}})
	return rest
}

func decodeProviderConfig(body hcl.Body, block *tfschema.Block, evalCtx *hcl.EvalContext) (providerConfig, diag.List) {
	value, hclDiags := hcldec.Decode(dynblock.Expand(body, evalCtx), block.DecoderSpec(), evalCtx)
	diags := diag.FromHCL(codeConfig, hclDiags)
	if diags.HasErrors() {
		return providerConfig{}, diags
	}
	value = ctyx.Unmark(value)
	return providerConfig{written: true, value: value}, diags
}

// queryProviderConfig takes the configuration from a query file's provider
// block, if it has one.
func queryProviderConfig(q *discover.Query, localName string, block *tfschema.Block) (providerConfig, diag.List) {
	for _, b := range q.ProviderBlocks {
		if b.Name != localName {
			continue
		}
		spec := block.DecoderSpec()
		evalCtx, diags := q.Context(hcldec.Variables(b.Body, spec))
		if diags.HasErrors() {
			return providerConfig{}, diags
		}
		config, more := decodeProviderConfig(withoutMeta(b.Body), block, evalCtx)
		return config, append(diags, more...)
	}
	return providerConfig{}, nil
}
