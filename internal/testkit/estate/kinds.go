package estate

import "slices"

// Kinds lists every kind, targets of references before what refers to them.
func Kinds() []*Kind {
	return []*Kind{
		networks(), subnets(), securityGroups(),
		roles(), buckets(), bucketObjects(),
		instances(), dnsRecords(), dbUsers(), ledgers(), listeners(),
	}
}

// common prepends the fields that the API adds to every object.
func common(fields ...Field) []Field {
	return slices.Concat([]Field{
		text("id").computed(),
		text("arn").computed(),
		text("created_at").computed(),
	}, fields)
}
