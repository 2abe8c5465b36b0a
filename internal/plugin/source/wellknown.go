package source

import (
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/plugin"
)

// wellKnown are packages that were published as releases before there was a
// registry. Their names mean these releases, whatever a registry holds.
const wellKnown = `
aiven akamai alicloud archive artifactory auth0 auto-deploy aws aws-apigateway
aws-iam aws-miniflux aws-native aws-quickstart-aurora-postgres
aws-quickstart-redshift aws-quickstart-vpc aws-s3-replicated-bucket
aws-static-website awsx azure azure-justrun azure-native azure-native-sdk
azure-quickstart-acr-geo-replication azure-quickstart-compute
azure-static-website azuread azuredevops civo cloud cloudamqp cloudflare
cloudinit cloudngfwaws command confluent confluentcloud consul databricks
datadog dbtcloud digitalocean dnsimple docker docker-build ec eks epsagon
equinix-metal external f5bigip fastly gcp gcp-global-cloudrun github gitlab
google-cloud-static-website google-native harness hcloud http hubspot hyperv
import-google-cloud-account-scraper ise junipermist kafka keycloak kong
kubernetes kubernetes-cert-manager kubernetes-coredns kubernetes-crds
kubernetes-ingress-nginx kubernetesx libvirt linode local mailgun meraki
metabase minio mongodbatlas mysql newrelic nomad ns1 null oci okta onelogin
openfaas openstack opsgenie package packet pagerduty pascal postgresql
pulumiservice rabbitmq rancher2 random rke run-my-darn-container scm sdwan
signalfx slack snowflake splunk spotinst std str sumologic synced-folder
tailscale terraform terraform-module terraform-provider terraform-template tls
tls-self-signed-cert ucloud vault venafi vsphere wavefront xyz yandex`

// pulumiverse are packages that another organization publishes.
const pulumiverse = `
acme aquasec astra aws-eksa buildkite clickhouse cockroach concourse configcat
cpln doppler dynatrace esxi-native exoscale fortios gandi github-credentials
googleworkspace grafana harbor hcp heroku ibm matchbox mssql ngrok purrl
redpanda scaleway sentry statuscake talos time unifi vercel vra zitadel`

const pulumiverseReleases = "github://api.github.com/pulumiverse"

// usualServer returns the server of a plugin that is known by its name alone.
// ok is false where a registry has to say what the name stands for.
func usualServer(kind plugin.Kind, name string) (server string, ok bool) {
	if kind != plugin.Resource {
		return "", true // registries hold packages only
	}
	if slices.Contains(strings.Fields(pulumiverse), name) {
		return pulumiverseReleases, true
	}
	return "", slices.Contains(strings.Fields(wellKnown), strings.ToLower(name))
}
