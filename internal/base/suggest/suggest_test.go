package suggest_test

import (
	"testing"

	"github.com/formation-iac/formation/internal/base/suggest"
)

func TestDidYouMean(t *testing.T) {
	t.Parallel()
	all := []string{"aws_s3_bucket", "aws_s3_bucket_acl", "aws_vpc", "aws_subnet"}
	for name, want := range map[string]string{
		"aws_s3_buckt": ` Did you mean "aws_s3_bucket"?`,
		"aws_vcp":      ` Did you mean "aws_vpc"?`,
		"s3_bucket":    ` Did you mean "aws_s3_bucket" or "aws_s3_bucket_acl"?`,
		"random_pet":   "",
	} {
		if got := suggest.DidYouMean(name, all); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
}
