"""The forms of an English rule, one regular expression each, tried in order at the head of a clause."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agentinitd.memory.capture.proposals import Act, Force
from agentinitd.model.facts import Polarity


@dataclass(frozen=True, slots=True, kw_only=True)
class Head:
    """A form, and what a clause of that form is."""

    name: str
    pattern: re.Pattern[str]
    polarity: Polarity
    force: Force
    act: Act
    is_permission: bool
    confidence: float


LANGUAGE = (
    r"(?:(?:british|american|simplified|traditional|plain|simple) )?(?:english|german|french|spanish|chinese|japanese|korean|russian|portuguese|italian"
    r"|dutch|polish|swedish|turkish|arabic|hindi|mandarin|cantonese|czech|danish|finnish|greek|hebrew|norwegian|ukrainian|vietnamese)"
)
_CHANGE = (
    r"(?:chang|touch|modif|edit|alter|renam|remov|delet|break|brok|mov|rewrit|refactor|reformat|replac|add|upgrad|updat|bump|commit|push|merg|squash|deploy"
    r"|releas|install|publish|format|overwrit|regenerat|rais|lower|us|access|call|import|mock|log|print|hard-?cod|mutat|introduc|creat|skip|disabl|ignor|expos"
    r"|cach|rely|depend|read|writ|run|restart|drop|renumber|migrat|allocat|block|grow|leak|depart|differ)"
)
_NOUNS = (
    r"(?:[a-z-]+ ){0,3}(?:[a-z-]*[a-rt-z]s|names?|code|css|html|sql|documentation|logging|data|state|config(?:uration)?|error handling|stuff|everything|anything"
    r"|ids?|apis?|urls?|isrs?|dtos?|prs|keys)"
)
# Who or what the rule is about; a name or a pronoun there makes it talk.
_SUBJECT = r"(?P<subject>(?:[^\s,;:]+\s+){1,12}?)"
_GENERIC = r"(?P<generic>(?:(?:every|each|any|all|no|new|both|other)\b(?: (?!of (?:those|these|them)\b)(?:of )?(?:the |our |my |your )?(?!i\b|we\b|that\b|which\b)[^\s,;]+){1,7}?|everything|anything|whatever [^,;]{2,40}?)\s+)"
_MUST = r"(?:must|has to|have to|(?:is|are) required to|shall|(?:has|have) got to|gotta)"
_NOT = r"(?:n'?t| not|not|n’t)"
_BAD = (
    r"(?:(?:strictly |completely |totally |absolutely )?(?:off[ -]limits?|forbidden|prohibited|banned|taboo|a no[ -]?go|sacred|untouchable|out of bounds|not up for (?:change|debate|discussion)"
    r"|not (?:allowed|ok(?:ay)?|acceptable|permitted|welcome|an option|negotiable|to be (?!honest|fair|rude)\w+)|unacceptable|verboten))"
)
_STATUS = r"(?:fail|break|crash|hang|pass|work|die|time out|timeout|complain|error|take|look|seem|feel|happen|appear|show up|disappear|get stuck|lead|come back|mean|exist|want|match|cause)"
_VALUE = (
    r"(?:`[^`]+`|x{2,}|:?\d{2,}[\w.:-]*|v?\d+(?:\.\d+)+\w*|[\w.-]+/[\w./-]+|\w+://\S+|[a-z]+\.[a-z]+\.\w+)"
)
_HOW = r"(?:always|only|never|exactly|everywhere|throughout|by default|from (?:now|here) on(?:wards)?|going forward|every(?: single)? time|each time|at all times|instead of|rather than|over|consistently|exclusively)"
_VAGUE_OBJECT = r"(?:it|that|this|them|those|these|so|like (?:that|this))(?: (?:again|now|here|either|please|if|when|because|for|at all|any ?more|yet)\b| ?$|[.!?])"


def _head(
    name: str,
    pattern: str,
    *,
    polarity: Polarity = "do",
    force: Force = "hard",
    act: Act = "state",
    is_permission: bool = False,
    confidence: float = 0.9,
) -> Head:
    return Head(
        name=name,
        pattern=re.compile(pattern, re.IGNORECASE),
        polarity=polarity,
        force=force,
        act=act,
        is_permission=is_permission,
        confidence=confidence,
    )


_KEPT = (
    r"(?:unchanged|untouched|intact|stable|sorted|short|small|simple|minimal|clean|green|consistent|compatible|compatibility|identical|the same|as(?:-| )is|as (?:it|they|before)|in (?:sync|one|order|english|place|line|its|their|the same)|under|below|within|above"
    r"|at (?:least|most)?|to (?:a minimum|one|under|the|yourself|\d)|out of|away from|separate|private|public|optional|backwards?|pure|generic|readable|tidy|flat|terse|brief|concise|low|dry|thin|up to date|working|alphabetical|style|names?|naming|interfaces?|signatures?|apis?|schema|format|options|behaviou?rs?|contracts?|structure|layout|conventions?|for (?:now|the moment))\b"
)

BANS = (
    _head(
        "forget",
        r"(?:please )?(?:don'?t|do not|never|dont) (?:ever )?(?:forget|neglect|omit|fail) (?:to|the|about the)\b",
    ),
    _head(
        "ban",
        r"(?:i repeat:? )?(?:please )?(?:(?:really|just|simply) )?(?:don'?t|do not|dont|don’t|never(?: ever)?|let'?s not|lets not|let'?s never|no longer)"
        rf"(?: (?:ever|just|simply|even|blindly|ever again|again|silently|go and|try to|start|keep))?\s+(?!(?:forget|want|need|have|think|know|see|feel|seem|look like|like|love|yet|get confused|get me|been|had|really)\b)[a-z`][\w'-]*+(?! {_VAGUE_OBJECT})",
        polarity="do_not",
    ),
    _head(
        "ban-modal",
        r"(?:must not|mustn'?t|should never|must never) (?!happen|be (?:there|visible|able)\b)[a-z]+",
        polarity="do_not",
        confidence=0.8,
    ),
    _head(
        "avoid",
        r"(?:please )?(?:always )?(?:avoid|refrain from|steer clear of|(?:stay|keep) (?:away from|out of|off|clear of)|hands off|keep (?:your )?(?:hands|fingers|paws) off|watch out not to|be careful not to|take care not to|make sure (?:not|never) to|make sure (?:you|we) (?:don'?t|do not|never)|ensure (?:you|we) (?:don'?t|never)|under no circumstances|in no case|at no point|on no account)\b",
        polarity="do_not",
    ),
    _head(
        "stop",
        r"(?:please )?(?:stop|quit|cease|enough with(?: the)?) (?!here|there|now|running|the)(?:\w+ing\b|using\b|with the\b)",
        polarity="do_not",
    ),
    _head(
        "nobody",
        r"(?:nothing|nobody|no one|none of [^,;]{3,40}?)\s(?:[^,;]{2,50}?\s)?(?:may|can|should|must|shall|is allowed to|gets?|goes|touches|edits) \w+",
        polarity="do_not",
    ),
    _head(
        "nothing",
        r"nothing (?:in|on|by|under|outside|inside|from)\b(?! (?:the |my )?(?:logs?|screen|console|output|terminal|browser)s?\b)",
        polarity="do_not",
    ),
    _head(
        "no",
        r"(?:absolutely )?(?:no|zero) (?!i\b|we\b|it\b|you\b|the\b|that\b|this\b|no\b|they\b|don't\b|not\b|man\b|wait\b)(?:(?:more|new|extra|additional|further|other|external|third[ -]party|direct|raw|inline|global) [\w`.<-]+|(?:[\w`./-]+ ){0,2}?(?!(?:errors?|issues?|results?|problems?|warnings?|failures?|tests?|matches|events?|sessions?|hits|rows|records|news|was|is|this|less|worries|thoughts|options|differences|details|bugs|updates|plans|thing|nothing|anything|something)\b)[\w`./-]*(?:s|ing)\b(?! (?:found|yet|so far|needed|now|here|any ?more|fail|pass|work|left|are|is|were|to )))",
        polarity="do_not",
        confidence=0.85,
    ),
    _head(
        "no-one-word",
        r"(?:absolutely )?(?:no|zero) (?!i\b|we\b|it\b|you\b|the\b|that\b|this\b|no\b|they\b|don't\b|not\b|on\b|man\b|wait\b)(?:`[^`]+`|any\b|(?:[\w./-]+ ){1,3}?(?:in|on|for|under|inside|within|outside|anywhere|at all|ever|over|across)\b(?! (?:the screen|my|this page|it|that|\w?\d+)\b)|[\w./-]+(?: [\w./-]+){0,3} (?:please|pls|plz|whatsoever)$)[^,;]*",
        polarity="do_not",
        confidence=0.8,
    ),
    _head(
        "want-no",
        r"(?:i|we) (?:really )?(?:(?:don'?t|do not|dont|never) (?:ever )?(?:want|need) (?!this\b|it\b|that\b)(?:any|you|to see|to have|new|more|another|a|the|our|my|your|\w+ing|\w+s\b)|(?:want|need|expect) (?:no|zero)|(?:can'?t|cannot) have)\b(?! to (?:do|be|go|know|think))",
        polarity="do_not",
    ),
    _head(
        "we-dont",
        r"(?:we|you|u) (?:also |still )?(?:(?:really )?(?:don'?t|do not|dont|never|must not|mustn'?t|may not|should not|shouldn'?t|should never|must never|are not (?:allowed|supposed|permitted) to|aren'?t (?:allowed|supposed|permitted) to))\s(?!(?:need|have|know|think|see|want|seem|mind|care|understand|get|remember|realize|mean|support|even|really|actually|yet|be (?:able|surprised|worried)|get)\b)[a-z]+",
        polarity="do_not",
    ),
    _head(
        "is-bad",
        rf"{_SUBJECT}(?:is|are|stays?|remains?|was declared)(?:n'?t| not)? {_BAD}",
        polarity="do_not",
    ),
    _head(
        "is-not-ok",
        rf"{_SUBJECT}(?:isn'?t|aren'?t|is not|are not) (?:allowed|ok(?:ay)?|acceptable|permitted|welcome|negotiable|an option|to be)\b",
        polarity="do_not",
    ),
    _head(
        "it-is-bad",
        r"it(?:'s| is) (?:not allowed|forbidden|not ok(?:ay)?|not acceptable|off[ -]limits|prohibited|strictly forbidden) to\b",
        polarity="do_not",
    ),
    _head(
        "must-not",
        rf"{_SUBJECT}(?:must{_NOT}|must never|should never|shall{_NOT}|shall never|may never|(?:is|are){_NOT} to\b|ought not to|(?:has|have){_NOT} to be|(?:is|are) never to|(?<=s )never(?= (?:go|get|leave|land|end|enter|be|contain|hold|call|import|touch|change|use|depend|store|block)\b)) ?\w*",
        polarity="do_not",
    ),
    _head(
        "may-not",
        rf"{_SUBJECT}(?:may not|can'?t|cannot|can not|should not|shouldn'?t)(?: ever)? (?:be |get )?(?:{_CHANGE}\w*|go (?:up|down|in)|contain|exceed|hit|depend|know about|leave)\b",
        polarity="do_not",
        confidence=0.8,
    ),
    _head(
        "do-not-noun",
        rf"(?P<subject>(?:[a-z-]+ ){{0,2}}[a-z-]+s )(?:do not|don'?t) (?:belong|go|get|live|import|call|touch|use|know)\b",
        polarity="do_not",
        confidence=0.75,
    ),
    _head(
        "without",
        r"(?:\w+ )*?without (?:ever )?(?:chang|touch|modify|break|alter|edit|renam|add|introduc|install|remov|delet|mov|reformat|pull|bump|upgrad|rewrit)\w*ing? [^,;]+",
        polarity="do_not",
        confidence=0.8,
    ),
    _head("never-latest", r"never [\w`./-]+$", polarity="do_not"),
    _head(
        "noun-not", r"(?:the |our |my )[\w./-]+(?: [\w./-]+)? (?:not|no)$", polarity="do_not", confidence=0.75
    ),
)
KEEPS = (
    _head(
        "leave",
        r"(?:please )?(?:always )?(?:leave|let) (?!me\b|us\b|it\b|that\b|this alone\b|out\b|for\b|the (?:call|decision))[^,;]{2,80}?\s(?:alone|as(?:-| )is|as (?:it|they) (?:is|are|were)|as (?:before|now)|be$|unchanged|untouched|intact|in place|in peace|the way (?:it is|they are)|(?:exactly )?(?:how|like|where|what) (?:it|they) (?:is|are))\b",
        polarity="do_not",
    ),
    _head("keep-off", r"keep [^,;]{2,60}? (?:out of|away from|off) [^,;]+"),
    _head(
        "keep",
        rf"(?:please )?(?:always )?(?:keep|preserve|maintain|retain)\s(?!(?:going|it up|at it|up|me|calm|trying|on|in mind|working|track|an eye|running|reading|looking|that in|this in|it\b(?! (?:under|below|short|small|simple|like that|that way|as|to|in|minimal))|it$|that$|this$|\w+ing)\b)(?:[^,;]*?\b{_KEPT}|(?:[\w`./-]+ ){{0,3}}{_KEPT})[^,;]*",
    ),
    _head(
        "stays",
        rf"{_SUBJECT}(?:must |should |has to |have to |needs? to |shall |will )?(?:stays?|remains?)\s(?:exactly |strictly |always )?(?:as|at|in|out|unchanged|the (?:same|way)|what|where|how|put|stable|single|under|below|above|within|off|compatible|backwards?|frozen|untouched|intact|identical|green|sync|async|pure|private|public|optional|immutable|\d|`|x{{2}})",
    ),
    _head(
        "stays-what",
        rf"{_SUBJECT}(?:must|should|has to|have to|needs? to|shall)(?: always| still)? (?:stay|remain|keep|be kept|be left)\b",
    ),
    _head(
        "stay-constant",
        r"(?P<subject>(?:(?:the|our|my|all|each|every) )?(?:[\w./`-]+ ){1,4})stays? (?!up|on|there|open|here|home|visible|empty|stuck|in the|for|with|blank|black|white)(?:\w+ ){0,3}\w+",
        confidence=0.75,
    ),
)
DEMANDS = (
    _head(
        "always",
        r"(?:please )?(?:you (?:should |must |have to )?|we )?always (?!been\b|fails?\b|the same\b|has\b|had\b|wanted\b|thought\b|liked\b|did\b|was\b|a\b|get\b)[a-z`][\w'-]*",
    ),
    _head(
        "sure",
        r"(?:please )?(?:always )?(?:(?:just )?(?:make|be) (?:really |very )?sure (?:that |to )?|ensure (?:that )?|remember to |see to it that |take care (?:that|to) |make it a habit to )(?!(?:it|this|that|everything|the|all|they|things|i|we|he|there|there's)\b(?! (?:[\w`./-]+ ){0,6}(?:always|never|stays?|remains?|keeps?|(?:is|are)n'?t|doesn'?t|don'?t|unchanged|still)\b)|(?:you )?(?:understand|have|know|say|read|see|get|understood|it)\b)[\w`]+",
        confidence=0.85,
    ),
    _head(
        "ask",
        r"(?:please )?(?:always )?(?:(?:ask|check with|tell|warn|ping|consult|confirm with|clear it with|run it by) (?:me|us|\w+) (?:first|before|whenever)|ask (?:first|before)|(?:wait for|get) my (?:ok|okay|approval|go|confirmation|sign-?off)|let me (?:see|review|check|approve|confirm|know|look) [^,;]{0,60}(?:before|first|whenever)|run (?:it|that|them|everything|\w+(?: \w+)?) by me)",
    ),
    _head(
        "you-must",
        r"(?:(?:you|u|we) (?:also |always |still )?(?:must(?! be (?:a|the|joking|kidding|right|tired|wrong)\b| have\b)|should always|shall|should first)|(?:you|u) (?:also |always |still )?(?:have to|need to|are to|gotta|(?:are|'re) required to)(?=.*\b(?:before|when|whenever|always|every|each|first|ask|keep|any|all|only|stay|use|never|for new)\b)|(?:we) (?:always )?(?:have to|need to)(?= (?:always |still )?(?:keep|stay|support|remain)\b))\s(?:always |also |only |first )?(?!have been|be able|admit|say|see|know|go|leave|wait|find|figure|fix|look|read|open|do\b|get|think|talk|understand)[a-z]+[^,;]*",
        confidence=0.8,
    ),
    _head(
        "must",
        rf"{_SUBJECT}{_MUST} (?:always |also |only |still |first |all )?(?!have\b|had\b|been\b|admit\b|say\b|do with\b|be (?:off|some|because|something|wrong|missing|why|how|where|what|there)\b)\w+",
    ),
    _head(
        "generic-should",
        rf"{_GENERIC}(?:should|ought to|needs?(?: to)?|(?:is|are) to)(?: always| also| only)? \w+",
    ),
    _head(
        "should-style",
        rf"(?P<subject>(?:{_NOUNS}|(?:the |our )?(?:names?|commit messages?|comments?|tests?|docs?|branch(?:es| names)?|code|logs?|errors?|dates?|types?|api|apis|imports|functions|classes|files))\s)should (?:always |only |also )?(?:be|use|go|live|start|end|follow|have|contain|carry|stay|come|return|take|say|read|match|begin|include|fit|work)\b",
        confidence=0.7,
    ),
    _head("should-always", rf"{_SUBJECT}(?:should|needs? to|ought to) (?:always|only|never|at all times)\b"),
    _head("you-should", r"(?:you|we) should (?:always|only|rather|use .* instead)\b"),
    _head(
        "generic-is",
        rf"(?P<generic>(?:(?:every|each|all|any)(?: (?!the|of|tests? (?:are|pass|fail)|my|those|these)[a-z`-][\w`./-]*){{1,5}}?|everything(?: (?:in|under|inside) [\w./`-]+)?)\s+)(?:returns?|uses?|goes?|lives?|carr(?:y|ies)|starts?|ends?|belongs?|comes?|throws?|raises?|logs?|(?:is|are)(?! (?:green|red|there|done|fine|ok|passing|broken|gone|fixed|wrong|empty|null|failing|slow|good|set|missing|running|working|ready|in place|up|down|now|still|already|not)\b))\s",
        confidence=0.75,
    ),
    _head(
        "noun-always",
        rf"(?P<subject>(?!the )(?:{_NOUNS}|[a-z]+ [a-z]+)\s)(?:(?:is|are) always (?!the same\b|wrong\b|late\b|slow\b|empty\b|null\b|failing\b|broken\b)|always (?!{_STATUS})[a-z]+s?\s)\w*",
        confidence=0.8,
    ),
    _head(
        "want",
        r"(?:i|we)(?:'d| would)? (?:really )?(?:want|need|expect|require|insist on|demand|like) (?:to (?:always|only)|you to (?:always|only|ask|never|stop)|(?:all|every|each|any|only|nothing but) \w+|[^,;]{2,50}? (?:to (?:stay|remain|always|be kept|never)|for (?:every|each|all|any)|in every|unchanged|at all times|(?:for|with) (?:every|each|all)))\b",
        confidence=0.8,
    ),
    _head(
        "language",
        rf"(?:please )?(?:always )?(?:answer|reply|respond|talk|speak|write (?:back|to me)|communicate|explain|chat|continue)(?: (?:to|with) me| back| everything| here| only)* (?:only |always |to me )*(?:in |with )?{LANGUAGE}\b",
    ),
    _head(
        "language-of",
        rf"(?:please )?(?:always )?(?:(?:write|do|make|keep|put|give|want) )?(?:me )?(?:all |the |your |any |our |code |inline |my )*(?:answers?|repl(?:y|ies)|responses?|comments?|docs?|docstrings?|documentation|commit(?: message)?s?|messages|identifiers|variable names|names|explanations|summar(?:y|ies)|reports?|prs?|pr descriptions?|descriptions|readme|changelog(?: entries)?|log messages|logs|error messages|everything)(?: (?:and|or|in|for) (?:the )?[\w ]{{2,30}}?)?(?: (?:is|are|stays?|remain|should be|must be|have to be|should stay|written|go))* (?:only |always |all |strictly )?in {LANGUAGE}\b",
    ),
    _head("only-language", rf"(?:only {LANGUAGE}|{LANGUAGE} only)\b"),
)
ONLY = (
    _head(
        "only",
        r"(?:please )?(?:you (?:may|can|should|must) |we )?only (?:ever )?(?:touch|change|edit|modify|use|write|work|commit|run|install|add|import|call|read|deploy|push|format|allow|accept|support|test|log|ship|merge|target|depend|look|do|make|put|create|refactor|fix|update|rename|delete|remove|translate|ask|answer|return)\b(?! (?:the|this|that|it)$)",
    ),
    _head(
        "only-noun",
        r"only (?!(?:the|one|two|three|a|if|when|then|because|for|on|in|after|thing|problem|\d|\w+[^s\s]s)\b)[\w./`-]+(?: [\w./`-]+){0,5} (?:please|in|for|under|here|as|with|allowed|is allowed|are allowed)\b",
    ),
    _head(
        "nothing-but",
        r"(?:use |write |allow )?(?:nothing (?:but|except|other than|else than)|exclusively|solely)\b",
    ),
    _head(
        "stick",
        r"(?:please |let'?s |lets |always )*(?:stick (?:to|with)|adhere to|(?:follow|respect)(?= .*\b(?:conventions?|style|guides?|rules?|naming|pep|existing|standards?|semver|limits?|layout|structure|order|principles?|licen[cs]e)\b)|conform to|comply with|restrict yourself to|limit yourself to|confine yourself to|stay (?:within|inside|on|with|in|consistent with|compatible with)|go by)\s(?!up|the link|this link|along|me\b|the steps|these steps|it\b|instructions|the instructions|the plan|that\b|this\b|home|here|there)[^,;]+",
    ),
    _head(
        "x-only",
        r"(?:please )?(?:use|edit|change|touch|modify|work|write|commit|run|deploy|install|allow|accept|support|import|test|target) [\w./`-]+(?: [\w./`+-]+){0,8} only$",
        confidence=0.8,
    ),
    _head(
        "nowhere-else", r"[^,;]+ (?:and )?(?:nowhere else|nothing else|no other \w+|no(?:thing| one) else)$"
    ),
)
CHOICES = (
    _head(
        "instead",
        r"(?:please |let'?s |lets |always |we (?:should |want to )?)*(?:(?:use|prefer|pick|choose|take|write|go (?:with|for)|do|call|import|return|throw|raise|log|run|install|put|store|keep|format|favou?r)\s(?!that\b|this\b|the \w+ instead)[^,;]{1,80}?\s(?:instead(?: of\b|$)|rather than|in place of|over|in lieu of)|(?:use|prefer|pick|choose|take|write|go (?:with|for)|call|import|return|throw|raise|log|install)\s(?!that\b|this\b)(?:(?!(?:is|are|do|does|if|or|see|it|can|could)\b)[^\s,;]+ ){1,5}(?:and )?not)\b(?!.*\b(?:here|there|line \d+|this (?:function|file|line|method|class|case|one|test)|in the (?:function|loop|test|constructor|method))$)",
    ),
    _head(
        "switch",
        r"(?:please |let'?s |lets |we(?:'re| are)? )*(?:switch(?:ing)?|migrate|move|moving|change)(?: \w+)? from [^,;]+ to [^,;]+",
        confidence=0.7,
    ),
    _head(
        "we-use",
        r"(?:here |in this (?:repo|project) )?we(?:'re| are)? (?:only |always |all )?(?:us(?:e|ing)|run|write|go with|work with|deploy (?:with|via|through)|manage|build with|test with|format with|squash|rebase|commit|ship|name|prefix|store|keep|put|follow|stick to|do)\s(?!it\b|this\b|that\b)[^,;]*?(?:\b(?:here|not|instead|everywhere|only|throughout|exclusively|in this (?:repo|project|code ?base)|for (?:all|every\w*|tests?|testing|packages?|logging|formatting|linting|styling|migrations?|deploy\w*)|never|always|convention|style)\b)",
    ),
    _head(
        "use-for",
        r"(?:please |always )*(?:(?:use|run|log|format|return|wrap|name|prefix|tag|sign|indent|type|go (?:through|via))|(?:add|write|put|document|mark|apply|store|place|save|test|start|end|call|pass)(?=.*\b(?:every new|all new|any|new|always|every time|each time|from now on|everywhere|exactly|consistently)\b))\s(?!it\b|that\b|this\b|them\b)[^,;]*?\b(?:everywhere|throughout|always|by default|at all times|every(?: single)? time|each time|from (?:now|here) on(?:wards)?|going forward|whenever|for (?:all|any|every|each|new|anything|everything)\b|in (?:all|any|every|each|new)\b|(?:to|with|on|under|after|before) (?:all|any|every|each)\b|exactly|exclusively|consistently|as (?:usual|before|always)$)",
    ),
    _head(
        "use-with",
        rf"(?:please )?use (?!this|that|it|these|the same|a |an |my|your|them)[\w.@/`+-]+(?: [\w.@/`+-]+)? (?:for|as|with|in) (?:the )?(?:{_NOUNS}|logging|formatting|linting|styling|testing|validation|packages?|dates?|money|http|state management|builds?|parsing|auth|everything)\s*(?:here|now|please)?$",
        confidence=0.75,
    ),
    _head(
        "use-exact",
        rf"(?:please )?(?:always )?(?:(?:run|build|test|deploy|lint|start) (?:the |all |your )?(?:\w+ )?(?:tests?|suite|builds?|linter|server|app|docs|it|checks?)\b[^,;]{{0,20}}?\b(?:with|via|through|using|on port|by running)|(?:use|connect to|target|deploy to|work on|push to|commit to|branch (?:off|from)) (?:the )?(?:port|branch|version|node|python|go|java|ruby))\s(?:port |branch |the )?{_VALUE}(?: (?:for|as|when|to|now|instead|from)\b.*)?$",
        confidence=0.7,
    ),
    _head(
        "before",
        r"(?:please |first |always )*(?:run|show|ask|check with|tell|confirm|lint|format|verify|say|do an?|let me|get|wait|back ?up|make a (?:backup|plan|copy)|propose|present|explain|plan|commit|stash|pull|rebase|consult|measure|announce|warn|mention|discuss|(?:write|test|check|build|read|update|bump|document|summari[sz]e|describe)(?=.*\b(?:every|each|any|you (?:commit|push|merge|touch|change|edit|start|say|open))\b))\b[^,;]*?\b(?:before|after|prior to|whenever|every time|each time)\s(?:you|each|every|any|an?\b|(?!(?:starting|we|i|it|that|this|lunch|going|the (?:meeting|release|demo|deadline|weekend))\b)\w+ing\b|commits?|push|merge|release|making|committing)",
        confidence=0.85,
    ),
    _head(
        "pin",
        r"(?:please )?(?:always )?(?:pin|lock|freeze|cap|limit|restrict) (?!it\b|this\b|that\b|me\b|up\b)[^,;]+",
    ),
    _head(
        "make-that",
        r"make (?:it|that|this|them) (?:port )?[^,;]*\d[^,;]*\b(?:instead|for all|everywhere|from now on|now)\b",
        confidence=0.8,
    ),
    _head(
        "we-are-on",
        r"(?:(?:the )?(?:project|repo|service|app|codebase|we|prod(?:uction)?|ci)|this (?:project|repo|service|app|codebase))(?:'re| are|'s| is| runs?| stays?)? (?:still |currently |now |already |pinned |locked )*(?:on|to|at|with|targets?|using) (?!the\b|it\b|a\b)(?!(?:phase|step|stage|point|line|day|page|task|round|part|version)\b)(?:[a-z.+#]+ ){1,3}v?\d[\w.]*\b",
        confidence=0.8,
    ),
    _head(
        "value",
        rf"(?:the |our |my |your |this |use )?(?:(?:[\w-]+ )?(?:(?:test|build|lint|format|dev|start|run|deploy|check|release|install|type-?check)(?:s|ing)? (?:command|script|runner|task|target)s?|tests?|test suite|unit tests|builds?|linter|formatter|(?:dev |test |staging |prod |local |main )?(?:db|database|server|api|redis|postgres|mysql|port|branch|url|host|endpoint|worktree|bucket|registry|cluster|namespace|queue|proxy|frontend|backend|gateway|base url|default branch|feature branch|release branch|package manager)|staging|prod(?:uction)?|timeouts?))(?: (?:to use|for [\w ]{{2,25}}|branch|port|in this repo))? (?:is|are|runs?|lives?|listens?|sits?|=|must be run|get run)(?: now| always| only| still)?(?: (?:on|at|under|in|via|with|through|from|port|branch|called|named))* (?:port |branch |node |python )?{_VALUE}",
        confidence=0.8,
    ),
    _head(
        "noun-goes",
        rf"(?P<subject>(?!the |these |those |some |most |many |my |your |his |it |this |that ){_NOUNS}\s)(?:go(?:es)? (?:through|in|into|under|to|via)|lives? (?:in|under|at)|belongs? (?:in|to|under)|carry|start with|end with|(?:are|is) (?:named|prefixed|written (?:in|with|as)|kept in|stored (?:in|as)|formatted with|called|in (?:snake|camel|kebab|pascal|upper|lower)|(?:snake|camel|kebab|pascal)[_ -]?case)|use (?!the\b|a\b|up\b|too\b|it\b)|come from|happen (?:through|via|only|in)|get \w+ed)\b",
        confidence=0.7,
    ),
    _head(
        "from-now-on",
        r"(?!i\b|i'm|we(?:'ll|'re| will| are)\b|it\b|that\b|this\b|what|how|why|when|where|is\b|are\b|the problem).{3,120}\b(?:from (?:now|here) on(?:wards)?|going forward|in future|in the future|every (?:single )?time|each time)$",
        confidence=0.8,
    ),
    _head(
        "from-now-on-lead",
        r"(?:from (?:now|here) on(?:wards)?|going forward|as a rule),? (?!i\b|it\b|there\b|i'll|we'll)[a-z]+ .{3,}",
        confidence=0.8,
    ),
    _head(
        "condition",
        r"(?:by default|in future|in general|for all (?:future|new)|every time|whenever you|each time you|any time you|anytime you|when(?:ever)? (?:you|a|an|any)\b|if (?:you|a|an|any)\b)(?!.*\b(?:crash|fail|error|happens?|i get|it (?:does|shows|says|is))\b)[^,;]*, (?:then )?(?!i\b|it\b|the\b|there\b|we\b|you\b|not\b|if\b|in which|is\b|are\b|does\b|can\b|why|what|how|\w+s\b)[a-z].{3,}",
        confidence=0.8,
    ),
)
WISHES = (
    _head(
        "rather-not",
        r"(?:better (?:not to|to not|never to|not)\b|(?:i|we)(?:'d| would)?(?: much| really)? (?:rather (?:not|avoid|you (?:didn'?t|not))|prefer (?:not|no|you (?:don'?t|didn'?t)|to avoid|if you (?:don|didn)'?t|it if you (?:don|didn)'?t|fewer|without)|like (?:to (?:not|avoid)|you not to|it if you didn'?t))|rather not|preferably (?:no|not|without)|ideally (?:no|not|without)|would be (?:nice|good|great|better|cool) (?:to avoid|not to|to not|if (?:you|we) (?:didn'?t|don'?t|could avoid)|without)|(?:it'?d|it would) be (?:nice|good|great|better|nicer) (?:not to|to avoid|to not|if (?:you|we) (?:didn'?t|don'?t|could avoid)|without))\b",
        polarity="do_not",
        force="soft",
    ),
    _head(
        "dislike",
        r"(?:i|we)(?:'m| am|'re| are)? (?:usually |generally |really |personally |also |just |honestly |normally |tend to |kind of |kinda |sort of |absolutely |still )*(?:(?:don'?t|do not|dont|never) (?:really |usually |particularly |much |normally |like to )*(?:like|love|enjoy|care for|write|do|want to see)|not (?:a (?:big |huge )?fan of|(?:too |very |so |that )?(?:keen|fond|big|hot|sold|into) (?:on|of)?|crazy about)|dislike|hate|loathe|detest|can'?t stand|try to avoid|(?:to )?avoid|stay away from|(?:no|not a) fan of)\s(?!(?:it|that|this|how|what|them|the way|when|where|the (?:look|idea|result|output|error|second|first))\b)[^,;]+",
        polarity="do_not",
        force="soft",
    ),
    _head(
        "not-my-thing",
        r"(?P<subject>[^,;]{2,60}?) (?:isn'?t|is not|aren'?t|are not) (?:really |exactly |quite |so much )?(?:my (?:thing|style|taste|favou?rite|cup of tea|kind of)|how (?:i|we) (?:do|like|write))\b",
        polarity="do_not",
        force="soft",
    ),
    _head(
        "try-not",
        r"(?:please )?(?:try (?:not to|to avoid|to not|and avoid)|go easy on|take it easy with|not too (?:many|much)|(?:fewer|less) (?=[^,;]*\b(?:please|pls)\b)|don'?t overdo|do not overdo|as few [\w ]+ as possible|as little [\w ]+ as possible|lets? not get|let'?s avoid|lets avoid)\b(?! than)(?! (?:that|it))",
        polarity="do_not",
        force="soft",
    ),
    _head(
        "prefer",
        r"(?:(?:i|we)(?:'d| would)?(?: much| really| usually| generally| strongly| always| still)? (?:rather (?:have|see|use|you (?!didn'?t|not)|keep|go)|prefer (?!(?:the|option|that|this|it|to wait|a|b|c|number|\d)\b(?! \w+ (?:style|way|form|over|to|approach)\b))|favou?r|like [^,;]{2,60} (?:better|more) than|(?:would )?(?:love|like) (?:to (?:keep|see|have|avoid) [^,;]+|it if you (?:always|kept|used|could)))|my preference is|prefer(?:red)? |try to (?:always )?(?:keep|stick|stay|use|prefer|limit|minimi[sz]e|reuse|follow|write|be|have)\b|aim for|lean towards?|better to (?!not\b)[^,;]+ than|(?:it'?d|it would|would) be (?:nice|great|good|better) (?:if (?:the |all |every |you (?:always|kept|used))|to (?:keep|have|use|stick))|the (?:fewer|shorter|smaller|simpler|less)\b[^;]+\bthe better)",
        force="soft",
    ),
    _head(
        "a-fan",
        r"(?:i|we)(?:'m| am|'re| are)? (?:a )?(?:big |huge )?fan of [^,;]+",
        force="soft",
        confidence=0.7,
    ),
)
LAST = (
    _head(
        "soft-lead",
        r"(?:preferabl[ey]|ideally|if (?:at all )?possible|where(?:ver)? possible|whenever possible)[, ]+[a-z]",
        force="soft",
        confidence=0.75,
    ),
    _head(
        "soft-tail",
        r"(?!i\b|let'?s see|we (?:have|are|were)|it\b|that\b|can\b|could\b|is\b)[^,;]{5,100}\b(?:if (?:at all )?possible|where possible|whenever possible|if you can|if we can(?: help it)?|wherever possible)$",
        force="soft",
        confidence=0.75,
    ),
)
WITHDRAWALS = (
    _head(
        "lift",
        r"(?:please |you can |you may |we can |let'?s |lets )*(?:forget(?: about)?|drop|scratch|ignore|disregard|never ?mind|lift|cancel|remove|revoke|retract|undo|take back|skip|ditch|lose)\s(?:what i said (?:about|on|regarding) [^,;]+|(?:the|that|my|this|all the|our|your)?\s?[^,;]{0,60}?(?:\b(?:rule|thing|ban|restriction|constraint|requirement|request|convention|policy|limit|freeze|bit about|part about|stuff)s?\b[^,;]*)|the [\w-]+ again)",
        act="withdraw",
    ),
    _head(
        "lift-back",
        r"(?:i )?(?:take (?:that|it|this|what i said[^,;]*|the [\w -]{2,30} (?:rule|ban)) back|scratch that|strike that|(?:that|the [\w -]{2,40}|this) (?:rule|ban|restriction|constraint|requirement|limit|limitation|freeze)(?: about [^,;]+)? (?:is (?:gone|lifted|over|off|no longer \w+|obsolete|void|cancelled|dropped|removed)|no longer (?:applies|holds|counts|stands)|(?:doesn'?t|does not) (?:apply|hold|count)(?: any ?more)?|can go))",
        act="withdraw",
    ),
    _head(
        "no-need",
        r"(?:there(?:'s| is) )?(?:no (?:more )?need (?:to|for) [^,;]+|no longer (?:need|necessary|required)[^,;]*|(?:you|we|i) (?:no longer (?:need|have)|needn'?t|(?:don'?t|do not|dont) (?:need|have))(?: (?:to |you to )[^,;]+| (?:the |any )?[^,;]+? (?:any ?more|anymore|now|every time|each time|always|again))$|not necessary to [^,;]+ any ?more)",
        act="withdraw",
        confidence=0.85,
    ),
    _head(
        "not-needed",
        r"(?P<subject>[^,;]{2,60}?) (?:(?:is|are) (?:no longer|not) (?:needed|required|necessary|mandatory|a (?:requirement|rule|must))|(?:isn'?t|aren'?t) (?:needed|required|necessary|mandatory|a (?:requirement|rule|must)))(?: any ?more| anymore| now)?",
        act="withdraw",
        confidence=0.85,
    ),
    _head(
        "allowed",
        rf"(?P<subject>(?!(?:your|explain|how|what|tell|show|if|when|because)\b)(?:[^\s,;]+ ){{0,5}}?[^\s,;]+) (?:(?:is|are) (?:totally |perfectly |now |again )*(?:fine|ok(?:ay)?|allowed|permitted|acceptable|welcome|fair game|open|unlocked|free to|up for grabs|cool)(?: (?:again|now|with me|by me|to|from now on|for now)\b[^,;]*)?$|(?:may|can) (?:(?:now )?be (?:{_CHANGE}\w*)(?: \w+){{0,5}} (?:again|now)|now be \w+)\b)",
        act="withdraw",
        is_permission=True,
        confidence=0.8,
    ),
    _head(
        "you-may",
        r"(?:(?:and |so |ok |now )?(?:you|u|we(?= (?:can|may) (?:now|again)))(?:'re| are)? (?:(?:can|may) (?:now |again |also |of course |totally |freely |safely )*(?!only|not|never|always|see|find|imagine|guess|tell|look|check|read|start with|begin|reproduce|also see|stop|expect)[a-z]+|(?:now )?(?:allowed|free|welcome|permitted) to)\b[^,;]*|feel free to [^,;]+|go ahead and (?!do it|implement\b$|start|continue|fix)[^,;]+|it(?:'s| is) (?:ok(?:ay)?|fine|alright|all right|allowed) (?:now |again )?to [^,;]+|(?:i'?m|i am) (?:ok|okay|fine|cool) with [^,;]+|i don'?t mind (?!if it)[^,;]+)",
        act="withdraw",
        is_permission=True,
        confidence=0.75,
    ),
    _head(
        "may-inverted",
        r"(?:the |our )[\w./-]+(?: [\w./-]+)? (?:you|we) (?:may|can) [a-z]+$",
        act="withdraw",
        is_permission=True,
        confidence=0.7,
    ),
)
HEADS: tuple[tuple[re.Pattern[str], tuple[Head, ...]], ...] = tuple(
    (re.compile(rf"n['’]t\b|\b(?:{words})\b", re.IGNORECASE), heads)
    for words, heads in (
        (
            "forget|drop|scratch|ignore|disregard|never ?mind|lift|cancel|remove|revoke|retract|undo|skip|ditch|lose|back"
            "|strike|rule|ban|restriction|constraint|requirement|limit|limitation|freeze|no|not|need|can|may|free|ahead|fine"
            "|ok|okay|allowed|permitted|acceptable|welcome|fair|open|unlocked|up for|cool|mind",
            WITHDRAWALS,
        ),
        (
            "rather|prefer|preferred|preference|like|love|better|nice|good|great|favou?r|not|dont|never|fan|dislike|hate|loathe"
            "|detest|avoid|try|easy|too many|too much|fewer|less|few|little|overdo|aim|lean|ideally|stay away|cool|no|nicer",
            WISHES,
        ),
        (
            "not|never|dont|no|zero|nothing|nobody|none|avoid|refrain|steer|hands|keep|stay|stop|quit|cease|enough|careful"
            "|without|under no|in no|at no|on no|off|forbidden|prohibited|banned|taboo|sacred|untouchable|out of|unacceptable"
            "|verboten|cannot|fingers|paws|a no|make sure|ensure|watch|take care",
            BANS,
        ),
        (
            "only|nothing|exclusively|solely|stick|adhere|follow|respect|conform|comply|restrict|limit|confine|stay|go by|nowhere|no",
            ONLY,
        ),
        ("leave|let|keep|preserve|maintain|retain|stays?|remains?|kept|left", KEEPS),
        (
            "always|sure|ensure|remember|see to|take care|habit|ask|check|tell|warn|ping|consult|confirm|clear|run|wait|get|let me"
            "|must|has|have|need|needs|should|shall|gotta|ought|are|is|every|each|any|all|everything|want|expect|require|insist"
            f"|demand|like|{LANGUAGE}",
            DEMANDS,
        ),
        (
            "instead|rather|place of|over|lieu|not|switch|switching|migrate|move|moving|change|we|we're|use|run|everywhere|for"
            "|throughout|always|default|times|time|from|every|each|any|all|new|exactly|exclusively|consistently|before|after|prior"
            "|whenever|pin|lock|freeze|cap|limit|restrict|make|on|is|are|runs?|lives?|listens?|sits?|go|goes|belongs?|carry|start"
            "|end|happen|get|come|when|if|future|forward|as a",
            CHOICES,
        ),
        ("preferably|preferable|ideally|possible|if you can|if we can", LAST),
    )
)
"""The forms in groups, each with the words of which a clause of that group holds at least one."""
