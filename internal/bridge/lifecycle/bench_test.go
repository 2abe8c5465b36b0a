package lifecycle_test

import (
	"context"
	"fmt"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/pulumi/pulumi/sdk/v3/go/property"
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/bridge/lifecycle"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/tf/tfprovider"
)

// timed adds up the time that goes into a provider's own calls.
type timed struct {
	tfprovider.Provider
	spent time.Duration
}

func (t *timed) count(began time.Time) { t.spent += time.Since(began) }

func (t *timed) ValidateResourceConfig(ctx context.Context, typeName string, config cty.Value) diag.List {
	defer t.count(time.Now())
	return t.Provider.ValidateResourceConfig(ctx, typeName, config)
}

func (t *timed) UpgradeResourceState(ctx context.Context, req tfprovider.UpgradeStateRequest) (cty.Value, diag.List) {
	defer t.count(time.Now())
	return t.Provider.UpgradeResourceState(ctx, req)
}

func (t *timed) PlanResourceChange(ctx context.Context, req tfprovider.PlanRequest) (tfprovider.PlanResponse, diag.List) {
	defer t.count(time.Now())
	return t.Provider.PlanResourceChange(ctx, req)
}

func (t *timed) ApplyResourceChange(ctx context.Context, req tfprovider.ApplyRequest) (tfprovider.ApplyResponse, diag.List) {
	defer t.count(time.Now())
	return t.Provider.ApplyResourceChange(ctx, req)
}

// BenchmarkOverhead says what Check, Diff and Update of a resource with fifty
// attributes cost beside the provider's own calls, at the median.
func BenchmarkOverhead(b *testing.B) {
	clock := &timed{Provider: tfprovider.Launch(tfprovider.Config{
		Name: "wide", Path: build.Binary(b, "terraform-provider-wide"), Env: append(os.Environ(), "WIDE_TYPES=1", "TF_LOG_PROVIDER=off", "TF_LOG_SDK=off", "TF_LOG_SDK_PROTO=off", "TF_LOG_SDK_FRAMEWORK=off", "GOGC=400"),
	})}
	w := world{log: &recorder{}}
	w.Provider = bridged(b, clock, w.log)
	b.Cleanup(func() { _ = w.Close(context.Background()) })
	must(b, w.Configure(b.Context(), property.Map{}))
	inputs := wideInputs()
	s := w.create(b, "test:index/thing0000:Thing0000", inputs)
	inputs["textSetting00"] = p("another")

	var own, bridge []time.Duration
	for b.Loop() {
		clock.spent = 0
		began := time.Now()
		checked, err := w.Check(b.Context(), lifecycle.CheckRequest{Resource: s.Resource, Olds: s.inputs, News: props(inputs)})
		must(b, err)
		diff, err := w.Diff(b.Context(), lifecycle.DiffRequest{Resource: s.Resource, Olds: s.outputs, OldInputs: s.inputs, News: checked.Inputs})
		must(b, err)
		if len(diff.Changed) != 1 {
			b.Fatalf("got %+v", diff)
		}
		_, err = w.Update(b.Context(), lifecycle.UpdateRequest{Resource: s.Resource, Olds: s.outputs, News: checked.Inputs})
		must(b, err)
		own = append(own, clock.spent)
		bridge = append(bridge, time.Since(began)-clock.spent)
	}
	b.ReportMetric(median(own).Seconds()*1e3, "ms-provider/3calls")
	b.ReportMetric(median(bridge).Seconds()*1e3, "ms-bridge/3calls")
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// wideInputs gives every setting a value.
func wideInputs() object {
	inputs := object{"name": p("n"), "secret": p("s"), "rules": p(array{p(object{"kind": p("k"), "size": p(1.0)})})}
	values := []struct {
		name  string
		value property.Value
	}{
		{"textSetting%02d", p("some text")}, {"countSetting%02d", p(12.0)}, {"enabledSetting%02d", p(true)},
		{"listSetting%02ds", p(array{p("a"), p("b")})}, {"labelSetting%02d", p(object{"a": p("b")})},
	}
	for i := range 47 {
		kind := values[i%len(values)]
		inputs[fmt.Sprintf(kind.name, i)] = kind.value
	}
	return inputs
}
