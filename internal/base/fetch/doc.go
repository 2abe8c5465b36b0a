// Package fetch gets documents and files over HTTP: it gives tokens only to
// the host they are for, tells passing faults from final ones and tries the
// former again, goes on with a download where it broke, in this run or a
// later one, and reports progress. It does not know what it fetches.
package fetch
