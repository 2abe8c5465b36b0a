package tfprovider

import (
	"errors"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/lastwords"
	"github.com/formation-iac/formation/internal/tf/tfschema"
	"github.com/formation-iac/formation/internal/tf/wire"
)

// Codes that callers branch on.
const (
	// CodeProvider marks what the provider itself said.
	CodeProvider = "TP0001"
	// CodeNotStarted marks a provider that could not be started.
	CodeNotStarted = "TP0002"
	// CodeCrashed marks the call during which the process ended.
	CodeCrashed = "TP0003"
	// CodeUnsupported marks an RPC that this provider does not have.
	CodeUnsupported = "TP0004"
	// CodeFailedCall marks a call that the transport gave no answer to.
	CodeFailedCall = "TP0005"
	// CodeMalformed marks an answer that breaks the protocol.
	CodeMalformed = "TP0006"
	// CodeInterrupted marks a call that was cancelled from our side.
	CodeInterrupted = "TP0007"
	// CodeSchemaChanged marks calls to a process whose schema is not the one
	// that was kept.
	CodeSchemaChanged = "TP0015"
)

// startFailed tells a program that is no provider from a provider that
// failed. go-plugin has only texts for that, some of which run over twenty
// lines of hints for its authors.
func startFailed(config Config, err error, stderr string) *diag.Diagnostic {
	said, _, _ := strings.Cut(printable(err.Error()), "\n")
	detail := said + "."
	plain := notRunnable(config.Path, err)
	switch {
	case config.Reattach != nil:
		detail = fmt.Sprintf("Cannot attach to its process at %s: %s.", config.Reattach.Addr.String, said)
	case plain != "":
		detail = plain
	case errors.Is(err, errSilent):
		detail = fmt.Sprintf("%s did not answer as a Terraform provider does within %s: %s. If it is one, run it by itself to see what it waits for.", config.Path, config.startTimeout(), err)
	case strings.Contains(said, "Unrecognized remote plugin message"):
		_, line, _ := strings.Cut(said, ": ")
		detail = fmt.Sprintf("%s is not a Terraform provider: it starts with %q. Name the executable of one, usually called terraform-provider-TYPE.", config.Path, line)
		if line == "" {
			detail = config.Path + " is not a Terraform provider, or it failed: it ended without a word to a client. Run it by itself to see why; a provider says that it is a plugin."
		}
	case strings.Contains(said, "ncompatible API version"), strings.Contains(said, "unsupported plugin protocol"):
		detail = config.Path + " speaks a plugin protocol that is too old or too new; protocols 5 and 6 are supported. Choose another version of the provider."
	}
	return diag.Errorf(CodeNotStarted, "Cannot start provider "+config.Name, "%s", withStderr(detail, stderr))
}

func withStderr(detail, stderr string) string {
	if stderr == "" {
		return detail
	}
	return detail + "\nIts last words:\n" + stderr
}

func crashed(name, rpc, stderr string) *diag.Diagnostic {
	return diag.Errorf(CodeCrashed, "Provider "+name+" crashed",
		"%s", withStderr("Its process ended during "+rpc+". Please report this to the provider's developers.", stderr))
}

func unsupported(name, rpc string) *diag.Diagnostic {
	return diag.Errorf(CodeUnsupported, "Not offered by this provider",
		"Provider %s does not implement %s. A newer version of it may.", name, rpc)
}

func failedCall(name, rpc string, err error) *diag.Diagnostic {
	return diag.Errorf(CodeFailedCall, "A call to provider "+name+" failed", "%s: %s", rpc, printable(status.Convert(err).Message()))
}

func malformed(name, rpc string, err error) *diag.Diagnostic {
	return diag.Errorf(CodeMalformed, "Provider "+name+" sent a malformed answer",
		"%s: %s. Please report this to the provider's developers.", rpc, err)
}

func interrupted(name string, cause error) *diag.Diagnostic {
	return diag.Errorf(CodeInterrupted, "Interrupted", "The call to provider %s was given up: %s.", name, cause)
}

func unsendable(name, what string, err error) *diag.Diagnostic {
	return diag.Errorf("TP0008", "A value does not fit the schema of provider "+name, "%s: %s", what, err)
}

func unknownType(err error) *diag.Diagnostic {
	return diag.Errorf("TP0009", "Not in the provider's schema", "%s.", err)
}

func closed(name string) *diag.Diagnostic {
	return diag.Errorf("TP0010", "Provider "+name+" is closed", "It was asked to end before this call.")
}

func schemaChanged(name string) *diag.Diagnostic {
	return diag.Errorf(CodeSchemaChanged, "Provider "+name+" has another schema than before",
		"The schema that an earlier run kept is not the one that its process has now. Schemas may depend on environment variables.")
}

func cacheUnwritable(file string, err error) *diag.Diagnostic {
	return diag.Warnf("TP0011", "The provider's schema could not be cached",
		"Writing %s failed: %s. The next start will be slower; nothing else is lost.", file, err)
}

// functionFailed reports what a function says of one of its arguments, or of
// the call.
func functionFailed(name string, args int, e *wire.FunctionError) *diag.Diagnostic {
	d := diag.Errorf(CodeProvider, "Function "+name+" failed", "%s", printable(e.GetText()))
	if at := e.FunctionArgument; at != nil && 0 <= *at && *at < int64(args) {
		d.Path = argumentPath(int(*at))
	}
	return d
}

// argumentPath leads to an argument among all, counted from 0.
func argumentPath(i int) cty.Path { return cty.IndexIntPath(i) }

func wrongArity(f *tfschema.Function, got int) *diag.Diagnostic {
	atLeast := ""
	if f.Variadic != nil {
		atLeast = "at least "
	}
	return diag.Errorf("TP0012", "Wrong number of arguments for function "+f.Name,
		"It takes %s%d arguments, and %d are given.", atLeast, len(f.Parameters), got)
}

func wrongArgument(f *tfschema.Function, i int, parameter string, err error) *diag.Diagnostic {
	return diag.Errorf("TP0013", "Wrong argument for function "+f.Name, "Argument %d (%s): %s.", i+1, parameter, err).On(argumentPath(i))
}

// nothingToImportBy reports an import by an identity that the type does not
// have, or by nothing at all.
func nothingToImportBy(name, typeName string, identity cty.Type) *diag.Diagnostic {
	if identity == cty.NilType {
		return diag.Errorf(CodeUnsupported, "No identity to import by",
			"Resource type %s of provider %s has no identity. Give the id to import by.", typeName, name)
	}
	return diag.Errorf("TP0014", "Nothing to import by", "An import of %s needs an id or an identity.", typeName)
}

// printable is what a provider says, fit for a diagnostic.
func printable(text string) string { return strings.TrimSpace(lastwords.Printable(text)) }
