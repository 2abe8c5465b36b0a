package bridge_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/estate"
)

// life is what a resource of one provider is led through, and what its
// provider manages. Inputs and configuration are JSON.
type life struct {
	// program is the provider's executable, pkg the package that is made of it.
	program, pkg string
	env          []string
	config       string
	typ          string // what follows "index/" in tokens
	// create makes the resource, update changes it in place, and replace has it
	// made anew.
	create, update, replace string
	// updates and replaces are the properties that Diff names then.
	updates, replaces []string
	// importID is what the resource is imported by; "" is its ID.
	importID string
	// invoke is the token and the arguments of a function.
	invoke [2]string
	lists  bool
	// deaf says that the provider goes on when it is told to stop.
	deaf bool
	outside
	// own is what differs from run to run, and what the transcript says instead.
	own []string
}

// outside is what a provider manages, and how things go wrong there.
type outside interface {
	// refuse and hang return inputs of a resource whose creation fails, or does
	// not end. They hold until heal.
	refuse() string
	hang() string
	heal()
	// reached reports whether the creation that hangs is inside of the provider:
	// the nth that was asked for. log is what the plugin wrote so far.
	reached(nth int, log string) bool
}

// estateLife is a network of the estate, over either protocol.
func estateLife(pkg string) func(*testing.T) life {
	return func(t *testing.T) life {
		t.Helper()
		server := estate.Start(t, estate.Options{})
		const net = `{"name":"main","cidr":"10.0.0.0/16"}`
		return life{
			program: build.Binary(t, "terraform-provider-"+pkg), pkg: pkg,
			config: `{"endpoint":"` + server.URL + `"}`, typ: "network:Network", create: net,
			update:  `{"name":"main","cidr":"10.0.0.0/16","description":"all of it","tags":{"a":"1"}}`,
			replace: `{"name":"next","cidr":"10.1.0.0/16","description":"all of it","tags":{"a":"1"}}`,
			updates: []string{"description", "tags"}, replaces: []string{"cidr"},
			invoke: [2]string{"getNetwork:getNetwork", `{"name":"main"}`}, lists: pkg == "estate",
			outside: &estateOutside{server, `{"name":"late","cidr":"10.2.0.0/16"}`}, own: []string{server.URL, "URL"},
		}
	}
}

type estateOutside struct {
	*estate.Server
	inputs string
}

func (e *estateOutside) refuse() string {
	e.SetFaults(estate.Faults{Refuse: []estate.Refusal{{Target: estate.Target{Op: estate.OpCreate}, Message: "the quota is used up"}}})
	return e.inputs
}

func (e *estateOutside) hang() string {
	e.SetFaults(estate.Faults{Hang: []estate.Target{{Op: estate.OpCreate}}})
	e.ResetStats()
	return e.inputs
}

func (e *estateOutside) heal() { e.SetFaults(estate.Faults{}) }

func (e *estateOutside) reached(int, string) bool { return e.Stats().Calls["create networks"] > 0 }

// timeLife is a pause of hashicorp/time.
func timeLife(t *testing.T) life {
	t.Helper()
	return life{
		program: build.Tool(t, "terraform-provider-time"), pkg: "time", config: `{}`, typ: "sleep:Sleep",
		create: `{"createDuration":"1ms","destroyDuration":"1ms"}`, update: `{"createDuration":"2ms","destroyDuration":"1ms"}`,
		replace: `{"createDuration":"2ms","destroyDuration":"1ms","triggers":{"of":"replacement"}}`,
		updates: []string{"createDuration"}, replaces: []string{"triggers"}, importID: "2ms,1ms",
		invoke: [2]string{"durationParse:durationParse", `{"duration":"90s"}`}, outside: timeOutside{}, env: []string{"TF_LOG=trace"},
	}
}

// timeOutside is time itself: what fails is a duration that only looks right.
type timeOutside struct{}

func (timeOutside) refuse() string { return `{"createDuration":"99999999999999h"}` }

func (timeOutside) hang() string { return `{"createDuration":"1h"}` }

func (timeOutside) heal() {}

// reached looks into the provider's log, for there is nothing else to see.
func (timeOutside) reached(nth int, log string) bool {
	return strings.Count(log, "Calling provider defined Resource Create") == nth
}

// kubernetesLife is a network policy: objects in lists in objects.
func kubernetesLife(t *testing.T) life {
	t.Helper()
	k := startKubeAPI(t)
	policy := func(name, cidr string) string {
		return `{"metadata":{"name":"` + name + `","labels":{"of":"life"}},"spec":{"podSelector":{"matchLabels":{"app":"web"}},
			"policyTypes":["Ingress"],"ingresses":[{"ports":[{"port":"http","protocol":"TCP"}],
			"froms":[{"ipBlock":{"cidr":"` + cidr + `","excepts":["10.0.0.0/24"]}}]}]}}`
	}
	host, _ := url.Parse(k.url)
	return life{
		program: build.Tool(t, "terraform-provider-kubernetes"), pkg: "kubernetes",
		config: `{"host":"` + k.url + `","loadConfigFile":false}`, typ: "networkPolicy:NetworkPolicy",
		create: policy("main", "10.0.0.0/16"), update: policy("main", "10.0.0.0/8"), replace: policy("other", "10.0.0.0/8"),
		updates: []string{"spec"}, replaces: []string{"metadata"},
		invoke: [2]string{"getConfigMap:getConfigMap", `{"metadata":{"name":"settings"}}`}, deaf: true,
		outside: &kubeOutside{k, policy("late", "10.0.0.0/8")}, own: []string{host.Host, "HOST"},
	}
}

type kubeOutside struct {
	*kubeAPI
	inputs string
}

func (k *kubeOutside) refuse() string {
	k.refuses.Store(true)
	return k.inputs
}

func (k *kubeOutside) hang() string {
	k.hung.Store(0)
	k.hangs.Store(true)
	return k.inputs
}

func (k *kubeOutside) heal() {
	k.refuses.Store(false)
	k.hangs.Store(false)
}

func (k *kubeOutside) reached(int, string) bool { return k.hung.Load() > 0 }
