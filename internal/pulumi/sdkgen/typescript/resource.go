package sdkts

import (
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// resourceFile writes the file of one resource: its class, its arguments and
// state, and the types of its methods.
func (m *module) resourceFile(r *pschema.Resource) sdkgen.File {
	f := m.sdk.file(m.path(r.Token))
	c := &class{file: f, resource: r, name: m.sdk.className(r.Token)}
	c.local = localClass(c.name)
	f.declares[c.local] = true
	f.utilities()
	f.doc(r.Description, r.DeprecationMessage)
	f.block(c.export()+"class "+c.local+" extends "+f.pulumi()+"."+c.base()+" {", c.body, "}")
	c.merged()
	if c.local != c.name {
		f.line("export { ", c.local, " as ", c.name, " };")
	}
	if state := r.StateInputs; c.hasState() {
		f.blank()
		f.interfaceOf(c.name+"State", state.Description, state.Properties(), inputForm, "")
	}
	f.blank()
	f.interfaceOf(c.name+"Args", "The set of arguments for constructing a "+c.name+" resource.", r.Inputs, inputForm, "")
	c.methodTypes()
	return f.done()
}

// class is the class of a resource that is being written.
type class struct {
	*file
	resource *pschema.Resource
	// name is what programs call it, local what its file does.
	name, local string
}

// export is what stands before declarations of the class's name.
func (c *class) export() string {
	if c.local != c.name {
		return ""
	}
	return "export "
}

func (c *class) base() string {
	switch {
	case c.resource.IsComponent:
		return "ComponentResource"
	case c.resource.IsProvider:
		return "ProviderResource"
	}
	return "CustomResource"
}

func (c *class) options() string {
	switch {
	case c.resource.IsComponent:
		return "pulumi.ComponentResourceOptions"
	case c.resource.IsProvider:
		return "pulumi.ResourceOptions"
	}
	return "pulumi.CustomResourceOptions"
}

// isCustom resources have IDs, and can be looked up.
func (c *class) isCustom() bool { return !c.resource.IsComponent && !c.resource.IsProvider }

func (c *class) hasState() bool { return takesState(c.resource) }

// takesState reports whether looking up an existing resource takes more than
// its ID.
func takesState(r *pschema.Resource) bool {
	return r.StateInputs != nil && !r.IsComponent && !r.IsProvider
}

func (c *class) body() {
	if c.isCustom() {
		c.get()
		c.blank()
	}
	c.identity()
	c.properties()
	c.blank()
	c.constructor()
	for _, method := range c.resource.Methods {
		c.method(method)
	}
}

// get writes the static method that looks up an existing resource.
func (c *class) get() {
	state, passed := "", "undefined as any"
	c.line("/**")
	c.line(" * Get an existing ", c.name, " resource's state with the given name, ID, and optional extra")
	c.line(" * properties used to qualify the lookup.")
	c.line(" *")
	c.line(" * @param name The _unique_ name of the resulting resource.")
	c.line(" * @param id The _unique_ provider ID of the resource to lookup.")
	if c.hasState() {
		state, passed = "state?: "+c.name+"State, ", "state as any"
		c.line(" * @param state Any extra arguments used during the lookup.")
	}
	c.line(" * @param opts Optional settings to control the behavior of the CustomResource.")
	c.line(" */")
	c.block("public static get(name: string, id: pulumi.Input<pulumi.ID>, "+state+"opts?: "+c.options()+"): "+c.local+" {",
		func() {
			c.warnDeprecated(c.name, c.resource.DeprecationMessage)
			c.line("return new ", c.local, "(name, ", passed, ", { ...opts, id: id });")
		}, "}")
}

// warnDeprecated writes a warning that the use of something prints, unless
// nothing is wrong with it.
func (f *file) warnDeprecated(name, message string) {
	if message != "" && f.sdk.info.Compatibility != kubernetes20 {
		f.line(f.pulumi(), ".log.warn(", quote(name+" is deprecated: "+message), ")")
	}
}

// identity writes the token, and how to know an instance by it.
func (c *class) identity() {
	token, prefix := c.resource.Token, ""
	if c.resource.IsProvider {
		// The base class puts the prefix before the package's name.
		token, prefix = c.sdk.pkg.Name(), `"pulumi:providers:" + `
	}
	c.line("/** @internal */")
	c.line("public static readonly __pulumiType = ", quote(token), ";")
	c.blank()
	c.line("/**")
	c.line(" * Returns true if the given object is an instance of ", c.name, ". This is designed to work even")
	c.line(" * when multiple copies of the Pulumi SDK have been loaded into the same process.")
	c.line(" */")
	c.block("public static isInstance(obj: any): obj is "+c.local+" {", func() {
		c.block("if (obj === undefined || obj === null) {", func() { c.line("return false;") }, "}")
		c.line("return obj['__pulumiType'] === ", prefix, c.local, ".__pulumiType;")
	}, "}")
}

// inherited reports whether every resource has a member of that name, which
// an output or method of that name must not replace: the runtime calls it.
func (c *class) inherited(name string) bool {
	switch name {
	case "urn", "getProvider", "hasOwnProperty":
		return true
	case "id":
		return !c.resource.IsComponent
	case "getData", "initialize", "registerOutputs":
		return c.resource.IsComponent
	}
	return false
}

// outputProperties are the outputs that the class has as properties.
func (c *class) outputProperties() []*pschema.Property {
	return slices.DeleteFunc(slices.Clone(c.resource.Outputs), func(p *pschema.Property) bool { return c.inherited(p.Name) })
}

func (c *class) properties() {
	properties := c.outputProperties()
	if len(properties) > 0 {
		c.blank()
	}
	for _, p := range properties {
		if p.Name == constructorName {
			continue
		}
		out := ""
		if _, isInput := c.resource.Input(p.Name); !isInput {
			out = "/*out*/ "
		}
		c.declareOutput("declare public "+out+"readonly ", p)
	}
}

// constructorName is of no field that a class can declare.
const constructorName = "constructor"

// merged writes an interface that the class is merged with, for an output that
// the class itself cannot declare.
func (c *class) merged() {
	p, ok := c.resource.Output(constructorName)
	if !ok {
		return
	}
	c.blank()
	c.block(c.export()+"interface "+c.local+" {", func() { c.declareOutput("readonly ", p) }, "}")
}

// declareOutput declares an output.
func (c *class) declareOutput(modifiers string, p *pschema.Property) {
	output := "pulumi.Output<"
	if c.sdk.leadsBack(p.Type, c.resource) {
		output = "pulumi.OutputInstance<" // without the members of the value, which would have this one
	}
	c.doc(p.Description, p.DeprecationMessage)
	c.line(modifiers, key(p.Name), ": ", output, c.outputText(p), ">;")
}

// outputText is the type of an output's value, which may be undefined.
func (c *class) outputText(p *pschema.Property) string {
	written := c.typeOf(p.Type, outputForm)
	if text, ok := p.Const.(string); ok {
		written = single(quote(text))
	}
	if p.Required || c.sdk.info.Compatibility == kubernetes20 {
		return written.text
	}
	return written.orUndefined().text
}

// constructor writes the constructor that programs call and, where existing
// resources take state, the one behind it.
func (c *class) constructor() {
	optional := "?"
	if c.sdk.info.Compatibility != kubernetes20 && slices.ContainsFunc(c.resource.Inputs, isRequired) {
		optional = ""
	}
	c.line("/**")
	c.line(" * Create a ", c.name, " resource with the given unique name, arguments, and options.")
	c.line(" *")
	c.line(" * @param name The _unique_ name of the resource.")
	c.line(" * @param args The arguments to use to populate this resource's properties.")
	c.line(" * @param opts A bag of options that control this resource's behavior.")
	if c.resource.DeprecationMessage != "" {
		c.line(" *")
		c.line(" * @deprecated ", oneLine(c.resource.DeprecationMessage))
	}
	c.line(" */")
	signature := "constructor(name: string, args" + optional + ": " + c.name + "Args, opts?: " + c.options() + ")"
	if c.hasState() {
		c.line(signature, ";")
		signature = "constructor(name: string, argsOrState?: " + c.name + "Args | " + c.name + "State, opts?: " + c.options() + ")"
	}
	c.block(signature+" {", c.construct, "}")
}

func isRequired(p *pschema.Property) bool { return p.Required }

func (c *class) construct() {
	c.warnDeprecated(c.name, c.resource.DeprecationMessage)
	c.line("const resourceInputs: pulumi.Inputs = {};")
	c.line("opts = opts || {};")
	switch {
	case c.resource.IsProvider:
		c.create()
	case c.hasState():
		c.either("if (opts.id) {", c.lookUpWithState, func() {
			c.line("const args = argsOrState as ", c.name, "Args | undefined;")
			c.create()
		})
	case len(c.resource.Inputs)+len(c.outputProperties()) > 0:
		c.either("if (!opts.id) {", c.create, c.lookUp)
	}
	c.mergeOptions()
	c.super()
}

// either writes the two branches of a condition.
func (c *class) either(condition string, one, other func()) {
	c.block(condition, one, "} else {")
	c.indent++
	other()
	c.indent--
	c.line("}")
}

// create fills in the inputs of a resource to be made. Looking one up by URN
// comes here too, and has none.
func (c *class) create() {
	for _, p := range c.resource.Inputs {
		if p.Required {
			c.block("if ("+maybeMember("args", p.Name)+" === undefined && !opts.urn) {", func() {
				c.line("throw new ", c.global("Error"), "(", quote("Missing required property '"+p.Name+"'"), ");")
			}, "}")
		}
	}
	for _, p := range c.resource.Inputs {
		c.assign(p.Name, c.inputValue(p))
	}
	for _, p := range c.outputProperties() {
		if _, isInput := c.resource.Input(p.Name); !isInput {
			c.assign(p.Name, "undefined /*out*/")
		}
	}
}

func (c *class) assign(property, value string) {
	c.line("resourceInputs[", quote(property), "] = ", value, ";")
}

func (c *class) lookUp() {
	for _, p := range c.outputProperties() {
		c.assign(p.Name, "undefined /*out*/")
	}
}

func (c *class) lookUpWithState() {
	c.line("const state = argsOrState as ", c.name, "State | undefined;")
	for _, p := range c.resource.StateInputs.Properties() {
		c.assign(p.Name, maybeMember("state", p.Name))
	}
}

// inputValue is the expression for an input.
func (c *class) inputValue(p *pschema.Property) string {
	if p.Const != nil {
		return literal(p.Const)
	}
	given, value := maybeMember("args", p.Name), member("args", p.Name)
	if filled := c.withDefaults(p, value, inputForm); filled != value {
		given, value = "args ? "+filled+" : undefined", filled
	}
	if p.Secret {
		given = maybeMember("args", p.Name) + " === undefined ? undefined : " + c.pulumi() + ".secret(" + value + ")"
	}
	if p.Default != nil {
		given = "(" + given + ") ?? " + c.defaultValue(p)
	}
	if c.resource.IsProvider && !isText(p.Type) {
		// Providers take their configuration as strings.
		given = c.pulumi() + ".output(" + given + ").apply(" + c.global("JSON") + ".stringify)"
	}
	return given
}

// isText reports whether values of a type are strings.
func isText(of pschema.Type) bool {
	switch of := of.(type) {
	case pschema.Primitive:
		return of == pschema.String
	case *pschema.Enum:
		return of.Elem == pschema.String
	case *pschema.Opaque:
		return of.Underlying == pschema.String
	case *pschema.Union:
		return !slices.ContainsFunc(of.Members, func(m pschema.Use) bool { return !isText(m.Type) })
	}
	return false
}

// mergeOptions adds to the options what the schema says of the resource.
func (c *class) mergeOptions() {
	c.line("opts = pulumi.mergeOptions(utilities.resourceOptsDefaults(), opts);")
	merge := func(name, value string) {
		c.line("const ", name, " = { ", value, " };")
		c.line("opts = pulumi.mergeOptions(opts, ", name, ");")
	}
	if len(c.resource.Aliases) > 0 {
		var aliases []string
		for _, alias := range c.resource.Aliases {
			aliases = append(aliases, "{ type: "+quote(alias)+" }")
		}
		merge("aliasOpts", "aliases: ["+strings.Join(aliases, ", ")+"]")
	}
	var secrets []string
	for _, p := range c.resource.Outputs {
		if p.Secret {
			secrets = append(secrets, p.Name)
		}
	}
	if len(secrets) > 0 {
		merge("secretOpts", "additionalSecretOutputs: ["+quoteAll(secrets)+"]")
	}
	if paths := c.sdk.replacements.Paths(c.resource.Outputs); len(paths) > 0 {
		merge("replaceOnChanges", "replaceOnChanges: ["+quoteAll(paths)+"]")
	}
}

func (c *class) super() {
	extra := ""
	switch {
	case c.resource.IsComponent:
		extra = ", true /*remote*/"
	case c.sdk.parameterized():
		extra = ", false /*dependency*/"
	}
	c.line("super(", c.local, ".__pulumiType, name, resourceInputs, opts", extra, c.packageArgument(), ");")
}
