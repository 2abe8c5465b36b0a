package packages

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/plugin/source"
)

func noRegistry() *diag.Diagnostic {
	return diag.Errorf("PG0014", "No registry to publish to", "PULUMI_DISABLE_REGISTRY_RESOLVE switches registries off. Unset it.")
}

// notPublished says what a registry had against a publication, and what would
// help.
func notPublished(id source.PackageID, version string, registry source.Registry, err error) *diag.Diagnostic {
	text := err.Error()
	return diag.Errorf("PG0015", fmt.Sprintf("Package %s %s is not published", id, version),
		"%s%s.\n%s", strings.ToUpper(text[:1]), text[1:], publishAdvice(id, version, registry, err))
}

func publishAdvice(id source.PackageID, version string, registry source.Registry, err error) string {
	var upload *source.UploadError
	var network *fetch.NetworkError
	switch {
	case errors.As(err, &network):
		return "Check the network and run the command again."
	case errors.As(err, &upload):
		return "Run the command again later."
	case fetch.HasStatus(err, http.StatusUnauthorized):
		return fmt.Sprintf("Set PULUMI_ACCESS_TOKEN to a token for %s, or log in there with the pulumi program.", registry)
	case fetch.HasStatus(err, http.StatusForbidden):
		return fmt.Sprintf("The token for %s does not allow to publish for %s. Take another, or name another publisher with --publisher.", registry, id.Publisher)
	case fetch.HasStatus(err, http.StatusConflict):
		return fmt.Sprintf("Version %s of %s is published already, and stays as it is. Give the package another version.", version, id)
	}
	return "Run the command again later."
}

func noPublisher(name string) *diag.Diagnostic {
	return diag.Errorf("PG0025", "Who publishes the package?", "The schema of package %s names no publisher. Name one with --publisher.", name)
}

func unversioned(name string) *diag.Diagnostic {
	return diag.Errorf("PG0016", "The package has no version", "Its schema must have a semantic version for package %s to be published.", name)
}
