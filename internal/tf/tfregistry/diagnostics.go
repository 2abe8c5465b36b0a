package tfregistry

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
)

// asDiagnostics turns an error of this package into what is reported.
func asDiagnostics(err error) diag.List {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return diag.List{diag.Errorf("TR0002", "Provider installation was stopped", "Nothing is half-installed. What has been downloaded is kept, and the next run goes on from there.")}
	}
	return diag.FromError("TR0001", "Provider installation failed", err)
}

// The request.

func invalidSource(arg string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0003", fmt.Sprintf("Invalid provider %q", arg),
		"%s.\nName a provider as [host/][namespace/]type, such as hashicorp/time, or give the path of a terraform-provider-* binary.", err)
}

func invalidConstraint(text string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0004", fmt.Sprintf("Invalid version constraint %q", text),
		"%s.\nWrite one like \"1.2.3\", \"~> 1.2\" or \">= 1.0, < 2.0, != 1.4.0\". Without any, the newest version is taken.", err)
}

func builtinProvider(p tfaddr.Provider) *diag.Diagnostic {
	return diag.Errorf("TR0005", p.String()+" has no binary", "It is built into terraform and tofu. Its terraform_data holds no infrastructure, so there is nothing to import from it.")
}

// Binaries on this machine.

func localMissing(path string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0006", "Cannot read the provider binary "+path, "%s.\nCheck the path, and that this user may read it.", err)
}

func notAProviderBinary(path string) *diag.Diagnostic {
	return diag.Errorf("TR0007", path+" is not a provider binary",
		"Provider binaries are files named terraform-provider-NAME, such as terraform-provider-time_v0.14.2. Archives have to be unpacked first.")
}

func notExecutable(path string) *diag.Diagnostic {
	return diag.Errorf("TR0008", path+" is not executable", "Run: chmod +x %s", path)
}

func noBinaryInDir(dir, typ string) *diag.Diagnostic {
	return diag.Errorf("TR0009", "No provider binary in "+dir, "A file named %s%s, or starting with that and \"_\" or \".\", was expected there.", binaryPrefix, orName(typ))
}

func orName(typ string) string {
	if typ == "" {
		return "NAME"
	}
	return typ
}

func overrideMissing(p tfaddr.Provider, path string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0010", "The dev_overrides entry for "+p.String()+" leads nowhere",
		"%s.\nBuild the provider into %s, or remove the entry from the CLI configuration file.", err, path)
}

func overrideInUse(p tfaddr.Provider, place string) *diag.Diagnostic {
	return diag.Warnf("TR0011", "A development build of "+p.String()+" is used",
		"The CLI configuration file has a dev_overrides entry that leads to %s. Versions, checksums and lock files do not apply to it.", place)
}

// The CLI configuration file.

func noCLIFile(variable, file string) *diag.Diagnostic {
	return diag.Warnf("TR0012", "The CLI configuration file "+file+" does not exist", "%s names it. It is left out, as tofu and terraform do; correct or unset that variable.", variable)
}

func invalidCLIFile(at hcl.Range, reason string) *diag.Diagnostic {
	return diag.Errorf("TR0013", "Invalid CLI configuration file",
		"%s.\nCorrect the file, or set TF_CLI_CONFIG_FILE to another one, which is read in its place.", strings.TrimSuffix(reason, ".")).At(at)
}

func ociMirror(at hcl.Range) *diag.Diagnostic {
	return diag.Errorf("TR0014", "oci_mirror is not supported",
		"Providers can come from a direct, filesystem_mirror or network_mirror method. Set TF_CLI_CONFIG_FILE to a file with one of these to run without the OCI mirror.").At(at)
}

func noPluginCache(dir string) *diag.Diagnostic {
	return diag.Warnf("TR0015", "The plugin cache directory "+dir+" does not exist", "plugin_cache_dir or TF_PLUGIN_CACHE_DIR names it. Create it to have it used; until then providers go to Formation's own cache.")
}

func invalidMethod(m Method, err error) *diag.Diagnostic {
	return diag.Errorf("TR0016", fmt.Sprintf("Invalid %s in provider_installation", m.Kind), "%s.", err)
}

func helperMissing(name string, dirs []string) *diag.Diagnostic {
	return diag.Errorf("TR0017", "The credentials helper "+name+" was not found",
		"A credentials_helper block of the CLI configuration names it. Install it in one of:\n%s", strings.Join(dirs, "\n"))
}

func helperFailed(program, host string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0018", "The credentials helper failed for "+host, "%s: %s.\nRun it by hand with the arguments: get %s", program, err, host)
}

func helperGarbled(program, host string) *diag.Diagnostic {
	return diag.Errorf("TR0019", "The credentials helper gave no usable answer for "+host, "%s must print a JSON object, {\"token\": …} or {}.", program)
}

// Places on this machine.

