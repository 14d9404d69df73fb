#!/usr/bin/env python3
"""Reads rules out of a session with a model: an example for `capture_command` in agentinitd.yaml.

    capture_command: [python3, /path/to/capture-with-model.py]

Standard input is `{"v": 1, "session": "…", "turns": [{"who": "person", "line": 7, "text": "…"}, …]}`,
standard output is `{"proposals": [{"line": 7, "quote": "…", "polarity": "do_not", …}]}`.  A quote must
stand in the turn letter by letter, or agentinitd drops it.  Set ANTHROPIC_API_KEY or OPENAI_API_KEY;
*_BASE_URL and *_MODEL choose another server or model.  Only the standard library is used.
"""

import json
import os
import sys
import urllib.request

INSTRUCTIONS = """You read the last turns of a coding session. List what the PERSON laid down for the work
to come: bans, demands, preferences, exact commands, ports, branches, versions, languages; and what they took
back. Leave out questions, pasted text, quotations, hearsay, one-off orders and remarks.
Answer with JSON only: {"proposals": [{"line": <line of the turn>, "quote": <the person's own clause, copied
letter by letter>, "act": "state" or "withdraw", "polarity": "do" or "do_not", "force": "hard" or "soft",
"scope": "once", "task", "project" or "always", "confidence": 0..1}]}. An empty list is a good answer."""


def ask(turns):
    text = json.dumps(turns, ensure_ascii=False)
    if os.environ.get("ANTHROPIC_API_KEY"):
        base = os.environ.get("ANTHROPIC_BASE_URL", "https://api.anthropic.com")
        answer = post(
            base + "/v1/messages",
            {"x-api-key": os.environ["ANTHROPIC_API_KEY"], "anthropic-version": "2023-06-01"},
            {
                "model": os.environ.get("ANTHROPIC_MODEL", "claude-haiku-4-5"),
                "max_tokens": 2000,
                "system": INSTRUCTIONS,
                "messages": [{"role": "user", "content": text}],
            },
        )
        return "".join(part.get("text", "") for part in answer["content"])
    base = os.environ.get("OPENAI_BASE_URL", "https://api.openai.com/v1")
    answer = post(
        base + "/chat/completions",
        {"Authorization": "Bearer " + os.environ["OPENAI_API_KEY"]},
        {
            "model": os.environ.get("OPENAI_MODEL", "gpt-5-mini"),
            "messages": [{"role": "system", "content": INSTRUCTIONS}, {"role": "user", "content": text}],
        },
    )
    return answer["choices"][0]["message"]["content"]


def post(url, headers, body):
    headers = {"Content-Type": "application/json", **headers}
    request = urllib.request.Request(url, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=25) as response:
        return json.load(response)


told = json.load(sys.stdin)
answer = ask(told["turns"])
print(answer[answer.index("{") : answer.rindex("}") + 1])
