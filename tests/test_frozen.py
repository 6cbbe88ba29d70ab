"""iq.frozen makes what dataclasses makes: each behaviour against the real one."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from collections.abc import Mapping

import pytest

from iq import frozen


@frozen.dataclass(frozen=True, slots=True)
class Ours:
    """A value."""

    name: str
    size: int = 3
    more: Mapping[str, int] = frozen.field(default_factory=dict)

    @property
    def twice(self) -> int:
        return self.size * 2


@frozen.dataclass(frozen=True, slots=True)
class One:
    name: str


@dataclasses.dataclass(frozen=True, slots=True)
class Real:
    name: str
    size: int = 3
    more: Mapping[str, int] = dataclasses.field(default_factory=dict)


@pytest.mark.parametrize("args", [("a",), ("a", 4), ("a", 4, {"x": 1})])
def test_the_same_value(args: tuple[object, ...]) -> None:
    ours, real = Ours(*args), Real(*args)  # type: ignore[arg-type]
    assert repr(ours) == repr(real).replace("Real", "Ours")
    assert dataclasses.asdict(ours) == dataclasses.asdict(real)
    assert [(f.name, f.type, f.default) for f in dataclasses.fields(ours)] == [(f.name, f.type, f.default) for f in dataclasses.fields(real)]
    for change in (frozen.replace, dataclasses.replace):
        assert change(ours, size=9) == Ours(ours.name, 9, ours.more)  # type: ignore[operator]
    assert pickle.loads(pickle.dumps(ours)) == ours == copy.copy(ours) and ours != real
    assert ours.twice == 2 * ours.size
    assert Ours.__slots__ == Real.__slots__ and Ours.__match_args__ == Real.__match_args__ and Ours.__doc__ == "A value."  # type: ignore[attr-defined]
    assert dataclasses.is_dataclass(Ours)


def test_equality_and_hash() -> None:
    assert One("a") == One("a") != One("b") and len({One("a"), One("a"), One("b")}) == 2
    assert One("a") != "a" and pickle.loads(pickle.dumps(One("a"))) == One("a")


def test_defaults_are_made_anew() -> None:
    assert Ours("a").more is not Ours("a").more


@pytest.mark.parametrize("kind", [Ours, Real])
def test_nothing_can_be_changed_and_calls_are_checked(kind: type) -> None:
    value = kind("a")
    for action in (lambda: setattr(value, "name", "b"), lambda: delattr(value, "name"), lambda: setattr(value, "other", 1)):
        with pytest.raises((dataclasses.FrozenInstanceError, TypeError)):  # the real one has a TypeError for new names, before 3.12
            action()
    for wrong in (lambda: kind(), lambda: kind("a", 1, {}, 2), lambda: kind("a", other=1), lambda: dataclasses.replace(value, other=1)):
        with pytest.raises(TypeError):
            wrong()
    with pytest.raises(TypeError):
        hash(value)  # its mapping has none


def test_values_are_the_same_before_and_after_their_initialiser_is_compiled() -> None:
    @frozen.dataclass(frozen=True, slots=True)
    class Fresh:
        name: str
        size: int = 3
        more: Mapping[str, int] = frozen.field(default_factory=dict)

    for at in range(3 * frozen.UNCOMPILED):  # type: ignore[attr-defined]
        for value, same in ((Fresh("a"), Real("a")), (Fresh("a", 1, {"b": at}), Real("a", 1, {"b": at})), (Fresh(size=at, name="c"), Real(size=at, name="c"))):
            assert dataclasses.asdict(value) == dataclasses.asdict(same)  # type: ignore[call-overload]
        assert Fresh("a").more is not Fresh("a").more
        for wrong in (lambda: Fresh(), lambda: Fresh("a", 1, {}, 2), lambda: Fresh("a", other=1), lambda: Fresh("a", name="b")):  # type: ignore[call-arg, misc]
            with pytest.raises(TypeError):
                wrong()
