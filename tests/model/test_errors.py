"""What went wrong is told by a type, and the type by an exit code."""

from __future__ import annotations

from agentinitd.model import errors


def test_the_exit_codes_are_those_that_units_and_scripts_rely_on() -> None:
    codes = {kind.__name__: kind.exit_code for kind in errors.AgentinitdError.__subclasses__()}

    assert errors.AgentinitdError.exit_code == 1
    assert codes == {
        "UsageError": 2,
        "PermissionRefused": 4,
        "NotInstalled": 5,
        "NotConfigured": 6,
        "MemoryRefused": 1,
        "NotRunning": 7,
        "AlreadyRunning": 151,
    }


def test_a_conflict_is_a_refusal() -> None:
    assert issubclass(errors.MemoryConflict, errors.MemoryRefused)
    assert errors.MemoryConflict.exit_code == 1
