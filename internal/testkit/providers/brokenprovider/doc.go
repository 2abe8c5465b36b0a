// Package brokenprovider is the test provider "broken" (protocol 6), which
// misbehaves on demand, to prove that a client survives it. The environment
// says how:
//
//	BROKEN_MODE    one of [Modes]; empty behaves well
//	BROKEN_CALL    the call that misbehaves, such as "ReadResource" (the default)
//	BROKEN_ID      only for the resource with this id; empty for every one
//	BROKEN_SCHEMA  another schema: "required" or "optional", as the provider's
//	               endpoint then is, or "sensitive", as a thing's name then is,
//	               or "secret-id", as its id then is, too
//
// Its one resource type, broken_thing, has an id, a name and a secret, needs no
// service behind it, and imports anything: the name is "thing <id>".
package brokenprovider

import "os"

// Address is the provider's full source address.
const Address = "registry.opentofu.org/formation-iac/broken"

// Mode is a way of misbehaving.
type Mode string

// The modes. The first group never becomes a provider; the second answers every
// call wrongly, below the level of messages; the third misbehaves in BROKEN_CALL.
const (
	Exit         Mode = "exit"          // writes to stderr and exits with 1
	Garbage      Mode = "garbage"       // prints a line that is no handshake, and stays
	Silent       Mode = "silent"        // prints nothing, and stays
	OldProtocol  Mode = "protocol4"     // a handshake for protocol 4, and stays
	DeadAddress  Mode = "dead-address"  // a good handshake for an address where nobody is
	HalfLine     Mode = "half-line"     // part of a handshake, then exits with 0
	Noise        Mode = "noise"         // every answer is bytes that are no message
	Empty        Mode = "empty"         // every answer is an empty message
	NoCalls      Mode = "no-calls"      // every call is unimplemented
	BadSchema    Mode = "bad-schema"    // the schema's attribute types are no types
	Crash        Mode = "crash"         // panics on a goroutine of its own
	ExitInCall   Mode = "exit-in-call"  // writes to stderr and exits with 4
	Hang         Mode = "hang"          // does not answer until the client gives up
	Deaf         Mode = "deaf"          // never answers, whatever the client does
	Fail         Mode = "fail"          // answers with a gRPC error
	Refuse       Mode = "refuse"        // answers with an error diagnostic
	Malformed    Mode = "malformed"     // state bytes that are no msgpack
	WrongType    Mode = "wrong-type"    // state bytes of another type
	Truncated    Mode = "truncated"     // state bytes that end early
	NoState      Mode = "no-state"      // an answer without a state
	UnknownState Mode = "unknown-state" // a state with an unknown value in it
	WrongID      Mode = "wrong-id"      // a state that is another object's
	OddDiags     Mode = "odd-diags"     // diagnostics with strange paths and bytes
	Chatty       Mode = "chatty"        // well-behaved, with a flood on stderr
)

// Modes lists every mode.
func Modes() []Mode {
	return []Mode{
		Exit, Garbage, Silent, OldProtocol, DeadAddress, HalfLine, Noise, Empty, NoCalls, BadSchema,
		Crash, ExitInCall, Hang, Deaf, Fail, Refuse,
		Malformed, WrongType, Truncated, NoState, UnknownState, WrongID, OddDiags, Chatty,
	}
}

// Orders are what the environment asks for.
type Orders struct {
	Mode     Mode
	Call, ID string
	Schema   string
}

// FromEnvironment reads the orders of this process.
func FromEnvironment() Orders {
	orders := Orders{Mode: Mode(os.Getenv("BROKEN_MODE")), Call: os.Getenv("BROKEN_CALL"), ID: os.Getenv("BROKEN_ID"), Schema: os.Getenv("BROKEN_SCHEMA")}
	if orders.Call == "" {
		orders.Call = "ReadResource"
	}
	return orders
}

// applies says whether a call for a resource is to misbehave. An id of ""
// means that the call concerns none.
func (o Orders) applies(call, id string) bool {
	return o.Call == call && (o.ID == "" || o.ID == id)
}
