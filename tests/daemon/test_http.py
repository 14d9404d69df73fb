"""Requests and answers as values, and the table of routes."""

from __future__ import annotations

import json
from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.daemon.http import HttpAnswer, HttpError, HttpRequest, Route, find_route, json_answer


async def nothing(_request: HttpRequest, _parts: Mapping[str, str]) -> HttpAnswer:
    return HttpAnswer()


ROUTES = (
    Route(method="GET", pattern="/v1/runs", handler=nothing),
    Route(method="GET", pattern="/v1/runs/{id}", handler=nothing),
    Route(method="POST", pattern="/v1/hook/{agent}", handler=nothing, is_slow=True),
    Route(method="DELETE", pattern="/v1/runs", handler=nothing),
)


def ask(method: str, target: str) -> HttpRequest:
    return HttpRequest(method=method, target=target)


class TestRequest:
    @pytest.mark.parametrize(
        ("target", "path", "query"),
        [
            ("/v1/snippet", "/v1/snippet", {}),
            ("/v1/snippet?project=/home/me&task=", "/v1/snippet", {"project": "/home/me", "task": ""}),
            ("/v1/snippet?a=1&a=2", "/v1/snippet", {"a": "2"}),
            ("/v1/snippet?p=%E7%BA%A6%20x+y", "/v1/snippet", {"p": "约 x y"}),
            ("/v1/snippet?p=%FF%", "/v1/snippet", {"p": "\ufffd%"}),
            ("/v1/snippet?a?b=c", "/v1/snippet", {"a?b": "c"}),
            ("http://localhost/v1/snippet?a=1", "/v1/snippet", {"a": "1"}),
            ("http://localhost", "/", {}),
            ("//[/v1", "//[/v1", {}),
            ("*", "*", {}),
            ("", "", {}),
        ],
    )
    def test_a_target_is_path_and_query(self, target: str, path: str, query: dict[str, str]) -> None:
        request = ask("GET", target)

        assert (request.path, request.query) == (path, query)

    @given(st.text())
    def test_any_target_has_a_path_and_a_route_or_an_error(self, target: str) -> None:
        request = ask("GET", target)

        assert isinstance(request.query, dict)
        try:
            find_route(ROUTES, request)
        except HttpError as error:
            assert error.status in (404, 405)


class TestRoutes:
    def test_a_part_in_braces_is_handed_over_by_name(self) -> None:
        route, parts = find_route(ROUTES, ask("POST", "/v1/hook/claude-code"))

        assert (route.pattern, route.is_slow, parts) == ("/v1/hook/{agent}", True, {"agent": "claude-code"})

    def test_a_part_is_decoded_after_it_was_cut_so_that_no_slash_comes_in(self) -> None:
        _, parts = find_route(ROUTES, ask("GET", "/v1/runs/..%2f%E7%BA%A6"))

        assert parts == {"id": "../约"}

    @pytest.mark.parametrize(
        "target", ["/", "/v1", "/v1/runs/1/2", "/v1/runs/1/", "/v1/hook", "v1/runs", "/V1/runs"]
    )
    def test_an_unknown_path_is_404_and_names_a_place_to_start(self, target: str) -> None:
        with pytest.raises(HttpError, match="/v1/status") as caught:
            find_route(ROUTES, ask("GET", target))

        assert caught.value.status == 404

    @pytest.mark.parametrize("method", ["POST", "HEAD", "PUT", "get"])
    def test_another_verb_on_a_known_path_is_405(self, method: str) -> None:
        with pytest.raises(HttpError, match=f"{method} is not possible") as caught:
            find_route(ROUTES, ask(method, "/v1/runs"))

        assert caught.value.status == 405

    def test_two_verbs_share_a_path(self) -> None:
        assert find_route(ROUTES, ask("DELETE", "/v1/runs"))[0].method == "DELETE"


class TestAnswers:
    def test_an_error_is_a_status_and_a_message_in_json(self) -> None:
        answer = HttpError(404, 'nothing "there"').answer

        assert answer.status == 404
        assert answer.content_type == "application/json"
        assert json.loads(answer.body) == {"error": 'nothing "there"'}

    def test_a_value_is_one_line_of_json(self) -> None:
        assert json_answer({"a": "约", "b": [1, None]}).body == '{"a":"约","b":[1,null]}\n'.encode()
