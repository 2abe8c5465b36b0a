package project

// Runtime names the language that runs a program, and its options.
type Runtime struct {
	// Name is that of the language plugin, such as "nodejs".
	Name string
	// Options are as in the file: strings, booleans, numbers, lists and maps.
	Options map[string]any
}

// readRuntime takes `runtime: go` and `runtime: {name: go, options: {...}}`.
func readRuntime(r *reader, f field) Runtime {
	if isScalar(f.value) {
		return Runtime{Name: r.text(f)}
	}
	var runtime Runtime
	for _, inner := range r.fields(f.value) {
		switch inner.name {
		case "name":
			runtime.Name = r.text(inner)
		case "options":
			runtime.Options = r.object(inner)
		default:
			r.unknown(inner, "name", "options")
		}
	}
	return runtime
}
