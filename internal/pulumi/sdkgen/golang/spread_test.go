package golang_test

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/formation-iac/formation/internal/pulumi/pschema"
	"github.com/formation-iac/formation/internal/pulumi/pschema/schematest"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
	"github.com/formation-iac/formation/internal/pulumi/sdkgen/golang"
)

// TestSpread spreads schemas as far as it goes: what the Go packages of their
// modules declare stays the same, and all of it compiles.
func TestSpread(t *testing.T) {
	t.Parallel()
	for name, schema := range spreadable(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			pkg := bound(t, schema)
			whole, err := golang.Generate(t.Context(), pkg)
			if err != nil {
				t.Fatal(err)
			}
			spread, err := golang.GenerateSpread(t.Context(), pkg, 1)
			if err != nil {
				t.Fatal(err)
			}
			before, after := declared(t, whole), declared(t, spread)
			if len(before) >= len(after) {
				t.Error("nothing was spread")
			}
			for dir, names := range before {
				if diff := cmp.Diff(names, after[dir]); diff != "" {
					t.Errorf("what %s declares (-whole +spread):\n%s", dir, diff)
				}
			}
			compile(t, write(t, spread))
		})
	}
}

// spreadable are schemas in which every member has a module of its own in its
// token, as those of Terraform providers do.
func spreadable(t *testing.T) map[string][]byte {
	t.Helper()
	wide, err := pschema.Encode(schematest.Wide(schematest.Shape{Resources: 12, Modules: 2, Properties: 12, Depth: 3}))
	if err != nil {
		t.Fatal(err)
	}
	words, err := os.ReadFile("testdata/words.json")
	if err != nil {
		t.Fatal(err)
	}
	words = regexp.MustCompile(`(odd-words:[\w./-]+):(\w+)`).ReplaceAll(words, []byte("$1/$2:$2"))
	words = bytes.Replace(words, []byte("{"), []byte(`{"meta": {"moduleFormat": "(.*)(?:/[^/]*)"},`), 1)
	return map[string][]byte{"wide": wide, "words": words, "places": []byte(places)}
}

// TestSpreadRuns has a program make a resource through the names that the root
// has, and read what is deep in its outputs.
func TestSpreadRuns(t *testing.T) {
	t.Parallel()
	files, err := golang.GenerateSpread(t.Context(), bound(t, []byte(places)), 1)
	if err != nil {
		t.Fatal(err)
	}
	const program = `package main

import (
	"errors"

	"github.com/pulumi/pulumi-p/sdk/go/p"
	"github.com/pulumi/pulumi/sdk/v3/go/common/resource"
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
)

type echo struct{}

func (echo) NewResource(args pulumi.MockResourceArgs) (string, resource.PropertyMap, error) {
	return args.Name, args.Inputs, nil
}

func (echo) Call(args pulumi.MockCallArgs) (resource.PropertyMap, error) {
	return args.Args, nil
}

func main() {
	got := ""
	err := pulumi.RunErr(func(ctx *pulumi.Context) error {
		bucket, err := p.NewS3Bucket(ctx, "b", &p.S3BucketArgs{Rule: &p.S3RuleArgs{Owner: p.OwnerArgs{Name: pulumi.String("me")}}})
		if err != nil {
			return err
		}
		bucket.Rule.Owner().Name().ApplyT(func(name *string) error {
			got = *name
			return nil
		})
		return nil
	}, pulumi.WithMocks("project", "stack", echo{}))
	if err == nil && got != "me" {
		err = errors.New("the owner is called " + got)
	}
	if err != nil {
		panic(err)
	}
}
`
	dir := write(t, append(files, sdkgen.File{Path: "program/main.go", Data: []byte(program)}))
	pin(t, dir)
	command(t, dir, "run", "./program")
}

// TestThousand builds and vets the SDK of 1,000 resources that are all in one
// module. The compiler is told to do without what makes programs fast.
func TestThousand(t *testing.T) {
	t.Parallel()
	spec := schematest.Wide(schematest.Shape{Resources: 1000, Modules: 1, Properties: 4, Depth: 1})
	clear(spec.Functions)
	maps.DeleteFunc(spec.Types, func(_ string, t pschema.ComplexTypeSpec) bool { return len(t.Enum) > 0 })
	data, err := pschema.Encode(spec)
	if err != nil {
		t.Fatal(err)
	}
	dir := generate(t, data)
	pin(t, dir)
	command(t, dir, "build", "-gcflags=-N -l -dwarf=false", "./...")
	command(t, dir, "vet", "-gcflags=-N -l -dwarf=false", "./...")
}

