package lifecycle

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/mapping/translate"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// importByID takes over what exists. What does not exist has no ID. Inputs
// are such that a program with them is left as it is.
func (s subject) importByID(ctx context.Context, id string) (ReadResponse, error) {
	found, err := s.find(ctx, id)
	if err != nil || found.value.IsNull() {
		return ReadResponse{}, err
	}
	now, err := s.read(ctx, found)
	if err != nil || now.value.IsNull() {
		return ReadResponse{}, err
	}
	d := s.derive(ctx, now)
	now = d.settle(ctx)
	if err := ctx.Err(); err != nil {
		return ReadResponse{}, err
	}
	inputs := settableMembers(s.Object, translate.FromTerraform(s.Object, d.config))
	outputs, err := s.store(now)
	return ReadResponse{ID: s.id(now.value), Outputs: outputs, Inputs: inputs}, err
}

// find asks the provider for the one object that an ID names.
func (s subject) find(ctx context.Context, id string) (object, error) {
	req, err := s.importRequest(id)
	if err != nil {
		return s.nothing(), err
	}
	found, diags := s.terraform.ImportResourceState(ctx, req)
	if err := s.heed(ctx, diags); err != nil {
		return s.nothing(), err
	}
	if len(found) != 1 {
		return s.nothing(), importCount(s.Token, len(found))
	}
	one := found[0]
	switch {
	case one.Deferred != "":
		return s.nothing(), deferred(importing, one.Deferred)
	case one.TypeName != s.Terraform:
		return s.nothing(), importType(s.Token, s.Terraform, one.TypeName)
	case one.State == cty.NilVal:
		return s.nothing(), nil
	default:
		return object{value: one.State, private: one.Private, identity: one.Identity}, nil
	}
}

// importRequest takes an ID that is a JSON object for an identity, where the
// type has one: {"region": "eu-1", "id": "vpc-1"}. Parts that the schema does
// not require may be left out.
func (s subject) importRequest(id string) (tfprovider.ImportRequest, error) {
	var members map[string]json.RawMessage
	if s.Identity == nil || !strings.HasPrefix(id, "{") || json.Unmarshal([]byte(id), &members) != nil {
		return tfprovider.ImportRequest{TypeName: s.Terraform, ID: id}, nil
	}
	identity, err := s.parseIdentity(members)
	if err != nil {
		return tfprovider.ImportRequest{}, importIdentity(s.Token, s.Identity, err)
	}
	return tfprovider.ImportRequest{TypeName: s.Terraform, Identity: identity}, nil
}

func (s subject) parseIdentity(members map[string]json.RawMessage) (cty.Value, error) {
	for _, a := range s.Identity.Attributes {
		if _, given := members[a.Name]; given {
			continue
		}
		if a.RequiredForImport {
			return cty.NilVal, errors.New("the ID lacks " + a.Name)
		}
		members[a.Name] = json.RawMessage("null")
	}
	data, err := json.Marshal(members)
	if err != nil {
		return cty.NilVal, err
	}
	return ctyx.DecodeJSON(data, s.Identity.Type())
}
