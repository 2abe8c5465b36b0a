//go:build !linux

package bigtext

func useLargePages([]byte) {}
