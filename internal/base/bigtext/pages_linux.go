package bigtext

import (
	"unsafe"

	"golang.org/x/sys/unix"
)

// largePage is the usual size of a large page, in bytes.
const largePage = 2 << 20

// useLargePages asks for large pages where room spans whole ones. Without, all
// works as well; so it does not matter why there are none.
func useLargePages(room []byte) {
	begin := int(-uintptr(unsafe.Pointer(unsafe.SliceData(room))) % largePage)
	if end := begin + (len(room)-begin)/largePage*largePage; begin < len(room) && end > begin {
		_ = unix.Madvise(room[begin:end], unix.MADV_HUGEPAGE)
	}
}
