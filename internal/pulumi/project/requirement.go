package project

import (
	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/diag"
)

// CheckRequirement holds a version of the pulumi program, or of what takes its
// place, to requiredPulumiVersion. A file without it takes every version.
func (m *Manifest) CheckRequirement(version semver.Version) diag.List {
	if m.RequiredPulumiVersion == "" {
		return nil
	}
	meets, err := semver.ParseRange(m.RequiredPulumiVersion)
	if err != nil {
		return diag.List{badRequirement(m.RequiredPulumiVersion, m.required)}
	}
	if !meets(version) {
		return diag.List{requirementNotMet(m.RequiredPulumiVersion, version, m.required)}
	}
	return nil
}