func noCacheDir(err error) *diag.Diagnostic {
	return diag.Errorf("TR0020", "No directory for the provider cache", "%s.\nSet HOME or XDG_CACHE_HOME.", err)
}

func unwritableCache(dir, variable string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0021", "Cannot write to the provider cache "+dir,
		"%v.\nMake it writable, make room on its disk, or choose another directory with %s.", err, variable)
}

func noMirrorDir(dir string) *diag.Diagnostic {
	return diag.Errorf("TR0022", "The filesystem mirror "+dir+" does not exist", "A filesystem_mirror block of the CLI configuration names it. Create it or correct the path.")
}

func unreadableMirror(path string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0023", "Cannot read "+path, "%s.", err)
}

// Registries and mirrors.

func noRegistry(host string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0024", host+" offers no provider registry", "%s.\nCheck the host in the provider's address.", err)
}

func untrustedHost(host string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0048", "The certificate of "+host+" is not trusted",
		"%s.\nIf the host is right, add the authority that it uses to the system's, or name its file in SSL_CERT_FILE.", err)
}

func unauthorized(host string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0025", host+" refuses access",
		"%s.\nGive a valid token for it: run \"tofu login %s\", or set %s.", err, host, tokenVariable(host))
}

// tokenVariable is the plainest name of the variable for a host's token.
func tokenVariable(host string) string {
	return "TF_TOKEN_" + strings.NewReplacer("-", "__", ".", "_").Replace(host)
}

func registryFailed(p tfaddr.Provider, where string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0026", fmt.Sprintf("Cannot use the answer of %s about %s", where, p), "%s.\nThis is a fault of that server; try again later, or use a mirror.", strings.TrimSuffix(err.Error(), "."))
}

func registryWarning(p tfaddr.Provider, text string) *diag.Diagnostic {
	return diag.Warnf("TR0027", "The registry warns about "+p.String(), "%s", text)
}

func unsupportedProtocol(p tfaddr.Provider, version string, protocols []string) *diag.Diagnostic {
	return diag.Errorf("TR0028", fmt.Sprintf("%s %s speaks another plugin protocol", p, version),
		"It speaks %s; versions 5 and 6 can be used. Ask for a newer version of the provider.", strings.Join(protocols, ", "))
}

func unsupportedPlatform(p tfaddr.Provider, version string, platform Platform, where string) *diag.Diagnostic {
	return diag.Errorf("TR0029", fmt.Sprintf("%s %s is not available for %s", p, version, platform),
		"%s lists that version but has no package of it for this platform. Ask for another version.", where)
}

// unreachable reports a source that kept failing when it was needed.
func unreachable(p tfaddr.Provider, version, where string, err error) *diag.Diagnostic {
	what := p.String()
	if version != "" {
		what += " " + version
	}
	detail := err.Error() + ".\n"
	var status *fetch.StatusError
	switch {
	case errors.As(err, &status) && status.After > 0:
		detail += fmt.Sprintf("The server asks to wait for %s. Run the command again then.", status.After)
	case fetch.HasStatus(err, http.StatusTooManyRequests):
		detail += "The server limits how often it may be asked. Wait a while and run the command again."
	default:
		detail += "Check the network and run the command again; what has been downloaded is kept."
	}
	return diag.Errorf("TR0030", fmt.Sprintf("Could not get %s from %s", what, where), "%s", detail)
}

func downloadRefused(p tfaddr.Provider, version, where string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0031", fmt.Sprintf("Could not download %s %s", p, version),
		"%s lists it, but the download failed: %s.\nAsk for another version, or use a mirror.", where, err)
}

// What must not be installed.

func wrongChecksum(p tfaddr.Provider, version, where, want, got string) *diag.Diagnostic {
	return diag.Errorf("TR0032", fmt.Sprintf("Wrong checksum of %s %s", p, version),
		"The package from %s has the SHA-256\n%s where\n%s was announced. It was damaged or replaced on its way, and is not installed. Run the command again; if it fails again, tell the provider's publisher.", where, got, want)
}

func sumsDisagree(p tfaddr.Provider, version, file string) *diag.Diagnostic {
	return diag.Errorf("TR0033", fmt.Sprintf("The checksums of %s %s disagree", p, version),
		"The registry announces one SHA-256 for %q, and the publisher's list of checksums has another or none. Nothing is installed. Tell the provider's publisher.", file)
}

func badSignature(p tfaddr.Provider, version, reason string) *diag.Diagnostic {
	return diag.Errorf("TR0034", fmt.Sprintf("Bad signature of %s %s", p, version),
		"The signature of the publisher's list of checksums does not verify: %s. Nothing is installed. Tell the provider's publisher.", reason)
}

func unsigned(p tfaddr.Provider, version string) *diag.Diagnostic {
	return diag.Errorf("TR0035", fmt.Sprintf("%s %s is not signed", p, version),
		"The registry gives no signing key for it, so that nothing vouches for its checksums, and it is not installed. To use it all the same, download it and put it in a filesystem mirror.")
}

