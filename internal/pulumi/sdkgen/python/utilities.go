package python

import (
	"encoding/base64"
	"fmt"
	"slices"
	"strings"

	"github.com/formation-iac/formation/internal/pulumi/sdkgen"
)

// utilities is the module that generated code calls for what is the same
// everywhere.
const utilities = header + `import asyncio
import functools
import importlib
import json
import os
import sys
import types
import typing
import warnings

import pulumi
import pulumi.runtime
from pulumi.runtime.sync_await import _sync_await
from semver import VersionInfo as SemverVersion


def get_env(*args):
    for v in args:
        value = os.getenv(v)
        if value is not None:
            return value
    return None


def get_env_bool(*args):
    text = get_env(*args)
    if text is not None:
        # The words that Go's strconv.ParseBool takes, as other SDKs do.
        if text in ["1", "t", "T", "true", "TRUE", "True"]:
            return True
        if text in ["0", "f", "F", "false", "FALSE", "False"]:
            return False
    return None


def get_env_int(*args):
    text = get_env(*args)
    if text is not None:
        try:
            return int(text)
        except ValueError:
            return None
    return None


def get_env_float(*args):
    text = get_env(*args)
    if text is not None:
        try:
            return float(text)
        except ValueError:
            return None
    return None


def first(*values):
    for value in values:
        if value is not None:
            return value
    return None


_version_str = @VERSION@
_version = SemverVersion.parse(_version_str)


def get_version():
    return _version_str


def get_plugin_download_url():
    return @SERVER@


def get_resource_opts_defaults() -> pulumi.ResourceOptions:
    return pulumi.ResourceOptions(version=@SENT@, plugin_download_url=get_plugin_download_url())


def get_invoke_opts_defaults() -> pulumi.InvokeOptions:
    return pulumi.InvokeOptions(version=@SENT@, plugin_download_url=get_plugin_download_url())


def get_resource_args_opts(resource_args_type, resource_options_type, *args, **kwargs):
    """
    Tell the two forms of a constructor apart: an object of arguments, or each
    of them by itself. Gives the object and the options of the first form.
    """
    resource_args, opts = None, None
    if len(args) > 0:
        if isinstance(args[0], resource_args_type):
            resource_args = args[0]
        elif isinstance(args[0], resource_options_type):
            opts = args[0]
    if len(args) > 1 and isinstance(args[1], resource_options_type):
        opts = args[1]
    if resource_args is None and isinstance(kwargs.get("args"), resource_args_type):
        resource_args = kwargs["args"]
    if opts is None:
        opts = kwargs.get("opts")
    return resource_args, opts


def warn_key(owner, suggestions, key):
    if key in suggestions:
        pulumi.log.warn(
            f"Key '{key}' not found in {owner}. Access the value via the '{suggestions[key]}' property getter instead.")


def single(result):
    return next(iter(result.values())) if isinstance(result, dict) else result


def warn_deprecated(name: str, message: str):
    warnings.warn(message, DeprecationWarning, stacklevel=3)
    pulumi.log.warn(f"{name} is deprecated: {message}")


def deprecated(message: str):
    def decorator(func):
        @functools.wraps(func)
        def wrapper(*args, **kwargs):
            warnings.warn(message, DeprecationWarning, stacklevel=2)
            pulumi.log.warn(f"{func.__name__} is deprecated: {message}")
            return func(*args, **kwargs)
        # What the runtime reads by itself is no use of it.
        wrapper.__dict__["_pulumi_deprecated_callable"] = func
        return wrapper
    return decorator


def lazy(fullname, files):
    """
    Let a module give the names of files beside it, each of which is loaded when
    one of its names is first used: a large SDK loads no more than a program
    needs. files leads from files to these names; none where it is the file
    itself that programs name.
    """
    module = sys.modules[fullname]
    homes = {name: file for file, names in files.items() for name in names}

    class Lazy(types.ModuleType):
        def __getattr__(self, name):
            file = homes.get(name, name)
            if file not in files:
                raise AttributeError(f"module {fullname!r} has no attribute {name!r}")
            loaded = importlib.import_module("." + file, module.__package__)
            if name not in homes:
                return loaded
            for each in files[file]:
                super().__setattr__(each, getattr(loaded, each))
            return self.__dict__[name]

        def __setattr__(self, name, value):
            # The loading of a file sets its name here, which may be that of a
            # function in it.
            if name not in homes or not isinstance(value, types.ModuleType):
                super().__setattr__(name, value)

        def __dir__(self):
            return sorted({*super().__dir__(), *homes, *files})

    module.__all__ = list(homes)
    module.__class__ = Lazy


class Package(pulumi.runtime.ResourcePackage):
    def __init__(self, info):
        super().__init__()
        self.info = info

    def version(self):
        return _version

    def construct_provider(self, name: str, typ: str, urn: str) -> pulumi.ProviderResource:
        if typ != self.info["token"]:
            raise Exception(f"unknown provider type {typ}")
        cls = getattr(importlib.import_module(self.info["fqn"]), self.info["class"])
        return cls(name, pulumi.ResourceOptions(urn=urn))


class Module(pulumi.runtime.ResourceModule):
    def __init__(self, info):
        super().__init__()
        self.info = info

    def version(self):
        return _version

    def construct(self, name: str, typ: str, urn: str) -> pulumi.Resource:
        class_name = self.info["classes"].get(typ)
        if class_name is None:
            raise Exception(f"unknown resource type {typ}")
        cls = getattr(importlib.import_module(self.info["fqn"]), class_name)
        return cls(name, pulumi.ResourceOptions(urn=urn))


def register(resource_modules, resource_packages):
    for info in json.loads(resource_modules):
        pulumi.runtime.register_resource_module(info["pkg"], info["mod"], Module(info))
    for info in json.loads(resource_packages):
        pulumi.runtime.register_resource_package(info["pkg"], Package(info))


def call_plain(tok: str, props: pulumi.Inputs, res: typing.Optional[pulumi.Resource] = None,
               typ: typing.Optional[type] = None, package_ref=None) -> typing.Any:
    """
    Call a method whose result is plain, and wait for it.
    """
    output = pulumi.runtime.call(tok, props, res, typ, package_ref=package_ref)
    result, known, secret = _sync_await(asyncio.ensure_future(_await_output(output)))
    if not known or secret:
        raise ValueError(f"the provider gave {tok} an unknown or secret result, which a plain method cannot have")
    return result


async def _await_output(output: pulumi.Output[typing.Any]):
    return await output._future, await output._is_known, await output._is_secret
`

