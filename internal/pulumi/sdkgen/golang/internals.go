package golang

import (
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// helpers is the package that generated code calls for what is the same
// everywhere.
const helpers = header + `
// Package internal has what the SDK's packages share.
package internal

import (
	"fmt"
	"os"
	"reflect"
	"strconv"

	"github.com/blang/semver"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi/internals"
)

// ParseEnvBool reads a bool, or gives nil.
func ParseEnvBool(v string) interface{} {
	b, err := strconv.ParseBool(v)
	if err != nil {
		return nil
	}
	return b
}

// ParseEnvInt reads an int, or gives nil.
func ParseEnvInt(v string) interface{} {
	i, err := strconv.ParseInt(v, 0, 0)
	if err != nil {
		return nil
	}
	return int(i)
}

// ParseEnvFloat reads a float64, or gives nil.
func ParseEnvFloat(v string) interface{} {
	f, err := strconv.ParseFloat(v, 64)
	if err != nil {
		return nil
	}
	return f
}

// GetEnvOrDefault gives the first variable that is set, else def.
func GetEnvOrDefault(def interface{}, parser func(string) interface{}, vars ...string) interface{} {
	for _, name := range vars {
		if value, ok := os.LookupEnv(name); ok {
			if parser == nil {
				return value
			}
			return parser(value)
		}
	}
	return def
}

// IsZero reports whether v is nil or the zero value of its type.
func IsZero(v interface{}) bool {
	return v == nil || reflect.ValueOf(v).IsZero()
}

// PkgVersion is the version of this SDK's package.
func PkgVersion() (semver.Version, error) {
	return semver.Parse(packageVersion)
}

// CallPlain calls a method whose result is plain, and stores what property of
// the result is called, or all of it.
func CallPlain(ctx *pulumi.Context, tok string, args pulumi.Input, output pulumi.Output, self pulumi.Resource,
	property string, resultPtr reflect.Value, errorPtr *error, opts ...pulumi.InvokeOption,
) {
	CALL
	if err != nil {
		*errorPtr = err
		return
	}
	data, err := internals.UnsafeAwaitOutput(ctx.Context(), out)
	switch {
	case err != nil:
		*errorPtr = err
	case !data.Known || data.Secret:
		*errorPtr = fmt.Errorf("the provider gave %s an unknown or secret result, which a plain method cannot have", tok)
	default:
		v := reflect.ValueOf(data.Value)
		if property != "" {
			v = v.FieldByName(property)
		}
		resultPtr.Elem().Set(v)
	}
}

// PkgResourceDefaultOpts puts the package's options before those of a resource.
func PkgResourceDefaultOpts(opts []pulumi.ResourceOption) []pulumi.ResourceOption {
	return append([]pulumi.ResourceOption{RESOURCE}, opts...)
}

// PkgInvokeDefaultOpts puts the package's options before those of a call.
func PkgInvokeDefaultOpts(opts []pulumi.InvokeOption) []pulumi.InvokeOption {
	return append([]pulumi.InvokeOption{INVOKE}, opts...)
}
`

// reference is the file of parameterized packages that registers them.
const reference = header + `
package internal

import (
	"encoding/base64"

	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
)

// PkgGetPackageRef registers the package with the engine, once for each
// context, and gives the reference to it.
func PkgGetPackageRef(ctx *pulumi.Context) (string, error) {
	return ctx.GetOrRegisterPackageRef(KEY, func() (*pulumirpc.RegisterPackageRequest, error) {
		parameter, err := base64.StdEncoding.DecodeString(PARAMETER)
		if err != nil {
			return nil, err
		}
		return &pulumirpc.RegisterPackageRequest{
			Name:        BASE,
			Version:     VERSION,
			DownloadUrl: SERVER,
			FIELD: &pulumirpc.Parameterization{
				Name:    NAME,
				Version: OWN,
				Value:   parameter,
			},
		}, nil
	})
}
`

// parameterized reports whether the package is another plugin's, with a
// parameter.
func (s *sdk) parameterized() bool {
	return s.pkg.Header.Parameterization != nil || s.pkg.Header.ExtensionParameterization != nil
}

// helperFile fills in what helpers leaves open.
func (s *sdk) helperFile() string {
	call := "out, err := ctx.Call(tok, args, output, self, opts...)"
	if s.parameterized() {
		call = "ref, err := PkgGetPackageRef(ctx)\n\tif err != nil {\n\t\t*errorPtr = err\n\t\treturn\n\t}\n\tout, err := ctx.CallPackage(tok, args, output, self, ref, opts...)"
	}
	options := []string{"pulumi.Version(packageVersion)"}
	if sdkgen.Version(s.pkg) == "0.0.0" && !s.parameterized() {
		options = nil // nobody knows the version: the engine finds the plugin
	}
	if server := s.pkg.Header.PluginDownloadURL; server != "" && !s.parameterized() {
		options = append(options, fmt.Sprintf("pulumi.PluginDownloadURL(%q)", server))
	}
	list := strings.Join(options, ", ")
	text := strings.NewReplacer("\tCALL", "\t"+call, "{RESOURCE}", "{"+list+"}", "{INVOKE}", "{"+list+"}").Replace(helpers)
	return text + fmt.Sprintf("\nconst packageVersion = %q\n", sdkgen.Version(s.pkg))
}

// referenceFile is reference for this package.
func (s *sdk) referenceFile() string {
	plugin := sdkgen.PluginOf(s.pkg)
	made, field := plugin.Parameterization, "Parameterization"
	if plugin.ExtensionParameterization != nil {
		made, field = plugin.ExtensionParameterization, "Extension"
	}
	return strings.NewReplacer(
		"KEY", quote(made.Name+":"+made.Version), "PARAMETER", quote(base64.StdEncoding.EncodeToString(made.Value)),
		"BASE", quote(plugin.Name), "VERSION", quote(plugin.Version), "SERVER", quote(plugin.Server),
		"FIELD", field, "NAME", quote(made.Name), "OWN", quote(made.Version),
	).Replace(reference)
}

func quote(s string) string { return fmt.Sprintf("%q", s) }

// goMod is the go.mod of the SDK.
func (s *sdk) goMod() string {
	var b strings.Builder
	fmt.Fprintf(&b, "module %s\n\ngo %s\n\nrequire (\n\tgithub.com/blang/semver %s\n\tgithub.com/pulumi/pulumi/sdk/v3 %s\n",
		s.info.ModulePath, goVersion, semverVersion, sdkVersion)
	for _, other := range slices.Sorted(maps.Keys(s.requires)) {
		fmt.Fprintf(&b, "\t%s v%s\n", other, s.requires[other])
	}
	return b.String() + ")\n"
}

// What generated code needs: the first SDK whose contexts keep package
// references apart, and what it needs itself.
const (
	goVersion     = "1.25.0"
	semverVersion = "v3.5.1+incompatible"
	sdkVersion    = "v3.256.0"
)
