"""English nouns for what an agent writes: what is said of these in general is how to work."""

from __future__ import annotations

import re

_WRITTEN = (
    r"commits?|prs?|pull requests?|branch(?:es)?|(?<!old )tests?|endpoints?|functions?|methods?|class(?:es)?"
    r"|modules?|migrations?|docs?|docstrings?|comments?|code|names?|repl(?:y|ies)|answers?|diffs?"
    r"|dependenc(?:y|ies)|types?|imports?|handlers?|components?|variables?"
)
_SHOWN = (
    r"|messages?|strings|errors?|plots?|figures?|changelog(?: entries)?|logs?|headings?|constants?|packages?"
    r"|hooks?|fixtures?|env vars?|timestamps?|dates?|amounts?|prices|releases?"
)
_MADE = (
    r"|scripts?|helpers?|structs?|enums?|interfaces?|traits?|macros?|templates?|styles?|stylesheets?|shaders?"
    r"|views?|controllers?|routes?|services?|tables?|columns?|fields?|indexes|index|schemas?|settings?"
    r"|flags?|options?|configs?|keys?|ids?|images?|containers?|workflows?|pipelines?|steps?|notebooks?"
    r"|experiments?|seeds?|labels?|icons?|colou?rs?|resources?|charts?|dashboards?|alerts?|metrics?"
    r"|benchmarks?|snapshots?|mocks?|stubs?|exceptions?|assertions?|specs?|cases?|tickets?|issues?|tasks?"
    r"|fix(?:es)?|bugs?|changes?|features?|versions?|tags?|lines?|sections?|summar(?:y|ies)|explanations?"
    r"|repos?|repositor(?:y|ies)|projects?|apps?|librar(?:y|ies)|crates?|plugins?|buttons?|screens?|urls?"
    r"|paths?|director(?:y|ies)|folders?|fns?|props?|callbacks?|mutations?|resolvers?|events?|timeouts?"
    r"|todos?"
)
WRITTEN = re.compile(rf"\b(?:{_WRITTEN}|files?|quer(?:y|ies))\b", re.IGNORECASE)
"""What is edited and committed."""
HEADED_BY_WORK = re.compile(rf"\b(?:{_WRITTEN}{_SHOWN})\s*$", re.IGNORECASE)
"""A subject whose last word is one."""
IS_WORK = re.compile(
    rf"(?:`|[\w-]+[/_.]\w[\w./-]*|\b(?:{_WRITTEN}{_SHOWN}{_MADE}|files?|quer(?:y|ies)))$", re.IGNORECASE
)
"""The name of a thing that is made by whoever builds."""
