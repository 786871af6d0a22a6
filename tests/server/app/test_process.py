"""The process of a headless server."""

import sys

import pytest

from tests.support.child_python import in_child


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no core files")
def test_fault_92_a_crash_leaves_no_core_file_with_the_key() -> None:
    code = """
    import resource
    from server.app.process import leave_no_core_file
    resource.setrlimit(resource.RLIMIT_CORE, (resource.getrlimit(resource.RLIMIT_CORE)[1],) * 2)
    leave_no_core_file()
    print(resource.getrlimit(resource.RLIMIT_CORE)[0])
    """
    assert in_child(code) == ["0"]
