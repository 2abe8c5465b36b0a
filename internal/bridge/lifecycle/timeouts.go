package lifecycle

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"time"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// operation is what is done, as messages have it. The first four are keys of
// a resource's timeouts as well.
type operation string

const (
	creating  operation = "create"
	reading   operation = "read"
	updating  operation = "update"
	deleting  operation = "delete"
	importing operation = "import"
	opening   operation = "open"
)

const timeoutsName = "timeouts"

// answerGrace is how much longer than its timeout a provider that knows the
// timeout may take: it then answers with what it has done, whereas a call
// that we end leaves nobody knowing.
const answerGrace = 30 * time.Second

// timeoutType returns the object type of a block's timeouts where they have a
// string for the operation.
func timeoutType(block *tfschema.Block, op operation) (cty.Type, bool) {
	ty := block.ImpliedType()
	if !ty.HasAttribute(timeoutsName) {
		return cty.NilType, false
	}
	ty = ty.AttributeType(timeoutsName)
	ok := ty.IsObjectType() && ty.HasAttribute(string(op)) && ty.AttributeType(string(op)) == cty.String
	return ty, ok
}

// within bounds an operation on resources of a block's type. The context has
// no deadline but ends: a deadline would reach the provider, which might then
// answer before we know that its time was up.
func within(ctx context.Context, block *tfschema.Block, op operation, timeout time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(ctx)
	if timeout <= 0 {
		return ctx, func() { cancel(nil) }
	}
	patience := timeout
	if _, known := timeoutType(block, op); known && timeout < math.MaxInt64-answerGrace {
		patience += answerGrace
	}
	timer := time.AfterFunc(patience, func() { cancel(fmt.Errorf("the %s took longer than its timeout of %s", op, timeout)) })
	return ctx, func() {
		timer.Stop()
		cancel(nil)
	}
}

// withTimeout tells the provider a timeout where its schema has a place for
// it and object does not use that place. Told says that it did: the result
// must then lose it again ([withoutTimeouts]), or it would differ from the
// next configuration.
func withTimeout(block *tfschema.Block, object cty.Value, op operation, timeout time.Duration) (v cty.Value, told bool) {
	ty, ok := timeoutType(block, op)
	if !ok || timeout <= 0 || object.IsNull() {
		return object, false
	}
	written := object.GetAttr(timeoutsName)
	if !written.IsNull() && (!written.IsKnown() || !written.GetAttr(string(op)).IsNull()) {
		return object, false
	}
	timeouts := map[string]cty.Value{}
	for name, attr := range ty.AttributeTypes() {
		timeouts[name] = cty.NullVal(attr)
		if !written.IsNull() {
			timeouts[name] = written.GetAttr(name)
		}
	}
	timeouts[string(op)] = cty.StringVal(timeout.String())
	return withAttribute(object, timeoutsName, cty.ObjectVal(timeouts)), true
}

// withoutTimeouts gives a state the timeouts that the program wrote.
func withoutTimeouts(state, config cty.Value) cty.Value {
	if state.IsNull() || !state.IsKnown() {
		return state
	}
	return withAttribute(state, timeoutsName, config.GetAttr(timeoutsName))
}

func withAttribute(object cty.Value, name string, v cty.Value) cty.Value {
	attrs := object.AsValueMap()
	attrs[name] = v
	return cty.ObjectVal(attrs)
}

// sdkTimeoutsKey is where providers of the older SDK keep the timeouts in
// their private state, in nanoseconds by operation; for a delete they look
// nowhere else. Source: terraform-plugin-sdk v2, schema.TimeoutKey.
const sdkTimeoutsKey = "e2bfb730-ecaa-11e6-8f88-34363bc7c4c0"

// privateWithTimeout tells a provider of the older SDK the timeout of a
// delete. Private state of any other form comes back as it is.
func privateWithTimeout(private []byte, timeout time.Duration) []byte {
	var members map[string]json.RawMessage
	if json.Unmarshal(private, &members) != nil || members[sdkTimeoutsKey] == nil {
		return private
	}
	var timeouts map[operation]json.RawMessage
	if json.Unmarshal(members[sdkTimeoutsKey], &timeouts) != nil || timeouts == nil {
		return private
	}
	timeouts[deleting] = json.RawMessage(fmt.Sprint(timeout.Nanoseconds()))
	inner, err := json.Marshal(timeouts)
	if err != nil {
		return private
	}
	members[sdkTimeoutsKey] = inner
	out, err := json.Marshal(members)
	if err != nil {
		return private
	}
	return out
}
