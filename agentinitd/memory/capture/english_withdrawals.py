"""How English takes back what was said, and allows what was forbidden."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import CHANGE, LANGUAGE, form
from agentinitd.memory.capture.english_verbs import ORDER

WITHDRAWALS = (
    form(
        "whenever-you-like",
        rf"(?:please |so |just |you can |you may )*(?!(?:ask|tell|stop|ping|say|warn)\b){ORDER}"
        r" [^,;]{2,60}? (?:whenever|any ?time|as often as) you"
        r" (?:need|want|like|feel like|wish|please)(?: to| it)?$",
        act="withdraw",
        is_permission=True,
        confidence=0.8,
        cue=r"whenever|anytime|any time|as often as",
    ),
    form(
        "lift",
        r"(?:please |you can |you may |we can |let'?s |lets |i |we |i hereby )*(?:forget(?: about)?|drop"
        r"|scratch|ignore"
        r"|disregard|never ?mind|lift|cancel|remove|revoke|retract|undo|take back|skip|ditch"
        r"|lose)\s(?:what i said (?:about|on|regarding) [^,;]+|(?:the|that|my|this|all the|our"
        r"|your)?\s?[^,;]{0,60}?(?:\b(?:rule|thing|ban|restriction|constraint|requirement|request"
        r"|convention|policy|limit|freeze|bit about|part about|stuff)s?\b[^,;]*)|the [\w-]+ again)",
        act="withdraw",
    ),
    form(
        "lift-about",
        r"(?:please )?(?:never ?mind|forget|scratch that|ignore|strike that"
        r"|disregard)(?: (?:what i (?:said|wrote|asked))?)? ?(?:about|on|regarding) "
        r"(?!it\b|that\b|this\b|using\b|doing\b|adding\b|the (?:test|error|bug|build)\b)[^,;]+",
        act="withdraw",
        confidence=0.85,
    ),
    form(
        "lift-back",
        r"(?:i )?(?:take (?:that|it|this|what i said[^,;]*|the [\w -]{2,30} (?:rule|ban)) back"
        r"|scratch that|strike that|(?:(?:that|the(?: [\w -]{2,40})?|this) )?(?:rule|ban|restriction"
        r"|constraint"
        r"|requirement|limit|limitation|freeze)(?: (?:about|on|for|against) [^,;]+?)? (?:is (?:gone|lifted"
        r"|over(?! \d)|off"
        r"|no longer \w+|obsolete|void|cancelled|dropped|removed)|no longer (?:applies|holds|counts"
        r"|stands)|(?:doesn'?t|does not) (?:apply|hold|count)(?! as\b)(?: any ?more)?|can go))",
        act="withdraw",
    ),
    form(
        "no-need",
        r"(?:there(?:'s| is) )?(?:(?:you|we) can stop (?!here|now)\w+ing [^,;]+|no (?:more )?need (?:to"
        r"|for) [^,;]+|no longer (?:need|necessary|required)[^,;]*|(?:you|we|i) (?:no longer (?:need"
        r"|have)|needn'?t|(?:don'?t|do not|dont) (?:need|have))(?: (?:to |you to )[^,;]+| (?:the "
        r"|any )?[^,;]+? (?:any ?more|anymore|now|every time|each time|always|again))$"
        r"|not necessary to [^,;]+ any ?more)",
        act="withdraw",
        confidence=0.85,
    ),
    form(
        "not-needed",
        r"(?P<subject>[^,;]{2,60}?) (?:(?:is|are) (?:no longer|not) (?:needed|required|necessary"
        r"|mandatory|a (?:requirement|rule|must))|(?:isn'?t|aren'?t) (?:needed|required|necessary"
        r"|mandatory|a (?:requirement|rule|must))|no longer (?:needs?|requires?) [^,;]+|(?:doesn'?t"
        r"|don'?t) (?:need|require) [^,;]+(?= any ?more))(?: any ?more| anymore| now)?",
        act="withdraw",
        confidence=0.85,
    ),
    form(
        "allowed",
        r"(?P<subject>(?!(?:nothing|nobody|none|no|only|neither|your|explain|how|what|tell|show|if|when"
        rf"|because)\b)(?:[^\s,;]+ ){{0,5}}?[^\s,;]+) (?:(?:is|are) (?:totally |perfectly |now "
        r"|again )*(?:fine|ok(?:ay)?|allowed|permitted|acceptable|welcome|fair game|open|unlocked"
        r"|free(?: to)?|up for grabs|cool|no (?:longer|more) (?:off[ -]limits?|frozen|forbidden|banned"
        r"|taboo)|back on the table)(?: (?:again|now|with me|by me|to|from now on|for now|after all|in|on|for"
        r"|by me|from|here|everywhere|at|except|apart|other than|but|besides|i guess|too|as well|then|since"
        r"|because)\b"
        rf"[^,;]*)?$|(?:may|can) (?:now |again |also )*be {CHANGE}\w*\b[^,;]*|(?:may|can) now be \w+\b"
        rf"|(?:may|can) (?:now |again |also )*(?:change|move|grow|break|differ)\b[^,;]*)",
        act="withdraw",
        is_permission=True,
        confidence=0.8,
    ),
    form(
        "you-may",
        r"(?:(?:and |so |ok |now )?(?:you|u|we(?= (?:can|may) (?:now|again)))(?:'re| are)? (?:(?:can"
        r"|may) (?:now |again |also |of course |totally |freely |safely )*(?!(?:[\w/. ]+ )?(?:exactly"
        r"|only|at most|nothing but)\b|(?:write|talk|speak|answer|reply|respond)\b.* in [A-Za-z]+ese\b"
        r"|(?:write|talk|speak|answer|reply|respond) (?:to me |with me )?in\b|not|never|always|see"
        r"|find|imagine|guess|tell|look|check|read|start with|begin|reproduce|also see|stop"
        r"|expect)[a-z]+|(?:now )?(?:allowed|free|welcome|permitted) to)\b[^,;]*|feel free to [^,;]+"
        r"|we (?:can|may) (?!not\b|only\b|never\b)[a-z]+ [^,;]*\b(?:now|again|after all|from now on)\b[^,;]*"
        r"|go ahead and (?!do it|implement\b$|start|continue|fix)[^,;]+|it(?:'s| is) (?:ok(?:ay)?|fine"
        r"|alright|all right|allowed) (?:now |again )?to [^,;]+|(?:i'?m|i am) (?:ok|okay|fine"
        r"|cool) with [^,;]+|i don'?t mind (?!if it)[^,;]+)",
        act="withdraw",
        is_permission=True,
        confidence=0.75,
    ),
    form(
        "may-inverted",
        r"(?:the |our )[\w./-]+(?: [\w./-]+)? (?:you|we) (?:may|can) [a-z]+$",
        act="withdraw",
        is_permission=True,
        confidence=0.7,
    ),
    form(
        "is-over",
        r"(?:(?:the|that|our|my) [\w -]{2,40}? (?:is|are) (?:over|lifted|moot|void|off the table"
        r"|no longer (?:valid|in force|relevant|an issue|a rule)|a thing of the past)"
        r"|(?:that|this|it|the [\w -]{2,40}?) (?:doesn'?t|does not|no longer|don'?t) (?:matters?"
        r"|appl(?:y|ies)|holds?|counts?)(?: any ?more)?)\b",
        act="withdraw",
        confidence=0.8,
    ),
    form(
        "no-more-needed",
        r"no more [^,;]+ (?:needed|required|necessary)$|(?:that|this) (?:was|rule was) only (?:for"
        r"|about|until|meant for)\b[^,;]*|i was wrong about [^,;]+",
        act="withdraw",
        confidence=0.8,
    ),
    form(
        "scrap",
        r"(?:please |let'?s |you can )*(?:scrap|kill|retire|dump|nix|loosen|relax|waive|suspend"
        r"|void) (?:the|that|my|our) [^,;]*\b(?:rule|ban|restriction|constraint|requirement|limit"
        r"|convention|policy|freeze|thing)\b",
        act="withdraw",
    ),
    form(
        "granted",
        r"you(?:'ve| have)(?: got)? my (?:ok(?:ay)?|permission|blessing|go|approval) (?:to|for) [^,;]+"
        r"|(?:permission granted|green light|thumbs up|go) (?:to|for) [^,;]+"
        r"|(?P<subject>[^,;]{2,50}? )(?:has|have|got) the green light|(?P<thing>[^,;]{2,50}?) (?:is"
        r"|are) (?:back on the table|unlocked|unfrozen|open again|yours (?:now|again)|up to you (?:now"
        r"|again))\b",
        act="withdraw",
        is_permission=True,
        confidence=0.8,
    ),
    form(
        "back-to",
        r"(?:you can |we can |let'?s )(?:go back to|return to) [^,;]+",
        act="withdraw",
        confidence=0.7,
    ),
    form(
        "no-more-language",
        rf"(?:please |ok |you can )*(?:stop|drop|enough|no more|quit|leave out)(?: of| with)?(?: the| that)? "
        rf"{LANGUAGE}\b[^,;]*",
        act="withdraw",
        confidence=0.8,
    ),
    form(
        "may-anything",
        r"[\w ./-]{2,50}? (?:can|may) (?:live|go|be|use|stay|have|run|come|take) (?:anywhere|anything"
        r"|any|in any|wherever|whatever|as (?:long|many|much|big))\b[^,;]*",
        act="withdraw",
        confidence=0.75,
    ),
)
