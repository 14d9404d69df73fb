from __future__ import annotations

from laying import House, header, link, write

from agentinitd.rc.survey import Survey, survey


def look(house: House) -> Survey:
    return survey(house.layers, house.judge())


def test_one_reading_tells_scripts_steps_and_what_is_wrong(house: House) -> None:
    write(house.init_d("vendor", "S10-a"), header("Short-Description: a"))
    early = write(house.init_d("user", "S05-b"), header("Short-Description: b", "Default-Start:"))
    gone = link(house.rc_d("user", "slim", "S60-gone"), "../../init.d/S60-gone")
    write(house.rc_d("user", "manual", "@slim"), "")
    write(house.rc_d("user", "slim", "@manual"), "")
    found = look(house)

    assert [step.name for step in found.steps("session")] == ["S10-a"]
    assert [script.name for script in found.unassigned()] == ["S05-b"]
    assert found.findings == (
        f"{gone}: error: dangling: no init.d holds gone",
        "error: runlevels stack in a loop: slim -> manual -> slim",
        "error: runlevels stack in a loop: manual -> slim -> manual",
        f"{early}: warning: 05 is outside 50-89, the plan for user scripts",
    )


def test_without_any_script_there_is_nothing_to_say(house: House) -> None:
    found = look(house)
    assert (found.scripts, found.entries, found.findings) == ((), (), ())
