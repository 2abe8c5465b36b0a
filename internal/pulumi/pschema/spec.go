package pschema

import "encoding/json"

// PackageSpec is a whole schema. Maps are keyed by token, `pkg:module:Name`.
type PackageSpec struct {
	// Name is the package's name; Version its semantic version, or "".
	Name        string `json:"name"`
	DisplayName string `json:"displayName,omitempty"`
	Version     string `json:"version,omitempty"`
	Description string `json:"description,omitempty"`
	// Keywords may hold the registry's `category/…` and `kind/…` labels.
	Keywords    []string `json:"keywords,omitempty"`
	Homepage    string   `json:"homepage,omitempty"`
	License     string   `json:"license,omitempty"`
	Attribution string   `json:"attribution,omitempty"`
	Repository  string   `json:"repository,omitempty"`
	LogoURL     string   `json:"logoUrl,omitempty"`
	// PluginDownloadURL says where the plugin comes from, unless it is from
	// Pulumi's own place.
	PluginDownloadURL string `json:"pluginDownloadURL,omitempty"`
	Publisher         string `json:"publisher,omitempty"`
	// Namespace tells packages of one name apart; "" is Pulumi's own.
	Namespace string    `json:"namespace,omitempty"`
	Meta      *MetaSpec `json:"meta,omitempty"`
	// AllowedPackageNames are names besides Name that tokens may begin with.
	AllowedPackageNames []string `json:"allowedPackageNames,omitempty"`
	// RequiredPulumiVersion is a range of versions of the engine, or "".
	RequiredPulumiVersion string   `json:"requiredPulumiVersion,omitempty"`
	Language              Language `json:"language,omitempty"`

	Config    ConfigSpec                 `json:"config"`
	Types     map[string]ComplexTypeSpec `json:"types,omitempty"`
	Provider  *ResourceSpec              `json:"provider,omitempty"`
	Resources map[string]ResourceSpec    `json:"resources,omitempty"`
	Functions map[string]FunctionSpec    `json:"functions,omitempty"`

	// Dependencies are the packages that references lead to, where a name and
	// a version do not say enough to load them.
	Dependencies []DependencySpec `json:"dependencies,omitempty"`
	// Parameterization is set where the package is another plugin's, made by
	// a parameter. It and ExtensionParameterization exclude each other.
	Parameterization          *ParameterizationSpec          `json:"parameterization,omitempty"`
	ExtensionParameterization *ExtensionParameterizationSpec `json:"extensionParameterization,omitempty"`
}

// Place is the byte of the decoded JSON at which something stands: what a
// diagnostic points to. It is no part of what a schema says: it is not encoded,
// and any two places are equal, so that go-cmp compares the rest.
type Place int

// Equal is always true.
func (Place) Equal(Place) bool { return true }

// Language holds what a schema says to one language alone, by its name:
// nodejs, python, go, csharp, java, yaml. The shape is each language's own.
type Language map[string]json.RawMessage

// MetaSpec says how the schema itself is to be read.
type MetaSpec struct {
	At Place `json:"-"`

	// ModuleFormat is a regular expression over the middle part of a token,
	// whose one group is the module; "" stands for `(.*)`.
	ModuleFormat string `json:"moduleFormat,omitempty"`
	// SupportPack asks for SDKs that carry their version.
	SupportPack bool `json:"supportPack,omitempty"`
}

// ConfigSpec is what a package reads from a stack's configuration.
type ConfigSpec struct {
	At Place `json:"-"`

	Variables map[string]PropertySpec `json:"variables,omitempty"`
	// Required names variables. The JSON calls them "defaults", whatever the
	// metaschema says of that member.
	Required []string `json:"defaults,omitempty"`
}

