package lifecycle

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/pulumi/pulumi/sdk/v3/go/property"

	"github.com/formation-iac/formation/internal/mapping"
)

// nameAttribute is the Terraform attribute that names are made for.
const nameAttribute = "name"

const (
	maxName      = 255 // characters, as existing stacks have it
	randomDigits = 7   // hexadecimal
)

// nameable returns the property that a name may be made for, or nil.
func nameable(r *mapping.Resource) *mapping.Property {
	p := r.Object.FromTerraform(nameAttribute)
	if p == nil || p.Block || !p.Input() || p.Type.Kind != mapping.KindString {
		return nil
	}
	return p
}

// autoname names a resource whose program gives it no name. It returns the
// inputs with a name, the property that it made up, or nil, and a failure
// where there must be no name or cannot be one. The name of last time is
// kept: another one would mean another resource.
func autoname(r *mapping.Resource, req CheckRequest) (property.Map, *mapping.Property, *Failure) {
	p := nameable(r)
	if p == nil {
		return req.News, nil, nil
	}
	if v, set := req.News.GetOk(p.Name); set && !v.IsNull() {
		return req.News, nil, nil
	}
	if old, had := req.Olds.GetOk(p.Name); had && old.IsString() {
		return req.News.Set(p.Name, old), p, nil
	}
	name, reason := generateName(req)
	if reason != "" {
		return req.News, nil, &Failure{Property: p.Name, Reason: reason}
	}
	return req.News.Set(p.Name, property.New(name)), p, nil
}

// generateName makes a name, or says why there is none.
func generateName(req CheckRequest) (name, reason string) {
	switch {
	case req.Autonaming.Mode == AutonamingDisable:
		return "", "Automatic naming is disabled in this project, and no name is given. Set this property."
	case req.Autonaming.Mode == AutonamingEnforce && req.Autonaming.Proposed != "":
		return req.Autonaming.Proposed, ""
	case req.Autonaming.Proposed != "":
		name = req.Autonaming.Proposed
	default:
		name = req.Name + "-" + randomHex(req.Seed)
	}
	if n := len([]rune(name)); n > maxName {
		return "", fmt.Sprintf("The generated name has %d characters, and %d are allowed. "+
			"Set this property, or give the resource a shorter name.", n, maxName)
	}
	return name, ""
}

// randomHex depends on the seed alone, so that a preview and its update agree.
// Without a seed it is different every time.
func randomHex(seed []byte) string {
	if len(seed) == 0 {
		seed = []byte(rand.Text())
	}
	sum := sha256.Sum256(seed)
	return hex.EncodeToString(sum[:])[:randomDigits]
}
