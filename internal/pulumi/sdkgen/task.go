package sdkgen

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"github.com/formation-iac/formation/internal/base/parallel"
)

// Task writes files that do not depend on what other tasks write.
type Task func() []File

// membersPerTask keeps a task's files few, so that little is in memory, and
// the cost of handing it out small beside it.
const membersPerTask = 20

// Tasks are those that write a file for each member.
func Tasks[Member any](members []Member, write func(Member) File) []Task {
	var tasks []Task
	for some := range slices.Chunk(members, membersPerTask) {
		tasks = append(tasks, func() []File {
			files := make([]File, len(some))
			for i, member := range some {
				files[i] = write(member)
			}
			return files
		})
	}
	return tasks
}

// Run runs tasks on all processors, since they only compute, and hands their
// files to a sink, in no order.
func Run(ctx context.Context, tasks []Task, sink Sink) error {
	failed := parallel.Map(ctx, runtime.GOMAXPROCS(0), tasks, func(ctx context.Context, t Task) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return Each(t(), sink)
	})
	return errors.Join(append(failed, ctx.Err())...)
}

// Each hands files to a sink.
func Each(files []File, sink Sink) error {
	for _, file := range files {
		if err := sink(file); err != nil {
			return err
		}
	}
	return nil
}