// TypeSpec refers to a type. Which members count: Ref alone, else OneOf with
// Discriminator and Type as the default, else Type with Items
// ("array") or AdditionalProperties ("object", a map; strings where unset).
type TypeSpec struct {
	At Place `json:"-"`

	// Type is boolean, integer, number, string, array or object.
	Type string `json:"type,omitempty"`
	// Ref is a URI: `#/types/TOKEN`, `#/resources/TOKEN`, `#/provider`, the
	// same behind `/PACKAGE/vVERSION/schema.json`, or `pulumi.json#/Any`
	// (Archive, Asset, Json).
	Ref                  string             `json:"$ref,omitempty"`
	AdditionalProperties *TypeSpec          `json:"additionalProperties,omitempty"`
	Items                *TypeSpec          `json:"items,omitempty"`
	OneOf                []TypeSpec         `json:"oneOf,omitempty"`
	Discriminator        *DiscriminatorSpec `json:"discriminator,omitempty"`
	// Plain means that as an input it takes no outputs of other resources.
	Plain bool `json:"plain,omitempty"`
}

// DiscriminatorSpec says which property tells the members of a union apart.
type DiscriminatorSpec struct {
	At Place `json:"-"`

	PropertyName string `json:"propertyName"`
	// Mapping leads from the property's values to references.
	Mapping map[string]string `json:"mapping,omitempty"`
}

// PropertySpec is one property: its type, inline, and what is said about it.
type PropertySpec struct {
	TypeSpec

	Description string `json:"description,omitempty"`
	// Const and Default are a string, a bool or a number.
	Const              any          `json:"const,omitempty"`
	Default            any          `json:"default,omitempty"`
	DefaultInfo        *DefaultSpec `json:"defaultInfo,omitempty"`
	DeprecationMessage string       `json:"deprecationMessage,omitempty"`
	Language           Language     `json:"language,omitempty"`
	Secret             bool         `json:"secret,omitempty"`
	// ReplaceOnChanges makes the engine replace the resource;
	// WillReplaceOnChanges says that the provider will.
	ReplaceOnChanges     bool `json:"replaceOnChanges,omitempty"`
	WillReplaceOnChanges bool `json:"willReplaceOnChanges,omitempty"`
}

// DefaultSpec says where a default value comes from at run time.
type DefaultSpec struct {
	At Place `json:"-"`

	// Environment names variables; the first that is set counts.
	Environment []string `json:"environment,omitempty"`
	Language    Language `json:"language,omitempty"`
}

// ObjectTypeSpec is an object: its properties, and which of them must be
// there in an input and always are in an output.
type ObjectTypeSpec struct {
	At Place `json:"-"`

	Description string                  `json:"description,omitempty"`
	Properties  map[string]PropertySpec `json:"properties,omitempty"`
	// Type is "object", or "", or in a [ComplexTypeSpec] an enum's type.
	Type     string   `json:"type,omitempty"`
	Required []string `json:"required,omitempty"`
	// Plain is history: a type says it of itself. Binding refuses it.
	Plain    []string `json:"plain,omitempty"`
	Language Language `json:"language,omitempty"`
	// IsOverlay means that SDKs bring it as hand-written code, in the named
	// languages or, where none is named, in all.
	IsOverlay                 bool     `json:"isOverlay,omitempty"`
	OverlaySupportedLanguages []string `json:"overlaySupportedLanguages,omitempty"`
}

// ComplexTypeSpec is a named type: an object, or an enum where Enum is set.
type ComplexTypeSpec struct {
	ObjectTypeSpec

	Enum []EnumValueSpec `json:"enum,omitempty"`
}

// EnumValueSpec is one value of an enum. SDKs name it after Name, else Value.
type EnumValueSpec struct {
	At Place `json:"-"`

	Name        string `json:"name,omitempty"`
	Description string `json:"description,omitempty"`
	// Value is a string, a number or a bool, as the enum's type says.
	Value              any    `json:"value"`
	DeprecationMessage string `json:"deprecationMessage,omitempty"`
}

// ResourceSpec is a resource or component. The inline object is its outputs.
type ResourceSpec struct {
	ObjectTypeSpec

	InputProperties map[string]PropertySpec `json:"inputProperties,omitempty"`
	RequiredInputs  []string                `json:"requiredInputs,omitempty"`
	// PlainInputs is history, as [ObjectTypeSpec.Plain] is.
	PlainInputs []string `json:"plainInputs,omitempty"`
	// StateInputs help to find an existing resource, besides its ID.
	StateInputs *ObjectTypeSpec `json:"stateInputs,omitempty"`
	// ListInputs, where set, say that existing resources can be listed.
	ListInputs         *ObjectTypeSpec `json:"listInputs,omitempty"`
	Aliases            []AliasSpec     `json:"aliases,omitempty"`
	DeprecationMessage string          `json:"deprecationMessage,omitempty"`
	IsComponent        bool            `json:"isComponent,omitempty"`
	// Methods lead from names to tokens of functions, `TOKEN/name`, whose
	// first input is `__self__`.
	Methods map[string]string `json:"methods,omitempty"`
}

