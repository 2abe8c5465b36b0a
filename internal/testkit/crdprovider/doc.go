// Package crdprovider is a Pulumi provider that a parameter gives its types:
// Kubernetes custom resource definitions. It stands for the second example of
// spec/parameterized-providers.md, and for plugins that are not bridges: it
// has the same scaffolding below it, and everything else its own.
//
//	pulumi package add crd --name stable crontabs.yaml …
//	pulumi package add crd --extension '--extend --name stable crontabs.yaml …'
//
// Its resources exist in the process alone; there is no cluster.
package crdprovider
