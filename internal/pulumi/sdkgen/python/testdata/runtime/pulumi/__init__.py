"""Just enough of the Pulumi runtime for SDKs to be imported, and for a test to
see what they ask of it."""

import typing

from . import log, runtime

T = typing.TypeVar("T")
Inputs = typing.Mapping
registered = []


class Input(typing.Generic[T]):
    pass


class Output(typing.Generic[T]):
    pass


class Asset:
    pass


class Archive:
    pass


class Alias:
    def __init__(self, type_):
        self.type_ = type_


class ResourceOptions:
    def __init__(self, **values):
        self.id = self.urn = None
        self.__dict__.update(values)

    @classmethod
    def merge(cls, first, second):
        merged = cls()
        for options in (first, second):
            merged.__dict__.update({k: v for k, v in (options.__dict__ if options else {}).items() if v is not None})
        return merged


class InvokeOptions(ResourceOptions):
    pass


class InvokeOutputOptions(ResourceOptions):
    pass


class Resource:
    def __init__(self, token, name, props, opts, **more):
        registered.append((token, name, {k: v for k, v in props.__dict__.items() if v is not None}))


class CustomResource(Resource):
    pass


class ComponentResource(Resource):
    pass


class ProviderResource(Resource):
    pass


class Config:
    def __init__(self, name):
        self.name = name


def input_type(cls):
    return cls


def output_type(cls):
    return cls


def type_token(token):
    return lambda cls: cls


def getter(fn=None, *, name=None):
    return fn or (lambda fn: fn)


def set(self, name, value):
    self.__dict__[name] = value


def get(self, name):
    return self.__dict__.get(name)
