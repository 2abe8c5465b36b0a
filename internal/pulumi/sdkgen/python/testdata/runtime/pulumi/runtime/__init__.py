modules, packages = [], []


class ResourcePackage:
    pass


class ResourceModule:
    pass


def register_resource_module(pkg, mod, module):
    modules.append((pkg, mod, module))


def register_resource_package(pkg, package):
    packages.append((pkg, package))
