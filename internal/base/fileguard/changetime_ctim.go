//go:build linux || openbsd || dragonfly || solaris

package fileguard

import "syscall"

func changeTime(stat *syscall.Stat_t) int64 { return stat.Ctim.Nano() }
