package bridge_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
	"github.com/formation-iac/formation/internal/testkit/build"
)

// TestLargeSchema has all of a real provider's schema make sense: 34 resource
// types that consist of 1,800 object types.
func TestLargeSchema(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p := w.bridge(t)
	parameterize(t, p, args(build.Tool(t, "terraform-provider-kubernetes")), "kubernetes", "0.0.0")
	pkg, diags := schematest.Bind(t.Context(), []byte(schemaText(t, p, "kubernetes", "0.0.0")), pschema.Options{Filename: "kubernetes"})
	if len(diags) > 0 {
		t.Fatal(diags.Err())
	}
	if r, n, f := len(pkg.Resources()), len(pkg.Types()), len(pkg.Functions()); r < 30 || n < 1500 || f < 10 {
		t.Errorf("%d resources of %d types, %d functions", r, n, f)
	}
}

// deployment is one whose inputs are fifteen levels deep.
func deployment(cpu, path string) string {
	return `{"waitForRollout":false,"metadata":{"name":"web","annotations":{"a/b.c":"d"}},"spec":{
		"replicas":2,"strategy":{"type":"Recreate"},"selector":{"matchLabels":{"app":"web"}},
		"template":{"metadata":{"labels":{"app":"web"}},"spec":{
			"containers":[{"name":"web","image":"nginx","args":["-v"],
				"resources":{"limits":{"cpu":"` + cpu + `"}},
				"envs":[{"name":"NODE","valueFrom":{"fieldRef":{"fieldPath":"spec.nodeName"}}}],
				"livenessProbe":{"httpGet":{"path":"` + path + `","port":"http","httpHeaders":[{"name":"x","value":"y"}]},"periodSeconds":5}}],
			"volumes":[{"name":"v","configMap":{"name":"c","items":[{"key":"k","path":"p"}]}}]}}}}`
}

// TestDeepResource creates one, and compares places far inside of it.
func TestDeepResource(t *testing.T) {
	t.Parallel()
	of := kubernetesLife(t)
	of.typ, of.create = "deployment:Deployment", deployment("1", "/")
	l := newLiving(t, of)
	l.begin(t)
	it := l.born(t)
	l.imported(t, it)
	got := map[string]string{}
	for path, d := range l.diff(t, it, l.check(t, it.inputs, deployment("2", "/health"))).GetDetailedDiff() {
		got[path] = d.GetKind().String()
	}
	if diff := cmp.Diff(map[string]string{
		"spec.template.spec.containers[0].resources.limits.cpu":       "UPDATE",
		"spec.template.spec.containers[0].livenessProbe.httpGet.path": "UPDATE",
	}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	checked, err := l.Check(t.Context(), &pulumirpc.CheckRequest{Urn: l.urn(), Type: l.token(), Name: "it", News: object(t,
		`{"metadata":{},"spec":{"template":{"metadata":{},"spec":{"containers":[{"image":"nginx","livenessProbe":{"periodSeconds":"often"}}]}}}}`,
	)})
	if err != nil {
		t.Fatal(err)
	}
	var wrong []string
	for _, f := range checked.GetFailures() {
		wrong = append(wrong, f.GetProperty()+": "+f.GetReason())
	}
	if diff := cmp.Diff([]string{
		"spec.template.spec.containers[0].livenessProbe.periodSeconds: Expected a number, got a string that is none.",
		"spec.template.spec.containers[0].name: Missing required property.",
	}, wrong); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
