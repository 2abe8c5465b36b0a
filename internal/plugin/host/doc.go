// Package host finds, starts, supervises and ends plugins of all five kinds.
//
// A [Finder] says where a plugin is: in the project, on the PATH, beside a
// program that ships it, or in the cache. A [Host] starts it: an executable as
// a process of its own, a directory through the language plugin of its
// runtime, and one that a debugger holds by attaching to it. What comes back
// is a client for its kind ([Resource], [Language], [Converter], [Analyzer])
// around an [Instance], which keeps an eye on the process: when that dies,
// calls fail with its last words. [Host.Tool] runs a tool to its end.
//
// Every call of these methods starts a process of its own, so that one
// parameterization never meets another. Closing an instance, or the host,
// leaves nothing running.
//
// Installing plugins is not this package's business: one that is not there is
// reported with [CodeNotFound].
package host
