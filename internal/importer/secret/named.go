package secret

import (
	"github.com/zclconf/go-cty/cty"

	"github.com/formation-iac/formation/internal/base/ident"
	"github.com/formation-iac/formation/internal/tf/tfschema"
)

// Named returns a schema in which the strings are sensitive, too, that go by
// the name of a secret: the configurations of many providers call their tokens
// nothing more than strings. It is not for resources, whose states would lack
// the marks that clients then expect.
func Named(block *tfschema.Block) *tfschema.Block {
	out := &tfschema.Block{
		Attributes: make([]*tfschema.Attribute, len(block.Attributes)),
		Blocks:     make([]*tfschema.NestedBlock, len(block.Blocks)),
	}
	for i, a := range block.Attributes {
		if a.Type == cty.String && named(a.Name) {
			marked := *a
			marked.Sensitive = true
			a = &marked
		}
		out.Attributes[i] = a
	}
	for i, nested := range block.Blocks {
		marked := *nested
		marked.Block = Named(nested.Block)
		out.Blocks[i] = &marked
	}
	return out
}

// named reports whether an attribute's name ends like those of secrets do. What
// goes on, such as token_url and password_file, is where one is to be had.
func named(name string) bool {
	words := ident.Words(name)
	if len(words) == 0 {
		return false
	}
	switch words[len(words)-1] {
	case "password", "passwd", "passphrase", "secret", "token", "credential", "credentials", "apikey", "jwt":
		return true
	case "key":
		return len(words) > 1 && keyOf(words[len(words)-2])
	}
	return false
}

// keyOf reports whether a key that is called so opens something.
func keyOf(word string) bool {
	switch word {
	case "access", "account", "api", "app", "application", "auth", "client", "encryption", "master", "private", "secret", "shared", "signing":
		return true
	}
	return false
}
