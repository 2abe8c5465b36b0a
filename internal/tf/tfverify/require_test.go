package tfverify

import (
	"testing"

	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfregistry"
)

// TestConstraints holds those of all modules against a lock file.
func TestConstraints(t *testing.T) {
	t.Parallel()
	lock := tfregistry.LockFile{Providers: map[tfaddr.Provider]tfregistry.Lock{{Host: tfaddr.DefaultHost, Namespace: "test", Type: "mem"}: {Version: "0.13.0"}}}
	for constraint, want := range map[string]string{
		"!= 0.12.0": "no-op mem_thing.a; proven", "~> 0.13": "no-op mem_thing.a; proven",
		"0.14.0": "no-op mem_thing.a; error TV0086", "": "error TC0127", "banana": "error TC0127",
	} {
		s := newSetting(t, header+`-- main.tf --
resource "mem_thing" "a" { name = "x" }
module "m" { source = "./m" }
-- m/main.tf --
terraform {
  required_providers {
    mem = {
      source  = "test/mem"
      version = "`+constraint+`"
    }
  }
}
`).object(t, "mem_thing.a", "x")
		if got := outcome(s.verify(t, func(r *Request) { r.Require = lock.Allows })); got != want {
			t.Errorf("%q: got %s, want %s", constraint, got, want)
		}
	}
}
