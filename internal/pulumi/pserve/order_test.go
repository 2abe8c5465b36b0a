package pserve_test

import (
	"errors"
	"testing"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"

	"github.com/formation-iac/formation/internal/pulumi/pserve"
)

func TestBeforeParameterize(t *testing.T) {
	t.Parallel()
	s := serve(t, pserve.Options{Parameterized: true}, newPlugin)
	_, err := s.Configure(t.Context(), &pulumirpc.ConfigureRequest{})
	wantStatus(t, err, codes.FailedPrecondition, "Configure before Parameterize")
	_, err = s.CheckConfig(t.Context(), &pulumirpc.CheckRequest{})
	wantStatus(t, err, codes.FailedPrecondition, "CheckConfig before Parameterize")
	_, err = s.Create(t.Context(), &pulumirpc.CreateRequest{})
	wantStatus(t, err, codes.FailedPrecondition, "Create before Parameterize")
	_, err = s.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{SubpackageName: "thing", SubpackageVersion: "1.2.3"})
	wantStatus(t, err, codes.FailedPrecondition, "The schema of thing 1.2.3 is asked for before Parameterize")
	if _, err = s.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{}); err != nil {
		t.Errorf("the plugin has a schema without any parameter: %v", err)
	}
}

func TestParameterized(t *testing.T) {
	t.Parallel()
	s := serve(t, pserve.Options{Parameterized: true}, newPlugin)
	if _, err := s.Parameterize(t.Context(), &pulumirpc.ParameterizeRequest{}); err != nil {
		t.Fatal(err)
	}
	_, err := s.Parameterize(t.Context(), &pulumirpc.ParameterizeRequest{})
	wantStatus(t, err, codes.FailedPrecondition, "already parameterized as thing 1.2.3")
	_, err = s.Check(t.Context(), &pulumirpc.CheckRequest{})
	wantStatus(t, err, codes.FailedPrecondition, "Check before Configure")
	_, err = s.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{SubpackageName: "thing", SubpackageVersion: "1.2.4"})
	wantStatus(t, err, codes.InvalidArgument, "thing 1.2.4 is asked for, and the provider is parameterized as thing 1.2.3")
	_, err = s.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{Version: 1})
	wantStatus(t, err, codes.InvalidArgument, "Schema format 1")
	if _, err := s.GetSchema(t.Context(), &pulumirpc.GetSchemaRequest{SubpackageName: "thing", SubpackageVersion: "1.2.3"}); err != nil {
		t.Error(err)
	}
	if _, err := s.CheckConfig(t.Context(), &pulumirpc.CheckRequest{}); err != nil {
		t.Error(err)
	}
}

func TestConfigured(t *testing.T) {
	t.Parallel()
	s := serve(t, pserve.Options{}, newPlugin)
	_, err := s.Check(t.Context(), &pulumirpc.CheckRequest{})
	wantStatus(t, err, codes.FailedPrecondition, "Check before Configure")
	configured(t, s)
	_, err = s.Configure(t.Context(), &pulumirpc.ConfigureRequest{})
	wantStatus(t, err, codes.FailedPrecondition, "Configure after Configure")
	_, err = s.Parameterize(t.Context(), &pulumirpc.ParameterizeRequest{})
	wantStatus(t, err, codes.FailedPrecondition, "Parameterize after Configure")
	if _, err := s.Check(t.Context(), &pulumirpc.CheckRequest{}); err != nil {
		t.Error(err)
	}
}

// TestValueForAnotherPackage is given an SDK whose parameter makes a package
// of another name than the SDK's.
func TestValueForAnotherPackage(t *testing.T) {
	t.Parallel()
	s := serve(t, pserve.Options{}, newPlugin)
	value := func(name, version string) *pulumirpc.ParameterizeRequest {
		return &pulumirpc.ParameterizeRequest{Parameters: &pulumirpc.ParameterizeRequest_Value{
			Value: &pulumirpc.ParameterizeRequest_ParametersValue{Name: name, Version: version},
		}}
	}
	_, err := s.Parameterize(t.Context(), value("other", "1.2.3"))
	wantStatus(t, err, codes.InvalidArgument, "stands for package thing 1.2.3, and is used for other 1.2.3")
	made, err := s.Parameterize(t.Context(), value("thing", "2.0.0")) // as engines do for explicit providers
	if err != nil || made.GetVersion() != "1.2.3" {
		t.Error(made, err)
	}
}

// TestFailedSteps are tried once more.
func TestFailedSteps(t *testing.T) {
	t.Parallel()
	failures := 2
	fail := func() error {
		if failures--; failures >= 0 {
			return errors.New("not today")
		}
		return nil
	}
	s := serve(t, pserve.Options{Parameterized: true}, func() *plugin {
		p := newPlugin()
		p.parameterize = func() (*pulumirpc.ParameterizeResponse, error) {
			if fail() != nil {
				panic("not today") // a panic fails a step as an error does
			}
			return &pulumirpc.ParameterizeResponse{Name: "thing", Version: "1.2.3"}, nil
		}
		p.configure = fail
		return p
	})
	for _, want := range []codes.Code{codes.Internal, codes.Internal, codes.OK} {
		_, err := s.Parameterize(t.Context(), &pulumirpc.ParameterizeRequest{})
		wantStatus(t, err, want, "")
	}
	failures = 1
	for _, want := range []codes.Code{codes.Unknown, codes.OK} {
		_, err := s.Configure(t.Context(), &pulumirpc.ConfigureRequest{})
		wantStatus(t, err, want, "")
	}
}

// TestStepsDoNotOverlap asks for a second parameterization during the first.
func TestStepsDoNotOverlap(t *testing.T) {
	t.Parallel()
	running, finish := make(chan struct{}), make(chan struct{})
	s := serve(t, pserve.Options{}, func() *plugin {
		p := newPlugin()
		p.parameterize = func() (*pulumirpc.ParameterizeResponse, error) {
			close(running)
			<-finish
			return &pulumirpc.ParameterizeResponse{Name: "thing", Version: "1.2.3"}, nil
		}
		return p
	})
	first := make(chan error, 1)
	go func() {
		_, err := s.Parameterize(t.Context(), &pulumirpc.ParameterizeRequest{})
		first <- err
	}()
	wait(t, "the call", running)
	_, err := s.Parameterize(t.Context(), &pulumirpc.ParameterizeRequest{})
	wantStatus(t, err, codes.FailedPrecondition, "Parameterize while Parameterize is still running")
	_, err = s.Configure(t.Context(), &pulumirpc.ConfigureRequest{})
	wantStatus(t, err, codes.FailedPrecondition, "Configure while Parameterize is still running")
	_, err = s.CheckConfig(t.Context(), &pulumirpc.CheckRequest{})
	wantStatus(t, err, codes.FailedPrecondition, "CheckConfig before Parameterize")
	close(finish)
	if err := wait(t, "the answer", first); err != nil {
		t.Error(err)
	}
}
