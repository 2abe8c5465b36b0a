package tfprovider

import (
	"fmt"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

func identity(s *wire.ResourceIdentitySchema) (*tfschema.Identity, error) {
	attributes, err := each(s.GetIdentityAttributes(), identityAttribute)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(attributes, func(a, b *tfschema.IdentityAttribute) int { return strings.Compare(a.Name, b.Name) })
	for i, a := range attributes {
		if err := checkName(a.Name); err != nil {
			return nil, err
		}
		if i > 0 && attributes[i-1].Name == a.Name {
			return nil, fmt.Errorf("identity attribute %q is declared twice", a.Name)
		}
	}
	return &tfschema.Identity{Version: s.GetVersion(), Attributes: attributes}, nil
}

func identityAttribute(a *wire.ResourceIdentitySchema_IdentityAttribute) (*tfschema.IdentityAttribute, error) {
	ty, err := decodeType(a.GetType())
	if err != nil {
		return nil, fmt.Errorf("identity attribute %q: %w", a.GetName(), err)
	}
	return &tfschema.IdentityAttribute{
		Name: a.GetName(), Type: ty,
		RequiredForImport: a.GetRequiredForImport(), OptionalForImport: a.GetOptionalForImport(),
		Description: a.GetDescription(),
	}, nil
}
