package tfverify

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ctyx"
	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/tf/tfaddr"
	"github.com/formation-iac/formation/internal/tf/tfconfig"
)

// accepted asks the provider about a block without instances: clients have each
// block validated once, with what is not known yet.
func (s *static) accepted(c *configured, res *tfconfig.ResourceBlock, config cty.Value) {
	config = ctyx.Unmark(config)
	var diags diag.List
	stopped := s.v.call(s.ctx, func() {
		if res.Addr.Mode == tfaddr.Data {
			diags = c.provider.ValidateDataSourceConfig(s.ctx, res.Addr.Type, config)
		} else {
			diags = c.provider.ValidateResourceConfig(s.ctx, res.Addr.Type, config)
		}
	})
	for _, d := range append(diags, stopped...) {
		if d.Subject == nil {
			at := res.Range
			d.Subject = &at
		}
		s.add(d)
	}
}
