"""Our entries come and go; everybody else's stay as they are."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.integrations import claude_code
from agentinitd.integrations.hook_entries import is_ours
from agentinitd.integrations.settings_json import NotJson

COMMAND = "/opt/py/bin/python3 -I -S /opt/lib/agentinitd/hook.py claude-code 2>/dev/null || :"
UNGUARDED = "/opt/py/bin/python3 -I -S /opt/lib/agentinitd/hook.py claude-code"
OLD_COMMAND = "'/home/a b/bin/python' -I -S '/home/a b/agentinitd/hook.py' claude-code"

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda children: (
        st.lists(children, max_size=3) | st.dictionaries(st.text(max_size=6), children, max_size=3)
    ),
    max_leaves=6,
)
FOREIGN_GROUP = st.fixed_dictionaries(
    {
        "hooks": st.lists(
            st.fixed_dictionaries({"type": st.just("command"), "command": st.text()}) | JSON, max_size=3
        )
    },
    optional={"matcher": st.text(max_size=4), "future": JSON},
)
EVENT_NAMES = st.sampled_from([*claude_code.EVENTS, "PreToolUse", "Notification"])
HOOKS = st.dictionaries(EVENT_NAMES, st.lists(FOREIGN_GROUP | JSON, max_size=3), max_size=5)
SETTINGS = st.builds(
    lambda rest, hooks: rest if hooks is None else {**rest, "hooks": hooks},
    st.dictionaries(st.text(max_size=6).filter(lambda key: key != "hooks"), JSON, max_size=4),
    st.none() | HOOKS,
)
INDENTS = st.sampled_from([None, 2, 4, "\t"])


def groups_of(text: str, event: str) -> list[object]:
    return list(json.loads(text)["hooks"].get(event, []))


def ours_in(text: str) -> dict[str, int]:
    """Event → how often our command is there; a foreign one may well speak of `hook.py`."""
    hooks = json.loads(text).get("hooks", {})
    found = {event: json.dumps(groups).count(COMMAND) for event, groups in hooks.items()}
    return {event: count for event, count in found.items() if count}


@given(SETTINGS, INDENTS, st.sampled_from(["", "\n", "\r\n"]))
def test_installing_and_leaving_gives_the_same_text(settings, indent, end):
    text = json.dumps(settings, indent=indent, ensure_ascii=False) + end
    created = claude_code.missing(text)

    larger = claude_code.install(text, COMMAND)

    assert ours_in(larger) == dict.fromkeys(claude_code.EVENTS, 1)
    assert claude_code.install(larger, COMMAND) == larger
    assert claude_code.uninstall(larger, created) == text


@given(SETTINGS, INDENTS)
def test_what_belongs_to_others_is_untouched(settings, indent):
    text = json.dumps(settings, indent=indent)

    larger = json.loads(claude_code.install(text, COMMAND))

    hooks = larger.pop("hooks")
    others = {
        event: [group for group in groups if COMMAND not in json.dumps(group)]
        for event, groups in hooks.items()
    }
    before = dict(settings)
    old = before.pop("hooks", {})
    assert larger == before
    assert {event: groups for event, groups in others.items() if groups or event in old} == old
    assert [*hooks][: len(old)] == [*old]


@given(SETTINGS, INDENTS)
def test_leaving_without_a_record_takes_only_what_becomes_empty(settings, indent):
    text = json.dumps(settings, indent=indent)

    left = json.loads(claude_code.uninstall(claude_code.install(text, COMMAND)) or "null")

    def pruned(value):
        hooks = {event: groups for event, groups in value.get("hooks", {}).items() if groups}
        return {
            **{key: item for key, item in value.items() if key != "hooks"},
            **({"hooks": hooks} if hooks else {}),
        }

    assert pruned(left) == pruned(settings)


def test_a_moved_interpreter_replaces_our_entry_in_its_place():
    old = claude_code.install('{"hooks": {"Stop": [{"hooks": []}]}}', OLD_COMMAND)
    others = json.loads(old)
    others["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "later"}]})

    new = claude_code.install(json.dumps(others), COMMAND)

    assert OLD_COMMAND not in json.dumps(json.loads(new))
    assert ours_in(new) == dict.fromkeys(claude_code.EVENTS, 1)
    assert [group["hooks"][0]["command"] if group["hooks"] else "" for group in groups_of(new, "Stop")] == [
        "",
        COMMAND,
        "later",
    ]


def test_a_command_without_a_guard_is_replaced_and_uninstalled():
    old = claude_code.install("{}", UNGUARDED)

    new = claude_code.install(old, COMMAND)

    assert new.count(COMMAND) == new.count(UNGUARDED) == len(claude_code.EVENTS)
    assert claude_code.uninstall(old) == claude_code.uninstall(new) == "{}"


def test_doubles_and_entries_put_among_others_become_one():
    own = {"type": "command", "command": COMMAND}
    other = {"type": "command", "command": "other"}
    settings = {"hooks": {"Stop": [{"hooks": [other, own]}, {"hooks": [own]}, {"hooks": [own, own]}]}}

    text = claude_code.install(json.dumps(settings, indent=2), COMMAND)

    assert groups_of(text, "Stop") == [{"hooks": [other]}, {"hooks": [{**own, "timeout": 5}]}]
    assert json.loads(claude_code.uninstall(text) or "") == {"hooks": {"Stop": [{"hooks": [other]}]}}


def test_a_later_neighbour_survives_our_leaving():
    created = claude_code.missing("{}")
    settings = json.loads(claude_code.install("{}", COMMAND))
    third = {"hooks": [{"type": "command", "command": "third"}]}
    settings["hooks"]["SessionStart"].append(third)

    left = claude_code.uninstall(json.dumps(settings), created)

    assert json.loads(left or "") == {"hooks": {"SessionStart": [third]}}


def test_a_file_made_for_us_goes_and_one_that_was_there_stays():
    for text in (None, "{}"):
        created = claude_code.missing(text)
        left = claude_code.uninstall(claude_code.install(text, COMMAND), created)
        assert left == text


def test_comments_of_others_keep_a_container_alive():
    text = claude_code.install('{"hooks": {\n  // mine\n}}', COMMAND)

    assert claude_code.uninstall(text, frozenset({"hooks", "hooks.Stop"})) is not None
    assert "// mine" in (claude_code.uninstall(text) or "")


@pytest.mark.parametrize(
    "text", ["[]", '{"hooks": []}', '{"hooks": {"Stop": {}}}', "null", '{"hooks": {"Stop": 1}}']
)
def test_settings_of_another_shape_are_refused(text):
    with pytest.raises(NotJson):
        claude_code.install(text, COMMAND)


@pytest.mark.parametrize(
    "command",
    [
        COMMAND,
        UNGUARDED,
        OLD_COMMAND,
        "/x/bin/agentinitd-hook claude-code 2>/dev/null || :",
        "/x/bin/agentinitd-hook claude-code",
        "python3 /x/agentinitd/hook.py claude-code",
        "/x/agentinitd/hook.py claude-code",
    ],
)
def test_ours_is_known_under_any_path(command):
    assert is_ours(command, "claude-code")


@pytest.mark.parametrize(
    "command",
    [
        None,
        5,
        "",
        "'",
        "claude-code",
        "/opt/other/hook.py claude-code",
        "/x/agentinitd/hook.py codex",
        "nice /x/bin/agentinitd-hook claude-code",
        "env A=1 python /x/agentinitd/hook.py claude-code",
        "python /x/agentinitd/hook.py claude-code || true",
        "python /x/agentinitd/hook.py claude-code 2>/dev/null || : && echo more",
        "nice python /x/agentinitd/hook.py claude-code 2>/dev/null || :",
        "/x/agentinitd/hook.py codex 2>/dev/null || :",
        " 2>/dev/null || :",
    ],
)
def test_what_others_wrote_is_theirs(command):
    assert not is_ours(command, "claude-code")


class TestOwnCommands:
    def test_each_of_ours_once_and_none_of_others(self):
        text = claude_code.install('{"hooks": {"Stop": [{"hooks": [{"command": "theirs"}]}]}}', COMMAND)
        text = text.replace(json.dumps(COMMAND), json.dumps(OLD_COMMAND), 1)

        assert sorted(claude_code.commands(text)) == sorted([OLD_COMMAND, COMMAND])

    @pytest.mark.parametrize("text", ["", "{}", '{"hooks": {"Stop": 3}}'])
    def test_none_where_there_are_none(self, text):
        assert claude_code.commands(text) == ()
