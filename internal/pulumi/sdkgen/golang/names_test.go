package golang

import "testing"

func TestNames(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ got, want string }{
		{pascal("instanceType"), "InstanceType"},
		{pascal("a.b-c"), "ABC"},
		{pascal("$ref"), "Ref"},
		{pascal("2fa"), "X2fa"},
		{pascal("_private"), "Private"},
		{pascal(""), "X"},
		{camel("Select"), "select_"},
		{camel("PetPtrType"), "petPtrType"},
		{fieldName("elementType"), "ElementType_"},
		{enumValueName("Color", "red"), "ColorRed"},
		{enumValueName("Color", "blue-green"), "Color_Blue_Green"},
		{goPackageName("Odd-Words_x"), "oddwordsx"},
		{fileName("PulumiTypes"), "pulumiTypes_.go"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}
