package tfverify

import (
	"errors"
	"io/fs"
	"os"
	"slices"
	"sync"

	"github.com/hashicorp/go-version"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// terraformHost is where Terraform's own providers come from.
const terraformHost = "registry.terraform.io"

// object is one object of the state.
type object struct {
	resource tfstate.Resource
	instance tfstate.Instance
	// was is the address in the file, where a moved block changed it.
	was  string
	used bool // guarded by stateIndex's user: each address has one
}

// stateIndex finds the managed objects of a state by address. Current and
// deposed ones of an address move together.
type stateIndex struct {
	state   *tfstate.State
	current map[string]*object
	deposed map[string][]*object
	// byResource has the current addresses of each resource block's objects.
	byResource map[string][]string
}

// settle indexes the objects by resource, once nothing moves any more.
func (s *stateIndex) settle() {
	s.byResource = map[string][]string{}
	for _, address := range sortedKeys(s.current) {
		base := address
		if o := s.current[address]; o.was == "" {
			base = o.resource.String()
		} else if e, ok := parseEndpointText(address); ok {
			e.key = cty.NilVal
			base = e.String()
		}
		s.byResource[base] = append(s.byResource[base], address)
	}
}

// startLoading loads the state beside other work where its path is known
// from the beginning. It returns what waits for that, or else loads the state
// at the path that was found out meanwhile.
func startLoading(known string) func(path string) (*stateIndex, diag.List) {
	if known == "" {
		return func(path string) (*stateIndex, diag.List) { return loadState(path, false) }
	}
	var state *stateIndex
	var diags diag.List
	var loading sync.WaitGroup
	loading.Go(func() { state, diags = loadState(known, true) })
	return func(string) (*stateIndex, diag.List) {
		loading.Wait()
		return state, diags
	}
}

// loadState reads a state file. One without a byte is an empty state, and so
// is a missing one, unless the user named it.
func loadState(path string, named bool) (*stateIndex, diag.List) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) && !named {
		return indexState(&tfstate.State{}), nil
	}
	if err != nil {
		return nil, diag.List{unreadableState(err)}
	}
	if len(text) == 0 {
		return indexState(&tfstate.State{}), nil
	}
	state, diags := tfstate.Decode(text, path)
	if diags.HasErrors() {
		return nil, diags
	}
	return indexState(state), diags
}

func indexState(state *tfstate.State) *stateIndex {
	s := &stateIndex{state: state, current: map[string]*object{}, deposed: map[string][]*object{}}
	for _, res := range state.Resources {
		if res.Addr.Mode != tfaddr.Managed {
			continue
		}
		for _, inst := range res.Instances {
			o := &object{resource: res, instance: inst}
			if inst.Deposed != "" {
				address := res.InstanceAddress(inst)
				s.deposed[address] = append(s.deposed[address], o)
				continue
			}
			s.current[res.InstanceAddress(inst)] = o
		}
	}
	return s
}

// addresses are those that have an object, in their order.
func (s *stateIndex) addresses() []string {
	out := sortedKeys(s.current)
	for _, address := range sortedKeys(s.deposed) {
		if s.current[address] == nil {
			out = append(out, address)
		}
	}
	slices.Sort(out)
	return out
}

// at is an object at an address, or nil: where it has no current one, a deposed
// one.
func (s *stateIndex) at(address string) *object {
	if o := s.current[address]; o != nil {
		return o
	}
	if left := s.deposed[address]; len(left) > 0 {
		return left[0]
	}
	return nil
}

// rename moves what is at an address to one that has nothing.
func (s *stateIndex) rename(from, to string) {
	if o := s.current[from]; o != nil {
		o.leave(from)
		delete(s.current, from)
		s.current[to] = o
	}
	if left := s.deposed[from]; len(left) > 0 {
		for _, o := range left {
			o.leave(from)
		}
		delete(s.deposed, from)
		s.deposed[to] = left
	}
}

// leave notes the address in the file.
func (o *object) leave(address string) {
	if o.was == "" {
		o.was = address
	}
}

// defaultHost is the registry that the state's default providers come from.
func (s *stateIndex) defaultHost() string {
	if s.has(terraformHost) {
		return terraformHost
	}
	return ""
}

// movesModules reports whether the state is of an OpenTofu that moves modules
// without a block: its providers are from that registry, and the release that
// wrote it does so.
func (s *stateIndex) movesModules() bool {
	if !s.isOpenTofus() {
		return false
	}
	release, err := version.NewVersion(s.state.TerraformVersion)
	return err == nil && release.Segments()[0] == 1 && release.Segments()[1] >= firstToMoveModules
}

const firstToMoveModules = 12

// isOpenTofus reports whether all that tells whose the state is says OpenTofu.
func (s *stateIndex) isOpenTofus() bool { return s.has(tfaddr.DefaultHost) && !s.has(terraformHost) }

// has reports whether an object's provider comes from a registry.
func (s *stateIndex) has(host string) bool {
	for _, res := range s.state.Resources {
		if res.Provider.Host == host {
			return true
		}
	}
	return false
}

// take finds the object at an address and notes that configuration has it.
func (s *stateIndex) take(address string) *object {
	o := s.current[address]
	if o != nil {
		o.used = true
	}
	return o
}
