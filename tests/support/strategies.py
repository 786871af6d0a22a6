"""Any value of any type of the protocol, made from its annotations."""

from typing import Any

import msgspec
from hypothesis import strategies as st
from msgspec import inspect

WORDS = st.text(st.characters(codec="utf-8"), max_size=8)
NUMBERS = st.integers(-(2**63), 2**64 - 1)


def values(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Values of a struct, union or plain type, small enough for every limit of the codec."""
    return _of(inspect.type_info(kind), 0)


def _of(info: inspect.Type, depth: int) -> st.SearchStrategy[Any]:
    match info:
        case inspect.BoolType():
            return st.booleans()
        case inspect.IntType():
            return NUMBERS
        case inspect.StrType():
            return WORDS
        case inspect.BytesType():
            return st.binary(max_size=8)
        case inspect.NoneType():
            return st.none()
        case inspect.LiteralType(values=allowed):
            return st.sampled_from(allowed)
        case inspect.UnionType(types=types):
            return st.one_of([_of(one, depth) for one in types])
        case inspect.TupleType(item_types=types):
            return st.tuples(*[_of(one, depth) for one in types])
        case inspect.VarTupleType(item_type=item):
            return st.lists(_of(item, depth + 1), max_size=max(0, 3 - depth)).map(tuple)
        case inspect.ListType(item_type=item):
            return st.lists(_of(item, depth + 1), max_size=max(0, 3 - depth))
        case inspect.StructType(cls=cls, fields=fields):
            parts = {field.name: _of(field.type, depth) for field in fields}
            return st.builds(_maker(cls), **parts)
        case _:
            raise NotImplementedError(f"no values for {info}")


def _maker(cls: type[msgspec.Struct]) -> Any:
    def make(**fields: Any) -> msgspec.Struct:
        return cls(**fields)

    return make
