package estate

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// gardener invents the objects of a seed, each from its number alone, so that
// a seed never depends on chance.
type gardener struct {
	store *Store
	made  map[string][]Object
}

// The words that names and tags are made of.
var (
	stages = [...]string{"prod", "staging", "dev"}
	apps   = [...]string{"checkout", "billing", "search", "catalog", "media", "ledger", "gateway", "reports"}
	teams  = [...]string{"Platform", "Payments", "Größenwahn GmbH", "データ基盤", "R&D \"Skunkworks\""}
	zones  = [...]string{"eu-north-1a", "eu-north-1b", "eu-north-1c"}
)

// next invents object number len(made) of a kind.
func (g *gardener) next(kind string) Object {
	i := len(g.made[kind])
	switch kind {
	case "networks":
		return g.network(i)
	case "subnets":
		return g.subnet(i)
	case "security_groups":
		return g.securityGroup(i)
	case "roles":
		return g.role(i)
	case "buckets":
		return g.bucket(i)
	case "instances":
		return g.instance(i)
	case "dns_records":
		return g.dnsRecord(i)
	}
	return g.dbUser(i)
}

// pick is object i of a kind, counted around, as JSON.
func (g *gardener) pick(kind string, i int) Object {
	all := g.made[kind]
	return all[i%len(all)]
}

func stage(i int) string { return stages[i%len(stages)] }
func app(i int) string   { return apps[i%len(apps)] }

// name joins words and numbers what would repeat: the number says in which
// round of all combinations object i is.
func name(i, combinations int, words ...string) string {
	joined := strings.Join(words, "-")
	if round := i / combinations; round > 0 {
		joined += fmt.Sprintf("-%02d", round+1)
	}
	return joined
}

func (g *gardener) tags(i int, owner string) Object {
	tags := Object{"Name": owner, "stage": stage(i), "team": teams[i%len(teams)]}
	if i%4 == 3 {
		tags["cost-center"] = fmt.Sprintf("%04d", 1000+i)
	}
	if i%7 == 5 {
		tags["note"] = "built by hand: ${not_a_reference} and %{not_a_directive}"
	}
	return tags
}

// sendable is obj without what the service sets.
func sendable(k *Kind, obj Object) Object {
	out := clone(obj)
	for _, f := range k.Fields {
		if f.Computed {
			delete(out, f.Name)
		}
	}
	return out
}

func num(n int) json.Number { return json.Number(strconv.Itoa(n)) }
