// Command protogen writes Go messages for every .proto file below the given
// folders, next to their sources. It needs no protoc: it compiles the files
// itself and calls the official Go generator.
//
//	go -C tools/protogen run . ../../internal/tf/wire
//
// A file's import name, which the generated code registers at run time, is its
// path below the folder, with slashes. Every file states its Go package in
// option go_package. Services are left to their callers. Generated files that
// no .proto accounts for are errors, so that a renamed source leaves nothing
// behind.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "protogen:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, roots []string) error {
	if len(roots) == 0 {
		return errors.New("name at least one folder of .proto files")
	}
	for _, root := range roots {
		if err := generate(ctx, root); err != nil {
			return fmt.Errorf("%s: %w", root, err)
		}
	}
	return nil
}

// generate compiles root's .proto files and, only when all are sound, writes
// the Go files made from them.
func generate(ctx context.Context, root string) error {
	names, err := filesBelow(root, ".proto")
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return errors.New("no .proto file here")
	}
	request, err := compile(ctx, root, names)
	if err != nil {
		return err
	}
	outputs, err := messages(request)
	if err != nil {
		return err
	}
	return write(root, outputs)
}
