// Package sdkgen is what the generators of SDKs share: files, and what every
// SDK says about the plugin behind it. The generators are its subpackages, one
// for each language; they take a bound package schema and give files.
package sdkgen
