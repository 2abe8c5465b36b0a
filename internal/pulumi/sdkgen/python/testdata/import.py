"""Imports the package that is named, and everything in it."""

import importlib
import inspect
import sys
import typing

import pulumi


def walk(module, root, seen):
    if module.__name__ in seen:
        return
    seen.add(module.__name__)
    for name in dir(module):
        member = getattr(module, name)
        if inspect.ismodule(member) and member.__name__.startswith(root):
            walk(member, root, seen)
        elif inspect.isfunction(member) and member.__module__.startswith(root) and not member.__module__.endswith("_utilities"):
            typing.get_type_hints(member)


root = sys.argv[1]
package = importlib.import_module(root)
early = sorted(name for name in sys.modules if name.startswith(root + "."))
assert early == [root + "._utilities"], f"loaded too early: {early}"
walk(package, root, set())
for pkg, mod, module in pulumi.runtime.modules:
    for token in module.info["classes"]:
        assert issubclass(getattr(importlib.import_module(module.info["fqn"]), module.info["classes"][token]), pulumi.Resource)
try:
    package.nothing_of_that_name
except AttributeError as error:
    assert "nothing_of_that_name" in str(error)
else:
    raise AssertionError("it has everything")
