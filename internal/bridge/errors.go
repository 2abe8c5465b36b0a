package bridge

import (
	"errors"
	"strings"

	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"

	"github.com/formation-iac/formation/internal/base/diag"
	"github.com/formation-iac/formation/internal/bridge/lifecycle"
	"github.com/formation-iac/formation/internal/mapping"
	"github.com/formation-iac/formation/internal/pulumi/pserve"
)

// failed makes the error of a call from that of lifecycle.
func (b *bridge) failed(err error) error {
	var initFailed *lifecycle.InitFailedError
	if errors.As(err, &initFailed) {
		return b.initFailed(initFailed)
	}
	return refused(err)
}

// refused makes the error of a call whose effect is known: there was none. An
// unknown outcome says so.
func refused(err error) error {
	var missing *lifecycle.MissingKeysError
	var unclear *lifecycle.UnknownOutcomeError
	var noMethod *lifecycle.UnknownTokenError
	var noToken *mapping.UnknownTokenError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &missing):
		return missingKeys(missing)
	case errors.As(err, &unclear):
		return pserve.Error(codes.Unknown, reported(err))
	case errors.As(err, &noMethod), errors.As(err, &noToken):
		return status.Error(codes.NotFound, err.Error())
	default:
		return pserve.Error(codes.FailedPrecondition, reported(err))
	}
}

// reported are the diagnostics inside err, or err as one.
func reported(err error) diag.List {
	return diag.FromError("BR0001", "The bridge failed", err)
}

// initFailed has the engine keep what became of a resource.
func (b *bridge) initFailed(err *lifecycle.InitFailedError) error {
	outputs, encodeErr := b.encode(err.Outputs)
	if encodeErr != nil {
		return encodeErr
	}
	inputs, encodeErr := b.encode(err.Inputs)
	if encodeErr != nil {
		return encodeErr
	}
	return withDetail(status.Error(codes.Unknown, strings.Join(err.Reasons, "\n")), &pulumirpc.ErrorResourceInitFailed{
		Id: err.ID, Properties: outputs, Inputs: inputs, Reasons: err.Reasons,
	})
}

// missingKeys has the engine ask for configuration.
func missingKeys(err *lifecycle.MissingKeysError) error {
	detail := &pulumirpc.ConfigureErrorMissingKeys{}
	for _, key := range err.Keys {
		detail.MissingKeys = append(detail.MissingKeys, &pulumirpc.ConfigureErrorMissingKeys_MissingKey{
			Name: key.Name, Description: key.Description,
		})
	}
	return withDetail(status.Error(codes.InvalidArgument, err.Error()), detail)
}

func withDetail(err error, detail protoadapt.MessageV1) error {
	detailed, packErr := status.Convert(err).WithDetails(detail)
	if packErr != nil { // never: the messages are the protocol's own
		return err
	}
	return detailed.Err()
}