// reference is what parameterized packages have besides.
const reference = `

async def get_package() -> str:
    return await pulumi.runtime.register_package(
        base_provider_name=@BASE@,
        base_provider_version=@BASEVERSION@,
        base_provider_download_url=get_plugin_download_url() or "",
        package_name=@NAME@,
        package_version=get_version(),
        base64_parameter=@PARAMETER@,@EXTENSION@
    )
`

// utilitiesFile fills in what the text leaves open.
func (s *sdk) utilitiesFile() []byte {
	server, sent := "None", "_version_str"
	if url := s.pkg.Header.PluginDownloadURL; url != "" {
		server = quote(url)
	}
	if sdkgen.Version(s.pkg) == "0.0.0" && !s.parameterized() {
		sent = "None" // nobody knows the version: the engine finds the plugin
	}
	text := utilities
	pairs := []string{"@VERSION@", quote(sdkgen.Version(s.pkg)), "@SERVER@", server, "@SENT@", sent}
	if s.parameterized() {
		text += reference
		plugin := sdkgen.PluginOf(s.pkg)
		parameter, extension := plugin.Parameterization, ""
		if plugin.ExtensionParameterization != nil {
			parameter, extension = plugin.ExtensionParameterization, "\n        extension=True,"
		}
		pairs = append(pairs, "@BASEVERSION@", quote(plugin.Version), "@BASE@", quote(plugin.Name), "@NAME@", quote(parameter.Name),
			"@PARAMETER@", quote(base64.StdEncoding.EncodeToString(parameter.Value)), "@EXTENSION@", extension)
	}
	return []byte(strings.NewReplacer(pairs...).Replace(text))
}

