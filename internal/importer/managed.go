package importer

import (
	"github.com/formation-iac/formation/internal/importer/discover"
	"github.com/formation-iac/formation/internal/importer/read"
	"github.com/formation-iac/formation/internal/importer/write"
)

// Manager is what manages an object already, in the module that the import is
// written to. The zero value is nobody.
type Manager struct {
	Address, File string
}

// managed is an object that is left out, since it is managed already.
type managed struct {
	found      discover.Found
	objectType string
	by         Manager
}

// leaveOut takes out of the objects what is managed already. What was found
// again as one of these goes with it.
func (o objects) leaveOut(managers func([]Known) []Manager) (objects, []managed) {
	if managers == nil || len(o.list) == 0 {
		return o, nil
	}
	all := make([]Known, len(o.list))
	for i, object := range o.list {
		all[i] = openly(object)
	}
	var rest objects
	var out []managed
	by := map[string]Manager{}
	for i, manager := range managers(all) {
		object := o.list[i]
		if manager == (Manager{}) {
			rest.list = append(rest.list, object)
			continue
		}
		by[key(object)] = manager
		out = append(out, managed{object.Found, object.Type, manager})
	}
	for _, again := range o.repeats {
		if manager, left := by[again.of.Key()]; left {
			out = append(out, managed{again.found, again.found.Type, manager})
		} else {
			rest.repeats = append(rest.repeats, again)
		}
	}
	return rest, out
}

// key is what the object was found as, unless it was only brought along.
func key(object read.Object) string {
	if object.Type != object.Found.Type {
		return ""
	}
	return object.Found.Key()
}

func (m managed) report(s secrets) write.ResourceReport {
	out := foundReport(m.found, s)
	out.Type, out.Address, out.Outcome = m.objectType, m.by.Address, write.Managed
	out.ManagedBy, out.Reason = m.by.File, "already managed by "+m.by.File
	return out
}
