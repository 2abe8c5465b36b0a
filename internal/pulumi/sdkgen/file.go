package sdkgen

// File is one file of an SDK. Path is relative, with slashes.
type File struct {
	Path string
	Data []byte
}
