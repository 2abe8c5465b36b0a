// Package source brings plugins onto this machine: it reads what people write
// for where a package comes from, asks such places for versions, and fills a
// directory with a plugin's files. It decides nothing about the cache; that is
// install's business.
//
// A [plugin.Concrete] names its place by the URL in Server:
//
//   - none: release assets of github.com/pulumi, or else get.pulumi.com;
//   - github://api.host/org[/repo], gitlab://host/project: release assets;
//   - http(s)://…: an archive below a URL, with ${NAME}, ${VERSION}, ${OS}
//     and ${ARCH} filled in;
//   - file:///dir: an archive in a directory, for mirrors and offline use;
//   - git://host/org/repo.git/sub: a repository at a tag or commit.
//
// PULUMI_PLUGIN_DOWNLOAD_URL_OVERRIDES sends any of them elsewhere. Before
// that, [Resolve] may ask a [Registry] what a name stands for.
package source
