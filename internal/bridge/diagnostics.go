package bridge

import "github.com/formation-iac/formation/internal/base/diag"

func noPulumiHome(err error) *diag.Diagnostic {
	return diag.Errorf("BR0002", "No directory for Terraform providers", "%s. Set HOME or PULUMI_HOME.", err)
}

func localGone(path string) *diag.Diagnostic {
	return diag.Errorf("BR0003", "The SDK's Terraform provider is not there",
		"The SDK was generated from %s, and this machine has no such file. Put the provider there, or generate the SDK again from where it is: pulumi package add terraform-bridge [path/]terraform-provider-NAME.", path)
}

func noParameter() *diag.Diagnostic {
	return diag.Errorf("BR0004", "A parameterization without a parameter", "Neither arguments nor a value are in it. This is a fault of what calls the provider.")
}

func answerUnwritable(kind, file string, err error) *diag.Diagnostic {
	return diag.Warnf("BR0005", "The package's "+kind+" could not be cached",
		"Writing %s failed: %s. The next start will be slower; nothing else is lost.", file, err)
}
