"""How English tells habits, comfort and measure: what is avoided, not borne, or short as can be."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import LANGUAGE, form

HABITS = (
    form(
        "habit-not",
        r"(?:i|we) (?:usually|normally|generally|typically) (?:don'?t|do not|never) (?:go|have|use|nest"
        r"|write|mix|put|let"
        r"|allow|take|do) (?!(?:it|this|that|there)\b)[^,;]+"
        r"|(?:i|we) (?:rarely|seldom|hardly ever|almost never) (?:use|write|nest|go|mix|allow) (?!(?:it"
        r"|this|that)\b)[^,;]+",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
    form(
        "habit-best-not",
        r"(?:it'?s |it is )?best (?:not to|to not|never to|to avoid) [a-z]+ (?!(?:it|this|that)$)[^,;]+",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
    form(
        "habit-rather-than",
        r"(?:rather than|instead of) (?!(?:it|this|that)\b)[^,;]{2,40}?,? (?:i(?:'d| would)|we(?:'d|"
        r" would)?|please)"
        r" (?!(?:be|have been|say|think|know|suggest we|got?)\b)[a-z]+ [^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "habit-as-possible",
        r"(?:please |keep |make )*(?:the |your |all |my )?[a-z][\w-]*(?: [\w-]+)? (?:should be |must be "
        r"|kept |to be )?as"
        r" (?:short|small|thin|simple|few|flat|brief|close|strict|dumb|plain|little|generic|late|early"
        r"|narrow|lean) as"
        r" (?:possible|you can|we can|it gets|can be)\b[^,;]*",
        confidence=0.75,
    ),
    form(
        "habit-cannot-accept",
        r"(?P<subject>(?!(?:it|this|that|what|the)\b)[^,;:?]{3,50}? )(?:are things |is something )?i"
        r" (?:really |just )?"
        r"(?:can'?t|cannot|can hardly|could never|won'?t|will not|don'?t) (?:accept|stand|bear|live with"
        r"|work with|stomach"
        r"|tolerate)\b(?! (?:it|this|that|any)\b)",
        polarity="do_not",
        force="soft",
        confidence=0.75,
    ),
    form(
        "habit-comfort",
        r"(?P<subject>(?!(?:it|this|that|what)\b)[^,;:?]{3,50}? )(?:makes?|would make|keeps?|lets?|would"
        r" let) me (?:feel )?"
        r"(?:(?:much |a lot |far )?(?:more comfortable|happier|safer|calmer)|sleep better)\b[^,;]*",
        force="soft",
        confidence=0.75,
    ),
    form(
        "habit-suggest",
        r"i(?:'d| would)? (?:suggest|propose|recommend|advise) (?!(?:we|you|that|to|it|this|the|a|an"
        r"|option|something)\b)"
        r"[^,;]{3,40}? (?:as|in|over|instead of|rather than|everywhere) [^,;]+",
        force="soft",
        confidence=0.75,
    ),
    form(
        "habit-none-without",
        r"no (?!(?:output|errors?|results?|luck|difference|changes?|effect|response|way|problems?|need"
        r"|reason|one|idea|more"
        r"|data|access|internet|network)\b)[\w-]+(?: [\w-]+)? (?:(?:without|before|unless|until|till)"
        r" (?!(?:it|that)\b)"
        r"[^,;]+|(?:this time(?: a?round)?|tonight|today|for now|for the moment|for the time being)$)",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "habit-language",
        rf"(?:please )?(?:write|speak|talk|use|stick to) {LANGUAGE}(?: (?:please|again|here|only|with me"
        rf"|to me))*$",
        confidence=0.75,
    ),
    form(
        "habit-not-one",
        r"not (?:one|a single) [^,;]{2,50}? (?:is to be|are to be|may be|may|must be|should be|gets?|is"
        r" allowed to)"
        r" [a-z]+[^,;]*",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "habit-all-at",
        r"all (?:the |our )?[a-z][\w-]*s (?:at |to |= ?|are |have )?\d[\d.,]* ?(?:ms|s|secs?|seconds?"
        r"|minutes?|px|kb|mb|gb"
        r"|chars?|characters|spaces|lines|%)(?: (?:please|pls|max|everywhere))*$",
        confidence=0.75,
    ),
    form(
        "habit-first-second",
        r"(?:always |please )*(?:the )?(?:plan|tests?|design|types?|spec|correctness|proposal|docs?"
        r"|interface|schema)"
        r" first,? (?:and )?(?:the )?[a-z-]+ (?:second|after|afterwards|last|later|next)(?: (?:please"
        r"|always))*$",
        confidence=0.75,
    ),
)
"""Tried as the terse ones are."""
