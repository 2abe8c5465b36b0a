"""Uses names that mean something to Python, or to what the SDK itself calls."""

import sys

import pulumi
import pulumi_odd_words as words

words.Named("one", resource_name_="a", opts_="o", warnings=True)
words.Named("two", words.NamedArgs(resource_name="b", opts="o", is_old=True))
assert pulumi.registered == [
    ("odd-words:index:Named", "one", {"resource_name": "a", "opts": "o", "warnings": True}),
    ("odd-words:index:Named", "two", {"resource_name": "b", "opts": "o", "is_old": True}),
], pulumi.registered
assert pulumi.log.said == ["is_old is deprecated: Use `resourceName`."], pulumi.log.said
try:
    words.Named("three")
except TypeError as error:
    assert str(error) == "Missing required property 'resource_name'", error
else:
    raise AssertionError("it needs no name")

# A function is no module, though its file has its name.
import pulumi_odd_words.get_select
assert callable(words.get_select) and callable(words.get_select_output)

shade = words.net.http.Shade
assert [(v.name, v.value) for v in shade] == [
    ("ASTERISK", "*"), ("EMPTY", ""), ("A_B", "a-b"), ("A_B_2", "a_b"), ("SHADE_10", "10%"),
], list(shade)

wanted = """As NamedArgs.resource_name says; see `resource_name` and `is_old`, not `otherName`.

```python
Named("`isOld`")
```

:param str resource_name: The name of the resource.
:param NamedArgs args: The arguments to use to populate this resource's properties.
:param pulumi.ResourceOptions opts: Options for the resource."""
import typing
documented = typing.get_overloads(words.Named.__init__)[1].__doc__ if sys.version_info >= (3, 11) else wanted
assert "\n".join(line.strip() for line in documented.strip().splitlines()) == wanted, documented
