package pserve

import (
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
)

// phase is how far a plugin has come. It never goes back.
type phase uint8

const (
	bare phase = iota
	parameterized
	configured
)

// order holds callers to the order of calls: Parameterize at most once, then
// Configure once, then the rest. A step that fails may be tried again.
//
// Extensions (several Parameterize calls that each add to the schema) would
// begin in parameterized, and stay there.
type order struct {
	// required says that nothing but Parameterize leads out of bare.
	required bool
	phase    phase
	// step is the method that is on its way to the next phase, or "".
	step string
	// name and version are those of the package that a Parameterize made.
	name, version string
}

// permit says why a method may not be called now, or nil.
func (o *order) permit(method string) error {
	switch method {
	case "CheckConfig", "DiffConfig":
		return o.permitConfig(method)
	case "Check", "Diff", "Create", "Read", "Update", "Delete", "Invoke", "Call", "List", "Construct":
		if o.phase != configured {
			return o.tooEarly(method)
		}
	}
	return nil
}

// permitConfig is permit for what comes before Configure, and Configure.
func (o *order) permitConfig(method string) error {
	if o.required && o.phase == bare || o.step == stepParameterize {
		return o.tooEarly(method)
	}
	return nil
}

// The steps from phase to phase.
const (
	stepParameterize = "Parameterize"
	stepConfigure    = "Configure"
)

// begin starts a step, or says why it may not be made.
func (o *order) begin(step string) error {
	switch {
	case o.step != "":
		return status.Errorf(codes.FailedPrecondition, "%s while %s is still running: a provider takes one at a time.", step, o.step)
	case step == stepParameterize && o.name != "":
		return status.Errorf(codes.FailedPrecondition,
			"The provider is already parameterized as %s %s. Each parameterization needs a provider process of its own.", o.name, o.version)
	case o.phase == configured:
		return status.Errorf(codes.FailedPrecondition, "%s after Configure: a provider process is configured once.", step)
	case step == stepConfigure:
		if err := o.permitConfig(step); err != nil {
			return err
		}
	}
	o.step = step
	return nil
}

// end finishes the step that begin started.
func (o *order) end(succeeded bool, reached phase) {
	o.step = ""
	if succeeded {
		o.phase = reached
	}
}

func (o *order) tooEarly(method string) error {
	first := stepConfigure
	if o.required && o.phase == bare || o.step == stepParameterize {
		first = stepParameterize
	}
	return status.Errorf(codes.FailedPrecondition, "%s before %s: the provider %s.", method, first, map[string]string{
		stepConfigure:    "has no configuration yet",
		stepParameterize: "does not know yet which package it is to be; name one, as in: pulumi package add PLUGIN PROVIDER",
	}[first])
}
