package crdprovider

import (
	"fmt"
	"strings"
)

// kind is one version of a definition: a resource type.
type kind struct {
	name       string // such as "CronTab"
	apiVersion string // such as "stable.example.com/v1"
	token      string
	object     *schema
}

// newKinds makes a type of every served version, by token.
func newKinds(p parameter) (map[string]*kind, error) {
	out := map[string]*kind{}
	for n, text := range p.CRDs {
		definitions, err := parseDefinitions(text)
		if err != nil {
			return nil, fmt.Errorf("definitions %d: %w", n+1, err)
		}
		for _, d := range definitions {
			if err := d.addTo(out, p.Name); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

func (d definition) addTo(kinds map[string]*kind, pkg string) error {
	group, _, _ := strings.Cut(d.Spec.Group, ".")
	for _, v := range d.Spec.Versions {
		if !v.Served {
			continue
		}
		k := &kind{name: d.Spec.Names.Kind, apiVersion: d.Spec.Group + "/" + v.Name, object: v.Schema.OpenAPI}
		k.token = fmt.Sprintf("%s:%s/%s:%s", pkg, group, v.Name, k.name)
		if k.object == nil {
			k.object = &schema{PreserveUnknown: true}
		}
		if kinds[k.token] != nil {
			return fmt.Errorf("%s is defined twice", k.token)
		}
		kinds[k.token] = k
	}
	return nil
}