// AliasSpec is a token that the resource had before. The JSON is an object,
// or, in schemas of old, the bare token.
type AliasSpec struct {
	At Place `json:"-"`

	Type string
	// Bare writes the token without an object around it.
	Bare bool
}

// FunctionSpec is a function, or a method where a resource says so.
type FunctionSpec struct {
	At Place `json:"-"`

	Description string          `json:"description,omitempty"`
	Inputs      *ObjectTypeSpec `json:"inputs,omitempty"`
	// MultiArgumentInputs, where set, lists all inputs in the order in which
	// they are passed one by one, instead of as one object.
	MultiArgumentInputs       []string    `json:"multiArgumentInputs,omitempty"`
	Outputs                   *ReturnSpec `json:"outputs,omitempty"`
	DeprecationMessage        string      `json:"deprecationMessage,omitempty"`
	Language                  Language    `json:"language,omitempty"`
	IsOverlay                 bool        `json:"isOverlay,omitempty"`
	OverlaySupportedLanguages []string    `json:"overlaySupportedLanguages,omitempty"`
	// Plain is true where unset; false asks for the Output form alone.
	Plain *bool `json:"plain,omitempty"`
}

// ReturnSpec is what a function gives: exactly one of Object and Type. The
// JSON is that member's, and it is an object where it has "properties".
type ReturnSpec struct {
	Object *ObjectTypeSpec
	// ObjectIsPlain means that Object comes without an Output around it; a
	// Type says so itself.
	ObjectIsPlain bool
	Type          *TypeSpec
}

// DependencySpec names the plugin that serves a package referred to, and the
// parameter that makes the package of it, where there is one.
type DependencySpec struct {
	At Place `json:"-"`

	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
	// PluginDownloadURL is written as Pulumi reads it; its metaschema says
	// "pluginDownloadURL", which Decode takes too.
	PluginDownloadURL string                          `json:"downloadURL,omitempty"`
	Parameterization  *DependencyParameterizationSpec `json:"parameterization,omitempty"`
}

// DependencyParameterizationSpec names the package that a parameter makes.
type DependencyParameterizationSpec struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	// Value is base64 in the JSON.
	Value []byte `json:"value"`
}

// ParameterizationSpec says that a parameter makes this package of a plugin.
type ParameterizationSpec struct {
	BaseProvider BaseProviderSpec `json:"baseProvider"`
	// Parameter is base64 in the JSON.
	Parameter []byte `json:"parameter"`
}

// BaseProviderSpec names a plugin and its exact version.
type BaseProviderSpec struct {
	At Place `json:"-"`

	Name    string `json:"name"`
	Version string `json:"version"`
}

// ExtensionParameterizationSpec says that a parameter adds this package to a
// provider, in whose name its tokens live. It has no provider of its own.
type ExtensionParameterizationSpec struct {
	BaseProvider ExtendedProviderSpec `json:"baseProvider"`
	// Parameter is base64 in the JSON.
	Parameter []byte `json:"parameter"`
}

// ExtendedProviderSpec names a provider that an extension adds to, which may
// itself be made of a plugin by a parameter.
type ExtendedProviderSpec struct {
	At Place `json:"-"`

	Name             string                        `json:"name"`
	Version          string                        `json:"version"`
	Parameterization *ExtendedParameterizationSpec `json:"parameterization,omitempty"`
}

// ExtendedParameterizationSpec is [ParameterizationSpec] for the provider
// below an extension, where the plugin's member has another name.
type ExtendedParameterizationSpec struct {
	BasePlugin BaseProviderSpec `json:"basePlugin"`
	// Parameter is base64 in the JSON.
	Parameter []byte `json:"parameter"`
}
