// Package measure takes Formation's figures: how long real processes take, how
// much memory they need, and how much of what exists they recover. Everything
// is measured in one run on one machine, the peers beside it. It judges
// nothing: a target stands next to its figure for people to compare.
package measure
