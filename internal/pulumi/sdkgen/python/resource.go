package python

import (
	"fmt"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// writeResource writes a resource's arguments and class.
func (f *file) writeResource(r *pschema.Resource) {
	name := sdkgen.ClassName(r)
	f.printf("__all__ = ['%sArgs', '%s']\n\n", name, name)
	f.inputClass(name+"Args", fmt.Sprintf("The set of arguments for constructing a %s resource.", name), r.Inputs, false)
	readable := !r.IsProvider && !r.IsComponent
	if readable {
		f.stateClass("_"+name+"State", state(r))
	}
	f.printf("@pulumi.type_token(%s)\nclass %s(pulumi.%s):\n", quote(r.Token), name, base(r))
	if r.DeprecationMessage != "" {
		f.printf("    warnings.warn(%s, DeprecationWarning)\n\n", quote(r.DeprecationMessage))
	}
	f.overloads(r, name)
	f.internalInit(r, name)
	if readable {
		f.get(r, name)
	}
	for _, p := range r.Outputs {
		f.getter(p, "pulumi.Output["+f.outputType(p)+"]", false)
	}
	for _, m := range r.Methods {
		f.writeMethod(name, m)
	}
}

func state(r *pschema.Resource) []*pschema.Property {
	if r.StateInputs == nil {
		return nil
	}
	return r.StateInputs.Properties()
}

func base(r *pschema.Resource) string {
	switch {
	case r.IsProvider:
		return "ProviderResource"
	case r.IsComponent:
		return "ComponentResource"
	}
	return "CustomResource"
}

// signature writes the arguments of a resource, one by one.
func (f *file) signature(r *pschema.Resource) {
	for _, p := range r.Inputs {
		f.printf(",\n                 %s: %s = None", parameter(p), f.inputType(p, asBoth, true))
	}
}

// parameter is the name of an argument that is passed by itself.
func parameter(p *pschema.Property) string {
	if name := snake(p.Name); name != "resource_name" && name != "opts" {
		return name
	}
	return snake(p.Name) + "_"
}

// unpacked is what passes an object of arguments one by one.
func unpacked(r *pschema.Resource) string {
	var renamed []string
	for _, p := range r.Inputs {
		if parameter(p) != snake(p.Name) {
			renamed = append(renamed, quote(snake(p.Name))+": "+quote(parameter(p)))
		}
	}
	if len(renamed) == 0 {
		return "resource_args.__dict__"
	}
	return "{{" + strings.Join(renamed, ", ") + "}.get(k, k): v for k, v in resource_args.__dict__.items()}"
}

// overloads writes the two forms of the constructor, and what tells them
// apart.
func (f *file) overloads(r *pschema.Resource, name string) {
	var params []string
	for _, p := range r.Inputs {
		params = append(params, f.param(p, parameter(p), f.inputType(p, asBoth, false))...)
	}
	common := []string{":param str resource_name: The name of the resource.", ":param pulumi.ResourceOptions opts: Options for the resource."}
	description := withDeprecation(r.Description, r.DeprecationMessage)
	if description == "" {
		description = fmt.Sprintf("Create a %s resource with the given unique name, props, and options.", name)
	}
	f.printf("    @overload\n    def __init__(__self__,\n                 resource_name: str,\n                 opts: Optional[pulumi.ResourceOptions] = None")
	f.signature(r)
	f.printf(",\n                 __props__=None):\n")
	f.docstring("        ", description, slices.Concat(common, params))
	args := "args: " + name + "Args"
	if !slices.ContainsFunc(r.Inputs, must) {
		args = "args: Optional[" + name + "Args] = None"
	}
	f.printf("        ...\n    @overload\n    def __init__(__self__,\n                 resource_name: str,\n                 %s,\n                 opts: Optional[pulumi.ResourceOptions] = None):\n", args)
	f.docstring("        ", description, []string{common[0], fmt.Sprintf(":param %sArgs args: The arguments to use to populate this resource's properties.", name), common[1]})
	f.printf(`        ...
    def __init__(__self__, resource_name: str, *args, **kwargs):
        resource_args, opts = _utilities.get_resource_args_opts(%[1]sArgs, pulumi.ResourceOptions, *args, **kwargs)
        if resource_args is not None:
            __self__._internal_init(resource_name, opts, **%[2]s)
        else:
            __self__._internal_init(resource_name, *args, **kwargs)

`, name, unpacked(r))
}

// internalInit writes what both forms of the constructor come to.
func (f *file) internalInit(r *pschema.Resource, name string) {
	f.printf("    def _internal_init(__self__, resource_name, opts=None")
	for _, p := range r.Inputs {
		f.printf(",\n                 %s=None", parameter(p))
	}
	f.printf(",\n                 __props__=None):\n")
	if r.DeprecationMessage != "" {
		f.printf("        pulumi.log.warn(%s)\n", quote(name+" is deprecated: "+r.DeprecationMessage))
	}
	f.printf("        opts = pulumi.ResourceOptions.merge(_utilities.get_resource_opts_defaults(), opts)\n" +
		"        if not isinstance(opts, pulumi.ResourceOptions):\n            raise TypeError('Expected resource options to be a ResourceOptions instance')\n")
	if r.IsComponent {
		f.printf("        if opts.id is not None:\n            raise ValueError('ComponentResource classes do not support opts.id')\n        else:\n")
	} else {
		f.printf("        if opts.id is None:\n")
	}
	f.printf("            if __props__ is not None:\n                raise TypeError('__props__ is only valid when passed in combination with a valid opts.id to get an existing resource')\n"+
		"            __props__ = %[1]sArgs.__new__(%[1]sArgs)\n\n", name)
	for _, p := range r.Inputs {
		f.prop(r, p)
	}
	for _, p := range r.Outputs {
		if _, given := r.Input(p.Name); !given {
			f.printf("            __props__.__dict__[%q] = None\n", snake(p.Name))
		}
	}
	f.options(r)
	f.super(r, name)
}

// prop writes what is sent for one argument.
func (f *file) prop(r *pschema.Resource, p *pschema.Property) {
	name := snake(p.Name)
	given := parameter(p)
	f.warnDeprecated("            ", p)
	f.fallback("            ", p)
	if p.Required && !r.IsProvider {
		f.printf("            if %s is None and not opts.urn:\n                raise TypeError(%s)\n", given, quote("Missing required property '"+name+"'"))
	}
	value := given
	if p.Const != nil {
		value = literal(p.Const)
	}
	if r.IsProvider && !isString(p.Type) {
		value = fmt.Sprintf("pulumi.Output.from_input(%[1]s).apply(pulumi.runtime.to_json) if %[1]s is not None else None", value)
	}
	if p.Secret {
		value = fmt.Sprintf("None if %s is None else pulumi.Output.secret(%s)", given, value)
	}
	f.printf("            __props__.__dict__[%q] = %s\n", name, value)
}

// isString reports whether a provider's argument goes out as it is: others
// travel as JSON.
func isString(t pschema.Type) bool { return underlying(t) == pschema.String }

// options writes the options that come with the type.
func (f *file) options(r *pschema.Resource) {
	if len(r.Aliases) > 0 {
		aliases := make([]string, len(r.Aliases))
		for i, alias := range r.Aliases {
			aliases[i] = "pulumi.Alias(type_=" + quote(alias) + ")"
		}
		f.option("aliases", aliases)
	}
	var secret, replace []string
	for _, p := range r.Outputs {
		if p.Secret {
			secret = append(secret, quote(p.Name))
		}
		if p.ReplaceOnChanges {
			replace = append(replace, quote(p.Name))
		}
	}
	f.option("additional_secret_outputs", secret)
	f.option("replace_on_changes", replace)
}

func (f *file) option(name string, values []string) {
	if len(values) > 0 {
		f.printf("        opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(%s=[%s]))\n", name, strings.Join(values, ", "))
	}
}

func (f *file) super(r *pschema.Resource, name string) {
	token := r.Token
	if r.IsProvider {
		token = f.sdk.pkg.Name()
	}
	f.printf("        super(%s, __self__).__init__(\n            %s,\n            resource_name,\n            __props__,\n            opts", name, quote(token))
	if r.IsComponent {
		f.printf(",\n            remote=True")
	}
	f.printf("%s)\n\n", f.packageRef())
}

// packageRef is the argument that passes the reference of a parameterized
// package; "" for other packages.
func (f *file) packageRef() string {
	if !f.sdk.parameterized() {
		return ""
	}
	return ", package_ref=_utilities.get_package()"
}

// get writes the lookup of an existing resource.
func (f *file) get(r *pschema.Resource, name string) {
	f.printf("    @staticmethod\n    def get(resource_name: str,\n            id: pulumi.Input[str],\n            opts: Optional[pulumi.ResourceOptions] = None")
	params := []string{
		":param str resource_name: The unique name of the resulting resource.",
		":param pulumi.Input[str] id: The unique provider ID of the resource to lookup.",
		":param pulumi.ResourceOptions opts: Options for the resource.",
	}
	for _, p := range state(r) {
		f.printf(",\n            %s: %s = None", parameter(p), f.inputType(p, asBoth, true))
		params = append(params, f.param(p, parameter(p), f.inputType(p, asBoth, false))...)
	}
	f.printf(") -> '%s':\n", name)
	f.docstring("        ", fmt.Sprintf("Get an existing %s resource's state with the given name, id, and optional extra\nproperties used to qualify the lookup.", name), params)
	f.printf("        opts = pulumi.ResourceOptions.merge(opts, pulumi.ResourceOptions(id=id))\n\n        __props__ = _%[1]sState.__new__(_%[1]sState)\n\n", name)
	given := map[string]bool{}
	for _, p := range state(r) {
		given[p.Name] = true
		f.printf("        __props__.__dict__[%q] = %s\n", snake(p.Name), parameter(p))
	}
	for _, p := range r.Outputs {
		if !given[p.Name] {
			f.printf("        __props__.__dict__[%q] = None\n", snake(p.Name))
		}
	}
	f.printf("        return %s(resource_name, opts=opts, __props__=__props__)\n\n", name)
}
