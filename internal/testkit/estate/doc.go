// Package estate is a small SYNTHETIC cloud: an HTTP/JSON API over an
// in-memory store, made for tests and for the demo. Nothing in it is real.
//
// It holds networks, subnets, security groups, buckets, roles, instances, DNS
// records, database users, ledgers and listeners. Each is a [Kind]: a table of fields
// with types, defaults and references, so that the API can refuse what a real
// one would (unknown fields, changes to immutable fields, dangling references,
// deletion of what is in use). Ids and times are drawn from counters: the same
// calls always give the same estate.
//
// The API is JSON over /v1/<kind>[/<id>] (GET, POST, PUT, DELETE). What tests
// need besides is under /_admin: faults, statistics, seeding, dumping.
//
// The two test providers, in ../providers, talk to it through ../estateapi.
package estate
