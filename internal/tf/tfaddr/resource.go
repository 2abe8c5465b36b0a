package tfaddr

// Mode tells managed resources from data sources, in a state file's words.
type Mode string

// The modes of a resource block.
const (
	Managed Mode = "managed"
	Data    Mode = "data"
)

// Resource names one resource block of the root module.
type Resource struct {
	Mode Mode
	Type string
	Name string
}

// String returns `type.name`, or `data.type.name`.
func (r Resource) String() string {
	if r.Mode == Data {
		return "data." + r.Type + "." + r.Name
	}
	return r.Type + "." + r.Name
}
