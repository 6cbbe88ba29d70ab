"""Frozen, slotted dataclasses that cost a tenth at start-up.

`dataclasses` writes and compiles six methods a class and pulls in `inspect`; for the thirty values of this package that was
18 of the 80 ms that `iq find` took beside ripgrep. Here only `__init__` is compiled, and that where it is called often. Type checkers see the real thing, and
`dataclasses.replace`, `asdict` and `fields` work on these values.
"""

from __future__ import annotations

from operator import attrgetter

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from dataclasses import field as field
    from dataclasses import replace as replace
else:
    # Values that are made before compiling pays: it takes 40 to 200 µs, a value field by field 2 to 4.
    UNCOMPILED = 16

    _set = object.__setattr__

    class _Made:
        """A default that is made anew for each value."""

        def __init__(self, make):
            self.make = make

    def field(*, default_factory):
        return _Made(default_factory)

    class _Fields:
        """`__dataclass_fields__`, made by the real dataclasses when somebody asks."""

        def __init__(self, defaults):
            self.defaults = defaults

        def __get__(self, instance, owner):
            import dataclasses

            rows = [
                (name, kind, dataclasses.field(default_factory=value.make) if isinstance(value := self.defaults.get(name, dataclasses.MISSING), _Made)
                 else dataclasses.field(default=value))
                for name, kind in owner.__annotations__.items()
            ]  # fmt: skip
            owner.__dataclass_fields__ = dataclasses.make_dataclass(owner.__name__, rows).__dataclass_fields__
            return owner.__dataclass_fields__

    def dataclass(*, frozen, slots):
        """The decorator; both switches are always on, and stand in the source for its readers."""
        assert frozen and slots
        return _value

    def replace(value, /, **changes):
        """A copy with some fields changed."""
        kind = value.__class__
        for name in kind.__match_args__:
            if name not in changes:
                changes[name] = getattr(value, name)
        return kind(**changes)

    def _value(cls):
        names = tuple(cls.__annotations__)
        space = dict(cls.__dict__)
        defaults = {name: space.pop(name) for name in names if name in space}
        for name in ("__dict__", "__weakref__"):
            space.pop(name, None)
        got = attrgetter(*names) if len(names) != 1 else None
        values = got or (lambda self: (getattr(self, names[0]),))
        space |= {
            "__slots__": names, "__annotations__": dict(cls.__annotations__), "__match_args__": names, "__dataclass_fields__": _Fields(defaults),
            "__init__": _compiling(names, defaults),
            "__setattr__": _refuse, "__delattr__": _refuse, "__repr__": _shown,
            "__eq__": lambda self, other: values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented,
            "__hash__": lambda self: hash(values(self)),
            "__reduce__": lambda self: (self.__class__, values(self)),
        }  # fmt: skip
        return type(cls)(cls.__name__, cls.__bases__, space)

    def _compiling(names, defaults):
        """An `__init__` that sets field by field, and after some calls compiles the real one and steps aside: most values of a call are made once."""

        calls = 0

        def __init__(self, /, *given, **named):
            nonlocal calls
            calls += 1
            left = names[len(given) :]
            if calls <= UNCOMPILED and len(given) + len(left) == len(names) and named.keys() <= set(left):
                try:
                    rest = [named[name] if name in named else defaults[name] for name in left]
                except KeyError:
                    rest = None
                if rest is not None:
                    for name, value in zip(names, (*given, *rest)):  # noqa: B905
                        _set(self, name, value.make() if value.__class__ is _Made else value)
                    return
            made = _initialiser(names, defaults)
            for kind in self.__class__.__mro__:
                if kind.__dict__.get("__init__") is __init__:
                    kind.__init__ = made
            made(self, *given, **named)

        return __init__

    def _initialiser(names, defaults):
        words = ", ".join(f"{name}=_{name}" if name in defaults else name for name in names)
        rows = [f" _set(self, {name!r}, _{name}.make() if {name} is _{name} else {name})" if isinstance(defaults.get(name), _Made)
                else f" _set(self, {name!r}, {name})" for name in names]  # fmt: skip
        space = {"_set": _set, **{f"_{name}": value for name, value in defaults.items()}}
        exec(f"def __init__(self, {words}):\n" + "\n".join(rows), space)
        return space["__init__"]

    def _refuse(self, name, value=None):
        from dataclasses import FrozenInstanceError

        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def _shown(self):
        return f"{self.__class__.__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self.__match_args__)})"
