package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/blang/semver/v4"

	"github.com/formation-iac/formation/internal/base/archive"
	"github.com/formation-iac/formation/internal/base/fetch"
	"github.com/formation-iac/formation/internal/base/progress"
	"github.com/formation-iac/formation/internal/plugin"
)

// repository is a git repository that holds a plugin.
type repository struct {
	s  *Sources
	p  plugin.Concrete
	at plugin.Git
}

func (s *Sources) newGit(p plugin.Concrete, server string) (*repository, error) {
	at, err := plugin.ParseGit(server)
	if err != nil {
		return nil, invalidServer("its git repository", err)
	}
	return &repository{s, p, at}, nil
}

func (r *repository) String() string { return "the git repository " + r.at.Remote() }

func (r *repository) address() string { return r.at.Remote() }

// newest is the newest version among the tags, or else the commit that HEAD
// leads to.
func (r *repository) newest(ctx context.Context) (semver.Version, error) {
	var out string
	err := r.withGit(ctx, func(g gitProgram) error {
		var err error
		out, err = g.run(ctx, "", "ls-remote", "--", r.at.Remote(), "HEAD", "refs/tags/*")
		return err
	})
	if err != nil {
		return semver.Version{}, r.gitFailed(err)
	}
	tags, head := parseRefs(out)
	if v, ok := plugin.Newest(tags); ok {
		return v, nil
	}
	if v, ok := plugin.CommitVersion(head); ok {
		return v, nil
	}
	return semver.Version{}, errors.New("it holds no commit")
}

// parseRefs reads the lines `<hash>\t<ref>` that git prints.
func parseRefs(out string) (tags []semver.Version, head string) {
	for line := range strings.Lines(out) {
		hash, ref, ok := strings.Cut(strings.TrimSpace(line), "\t")
		if !ok {
			continue
		}
		if ref == "HEAD" {
			head = hash
		}
		tag, isTag := strings.CutPrefix(ref, "refs/tags/")
		if v, err := plugin.ParseVersion(tag); isTag && err == nil {
			tags = append(tags, v)
		}
	}
	return tags, head
}

// bring checks a version out. The history stays behind.
func (r *repository) bring(ctx context.Context, v semver.Version, room Room) error {
	event := progress.Event{Task: "clone", Label: r.at.Remote() + " " + v.String()}
	progress.From(ctx).Send(event)
	defer func() {
		event.End = true
		progress.From(ctx).Send(event)
	}()
	p := r.p
	p.Version = v
	err := r.withGit(ctx, func(g gitProgram) error { return r.checkout(ctx, g, v, room.Dir) })
	if err != nil {
		return r.cloneFailed(v, room.Dir, err)
	}
	if err := os.RemoveAll(filepath.Join(room.Dir, ".git")); err != nil {
		return err
	}
	err = archive.CheckLinks(room.Dir)
	var refused *archive.Refusal
	if errors.As(err, &refused) {
		return hostileArchive(p, r.String(), refused.Reason)
	}
	if err != nil {
		return err
	}
	if info, err := os.Stat(filepath.Join(room.Dir, filepath.FromSlash(r.at.Path))); err != nil || !info.IsDir() {
		return noSuchSubdir(p, r.at)
	}
	return nil
}

func (r *repository) checkout(ctx context.Context, g gitProgram, v semver.Version, dir string) error {
	if err := emptyDir(dir); err != nil { // of what an earlier attempt left
		return err
	}
	if _, err := g.run(ctx, "", "init", "--quiet", "--template=", "--", dir); err != nil {
		return err
	}
	revision, err := r.fetchRevision(ctx, g, v, dir)
	if err != nil {
		return err
	}
	// Without --force git passes over files that it cannot write whole, and ends
	// as if all went well.
	_, err = g.run(ctx, dir, "checkout", "--force", "--quiet", "--detach", revision)
	return err
}

// fetchRevision brings the commits of a version, as few as the server allows,
// and returns what to check out.
func (r *repository) fetchRevision(ctx context.Context, g gitProgram, v semver.Version, dir string) (string, error) {
	fetchOnly := func(ref string) (string, error) {
		_, err := g.run(ctx, dir, "fetch", "--quiet", "--depth=1", "--no-tags", "--", r.at.Remote(), ref)
		return "FETCH_HEAD", err
	}
	if hash, ok := plugin.CommitOf(v); ok {
		if len(hash) == 40 || len(hash) == 64 {
			if revision, err := fetchOnly(hash); err == nil || ctx.Err() != nil {
				return revision, err
			}
		}
		return r.fetchCommit(ctx, g, hash, dir)
	}
	if v.EQ(semver.Version{}) {
		return fetchOnly("HEAD")
	}
	revision, err := fetchOnly("refs/tags/v" + v.String())
	if isMissingRef(err) {
		revision, err = fetchOnly("refs/tags/" + v.String())
	}
	return revision, err
}

