package crdprovider_test

import (
	"encoding/base64"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pulumi/pulumi/sdk/v3/go/property"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/structpb"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
	"github.com/formation-iac/formation/internal/pulumi/pvalue"
	"github.com/formation-iac/formation/internal/testkit/build"
	"github.com/formation-iac/formation/internal/testkit/pluginprocess"
)

const cronTab = "stable:stable/v1:CronTab"

func start(t *testing.T) *pluginprocess.Process {
	t.Helper()
	return pluginprocess.Start(t, build.Binary(t, "pulumi-resource-crd"), pluginprocess.Options{})
}

func args(args ...string) *pulumirpc.ParameterizeRequest {
	return &pulumirpc.ParameterizeRequest{Parameters: &pulumirpc.ParameterizeRequest_Args{
		Args: &pulumirpc.ParameterizeRequest_ParametersArgs{Args: args},
	}}
}

// crontabs parameterizes a plugin by a file.
func crontabs(t *testing.T, p *pluginprocess.Process) *pulumirpc.ParameterizeResponse {
	t.Helper()
	file, err := filepath.Abs(filepath.Join("testdata", "crontabs.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	made, err := p.Parameterize(t.Context(), args("--name", "stable", file))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

func schemaOf(t *testing.T, p *pluginprocess.Process, made *pulumirpc.ParameterizeResponse) string {
	t.Helper()
	resp, err := p.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{
		SubpackageName: made.GetName(), SubpackageVersion: made.GetVersion(),
	})
	if err != nil {
		t.Fatal(err)
	}
	return resp.GetSchema()
}

// TestArgsAndValue makes a package of files, and the same package of what its
// SDK would carry, where the files are not.
func TestArgsAndValue(t *testing.T) {
	t.Parallel()
	p := start(t)
	made := crontabs(t, p)
	text := schemaOf(t, p, made)
	var schema struct {
		Name, Version    string
		Resources        map[string]any
		Parameterization struct{ Parameter string }
	}
	if err := json.Unmarshal([]byte(text), &schema); err != nil {
		t.Fatal(err)
	}
	if schema.Name != made.GetName() || schema.Version != made.GetVersion() {
		t.Errorf("the schema is of %s %s, the package %s %s", schema.Name, schema.Version, made.GetName(), made.GetVersion())
	}
	if len(schema.Resources) != 2 || schema.Resources[cronTab] == nil {
		t.Errorf("resources %v", schema.Resources)
	}
	value, err := base64.StdEncoding.DecodeString(schema.Parameterization.Parameter)
	if err != nil {
		t.Fatal(err)
	}
	again := start(t)
	remade, err := again.Parameterize(t.Context(), &pulumirpc.ParameterizeRequest{Parameters: &pulumirpc.ParameterizeRequest_Value{
		Value: &pulumirpc.ParameterizeRequest_ParametersValue{Name: made.GetName(), Version: made.GetVersion(), Value: value},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(text, schemaOf(t, again, remade)); diff != "" {
		t.Error(diff)
	}
}

// TestSchemaBinds reads the schema as generators of SDKs do.
func TestSchemaBinds(t *testing.T) {
	t.Parallel()
	p := start(t)
	text := schemaOf(t, p, crontabs(t, p))
	spec, diags := pschema.Decode("schema", []byte(text))
	if diags.HasErrors() {
		t.Fatal(diags.Err())
	}
	resource := spec.Resources[cronTab]
	if diff := cmp.Diff([]string{"spec"}, resource.RequiredInputs); diff != "" {
		t.Error(diff)
	}
	for _, name := range []string{"apiVersion", "kind", "status"} {
		if _, ok := resource.InputProperties[name]; ok {
			t.Errorf("%s is an input", name)
		}
		if _, ok := resource.Properties[name]; !ok {
			t.Errorf("%s is no output", name)
		}
	}
	inner := spec.Types["stable:stable/v1:CronTabSpec"]
	for name, want := range map[string]pschema.TypeSpec{
		"cronSpec": {Type: "string"}, "replicas": {Type: "integer"}, "raw": {Ref: "pulumi.json#/Any"},
		"env":  {Type: "object", AdditionalProperties: &pschema.TypeSpec{Type: "string"}},
		"port": {OneOf: []pschema.TypeSpec{{Type: "integer"}, {Type: "string"}}},
		"jobs": {Type: "array", Items: &pschema.TypeSpec{Ref: "#/types/stable:stable%2Fv1:CronTabSpecJobs"}},
	} {
		if diff := cmp.Diff(want, inner.Properties[name].TypeSpec); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if _, diags := schematest.Bind(t.Context(), []byte(text), pschema.Options{}); diags.HasErrors() {
		t.Error(diags.Err())
	}
}

func object(t *testing.T, text string) *structpb.Struct {
	t.Helper()
	var out structpb.Struct
	if err := out.UnmarshalJSON([]byte(text)); err != nil {
		t.Fatal(err)
	}
	return &out
}

func configured(t *testing.T) *pluginprocess.Process {
	t.Helper()
	p := start(t)
	crontabs(t, p)
	if _, err := p.Configure(t.Context(), &pulumirpc.ConfigureRequest{AcceptSecrets: true}); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestLife(t *testing.T) {
	t.Parallel()
	p := configured(t)
	checked, err := p.Check(t.Context(), &pulumirpc.CheckRequest{
		Type: cronTab, Name: "nightly", News: object(t, `{"spec":{"cronSpec":"0 3 * * *","jobs":[{"command":["backup"]}]}}`),
	})
	if err != nil || len(checked.GetFailures()) > 0 {
		t.Fatal(checked, err)
	}
	preview, err := p.Create(t.Context(), &pulumirpc.CreateRequest{Type: cronTab, Properties: checked.GetInputs(), Preview: true})
	if err != nil || preview.GetId() != "" {
		t.Fatal(preview, err)
	}
	created, err := p.Create(t.Context(), &pulumirpc.CreateRequest{Type: cronTab, Properties: checked.GetInputs()})
	if err != nil {
		t.Fatal(err)
	}
	if created.GetId() != "default/nightly" || created.GetProperties().GetFields()["apiVersion"].GetStringValue() != "stable.example.com/v1" {
		t.Errorf("created %v", created)
	}
	_, err = p.Create(t.Context(), &pulumirpc.CreateRequest{Type: cronTab, Properties: checked.GetInputs()})
	if status.Code(err) != codes.AlreadyExists {
		t.Errorf("got %v", err)
	}
	news := object(t, `{"spec":{"cronSpec":"0 4 * * *"},"metadata":{"name":"nightly"}}`)
	diff, err := p.Diff(t.Context(), &pulumirpc.DiffRequest{Id: created.GetId(), Type: cronTab, OldInputs: checked.GetInputs(), News: news})
	if err != nil || !slices.Equal(diff.GetDiffs(), []string{"spec"}) || len(diff.GetReplaces()) > 0 {
		t.Errorf("got %v, %v", diff, err)
	}
	if _, err := p.Update(t.Context(), &pulumirpc.UpdateRequest{Id: created.GetId(), Type: cronTab, News: news}); err != nil {
		t.Fatal(err)
	}
	read, err := p.Read(t.Context(), &pulumirpc.ReadRequest{Id: created.GetId(), Type: cronTab})
	if err != nil || !strings.Contains(read.GetInputs().String(), "0 4 * * *") {
		t.Errorf("got %v, %v", read, err)
	}
	if _, err := p.Delete(t.Context(), &pulumirpc.DeleteRequest{Id: created.GetId(), Type: cronTab}); err != nil {
		t.Fatal(err)
	}
	if read, err := p.Read(t.Context(), &pulumirpc.ReadRequest{Id: created.GetId(), Type: cronTab}); err != nil || read.GetId() != "" {
		t.Errorf("got %v, %v", read, err)
	}
}

func TestFailures(t *testing.T) {
	t.Parallel()
	p := configured(t)
	for news, want := range map[string]string{
		`{}`:          "spec is required",
		`{"spec":{}}`: "spec.cronSpec is required",
		`{"spec":1}`:  "spec has to be an object",
		`{"spec":{"cronSpec":"x","replicas":1.5}}`:                                                     "spec.replicas has to be an integer",
		`{"spec":{"cronSpec":"x","policy":"Deny"}}`:                                                    "spec.policy has to be one of [Allow Forbid]",
		`{"spec":{"cronSpec":"x","env":{"a":1}}}`:                                                      "spec.env.a has to be a string",
		`{"spec":{"cronSpec":"x","port":true}}`:                                                        "spec.port has to be an integer or a string",
		`{"spec":{"cronSpec":"x","jobs":[{"command":[]},{}]}}`:                                         "spec.jobs[1].command is required",
		`{"spec":{"cronSpec":"x","jobs":{}}}`:                                                          "spec.jobs has to be an array",
		`{"spec":{"cronSpec":"x","extra":1}}`:                                                          "spec.extra is not in the definition",
		`{"spec":{"cronSpec":"x","raw":{"a":[1,{}]},"port":80}}`:                                       "",
		`{"spec":{"cronSpec":"04da6b54-80e4-46f7-96ec-b56ff0331ba9"},"metadata":{"labels":{"a":"b"}}}`: "",
	} {
		checked, err := p.Check(t.Context(), &pulumirpc.CheckRequest{Type: cronTab, Name: "n", News: object(t, news)})
		if err != nil {
			t.Errorf("%s: %v", news, err)
		}
		var got []string
		for _, f := range checked.GetFailures() {
			got = append(got, f.GetProperty()+" "+f.GetReason())
		}
		if diff := cmp.Diff(want, strings.Join(got, "; ")); diff != "" {
			t.Errorf("%s: %s", news, diff)
		}
	}
	_, err := p.Check(t.Context(), &pulumirpc.CheckRequest{Type: "stable:stable/v1alpha1:CronTab"})
	if status.Code(err) != codes.NotFound {
		t.Errorf("a version that is not served: %v", err)
	}
}

// TestSecrets names an object under secret metadata, which stays secret.
func TestSecrets(t *testing.T) {
	t.Parallel()
	p := configured(t)
	secret := property.New(property.NewMap(map[string]property.Value{"namespace": property.New("kube")})).WithSecret(true)
	news, err := pvalue.Encode(property.NewMap(map[string]property.Value{"metadata": secret, "text": property.New("hello")}), pvalue.Everything())
	if err != nil {
		t.Fatal(err)
	}
	checked, err := p.Check(t.Context(), &pulumirpc.CheckRequest{Type: "stable:stable/v1:Note", Name: "n", News: news})
	if err != nil || len(checked.GetFailures()) > 0 {
		t.Fatal(checked, err)
	}
	inputs, err := pvalue.Decode(checked.GetInputs(), pvalue.Everything())
	if err != nil {
		t.Fatal(err)
	}
	want := property.New(property.NewMap(map[string]property.Value{"namespace": property.New("kube"), "name": property.New("n")})).WithSecret(true)
	if got := inputs.Get("metadata"); !got.Equals(want) {
		t.Errorf("got %v", got)
	}
}

func TestBadParameters(t *testing.T) {
	t.Parallel()
	p := start(t)
	dir := t.TempDir()
	file := func(text string) string {
		f, err := os.CreateTemp(dir, "*.yaml")
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if _, err := f.WriteString(text); err != nil {
			t.Fatal(err)
		}
		return f.Name()
	}
	value := func(text string) *pulumirpc.ParameterizeRequest {
		return &pulumirpc.ParameterizeRequest{Parameters: &pulumirpc.ParameterizeRequest_Value{
			Value: &pulumirpc.ParameterizeRequest_ParametersValue{Name: "stable", Version: "1.0.0", Value: []byte(text)},
		}}
	}
	const head = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nspec: "
	for name, test := range map[string]struct {
		req  *pulumirpc.ParameterizeRequest
		want string
	}{
		"nothing":       {args(), "no custom resource definitions"},
		"no such file":  {args("missing.yaml"), "missing.yaml"},
		"unknown flag":  {args("--fast"), "unknown flag: --fast"},
		"bad name":      {args("--name", "A", file("")), `"A" is no name`},
		"no YAML":       {args(file("a: [")), "yaml:"},
		"another kind":  {args(file("apiVersion: v1\nkind: Pod\n")), "a document holds v1 Pod"},
		"no kind":       {args(file(head + "{group: a.b}")), "is no name of a kind"},
		"bad group":     {args(file(head + "{group: /, names: {kind: A}}")), "is no name of a group"},
		"bad version":   {args(file(head + "{group: a, names: {kind: A}, versions: [{name: 'v:1'}]}")), "is no name of a version"},
		"twice":         {args(file(head + "{group: a, names: {kind: A}, versions: [{name: v1, served: true}, {name: v1, served: true}]}")), "is defined twice"},
		"bad bytes":     {value("\xff"), "the SDK's parameter cannot be read"},
		"empty value":   {value("{}"), "is no name for a package"},
		"foreign value": {value(`{"name":"other","version":"1.0.0","crds":["---"]}`), "stands for package other 1.0.0, and is used for stable 1.0.0"},
	} {
		_, err := p.Parameterize(t.Context(), test.req)
		if status.Code(err) != codes.InvalidArgument || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	// None of these has used the plugin up.
	crontabs(t, p)
	_, err := p.Parameterize(t.Context(), args("missing.yaml"))
	if status.Code(err) != codes.FailedPrecondition || !strings.Contains(err.Error(), "already parameterized as stable 1.0.0") {
		t.Errorf("got %v", err)
	}
}
