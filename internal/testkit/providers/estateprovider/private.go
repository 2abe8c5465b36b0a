package estateprovider

import (
	"context"
	"encoding/json"

	"github.com/hashicorp/terraform-plugin-framework/diag"

	"github.com/formation-iac/formation/internal/testkit/estateapi"
)

// markKey is where the private state holds the mark: {"id": <the object's id>}.
const markKey = "estate_mark"

// privateState is what the framework hands to every call that may see it.
type privateState interface {
	GetKey(ctx context.Context, key string) ([]byte, diag.Diagnostics)
	SetKey(ctx context.Context, key string, value []byte) diag.Diagnostics
}

type mark struct {
	ID any `json:"id"`
}

// leaveMark notes in the private state whose state it is.
func (d definition) leaveMark(ctx context.Context, obj estateapi.Object, private privateState, diags *diag.Diagnostics) {
	if !d.keepsPrivate {
		return
	}
	data, err := json.Marshal(mark{ID: obj["id"]})
	if err != nil {
		diags.AddError("Cannot write the private state", err.Error())
		return
	}
	diags.Append(private.SetKey(ctx, markKey, data)...)
}

// checkMark refuses a state whose private part was lost or mixed up.
func (d definition) checkMark(ctx context.Context, id string, private privateState, diags *diag.Diagnostics) {
	if !d.keepsPrivate {
		return
	}
	data, found := private.GetKey(ctx, markKey)
	diags.Append(found...)
	var m mark
	if err := json.Unmarshal(data, &m); err != nil || m.ID != id {
		diags.AddError("Private state is lost",
			"The private state of "+d.typeName()+" "+id+" must hold its mark, and holds \""+string(data)+"\".")
	}
}
