"""How English demands: what must, has to, should and is always to be."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import (
    GENERIC,
    LANGUAGE,
    MUST,
    NOUNS,
    STATUS,
    SUBJECT,
    form,
)

DEMANDS = (
    form(
        "plural-needs",
        r"(?P<subject>(?:[a-z]+ ){0,2}(?:things|commit messages|commits|branches|prs|tests|functions"
        r"|endpoints"
        r"|migrations|modules|classes|components|changes|releases|docs|services|handlers)\s)"
        r"need (?:an? |docs?\b|docstrings\b|tests?\b|types\b|reviews?\b|approval\b|to (?:be|have|go"
        r"|start|follow|carry)\b)",
        confidence=0.75,
    ),
    form(
        "must-have",
        r"(?P<subject>(?:(?:all|every|each|any|new|public"
        r"|our) )*(?:[a-z-]+ ){0,2}[a-z-]+[a-rt-z]s )must (?:always )?have "
        r"(?!(?:been|had|gone|done|come|run|to do|something|\w+ed)\b)[^,;]+",
        confidence=0.75,
    ),
    form(
        "careful",
        r"(?:please )?(?:be careful|take care|watch out|mind) (?:that|to)\b",
        confidence=0.8,
    ),
    form(
        "answers-as",
        r"(?:all |your )?(?:answers?|repl(?:y|ies)|responses?|summar(?:y|ies)|plans?) (?:in|as"
        r"|with) [\w -]{2,30} (?:please|pls)$",
        confidence=0.8,
    ),
    form(
        "my-ok",
        r"(?:i (?:have to|need to|must|want to) (?:sign off|approve|review|see|check|confirm"
        r"|ok)\b[^,;]*\b(?:every|each|all|any"
        r"|before|first)\b|(?P<subject>(?!(?:it|this|that)\b)[^,;]{2,50}? )(?:needs?|requires?) (?:my"
        r"|an?) (?:approval|ok(?:ay)?|sign-?off"
        r"|review|blessing|permission)\b(?! for (?:that|this|it)\b))",
    ),
    form(
        "is-must",
        r"(?P<subject>[^,;]{2,50}? )(?:is|are) (?:a must|mandatory|obligatory|compulsory|non-negotiable"
        r"|required (?:for|on|in) (?:every"
        r"|all|each|any|new)\b[^,;]*)(?: (?:here|for|in|on)\b[^,;]*)?$",
        confidence=0.8,
    ),
    form(
        "policy",
        r"(?:the|our|my|a|one|company|team|house|project) (?:[\w-]+ )?(?:rule|convention|policy"
        r"|standard|agreement|practice|guideline)"
        r"(?: (?:here|for|of|on|in) [\w ]{2,30}?| here)? is (?!that we(?:'re| are)|gone|lifted|over|off"
        r"|fine|ok|no longer|not|wrong|stupid)",
        confidence=0.8,
    ),
    form(
        "treat",
        r"(?:please |we )?(?:treat|consider|regard) (?!it\b|this\b|that\b)[^,;]{2,50}? (?:as|errors|frozen"
        r"|off[ -]limits|read-only|immutable|done)\b",
        confidence=0.8,
    ),
    form(
        "quality",
        r"(?P<subject>(?!(?:it|this|that)\b)[^,;]{2,50}? )should (?:always )?be (?:configurable"
        r"|immutable|idempotent|deterministic|reproducible|testable"
        r"|stateless|thread[- ]?safe|(?:backwards?|forward)[- ]compatible|type[- ]?safe|pure|private"
        r"|async|reentrant|portable|read-only)\b",
        confidence=0.75,
    ),
    form(
        "limit",
        r"(?!it\b|this\b|that\b|there\b|i\b|we\b|takes?\b)(?:(?!(?:takes?|keeps?|holds?|stores?|contains?"
        r"|returns?|sends?|shows?|reads?|needs?|lasts?|costs?|uses?"
        r"|waits?|wants?|has|had|ran|prints?)\b)[\w./-]+ ){1,8}?(?:(?:are|is|must be"
        r"|should be|have|has|get|stay) )?(?:max(?:imum)?\.?(?: of)?|at most|no more"
        r" than|no longer than|no bigger than|no wider than|not more than|at least"
        r"|min(?:imum)?\.?(?: of)?) \d+[^,;]*$",
        confidence=0.75,
    ),
    form(
        "test-first",
        r"(?:please |always )*(?:write|run|do|add) (?:the |a |an |failing |unit )*tests? first\b",
    ),
    form(
        "be",
        r"(?:please )?be (?:more )?(?:concise|brief|terse|explicit|strict|conservative|succinct|short)\b",
        force="soft",
        confidence=0.75,
    ),
    form(
        "language-goes",
        rf"(?P<subject>(?!(?:it|this|that)\b)(?:[^\s,;]+ ){{1,5}})(?:goes?|stays?|(?:is"
        r"|are) (?:always )?written|(?:must|should|has to|have to|needs? to) be(?: written)?|remains?)"
        rf" (?:always |only )?in {LANGUAGE}\b|(?P<rest>everything else )(?:stays?|is"
        rf"|remains?) (?:in )?{LANGUAGE}\b",
    ),
    form(
        "important",
        r"it(?:'s| is) (?:very |really |absolutely )?(?:important|crucial|essential|critical|vital"
        r"|mandatory|required)"
        r" (?:that|to|for)\b",
    ),
    form(
        "always",
        r"(?:please )?(?:you (?:should |must |have to )?|we )?always (?!been\b|those\b|these\b|my\b|this\b"
        r"|fails?\b|forget\b|miss\b"
        r"|break\b|overlook\b|complain\b|say\b|come\b|the same\b"
        r"|has\b|had\b|wanted\b|thought\b|liked\b|did\b|was\b|a\b|get\b)[a-z`][\w'-]*",
    ),
    form(
        "sure",
        r"(?:please )?(?:always )?(?:(?:just )?(?:make|be) (?:really |very )?sure (?:that |to )?"
        r"|ensure (?:that )?|remember to |(?:keep|bear) in mind to |think (?:of|about) (?=\w+ing\b)"
        r"|mind to |see to it that |take care (?:that|to) "
        r"|make it a habit to )(?!(?:it|this|that|everything|the|all|they|things|i|we|he|there"
        r"|there's)\b(?! (?:[\w`./-]+ ){0,6}(?:always|never|stays?|remains?|keeps?|(?:is|are)n'?t"
        r"|doesn'?t|don'?t|unchanged|still)\b)|(?:you )?(?:understand|have|know|say|read|see|get"
        r"|understood|got|picked|found|took|it)\b)[\w`]+",
        confidence=0.85,
    ),
    form(
        "ask",
        r"(?:please )?(?:always )?(?:(?:ask|check with|tell|warn|ping|consult|confirm with"
        r"|clear it with|run it by) (?:me|us|\w+) (?:first|before|whenever)|ask (?:first|before)"
        r"|(?:wait for|get) my (?:ok|okay|approval|go|confirmation|sign-?off)|let me (?:review"
        r"|check|approve|confirm|see|know|look) [^,;]{0,60}(?:before|whenever)"
        r"(?! (?:you|we) (?:go on|go ahead|continue|proceed|move on))|run (?:it|that|them"
        r"|everything|\w+(?: \w+)?) by me)",
    ),
    form(
        "you-must",
        r"(?:(?:you|u|we) (?:also |always |still )?(?:must(?! be (?:a|the|joking|kidding|right|tired"
        r"|wrong)\b| have\b)|should always|shall|should first)|(?:you|u) (?:also |always "
        r"|still )?(?:have to|need to|are to|gotta|(?:are|'re) required to)(?=.*\b(?:before|when"
        r"|whenever|always|every|each|first|ask|keep|any|all|only|stay|use|never|for new)\b)"
        r"|(?:we) (?:always )?(?:have to|need to)(?= (?:always |still )?(?:keep|stay|support"
        r"|remain)\b))\s(?:always |also |only |first )?(?!have been|be able|admit|say|see|know|go|leave"
        r"|wait|find|figure|fix|look|read|open|do\b|get|think|talk|understand)[a-z]+[^,;]*",
        confidence=0.8,
    ),
    form(
        "must",
        rf"(?!(?:we|you|u|i) (?:have|has|need)\b){SUBJECT}{MUST} (?:always |also |only |still |first "
        r"|all )?(?!have\b|had\b|been\b|admit\b|say\b|do with\b|be (?:off|some|because|something|wrong"
        r"|missing|why|how|where|what|there)\b)\w+",
    ),
    form(
        "generic-should",
        rf"{GENERIC}(?:should|must|has to|have to|ought to|needs?(?: to)?|(?:is|are) to)(?: always| also"
        r"| only)? \w+",
    ),
    form(
        "should-style",
        rf"(?P<subject>(?!(?:the|this|that|my|your|those|these|it)\b)(?:{NOUNS}|(?:our )?(?:names?"
        r"|commit messages?|comments?|tests?|docs?|branch(?:es| names)?|code|logs?|errors?|dates?"
        r"|types?|api|apis|imports|functions|classes|files|error messages|summaries|answers))\s)should"
        r" (?:always |only"
        r" |also )?(?:tell|explain|name|mention|give|describe|be|use"
        r"|go|live|start|end|follow|have|contain|carry|stay|come|return|take|say|read|match|begin"
        r"|include|fit|work)\b",
        confidence=0.7,
        cue=r"should",
    ),
    form("should-always", rf"{SUBJECT}(?:should|needs? to|ought to) (?:always|only|never|at all times)\b"),
    form("you-should", r"(?:you|we) should (?:always|only|rather|use .* instead)\b"),
    form(
        "generic-is",
        r"(?P<generic>(?:(?:every|each|all|any)(?: (?!the|of|tests? (?:are|pass|fail)|my|those"
        r"|these)[a-z`-][\w`./-]*){1,5}?|everything(?: (?:in|under|inside) [\w./`-]+)?"
        r"|anything (?!that\b|i\b)[^,;]{2,40}?)\s+)(?:gets? (?:an?|its own|two|three|one|\d|the same)\b"
        r"|returns?|uses?|runs?|goes?(?! through it)|lives?"
        r"|carr(?:y|ies)|starts?|ends?|belongs?|comes?|throws?|raises?|logs?|(?:is|are)(?! (?:green|red"
        r"|there|done|fine|ok|passing|broken|gone|fixed|wrong|empty|null|failing|slow|good|set|missing"
        r"|running|working|ready|in place|up|down|now|still|already|not)\b))\s",
        confidence=0.75,
    ),
    form(
        "noun-always",
        rf"(?P<subject>(?!the )(?:{NOUNS}|[a-z]+|[a-z]+ [a-z]+)\s)(?:(?:is|are) (?:always|strictly"
        r"|purely|exclusively|only ever) (?!the same\b|wrong\b"
        rf"|late\b|slow\b|empty\b|null\b|failing\b|broken\b|(?:[\w-]+ )*?(?:behind|ahead|off|late|older"
        rf"|newer)\b)|always (?!{STATUS}|(?:needs?|takes?|lasts?)"
        rf" (?:about |around |at least )?\d)[a-z]+s?\s)\w*",
        confidence=0.8,
        cue=r"is|are|always",
    ),
    form(
        "want",
        r"(?:i|we)(?:'d| would)? (?:really )?(?:want|need|expect|require|insist on|demand"
        r"|like) (?:to (?:always|only)|you to (?:always|only|ask|never|stop)|(?:all|every|each|any|only"
        r"|nothing but) \w+|[^,;]{2,50}? (?:to (?:stay|remain|always|be kept|never)|for (?:every|each"
        r"|all|any)|in every|unchanged|at all times|(?:for|with) (?:every|each|all)))\b",
        confidence=0.8,
    ),
    form(
        "language",
        r"(?:please )?(?:always )?(?:answer|reply|respond|talk|speak|write (?:back|to me)|communicate"
        r"|explain|chat|continue)(?: (?:to|with) me| back| everything| here| only)* (?:only |always "
        rf"|to me )*(?:in |with )?{LANGUAGE}\b",
    ),
    form(
        "language-of",
        r"(?:please )?(?:always )?(?:(?:write|do|make|keep|put|give|want) )?(?:me )?(?:all |the |your "
        r"|any |our |code |inline |my )*(?:answers?|repl(?:y|ies)|responses?|comments?|docs?"
        r"|docstrings?|documentation|commit(?: message)?s?|messages|identifiers|variable names|names"
        r"|explanations|summar(?:y|ies)|reports?|prs?|pr descriptions?|descriptions|readme"
        r"|changelog(?: entries)?|log messages|logs|error messages|everything)(?: (?:and|or|in"
        rf"|for) (?:the )?[\w ]{{2,30}}?)?(?: (?:is|are|stays?|remain|should be|must be|have to be"
        rf"|should stay|written|go))* (?:only |always |all |strictly )?in {LANGUAGE}\b",
    ),
    form("only-language", rf"(?:only {LANGUAGE}|{LANGUAGE} only)\b"),
    form(
        "give-each",
        r"(?:please |always )*(?:give|have) (?:every|each|any|all) [^,;]+|(?:please |always )*(?:add"
        r"|put|stick|attach|include|write|leave|keep) (?:an?|one|its own|the) [^,;]{2,60}?"
        r" (?:to|for|on|in|next to|above|with|at|into|under|beside|near) (?:every|each"
        r"|any)\b(?! of\b)[^,;]+",
        confidence=0.75,
    ),
    form(
        "on-each",
        r"(?!(?:i|we|it|the|there|that|this|you|they|what|is|are|same|add|run|show"
        r"|fix)\b)(?:[\w-]+ ){1,4}(?:on|for|in|with|to|at) (?:every"
        r"|each)(?: single)? [\w-]+(?: [\w-]+){0,3}(?: please| pls)?$",
        confidence=0.75,
    ),
    form(
        "all-get",
        r"(?:the |our |your )?(?:[\w-]+ ){1,3}all (?:get|have|need|use|go|return|live|are (?:named"
        r"|written|kept|stored|\w+_case))\b",
        confidence=0.7,
    ),
    form(
        "rule-holds",
        r"the (?P<rule>[\w-]+(?: [\w-]+){0,3}) (?:rule|convention|policy|ban|limit|freeze) (?:still "
        r"|also )?(?:holds|applies|stands|counts|goes|is still)\b",
        confidence=0.75,
    ),
    form(
        "to-me-first",
        r"(?:please )?(?:talk|come|speak|write|get back) to me (?:first|before)\b|let me know (?:first"
        r"|before)\b",
    ),
    form(
        "language-for",
        rf"{LANGUAGE} (?:in|for|with) (?:the |my |our |all |your )?[\w-]+(?: [\w-]+){{0,3}}$"
        r"|(?:(?:you can|feel free to|we can|let'?s) )?(?:write|talk|speak|answer|reply)"
        rf" (?:to me |with me )?in {LANGUAGE}\b",
        confidence=0.8,
    ),
    form(
        "there-must",
        r"there (?:has to|must|needs to) (?:always )?be (?:an?|one|at least) (?!(?:typo|bug|reason|mistake"
        r"|way|better|problem"
        r"|issue|leak|race|error)\b)[^,;]+"
        r"|there should (?:always )?be (?:an?|one|at least) [^,;]+ (?:for|in|on|per) (?:every|each|all"
        r"|any)\b",
        confidence=0.8,
    ),
    form(
        "expect",
        r"i (?:expect|insist on|require|count on|rely on) (?!to\b|it\b|this\b|that (?:it|this)\b"
        r"|you to (?:fix|add|find|finish)\b|the (?:result|output|build))[^,;]+"
        r"|(?P<subject>(?!(?:it|this|that)\b)[^,;]{2,50}? )(?:is|are) expected(?: to (?:have|be|use"
        r"|come|carry|go|follow)\b|$)",
        confidence=0.75,
    ),
    form(
        "want-things",
        r"(?:i|we) (?:really )?want (?!(?:the|an?|this|that|it|to|you|them|these|those|all|some|more"
        r"|your|my|both|us|him|her|something|everything|nothing|no|any)\b)(?:\d+ "
        r"|[a-z-]+ ){0,2}[a-z-]+s\b[^,;]*",
        confidence=0.7,
    ),
    form(
        "point-of",
        r"(?:please )?(?:make a point of|make it a (?:rule|habit)|get into the habit of"
        r"|pay attention to|mind (?:the|your|our)|think of (?:the|your))\b[^,;]+",
        confidence=0.75,
    ),
    form(
        "need-to-be",
        r"(?P<subject>(?!(?:the|these|those|my|your|some|tests|things|it|they|we"
        r"|you)\b)(?:[a-z-]+ ){0,2}[a-z-]+[a-rt-z]s )need to be (?!(?:fixed|updated|changed|moved"
        r"|removed|added|cleaned|done|finished"
        r"|rewritten|merged|replaced|refactored|able|restarted|rerun)\b)[\w-]+",
        confidence=0.75,
    ),
    form(
        "comes-with",
        r"(?:an? |every |each |any |new )(?:[\w-]+ ){1,4}(?:comes|goes|go|come)(?: along"
        r"| together)? with [^,;]+",
        confidence=0.75,
    ),
)
