package sdkgen

// File is one file of an SDK. Path is relative, with slashes.
type File struct {
	Path string
	Data []byte
}

// Sink takes the files of an SDK, one after the other, as soon as they are
// written: a large SDK is never in memory as a whole. It may be called
// concurrently.
type Sink func(File) error