// parameterized reports whether calls name the package that they are for,
// because its plugin has others too.
func (s *sdk) parameterized() bool {
	return s.pkg.Header.Parameterization != nil || s.pkg.Header.ExtensionParameterization != nil
}

// pythonVersion is the package's version as Python spells it: a pre-release's
// dash and dots have other names there.
func pythonVersion(version string) string {
	core, build, _ := strings.Cut(version, "+")
	core, pre, isPre := strings.Cut(core, "-")
	if isPre {
		number := strings.Map(func(r rune) rune {
			if r >= '0' && r <= '9' {
				return r
			}
			return -1
		}, pre)
		if number == "" {
			number = "0"
		}
		stage := "a"
		switch {
		case strings.HasPrefix(pre, "beta"):
			stage = "b"
		case strings.HasPrefix(pre, "rc"):
			stage = "rc"
		}
		core += stage + number
	}
	if build != "" {
		core += "+" + strings.NewReplacer("-", ".", "+", ".").Replace(build)
	}
	return core
}

// project is pyproject.toml.
func (s *sdk) project() []byte {
	runtime := sdkRange
	if s.pkg.Header.ExtensionParameterization != nil {
		runtime = extensionRange
	}
	dependencies := []string{runtime, "semver>=2.8.1", `typing-extensions>=4.11,<5; python_version < \"3.11\"`}
	for name := range s.requires {
		dependencies = append(dependencies, name)
	}
	slices.Sort(dependencies)
	for i, d := range dependencies {
		dependencies[i] = `"` + d + `"`
	}
	return fmt.Appendf(nil, `[project]
name = %q
version = %q
description = %s
readme = "README.md"
requires-python = ">=3.9"
dependencies = [%s]
%[6]s
[build-system]
requires = ["setuptools>=61.0"]
build-backend = "setuptools.build_meta"

[tool.setuptools.packages.find]
include = ["%[5]s", "%[5]s.*"]

[tool.setuptools.package-data]
%[5]s = ["py.typed", "pulumi-plugin.json"]
`, s.info.PackageName, pythonVersion(sdkgen.Version(s.pkg)), tomlString(oneLine(s.pkg.Header.Description)), strings.Join(dependencies, ", "), s.info.PackageName, s.about())
}

// about are the lines of pyproject.toml that say who made a package.
func (s *sdk) about() string {
	h := s.pkg.Header
	text := ""
	if h.License != "" {
		text += "license = {text = " + tomlString(oneLine(h.License)) + "}\n"
	}
	if len(h.Keywords) > 0 {
		keywords := make([]string, len(h.Keywords))
		for i, keyword := range h.Keywords {
			keywords[i] = tomlString(oneLine(keyword))
		}
		text += "keywords = [" + strings.Join(keywords, ", ") + "]\n"
	}
	if h.Homepage+h.Repository == "" {
		return text
	}
	text += "\n[project.urls]\n"
	if h.Homepage != "" {
		text += "Homepage = " + tomlString(oneLine(h.Homepage)) + "\n"
	}
	if h.Repository != "" {
		text += "Repository = " + tomlString(oneLine(h.Repository)) + "\n"
	}
	return text
}

// sdkRange is which Pulumi runtimes know what generated code calls, and
// extensionRange which know extensions.
const (
	sdkRange       = "pulumi>=3.247.0,<4.0.0"
	extensionRange = "pulumi>=3.251.0,<4.0.0"
)

func tomlString(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
