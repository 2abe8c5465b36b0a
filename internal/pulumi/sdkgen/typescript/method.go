package sdkts

import (
	"slices"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
)

// method writes a method of a resource's class.
func (c *class) method(m pschema.Method) {
	function, name := m.Function, camel(m.Name)
	arguments := function.Arguments()
	c.blank()
	c.doc(function.Description, function.DeprecationMessage)
	c.block(c.methodKey(name)+"("+c.methodParameter(m, arguments)+"): "+c.methodReturns(m)+" {", func() {
		c.warnDeprecated(c.name+"."+name, function.DeprecationMessage)
		if len(arguments) > 0 && !slices.ContainsFunc(arguments, isRequired) {
			c.line("args = args || {};")
		}
		c.call(m, arguments)
	}, "}")
}

// methodKey declares a method's name. One that resources have themselves gets
// an underscore; a name in brackets makes no constructor.
func (c *class) methodKey(name string) string {
	switch {
	case name == constructorName:
		return "[" + quote(name) + "]"
	case c.inherited(name):
		return key(name + "_")
	}
	return key(name)
}

func (c *class) methodParameter(m pschema.Method, arguments []*pschema.Property) string {
	if len(arguments) == 0 {
		return ""
	}
	optional := "?"
	if slices.ContainsFunc(arguments, isRequired) {
		optional = ""
	}
	return "args" + optional + ": " + c.local + "." + upperFirst(m.Name) + "Args"
}

// methodReturns is the type that a method gives.
func (c *class) methodReturns(m pschema.Method) string {
	switch returns := m.Function.Returns; {
	case returns == nil:
		return "void"
	case returns.Plain:
		return c.global("Promise") + "<" + c.methodValue(m) + ">"
	}
	return c.pulumi() + ".Output<" + c.methodValue(m) + ">"
}

// methodValue is the type of a method's result by itself.
func (c *class) methodValue(m pschema.Method) string {
	if lifted := c.lifted(m); lifted != nil {
		return c.optionalText(lifted)
	}
	if m.Function.InlineResult() != nil {
		return c.local + "." + upperFirst(m.Name) + "Result"
	}
	return c.typeOf(m.Function.Returns.Type, outputForm).text
}

// optionalText is the type of an output property's value.
func (c *class) optionalText(p *pschema.Property) string {
	written := c.typeOf(p.Type, outputForm)
	if p.Required {
		return written.text
	}
	return written.orUndefined().text
}

// lifted is the one property of a result that stands for the result itself,
// or nil.
func (c *class) lifted(m pschema.Method) *pschema.Property {
	result := m.Function.InlineResult()
	if !c.sdk.info.LiftSingleValueMethodReturns || result == nil || m.Function.Returns.Plain ||
		len(result.Properties()) != 1 {
		return nil
	}
	return result.Properties()[0]
}

// call writes the call to the provider and what becomes of its result. A
// result that is no object travels as the only property of one.
func (c *class) call(m pschema.Method, arguments []*pschema.Property) {
	function := m.Function
	opening, end := "pulumi.runtime.call(", ", this"+c.packageArgument()+")"
	isObject := returnsObject(function)
	switch {
	case function.Returns == nil:
	case function.Returns.Plain:
		opening, end = "return utilities.callAsync(", ", this, "+singleFlag(isObject)+c.packageArgument()+")"
	case c.lifted(m) != nil:
		opening = "return pulumi.runtime.call<any>("
		end += ".apply(result => " + member("result", c.lifted(m).Name) + " as " + c.methodValue(m) + ")"
	case !isObject:
		opening = "return pulumi.runtime.call<any>("
		end += ".apply(result => " + c.global("Object") + ".values(result)[0] as " + c.methodValue(m) + ")"
	default:
		opening = "return pulumi.runtime.call("
	}
	c.block(opening+quote(function.Token)+", {", func() {
		c.line(`"__self__": this,`)
		for _, p := range arguments {
			c.line(quote(p.Name), ": ", c.withDefaults(p, member("args", p.Name), inputForm), ",")
		}
	}, "}"+end+";")
}

// singleFlag tells callAsync whether to take the only property of a result.
func singleFlag(isObject bool) string {
	if isObject {
		return "false"
	}
	return "true"
}

// methodTypes writes the arguments and results of methods, as types inside of
// the class.
func (c *class) methodTypes() {
	if !hasMethodTypes(c.resource) {
		return
	}
	c.blank()
	c.block(c.export()+"namespace "+c.local+" {", func() {
		first := true
		next := func() {
			if !first {
				c.blank()
			}
			first = false
		}
		for _, m := range c.resource.Methods {
			if arguments := m.Function.Arguments(); len(arguments) > 0 {
				next()
				comment := "The set of arguments for the " + c.name + "." + m.Name + " method."
				c.interfaceOf(upperFirst(m.Name)+"Args", orElse(m.Function.Inputs.Description, comment), arguments, inputForm, "")
			}
			if result := m.Function.InlineResult(); result != nil {
				next()
				comment := "The results of the " + c.name + "." + m.Name + " method."
				c.interfaceOf(upperFirst(m.Name)+"Result", orElse(result.Description, comment),
					result.Properties(), outputForm, "readonly ")
			}
		}
	}, "}")
}

func orElse(text, other string) string {
	if text != "" {
		return text
	}
	return other
}

// hasMethodTypes reports whether methods have types of their own. A class with
// such types cannot be loaded lazily, since they are in a namespace of its
// name.
func hasMethodTypes(r *pschema.Resource) bool {
	return slices.ContainsFunc(r.Methods, func(m pschema.Method) bool {
		return len(m.Function.Arguments()) > 0 || m.Function.InlineResult() != nil
	})
}
