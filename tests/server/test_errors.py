"""Errors that travel in groups."""

from server.errors import errors_within


def test_the_errors_in_nested_groups_come_out_in_order() -> None:
    one, two, three = ValueError("1"), KeyboardInterrupt(), OSError("3")
    group = BaseExceptionGroup("outer", [BaseExceptionGroup("inner", [one, ExceptionGroup("", [three])]), two])
    assert list(errors_within(group)) == [one, three, two]
    assert list(errors_within(one)) == [one]
