package tfverify

import (
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfconfig"
	"github.com/formation-iac/formation/internal/tf/tflang"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// provisioners looks through what only an apply evaluates.
func (s *static) provisioners(at place, res *tfconfig.ResourceBlock) {
	if res.Connection != nil {
		s.refs(at, usedBy(tflang.BodyTraversals(res.Connection)))
	}
	for _, p := range res.Provisioners {
		for _, ref := range s.refs(at, usedBy(provisionerTraversals(res, p))) {
			if p.OnDestroy && !staysOnDestroy(ref) {
				s.add(goneOnDestroy(ref.String(), ref.Range))
			}
		}
		s.provisioner(at, res, p)
	}
}

// provisioner holds the arguments of a provisioner, and of the connection that
// it uses, against what the clients have.
func (s *static) provisioner(at place, res *tfconfig.ResourceBlock, p *tfconfig.ProvisionerBlock) {
	schema := provisionerSchema(p.Type)
	if schema == nil {
		s.add(unknownProvisioner(p.Type, p.Range))
		return
	}
	if config, ok := s.decode(at, p.Config, schema, p.Range); ok {
		s.together(p, config)
	}
	if connection := res.ConnectionOf(p); connection != nil {
		s.decode(at, connection, connectionSchema(), p.Range)
	}
}

// together holds arguments of a provisioner against one another. What is not
// known may be anything.
func (s *static) together(p *tfconfig.ProvisionerBlock, config cty.Value) {
	config, _ = config.UnmarkDeep()
	empty := func(name string) bool {
		v := config.GetAttr(name)
		return v.IsKnown() && (v.IsNull() || v.AsString() == "")
	}
	set := 0
	for _, name := range alternatives(p.Type) {
		if v := config.GetAttr(name); !v.IsKnown() || !v.IsNull() {
			set++
		}
	}
	switch {
	case p.Type == "local-exec" && empty("command"):
		s.add(invalidProvisioner(p.Type, "a command", p.Range))
	case p.Type == "file" && empty("destination"):
		s.add(invalidProvisioner(p.Type, "a destination", p.Range))
	case len(alternatives(p.Type)) > 0 && set != 1:
		s.add(invalidProvisioner(p.Type, "one of "+strings.Join(alternatives(p.Type), ", "), p.Range))
	}
}

// alternatives are the arguments of a provisioner of which one is set.
func alternatives(name string) []string {
	switch name {
	case "remote-exec":
		return []string{"inline", "script", "scripts"}
	case "file":
		return []string{"content", "source"}
	}
	return nil
}

// decode evaluates a body with values that are not known.
func (s *static) decode(at place, body hcl.Body, schema *tfschema.Block, where hcl.Range) (cty.Value, bool) {
	uses := usedBy(tflang.BodyTraversals(body, "when", "on_failure"))
	config, diags := at.frame.decode(s.ctx, body, schema, uses, where)
	s.add(diags...)
	return config, !diags.HasErrors()
}

// provisionerTraversals finds the variables in the arguments of a provisioner
// and of its connection.
func provisionerTraversals(res *tfconfig.ResourceBlock, p *tfconfig.ProvisionerBlock) ([]hcl.Traversal, []string) {
	traversals, bound := tflang.BodyTraversals(p.Config, "when", "on_failure", "connection")
	if connection := res.ConnectionOf(p); connection != nil {
		inIt, boundInIt := tflang.BodyTraversals(connection)
		traversals, bound = append(traversals, inIt...), append(bound, boundInIt...)
	}
	return traversals, bound
}

// staysOnDestroy reports whether a reference can be answered once only the
// object itself is left.
func staysOnDestroy(ref tflang.Reference) bool {
	switch ref.Kind {
	case tflang.KindSelf, tflang.KindPath, tflang.KindTerraform, tflang.KindCount:
		return true
	case tflang.KindEach:
		return ref.Name == "key"
	}
	return false
}

// provisionerSchema is what a provisioner can be told, nil for one that is not
// part of the clients. Source: OpenTofu 1.12.6, internal/builtin/provisioners.
func provisionerSchema(name string) *tfschema.Block {
	texts := cty.List(cty.String)
	switch name {
	case "local-exec":
		return argumentsBlock("command", map[string]cty.Type{
			"command": cty.String, "interpreter": texts, "working_dir": cty.String,
			"environment": cty.Map(cty.String), "quiet": cty.Bool,
		})
	case "remote-exec":
		return argumentsBlock("", map[string]cty.Type{"inline": texts, "script": cty.String, "scripts": texts})
	case "file":
		return argumentsBlock("destination", map[string]cty.Type{"source": cty.String, "content": cty.String, "destination": cty.String})
	}
	return nil
}

// connectionSchema has all that a connection of any type can be told. Source:
// OpenTofu 1.12.6, internal/communicator/shared.
func connectionSchema() *tfschema.Block {
	types := map[string]cty.Type{
		"port": cty.Number, "proxy_port": cty.Number, "bastion_port": cty.Number,
		"agent": cty.Bool, "https": cty.Bool, "insecure": cty.Bool, "use_ntlm": cty.Bool,
	}
	for _, name := range []string{
		"host", "type", "user", "password", "timeout", "script_path", "target_platform", "private_key", "certificate", "host_key",
		"agent_identity", "proxy_scheme", "proxy_host", "proxy_user_name", "proxy_user_password", "bastion_host",
		"bastion_host_key", "bastion_user", "bastion_password", "bastion_private_key", "bastion_certificate", "cacert",
	} {
		types[name] = cty.String
	}
	return argumentsBlock("host", types)
}

// argumentsBlock is a block of arguments, one of which may be required.
func argumentsBlock(required string, types map[string]cty.Type) *tfschema.Block {
	block := &tfschema.Block{}
	for _, name := range sortedKeys(types) {
		block.Attributes = append(block.Attributes, &tfschema.Attribute{Name: name, Type: types[name], Required: name == required, Optional: name != required})
	}
	return block
}