// places is a schema whose members refer to each other across their names.
const places = `{
"name": "p", "meta": {"moduleFormat": "(.*)(?:/[^/]*)"},
"resources": {
	"p:index/s3Bucket:S3Bucket": {
			"inputProperties": {"rule": {"$ref": "#/types/p:index/S3Rule:S3Rule"}, "tags": {"$ref": "#/types/p:index/Tags:Tags"}},
			"properties": {"rule": {"$ref": "#/types/p:index/S3Rule:S3Rule"}}},
	"p:index/s3BucketAcl:S3BucketAcl": {"inputProperties": {"rule": {"$ref": "#/types/p:index/S3Rule:S3Rule"}}},
	"p:index/config:Config": {"inputProperties": {"tags": {"$ref": "#/types/p:index/Tags:Tags"}}},
	"p:index/error:Error": {"inputProperties": {"deep": {"type": "array", "items": {"type": "array", "items": {"type": "array", "items": {"type": "array", "items": {"type": "string"}}}}}}}
},
"functions": {
	"p:index/getS3Bucket:getS3Bucket": {"inputs": {"properties": {"name": {"type": "string"}}}, "outputs": {"properties": {"rule": {"$ref": "#/types/p:index/S3Rule:S3Rule"}}}},
	"p:index/manifest:manifest": {"inputs": {"properties": {"manifest": {"type": "string"}}}, "multiArgumentInputs": ["manifest"], "outputs": {"type": "string"}},
		"p:index/newError:newError": {"inputs": {"properties": {"name": {"type": "string"}}}, "outputs": {"properties": {"name": {"type": "string"}}}}
},
"types": {
	"p:index/S3Rule:S3Rule": {"type": "object", "properties": {"owner": {"$ref": "#/types/p:index/Owner:Owner"}}},
	"p:index/Owner:Owner": {"type": "object", "properties": {"name": {"type": "string"}}},
	"p:index/Tags:Tags": {"type": "object", "properties": {"name": {"type": "string"}}},
	"p:index/Unused:Unused": {"type": "object", "properties": {"name": {"type": "string"}}}
}
}`

// TestSpreadPlaces shows where things go, by their names and what uses them.
func TestSpreadPlaces(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		maxPieces int
		want      map[string]string
	}{
		"whole": {1000, map[string]string{"NewS3Bucket": "p", "LookupS3Bucket": "p", "CreateError": "p", "S3Rule": "p"}},
		"by the first word": {70, map[string]string{
			"NewS3Bucket": "p/s3", "NewS3BucketAcl": "p/s3", "LookupS3Bucket": "p/s3", "S3Rule": "p/s3", "Owner": "p/s3", "Tags": "p/sharedtypes",
			"NewConfig": "p/configpkg", "NewError": "p/error", "CreateError": "p/new", "Unused": "p", "StringArrayArrayArrayArray": "p/sharedtypes",
		}},
		"as far as it goes": {1, map[string]string{
			"NewS3Bucket": "p/s3/s3bucket", "NewS3BucketAcl": "p/s3/s3bucket/s3bucketacl", "LookupS3Bucket": "p/s3/s3bucket", "S3Rule": "p/sharedtypes",
			"Owner": "p/sharedtypes", "Tags": "p/sharedtypes", "NewConfig": "p/configpkg", "NewError": "p/error",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files, err := golang.GenerateSpread(t.Context(), bound(t, []byte(places)), test.maxPieces)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{}
			for _, file := range files {
				for name := range test.want {
					if isHome(file, name) {
						got[name] = path.Dir(file.Path)
					}
				}
			}
			if diff := cmp.Diff(test.want, got); diff != "" {
				t.Errorf("homes (-want +got):\n%s", diff)
			}
		})
	}
}

// TestNotSpread keeps in one piece what Go packages could not register or
// refer to otherwise.
func TestNotSpread(t *testing.T) {
	t.Parallel()
	for name, schema := range map[string]string{
		"one module of tokens": `{"name": "p", "resources": {"p:index:A": {}, "p:index:B": {}}}`,
		"references": `{"name": "p", "meta": {"moduleFormat": "(.*)(?:/[^/]*)"}, "resources": {"p:index/a:A": {"inputProperties": {"b": {"$ref": "#/types/p:index/t:T"}}}, "p:index/b:B": {}},
			"types": {"p:index/t:T": {"type": "object", "properties": {"b": {"type": "array", "items": {"$ref": "#/resources/p:index%2Fb:B"}}}}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files, err := golang.GenerateSpread(t.Context(), bound(t, []byte(schema)), 1)
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range files {
				if path.Base(file.Path) == "pulumiNames.go" {
					t.Error("spread:", file.Path)
				}
			}
		})
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"S3BucketAcl": "s3 bucket acl", "Thing0112": "thing 0 1 1 2", "ACLRule": "acl rule", "DNS": "dns", "V1beta1Pod": "v1 beta1 pod",
		"Ec2VPC": "ec2 vpc", "X": "x", "Sha256Sum": "sha 2 5 6 sum", "ÜberX": "über x",
	} {
		if got := strings.Join(golang.Words(name), " "); got != want {
			t.Errorf("%s: %s, not %s", name, got, want)
		}
	}
}

// isHome reports whether a file declares a name, and not as another one's.
func isHome(file sdkgen.File, name string) bool {
	if path.Base(file.Path) == "pulumiNames.go" {
		return false
	}
	return bytes.Contains(file.Data, []byte("\nfunc "+name+"(")) || bytes.Contains(file.Data, []byte("\ntype "+name+" "))
}

// declared lists the exported names of each directory's Go package.
func declared(t *testing.T, files []sdkgen.File) map[string][]string {
	t.Helper()
	names := map[string]map[string]bool{}
	for _, file := range files {
		if path.Ext(file.Path) != ".go" {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file.Path, file.Data, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		dir := path.Dir(file.Path)
		if names[dir] == nil {
			names[dir] = map[string]bool{}
		}
		for _, decl := range parsed.Decls {
			exported(decl, names[dir])
		}
	}
	out := map[string][]string{}
	for dir, all := range names {
		out[dir] = slices.Sorted(maps.Keys(all))
	}
	return out
}

func exported(decl ast.Decl, names map[string]bool) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		if decl.Recv == nil && decl.Name.IsExported() {
			names[decl.Name.Name] = true
		}
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				if spec.Name.IsExported() {
					names[spec.Name.Name] = true
				}
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					if name.IsExported() {
						names[name.Name] = true
					}
				}
			}
		}
	}
}