// fetchCommit brings all branches and tags: servers give single commits only
// by their full name, and some not even so.
func (r *repository) fetchCommit(ctx context.Context, g gitProgram, hash, dir string) (string, error) {
	_, err := g.run(ctx, dir, "fetch", "--quiet", "--", r.at.Remote(), "+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*")
	if err != nil {
		return "", err
	}
	found, err := g.run(ctx, dir, "rev-parse", "--quiet", "--verify", hash+"^{commit}")
	if err != nil {
		return "", &missingRef{"the commit " + hash}
	}
	return strings.TrimSpace(found), nil
}

// missingRef is a tag or commit that a repository lacks.
type missingRef struct{ what string }

func (e *missingRef) Error() string { return "it lacks " + e.what }

func isMissingRef(err error) bool {
	var missing *missingRef
	return errors.As(err, &missing)
}

func emptyDir(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := os.RemoveAll(filepath.Join(dir, entry.Name())); err != nil {
			return err
		}
	}
	return nil
}

// withGit runs op as the user's own configuration of git has it, and where
// that fails again with the token that there is for the host.
func (r *repository) withGit(ctx context.Context, op func(gitProgram) error) error {
	if r.s.offline {
		return fetch.ErrOffline
	}
	program, err := findGit(r.s.environ)
	if err != nil {
		return err
	}
	op = r.patiently(ctx, op)
	header := r.authorization()
	if r.at.User != nil {
		return op(program.withHeader(r.at.Host, header))
	}
	err = op(program)
	var failed *gitError
	if header == "" || !errors.As(err, &failed) || failed.disk || ctx.Err() != nil {
		return err
	}
	if again := op(program.withHeader(r.at.Host, header)); !errors.As(again, &failed) {
		return again
	}
	return err
}

// patiently does again what failed for a reason that may pass, as often as any
// request is made.
func (r *repository) patiently(ctx context.Context, op func(gitProgram) error) func(gitProgram) error {
	return func(g gitProgram) error {
		wait := firstWait
		for attempt := 1; ; attempt++ {
			err := op(g)
			var failed *gitError
			if !errors.As(err, &failed) || !failed.passing() || attempt == attempts || r.s.clock.Sleep(ctx, wait) != nil {
				return err
			}
			wait *= 2
		}
	}
}

// authorization is the header that the repository's host takes, from the
// address or from the variables for plugins; or "".
func (r *repository) authorization() string {
	if user := r.at.User; user != nil {
		password, _ := user.Password()
		return basicAuthorization(user.Username(), password)
	}
	switch token := r.s.env; r.at.Host {
	case "github.com":
		if token("GITHUB_TOKEN") != "" {
			return basicAuthorization("x-access-token", token("GITHUB_TOKEN"))
		}
	case "gitlab.com":
		if token("GITLAB_TOKEN") != "" {
			return basicAuthorization("oauth2", token("GITLAB_TOKEN"))
		}
	}
	return ""
}

// gitError is a run of git that failed.
type gitError struct {
	// said is the end of what it printed.
	said string
	// disk says that the disk is at fault, and nothing that is elsewhere.
	disk bool
}

func (e *gitError) Error() string { return fmt.Sprintf("git says: %s", e.said) }

// passingFault is what git says of networks and servers that are out of order.
var passingFault = regexp.MustCompile(`returned error: (?:5\d\d|429|408)|Could not resolve host|[Cc]onnection (?:reset|timed out|refused)|` +
	`Operation timed out|early EOF|unexpected disconnect|hung up unexpectedly|RPC failed|Empty reply from server|Recv failure`)

// diskFault is what git says where it cannot write. That it does not find what
// it just fetched is of that kind.
var diskFault = regexp.MustCompile(`No space left on device|Out of diskspace|Disk quota exceeded|File too large|Read-only file system|` +
	`unable to write (?:file|loose object)|(?:failed to|couldn't) write|update_ref failed|FETCH_HEAD`)

// passing reports whether it may well be otherwise in a moment.
func (e *gitError) passing() bool { return !e.disk && passingFault.MatchString(e.said) }