func unsignedWarning(p tfaddr.Provider, version string) *diag.Diagnostic {
	return diag.Warnf("TR0036", fmt.Sprintf("%s %s is not signed", p, version),
		"The registry knows no signing key of its publisher. The package is held to the checksum that the registry announces, and to nothing else.")
}

func expiredKey(p tfaddr.Provider, version string) *diag.Diagnostic {
	return diag.Warnf("TR0037", fmt.Sprintf("The key that signed %s %s has expired", p, version),
		"The signature itself is right. Ask for a newer version where there is one.")
}

func hostilePackage(p tfaddr.Provider, version, where, reason string) *diag.Diagnostic {
	return diag.Errorf("TR0038", fmt.Sprintf("The package of %s %s is refused", p, version),
		"The archive from %s cannot be what a provider's publisher made: %s. Nothing is installed. Tell the provider's publisher.", where, reason)
}

func mirrorMismatch(p tfaddr.Provider, version, where string, want, got []string) *diag.Diagnostic {
	return diag.Errorf("TR0039", fmt.Sprintf("Wrong checksum of %s %s", p, version),
		"The package from %s has\n%s\nand none of what the mirror announces:\n%s\nNothing is installed. The mirror has to be built anew.", where, strings.Join(got, "\n"), strings.Join(want, "\n"))
}

func lockMismatch(got Installed, want []string) *diag.Diagnostic {
	why := "The package was replaced since the lock file was written, or the lock file was written on another platform without the checksums of this one."
	if !hasScheme(want, schemeH1) && !hasScheme(got.checked, schemeZip) {
		why = "The lock file has only checksums of archives, and this package is not in an archive, so that it cannot be held to them."
	}
	return diag.Errorf("TR0040", fmt.Sprintf("%s %s does not match the lock file", got.Provider, got.Version),
		"%s\nThe package from %s has\n%s\nIf you trust it, run \"tofu providers lock -platform=%s\" where the lock file is.", why, got.Origin, strings.Join(got.checked, "\n"), CurrentPlatform())
}

// Nothing found, or not all was seen.

// notFound says what is missing, and everywhere that was looked.
func (s *search) notFound(constraint string) *diag.Diagnostic {
	what := s.req.Provider.String()
	if constraint != "" {
		what = fmt.Sprintf("%s %s", what, constraint)
	}
	var b strings.Builder
	b.WriteString("Where was looked:")
	for _, place := range s.trail {
		fmt.Fprintf(&b, "\n- %s: %s", place.where, place.result)
	}
	if len(s.trail) == 0 {
		b.WriteString("\n- nowhere: the CLI configuration has no installation method for it")
	}
	switch {
	case s.r.opts.Offline:
		fmt.Fprintf(&b, "\nGo online once, or put the package for %s in a mirror: tofu providers mirror DIR.", s.r.opts.Platform)
	case s.unreached != nil:
		b.WriteString("\nCheck the network and run the command again.")
	default:
		b.WriteString("\nCheck the address and the version constraint.")
	}
	return diag.Errorf("TR0041", "No provider found for "+what, "%s", b.String())
}

func cacheFallback(p tfaddr.Provider, version string, err error) *diag.Diagnostic {
	return diag.Warnf("TR0042", fmt.Sprintf("%s %s comes from the cache", p, version),
		"Whether there is a newer version could not be asked: %s.", err)
}

func sourceUnreached(p tfaddr.Provider, version string, err error) *diag.Diagnostic {
	return diag.Warnf("TR0043", fmt.Sprintf("%s %s may not be the newest version", p, version),
		"One of the places where it may come from could not be asked: %s.", err)
}

// The lock file.

func unreadableLock(path string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0044", "Cannot read the lock file "+path, "%s.", err)
}

func unwritableLock(path string, err error) *diag.Diagnostic {
	return diag.Errorf("TR0045", "Cannot write the lock file "+path, "%s.\nThe file is as it was.", err)
}

const (
	codeLock = "TR0046"
	lockHelp = "The file is written by \"tofu init\" and \"terraform init\"; restore it from version control, or delete it and run one of these again."
)

func invalidLock(at hcl.Range, reason string) *diag.Diagnostic {
	return diag.Errorf(codeLock, "Invalid dependency lock file", "%s.\n%s", reason, lockHelp).At(at)
}

// lockSyntax is what the parser says of a lock file.
func lockSyntax(parsed hcl.Diagnostics) diag.List {
	diags := diag.FromHCL(codeLock, parsed)
	for _, d := range diags {
		d.Detail += "\n" + lockHelp
	}
	return diags
}

func lockedOtherVersion(p tfaddr.Provider, locked, have string) *diag.Diagnostic {
	return diag.Errorf("TR0047", fmt.Sprintf("%s is locked at version %s", p, locked),
		"The version at hand is %s. Ask for the locked version, or run \"tofu init -upgrade\" where the lock file is.", have)
}
