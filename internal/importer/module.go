package importer

import (
	"context"
	"fmt"
	"io"
	"maps"
	"runtime"
	"slices"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/parallel"
	"github.com/formation-iac/formation/internal/importer/secret"
	"github.com/formation-iac/formation/internal/importer/write"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfstate"
)

// module is the root module of an assembly, without its report.
func (a *assembly) module(ctx context.Context, req Request) (write.Module, diag.List) {
	m := write.Module{Provider: req.Address, Version: req.Version, ProviderConfig: a.providerBody}
	for i := range a.resources {
		r := &a.resources[i]
		m.Resources = append(m.Resources, write.Resource{Addr: r.addr, Body: r.written()})
	}
	for _, v := range a.variables {
		m.Variables = append(m.Variables, write.Variable{
			Name: v.Name, Description: description(v), Type: v.Type,
			Sensitive: v.Sensitive, StandIn: v.StandIn, Import: v.Import, Guarded: v.Guarded, Value: v.Value,
		})
	}
	state, diags := a.state(ctx, req.Address, req.Rand)
	m.State = state
	return m, diags
}

func description(v secret.Variable) string {
	if v.Import {
		return fmt.Sprintf("%s by which %s is imported. It is a secret, but import blocks refuse variables that are declared so.", v.Path, v.Owner)
	}
	text := fmt.Sprintf("%s of %s.", v.Path, v.Owner)
	if v.StandIn {
		text += " The provider cannot read it: the value is a stand-in, ignored until the object is made anew."
	}
	return text
}

// state is the module's state. It lacks objects once ctx has ended.
func (a *assembly) state(ctx context.Context, provider tfaddr.Provider, rand io.Reader) (*tfstate.State, diag.List) {
	state, err := tfstate.New(rand)
	if err != nil {
		return nil, diag.FromError("IM0003", "Cannot begin a state", err)
	}
	type encoded struct {
		instance tfstate.Instance
		err      error
	}
	instances := parallel.Map(ctx, runtime.GOMAXPROCS(0), a.places(), func(_ context.Context, i int) encoded {
		instance, err := a.instance(&a.resources[i])
		return encoded{instance, err}
	})
	dependencies := a.dependencies()
	for i, e := range instances {
		r := &a.resources[i]
		if e.err != nil {
			return nil, diag.List{unstorable(r.addr.String(), e.err)}
		}
		e.instance.Dependencies = dependencies[i]
		state.Resources = append(state.Resources, tfstate.Resource{
			Addr: r.addr, Provider: provider, Instances: []tfstate.Instance{e.instance},
		})
	}
	return state, nil
}

// places are the indexes of the resources.
func (a *assembly) places() []int {
	out := make([]int, len(a.resources))
	for i := range out {
		out[i] = i
	}
	return out
}

func (a *assembly) instance(r *resource) (tfstate.Instance, error) {
	instance, err := tfstate.NewInstance(r.Object.State, r.schema, r.Object.Private)
	if err != nil {
		return instance, err
	}
	identity, err := a.catalog.Identity(r.Object.Type)
	if err != nil || identity == nil {
		return instance, err
	}
	return instance, instance.SetIdentity(r.Object.Identity, identity)
}

// dependencies lists, for each resource, all that it depends on through its
// links, directly and not: what an apply would have noted. Links have no
// cycles, so each resource is worked out once.
func (a *assembly) dependencies() [][]string {
	place := make(map[tfaddr.Resource]int, len(a.resources))
	for i, r := range a.resources {
		place[r.addr] = i
	}
	all := make([]map[string]bool, len(a.resources))
	var reach func(i int) map[string]bool
	reach = func(i int) map[string]bool {
		if all[i] != nil {
			return all[i]
		}
		all[i] = map[string]bool{}
		for _, l := range a.resources[i].links {
			all[i][l.To.String()] = true
			maps.Copy(all[i], reach(place[l.To]))
		}
		return all[i]
	}
	out := make([][]string, len(a.resources))
	for i := range a.resources {
		if reached := reach(i); len(reached) > 0 {
			out[i] = slices.Sorted(maps.Keys(reached))
		}
	}
	return out
}
