package broker

import (
	"context"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/plugin/host"
	"github.com/formation-iac/formation/internal/pulumi/pserve"
)

// verdict decides what becomes of the diagnostics of an answer.
type verdict struct {
	report func(diag.List) // may be nil
	said   sync.Map        // texts of warnings
}

// over makes the error of a call from the errors among diags, or nil, and
// reports the warnings that were not reported before.
func (v *verdict) over(ctx context.Context, diags diag.List) error {
	v.warn(diags)
	errs := diags.Errors()
	if len(errs) > 0 && ctx.Err() != nil {
		return status.FromContextError(ctx.Err()).Err()
	}
	code := codes.Internal
	for _, d := range errs {
		if d.Code == host.CodeNotFound {
			code = codes.NotFound
		}
	}
	return pserve.Error(code, errs)
}

func (v *verdict) warn(diags diag.List) {
	if v.report == nil {
		return
	}
	var news diag.List
	for _, d := range diags {
		if d.Severity != diag.Warning {
			continue
		}
		if _, known := v.said.LoadOrStore(d.Code+d.Error(), true); !known {
			news = append(news, d)
		}
	}
	if len(news) > 0 {
		v.report(news)
	}
}
