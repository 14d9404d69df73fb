"""Faults in the runlevels of a project: links that lead nowhere or too far, and what nobody approved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

SCRIPT = "#!/bin/sh\necho '- Evil'\n"


def lay(place: Any, name: str, *, link: str | None = None, text: str = "", mode: int = 0o644) -> Path:
    """An entry of `rc.d/session.d/` of the project."""
    path: Path = place.root / ".agent-memory" / "rc.d" / "session.d" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    if link is not None:
        path.symlink_to(link)
    else:
        path.write_text(text)
        path.chmod(mode)
    return path


FAULTS: dict[str, tuple[str, dict[str, Any], str]] = {
    "out of all layers": (
        "S60-odd",
        {"link": "../../../../odd"},
        "leads to no init.d of this or a lower layer",
    ),
    "absolute": ("S60-odd", {"link": "/bin/sh"}, "links are relative"),
    "to nothing": ("S60-more", {"link": "../../init.d/S60-more"}, "dangling: no init.d holds more"),
    "to another key": ("S60-more", {"link": "../../init.d/S50-odd"}, "the link is called more"),
    "a real script": ("S60-odd", {"text": SCRIPT, "mode": 0o755}, "real file in rc.d"),
    "a real text": ("S60-odd", {"text": "a\nb\n"}, "real file in rc.d"),
    "no such level": ("@tomorrow", {}, "no runlevel tomorrow"),
    "a loop of levels": ("@session", {}, "pending-trust: not approved"),
    "a removal of a vendor script": ("S10-constraints", {}, "pending-trust: not approved"),
    "a removal of a person's script": ("S80-neighbour", {}, "pending-trust: not approved"),
    "a vendor script at another place": (
        "S99-constraints",
        {"text": "../../init.d/S10-constraints"},
        "pending-trust: not approved",
    ),
}


@pytest.mark.parametrize("kind", FAULTS)
def test_an_entry_that_is_not_followed_changes_nothing_and_is_told(place: Any, kind: str) -> None:
    """RL-1, RL-2, RL-6, TRU-7: what runs is what would have run without it."""
    name, told_so, reason = FAULTS[kind]
    place.script("S50-odd", "echo '- Odd'")
    path = lay(place, name, **told_so)

    told = place.starts()

    assert "Evil" not in told.text
    assert "- Odd" in told.lines
    assert [each["script"] for each in told.run["scripts"]].index("S10-constraints") == 0
    ignored = [text for text in place.daemon.get("/v1/status")["ignored"] if text.startswith(f"{path}: ")]
    assert len(ignored) == 1
    assert reason in ignored[0]
    place.assert_others_delivered(told)


def test_a_folder_of_a_level_that_leads_out_of_the_project_is_not_followed(
    place: Any, tmp_path: Path
) -> None:
    """RL-1."""
    (tmp_path / "elsewhere" / "session.d").mkdir(parents=True)
    (tmp_path / "elsewhere" / "session.d" / "S10-constraints").touch()
    (place.root / ".agent-memory" / "rc.d").symlink_to(tmp_path / "elsewhere")

    told = place.starts()

    ignored = [text for text in place.daemon.get("/v1/status")["ignored"] if str(place.root) in text]
    assert ignored == [f"{place.root}/.agent-memory/rc.d: leads out of the project"]
    place.assert_others_delivered(told)
