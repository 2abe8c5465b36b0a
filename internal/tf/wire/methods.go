// Package wire is the Terraform provider protocol on the wire: messages
// generated from the .proto files beside it, and the names of the RPCs. Only
// tfprovider imports it.
package wire

//go:generate go -C ../../../tools/protogen run . ../../internal/tf/wire

// Methods holds the full gRPC method name of every RPC in one protocol.
type Methods struct {
	GetProviderSchema, GetResourceIdentitySchemas                         string
	ValidateProviderConfig, ConfigureProvider, StopProvider               string
	ValidateResourceConfig, ValidateDataResourceConfig                    string
	ValidateEphemeralResourceConfig, ValidateListResourceConfig           string
	UpgradeResourceState, UpgradeResourceIdentity                         string
	ReadResource, PlanResourceChange, ApplyResourceChange                 string
	ImportResourceState, MoveResourceState, GenerateResourceConfig        string
	ReadDataSource, ListResource, CallFunction                            string
	OpenEphemeralResource, RenewEphemeralResource, CloseEphemeralResource string
}

// Protocol6 names the RPCs of tfplugin6.Provider.
func Protocol6() Methods { return methods("/tfplugin6.Provider/") }

// Protocol5 names the RPCs of tfplugin5.Provider, which call six of them
// otherwise.
func Protocol5() Methods {
	m := methods("/tfplugin5.Provider/")
	m.GetProviderSchema = "/tfplugin5.Provider/GetSchema"
	m.ValidateProviderConfig = "/tfplugin5.Provider/PrepareProviderConfig"
	m.ConfigureProvider = "/tfplugin5.Provider/Configure"
	m.StopProvider = "/tfplugin5.Provider/Stop"
	m.ValidateResourceConfig = "/tfplugin5.Provider/ValidateResourceTypeConfig"
	m.ValidateDataResourceConfig = "/tfplugin5.Provider/ValidateDataSourceConfig"
	return m
}

func methods(service string) Methods {
	return Methods{
		GetProviderSchema:               service + "GetProviderSchema",
		GetResourceIdentitySchemas:      service + "GetResourceIdentitySchemas",
		ValidateProviderConfig:          service + "ValidateProviderConfig",
		ConfigureProvider:               service + "ConfigureProvider",
		StopProvider:                    service + "StopProvider",
		ValidateResourceConfig:          service + "ValidateResourceConfig",
		ValidateDataResourceConfig:      service + "ValidateDataResourceConfig",
		ValidateEphemeralResourceConfig: service + "ValidateEphemeralResourceConfig",
		ValidateListResourceConfig:      service + "ValidateListResourceConfig",
		UpgradeResourceState:            service + "UpgradeResourceState",
		UpgradeResourceIdentity:         service + "UpgradeResourceIdentity",
		ReadResource:                    service + "ReadResource",
		PlanResourceChange:              service + "PlanResourceChange",
		ApplyResourceChange:             service + "ApplyResourceChange",
		ImportResourceState:             service + "ImportResourceState",
		MoveResourceState:               service + "MoveResourceState",
		GenerateResourceConfig:          service + "GenerateResourceConfig",
		ReadDataSource:                  service + "ReadDataSource",
		ListResource:                    service + "ListResource",
		CallFunction:                    service + "CallFunction",
		OpenEphemeralResource:           service + "OpenEphemeralResource",
		RenewEphemeralResource:          service + "RenewEphemeralResource",
		CloseEphemeralResource:          service + "CloseEphemeralResource",
	}
}
