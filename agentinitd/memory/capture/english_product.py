"""English demands on what is built, not on how it is written: what players, guests and buttons do."""

from __future__ import annotations

import re

_ONES = (
    r"(?:in (?:each|every|the) [\w-]+ )?(?:(?:the|an?|each|every|all|any|no|only|new|expired|locked|unpaid"
    r"|logged[- ](?:in|out)|registered) )*"
)
_PLAYS = (
    r"(?:players?|enem(?:y|ies)|monsters?|npcs?|zombies?|heroes|hero|opponents?|units?(?= (?:must|can"
    r"|never|always) (?:move|attack"
    r"|walk))|bird|birds|ball|balls|snake|ghosts?|shoppers?|buyers?|sellers?|guests?|visitors?|students?"
    r"|pupils?|teachers?"
    r"|patients?|doctors?|nurses?|passengers?|riders?|subscribers?|moderators?|employees?|voters?"
    r"|candidates?|members?"
    r"|users?|customers?|admins?|authors?|editors?|managers?|coupons?|vouchers?|seats?|bookings?"
    r"|reservations?|carts?"
    r"|baskets?|accounts?|invoice numbers?|order numbers?)"
)
_SEEN = (
    r"(?:buttons?|modals?|pop-?ups?|dialogs?|forms?|lists?|menus?|screens?|maps?|timers?|clock"
    r"|search(?: ?box| field| bar)?|dropdowns?"
    r"|banners?|tooltips?|toasts?|side ?bars?|chat|bot|chatbot|scoreboard|leaderboard|calendar|map|cart"
    r"|badge|checkout|widget"
    r"|slider|spinner|carousel|video|animation|camera)"
)
_MODAL = (
    r"(?:must|should|shall|may|can|cannot|can'?t|has to|have to|needs? to|is to|are to|will)(?:n'?t| not)?"
)
_DOES = (
    r"(?:show|hide|close|open|submit|stop|start|scroll|appear|disappear|blink|reset|display|pop|update"
    r"|refresh|load|jump|flicker"
    r"|ignore|reply|answer|lose|keep|remember|accept|play|pause|move|follow|fade|slide|expand|collapse"
    r"|turn|count|ring|react"
    r"|respond|forget|shrink|grow|list|only show|lock|sort|zoom)"
)
_ACTS = re.compile(
    rf"(?:{_ONES}(?:[\w-]+ )?{_PLAYS}|(?:every|each|an?|no) (?:order|invoice))"
    rf" (?:who [\w ]{{2,20}} )?(?:{_MODAL} (?:always |only |never |ever |also "
    rf"|still )*(?!(?:not|change|stay|remain)"
    r"\b)[a-z]+|(?:always|never|only) [a-z]+|gets?|starts?|loses?|sees?|needs?)\b",
    re.IGNORECASE,
)
_BEHAVES = re.compile(
    rf"{_ONES}(?:[\w-]+ )?{_SEEN} {_MODAL} (?:always |only |never |ever |also |still "
    rf"|immediately )*{_DOES}\b",
    re.IGNORECASE,
)
_ON_STATE = re.compile(
    r"(?:if|when|whenever|once|as soon as) (?:the|an?|no|there(?:'s| is| are)) [^,;]+?,? (?:just |then "
    r"|please |we |it should )*"
    r"(?:show|display|hide|redirect|render|highlight|disable|enable|collapse|expand|scroll|navigate|blink"
    r"|gr[ae]y out)"
    r" (?!(?:me|us)\b)",
    re.IGNORECASE,
)
"""What is then to be seen."""
_ON_HOVER = re.compile(
    r"(?:if|when|whenever|once|as soon as|after) (?:you|i|we|someone|somebody|users?"
    r"|the user) (?:double[- ]?|right[- ]?|long[- ]?)?(?:click"
    r"|press|tap|scroll|hover|drag|swipe|resize|zoom|log in|log out|sign in|sign out)s?\b",
    re.IGNORECASE,
)
_APPEARS = re.compile(
    r"(?:(?:when|if|once|after|until|as soon as) [^,;]{2,50}?,? )?(?:the|an?|each|every"
    r"|all) (?:[\w-]+ ){1,3}?(?:must|should|shall|has to"
    r"|have to|needs? to)(?: not|n'?t| never)?(?: always| also| still| never)* (?:show|hide"
    r"|disappear|appear|blink|pop up"
    r"|light up|fade|vanish|turn (?:red|green|grey|gray|blue)|be (?:visible|hidden|disabled|enabled"
    r"|greyed out|clickable|shown|sortable"
    r"|searchable|collapsed|expanded|centered))\b",
    re.IGNORECASE,
)
_ON_OUTCOME = re.compile(
    r"(?:if|when|whenever|once|as soon as) (?:an?|the) (?:payment|order|login|upload|download|checkout"
    r"|session"
    r"|subscription|card|account|message|booking|import|export|invoice|coupon|game"
    r"|match) [a-z]+s?(?: out)?,? (?:the|an?"
    r"|it|they|nothing|no) [^,;]*\b(?:must|should|has to|have to|stays?|may|can|is|are|gets?)\b",
    re.IGNORECASE,
)
_OF_CODE = re.compile(
    r"`|\w\(|\w_\w|[\w-]/[\w-]|\b(?:tests?|code|commits?|functions?|modules?|classes|api|handlers?|queries"
    r"|query|components?"
    r"|tokens?|passwords?|secrets?|stack ?traces?|exceptions?|internal ids?|raw|logs?(?! (?:in|out)\b)"
    r"|logged(?! (?:in|out)\b)|sql|table"
    r"|model|schema|type|endpoint"
    r"|import|names?|in this (?:repo|project|codebase)|here|facing)\b",
    re.IGNORECASE,
)


_THEY_DO = re.compile(
    r"(?:visitors|players|users|customers|guests|students|teachers|patients|members|buyers|sellers"
    r"|shoppers|readers"
    r"|passengers|subscribers|enemies|agents) (?!never|always|must|should)[a-z]+ (?:an?|the|their|from|it"
    r"|to|in|on|for)\b",
    re.IGNORECASE,
)
_SPOKEN = re.compile(
    r"^no \w|\b(?:please|pls|don'?t|do not|never|always|keep|only|must|should)\b", re.IGNORECASE
)


def is_product(clause: str, sentence: str) -> bool:
    """What those who use the thing may do, and how it behaves before their eyes."""
    if _THEY_DO.match(sentence) and not _SPOKEN.search(clause):
        return True
    if _ON_HOVER.match(clause):
        return True
    is_seen = any(sign.match(clause) for sign in (_ON_STATE, _ON_OUTCOME, _ACTS, _BEHAVES, _APPEARS))
    return is_seen and not _OF_CODE.search(clause)
