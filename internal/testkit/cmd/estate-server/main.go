// Command estate-server runs the synthetic estate as a process of its own. Its
// first line on stdout is its URL; it runs until it is interrupted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/formation-iac/formation/internal/testkit/estate"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "estate-server:", err)
		os.Exit(1)
	}
}

type settings struct {
	listen string
	seed   estate.SeedOptions
	token  string
	faults estate.Faults
}

func parse(args []string) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("estate-server", flag.ContinueOnError)
	flags.StringVar(&s.listen, "listen", "127.0.0.1:0", "address to listen on")
	flags.IntVar(&s.seed.Objects, "seed", 0, "objects to create at the start")
	flags.IntVar(&s.seed.Ledgers, "ledgers", 0, "sealed objects, which cannot be read, to create at the start")
	flags.IntVar(&s.seed.BucketObjects, "bucket-objects", 0, "bucket objects to create at the start")
	flags.StringVar(&s.token, "token", "", "bearer token that every call must carry")
	flags.IntVar(&s.faults.LatencyMS, "latency-ms", 0, "delay of every call in milliseconds")
	flags.IntVar(&s.faults.ThrottleEvery, "throttle-every", 0, "answer every Nth call with 429")
	flags.IntVar(&s.faults.RetryAfter, "retry-after", 0, "seconds in the Retry-After header of those answers")
	flags.Func("refuse", "refuse the calls of `KIND[/ID][=STATUS]`; may repeat", func(text string) error {
		target, status, err := parseTarget(text)
		s.faults.Refuse = append(s.faults.Refuse, estate.Refusal{Target: target, Status: status})
		return err
	})
	flags.Func("crash", "crash the provider when it reads `KIND[/ID]`; may repeat", func(text string) error {
		target, _, err := parseTarget(text)
		target.Op = estate.OpRead
		s.faults.Crash = append(s.faults.Crash, estate.Crash{Target: target})
		return err
	})
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("unexpected argument %q", flags.Arg(0))
	}
	return s, nil
}

func parseTarget(text string) (estate.Target, int, error) {
	where, statusText, hasStatus := strings.Cut(text, "=")
	status := 0
	if hasStatus {
		if _, err := fmt.Sscanf(statusText, "%d", &status); err != nil || status < 400 || status > 599 {
			return estate.Target{}, 0, fmt.Errorf("status %q is not from 400 to 599", statusText)
		}
	}
	kind, id, _ := strings.Cut(where, "/")
	return estate.Target{Kind: kind, ID: id}, status, nil
}

func run(ctx context.Context, args []string, stdout io.Writer) error {
	s, err := parse(args)
	if errors.Is(err, flag.ErrHelp) {
		return nil
	}
	if err != nil {
		return err
	}
	api := estate.NewAPI(estate.NewStore(1))
	api.Token = s.token
	if _, err := api.Store.Seed(s.seed); err != nil {
		return err
	}
	api.SetFaults(s.faults)
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", s.listen)
	if err != nil {
		return err
	}
	fmt.Fprintf(stdout, "http://%s\n", listener.Addr())
	return serve(ctx, listener, api)
}

// serve answers until ctx ends, then lets calls in flight finish for a second.
func serve(ctx context.Context, listener net.Listener, api *estate.API) error {
	server := &http.Server{Handler: api, ReadHeaderTimeout: 10 * time.Second}
	done := make(chan error, 1)
	go func() { done <- server.Serve(listener) }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), time.Second)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		return server.Close()
	}
	return nil
}
