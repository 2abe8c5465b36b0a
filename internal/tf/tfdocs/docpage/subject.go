package docpage

// Kind is what a page is about.
type Kind string

// The kinds. The names are those that registries use in addresses.
const (
	Overview   Kind = "overview" // the provider and its configuration
	Resource   Kind = "resources"
	DataSource Kind = "data-sources"
	Function   Kind = "functions"
	Ephemeral  Kind = "ephemeral-resources"
)

// Subject is what a page is wanted about: a type or function by its name in
// Terraform, or "" for the provider.
type Subject struct {
	Kind      Kind
	Terraform string
}
