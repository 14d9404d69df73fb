"""How English says that something is not to be done."""

from __future__ import annotations

from agentinitd.memory.capture.english_form import (
    BAD,
    CHANGE,
    NOT,
    SUBJECT,
    form,
)
from agentinitd.memory.capture.english_verbs import ORDER

BANS = (
    form(
        "you-keep-doing",
        r"(?:you|u) (?:keep|kept|keep on) (?:adding|deleting|removing|using|writing|changing"
        r"|renaming|touching|moving"
        r"|putting|rewriting|reformatting|committing|pushing|editing|importing|mocking|creating"
        r"|apologi[sz]ing"
        r"|explaining|answering in|switching) (?!(?:the (?:wrong|right)|it|that|this)\b)[^,;]+",
        polarity="do_not",
        force="soft",
        confidence=0.7,
        cue="keep|kept",
    ),
    form(
        "told-not",
        r"i (?:keep (?:telling|asking)|(?:already |have already |'ve already |'ve |have )?(?:told"
        r"|asked)) you (?:\w+ )?(?:not|never) to [a-z]+",
        polarity="do_not",
    ),
    form(
        "whatever-but",
        r"(?:use|pick|take|do|change|edit) (?:anything|whatever[^,;]*|any \w+(?: you \w+)?) (?:except"
        r"|but|other than|apart from)\b",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "skip-talk",
        r"(?:please )?(?:skip|spare me|cut|drop|omit|leave out) (?:the|all|your"
        r"|any)(?: \w+)? ?(?:explanations?|summar(?:y|ies)|pleasantries|apologies|preambles?|intros?"
        r"|chatter|fluff|disclaimers?|emojis?|recaps?|commentary)\b",
        polarity="do_not",
    ),
    form(
        "not-one",
        r"not (?:a single|one more|one single) [\w ./-]+(?: please)?$",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "wont-accept",
        r"(?:i|we) (?:won'?t|wont|will not|do not|don'?t|dont) (?:accept|tolerate|allow|approve|merge"
        r"|permit|be using)\b"
        r"(?! (?:it|that|this|time|access|to)\b)",
        polarity="do_not",
    ),
    form("zero-tolerance", r"(?:zero|no) tolerance for\b", polarity="do_not"),
    form(
        "forget",
        r"(?:please )?(?:don'?t|do not|never|dont) (?:ever )?(?:forget|neglect|omit|fail) (?:to|the"
        rf"|about the|{ORDER} (?:the|your|our|all))\b",
    ),
    form(
        "ban",
        r"(?:i repeat:? )?(?:please )?(?:(?:really|just|simply) )?(?:don'?t|do not|dont|don’t"
        r"|never(?: ever)?|let'?s not|lets not|let'?s never)"
        r"(?: under any circumstances?,?| at any (?:time|point),?| in any case,?)?"
        r"(?: (?:ever|just|simply|even|blindly|ever again|again|silently|go and|try to|start"
        r"|keep))?\s+(?!(?:forget|mind|want|need|have|think|know|see|feel|seem|look like|like|love|yet"
        r"|get confused|get me|been|had|really|on|in|at|with|for|from|to|more|again"
        r"|before|after|without|once|twice|when|if|else|under|over|inside|outside|by"
        r"|through|failed|got|saw|knew|heard|went|found|took|thought|tried|worked|underestimate"
        r"|crashed|came"
        r"|ran|showed|appeared|occurred|returned|happened|reached"
        r"|finished)(?![\w-]))[a-z`][\w'-]*+(?! {VAGUE_OBJECT})",
        polarity="do_not",
    ),
    form(
        "ban-modal",
        r"(?:must not|mustn'?t|should never|must never) (?!happen|be (?:there|visible|able)\b)[a-z]+",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "avoid",
        r"(?:please )?(?:(?:we|you|let'?s|lets)(?: should| must| need to| have to"
        r"| want to)? )?(?:always )?(?:avoid|refrain from|steer clear of|(?:stay|keep) (?:away from"
        r"|out of|off|clear of)|hands off|keep (?:your )?(?:hands|fingers|paws) off|watch out not to"
        r"|be careful not to|take care not to|make sure (?:not|never) to|make sure (?:you|we) (?:don'?t"
        r"|do not|never)|ensure (?:you|we) (?:don'?t|never)|under no circumstances|in no case"
        r"|at no point|on no account)\b",
        polarity="do_not",
    ),
    form(
        "stop",
        r"(?:please )?(?:stop|quit|cease|enough with(?: the)?) (?!here|there|now|running"
        r"|the)(?:[\w-]+ing\b|using\b|with the\b)",
        polarity="do_not",
    ),
    form(
        "nobody",
        r"(?:nothing|nobody|no one|none of [^,;]{3,40}?|no (?!one)[\w./-]+(?: [\w./-]+)?(?= (?:may|must"
        r"|shall|is allowed)\b))\s(?:[^,;]{2,50}?\s)?(?:may|can|should|must"
        r"|shall|is allowed to|is to|has to|gets?|goes|touches|edits) \w+",
        polarity="do_not",
    ),
    form(
        "nothing",
        r"nothing (?:in|on|by|under|outside|inside|from)\b(?!.* (?:is|are|was) (?:used|left|there"
        r"|referenced"
        r"|called|needed|found"
        r"|shown|logged|wrong|missing|imported|running)\b)(?! (?:the |my )?(?:logs?|screen|console"
        r"|output|terminal|browser)s?\b)",
        polarity="do_not",
    ),
    form(
        "no",
        r"(?:absolutely )?(?:no|zero) (?!i\b|we\b|it\b|you\b|the\b|that\b|this\b|no\b|they\b|don't\b"
        r"|not\b|man\b|wait\b)(?!.* (?:either|(?<!unless )needed|required|necessary)$)(?:(?:more|new"
        r"|extra|additional|premature|unnecessary|manual|implicit|hidden|clever|speculative|dead"
        r"|duplicate|dynamic|automatic|blind|silent|magic|nested|needless|excessive|fancy"
        r"|further|other|external|third[ -]party"
        r"|direct|raw|inline|global) [\w`.<-]+|(?:[\w`./-]+ ){0,2}?(?!(?:errors?|issues?|results?"
        r"|problems?|warnings?|failures?|tests?|matches|events?|sessions?|hits|rows|records|news|was|is"
        r"|this|less|worries|thoughts|options|differences|details|bugs|updates|plans|thing|nothing"
        r"|anything|something)\b)[\w`./-]*(?:s|ing)\b(?! (?:come|arrive|appear|show|match|exist|returned"
        r"|found|yet|so far|needed|now|here|any ?more"
        r"|fail|pass|work|left(?! (?:running|open|behind|over)\b)|are|is|were|to (?:report|see|show|fix"
        r"|do|be|speak|worry|add|talk)\b)))",
        polarity="do_not",
        confidence=0.85,
    ),
    form(
        "no-one-word",
        r"(?:absolutely )?(?:no|zero) (?!i\b|we\b|it\b|you\b|the\b|that\b|this\b|no\b|they\b|don't\b"
        r"|not\b|on\b|man\b|wait\b|errors?\b|output\b|trace\b)(?!.*\b(?:is|are|was"
        r"|were) (?!accepted|allowed"
        r"|permitted|wanted|tolerated|merged|touched|changed)\w+(?:ed|wn)\b)(?!.* (?:either|needed|required"
        r"|necessary)$)(?!.*\bleft (?:in|on|there)\b)"
        r"(?:`[^`]+`|any\b|(?:[\w./()<>!:-]+ ){1,3}?(?:in|on|for|under|inside|within"
        r"|outside|at|anywhere|at all|ever|over|across|without|unless|before|until)\b(?! (?:the screen|my"
        r"|this page|it|that|\w?\d+)\b)|[\w./-]+(?: [\w./-]+){0,3} (?:please|pls|plz|whatsoever)$)[^,;]*",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "want-no",
        r"(?:i|we) (?:really )?(?:(?:don'?t|do not|dont|never) (?:ever )?(?:want|need) (?!this\b|it\b"
        r"|that\b)(?:any|you|to see(?! (?:it|that|this|them)\b)|to have|new|more|another|a|the|our|my|your"
        r"|\w+ing|\w+s\b)|(?:want"
        r"|need|expect) (?:no|zero)|(?:can'?t|cannot) have)\b(?! to (?:see|have) (?:it|that|this"
        r"|them)\b)(?! to (?:do|be|go|know|think))",
        polarity="do_not",
    ),
    form(
        "we-dont",
        r"(?:we|you|u) (?:also |still )?(?:(?:really )?(?:don'?t|do not|dont|never|must not|mustn'?t"
        r"|may not|should not|shouldn'?t|should never|must never|are not (?:allowed|supposed"
        r"|permitted) to|aren'?t (?:allowed|supposed|permitted) to))\s(?!(?:need|have|know|think|see"
        r"|want|seem|mind|care|understand|get|remember|realize|mean|support|even|really|actually|yet"
        r"|be (?:able|surprised|worried)|get)\b)[a-z]++(?! (?:it|that|them|this)(?: (?:at all|here"
        r"|yet|either"
        r"|any ?more|anywhere|so far))*$)",
        polarity="do_not",
        cue=r"we|you|u",
    ),
    form(
        "is-bad",
        rf"{SUBJECT}(?:is|are|stays?|remains?|was declared)(?:n'?t| not)? {BAD}",
        polarity="do_not",
        cue=r"is|are|stays?|remains?|was",
    ),
    form(
        "is-not-ok",
        rf"{SUBJECT}(?:isn'?t|aren'?t|is not|are not) (?:allowed|ok(?:ay)?|acceptable|permitted|welcome"
        r"|negotiable|an option|to be)\b",
        polarity="do_not",
    ),
    form(
        "it-is-bad",
        r"it(?:'s| is) (?:not allowed|forbidden|not ok(?:ay)?|not acceptable|off[ -]limits|prohibited"
        r"|strictly forbidden) to\b",
        polarity="do_not",
    ),
    form(
        "must-not",
        rf"{SUBJECT}(?:must{NOT}|must never|should never|shall{NOT}|shall never|may never|(?:is"
        rf"|are){NOT} to\b|ought not to|(?:has|have){NOT} to be|(?:is|are) never to"
        r"|(?<=s )never(?= (?:go|get|leave|land|end|enter|be|contain|hold|call|import|touch|change|use"
        r"|depend|store|block)\b)) ?\w*",
        polarity="do_not",
        cue=r"must|mustn|should|shall|may|never|not|never|isn|aren|has|have|to",
    ),
    form(
        "may-not",
        rf"{SUBJECT}(?:(?:may not|should not|shouldn'?t)(?: ever)? (?:be |get )?(?:(?:re)?{CHANGE}\w*"
        r"|go (?:up|down|in)|contain|exceed|hit|depend|know about|leave)\b|(?:can'?t|cannot"
        rf"|can not) (?:be (?:re)?{CHANGE}\w*|change|break|drop|fall|rise|shrink|regress|slip|go (?:up"
        r"|down)|depend|exceed)\b)",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "do-not-noun",
        r"(?:(?P<subject>(?:[a-z-]+ ){0,2}[a-z-]+s )(?:do not|don'?t) (?:belong|go|get|live|import|call"
        r"|touch|use|know)\b|(?!it\b|that\b|this\b)[^,;]{2,60}? (?:(?:doesn'?t|does not|don'?t"
        r"|do not) belong|ha(?:s|ve) no (?:business|place)) (?:in|on|under|inside|here)\b)",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "without",
        r"(?:\w+ )*?without (?:ever )?(?:chang|touch|modify|break|alter|edit|renam|add|introduc|install"
        r"|remov|delet|mov|reformat|pull|bump|upgrad|rewrit)\w*ing? [^,;]+",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "there-no",
        r"there (?:must|should|shall|may|can|has to|have to|needs to)(?: (?:always|never"
        r"|not))? (?:be no |be any )",
        polarity="do_not",
    ),
    form(
        "no-bare",
        r"no (?!(?:[\w-]+ )?(?:behaviou?r|functional|api|schema|ui"
        r"|visual) changes?$)[\w./`-]+(?: [\w./`-]+)?$",
        polarity="do_not",
        confidence=0.75,
    ),
    form("never-latest", r"never [\w`./-]+$", polarity="do_not"),
    form(
        "noun-not", r"(?:the |our |my )[\w./-]+(?: [\w./-]+)? (?:not|no)$", polarity="do_not", confidence=0.75
    ),
    form(
        "dropped",
        r"(?:we|i)(?:'ve| have)? (?:moved away from|got rid of|gotten rid of|dropped|abandoned|banned"
        r"|stopped using|no longer (?:use|want|do|allow"
        r"|support|accept)|are done with|'re done with) (?!it\b|this\b|that\b)[^,;]+",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "forbid",
        r"(?:i (?:hereby )?forbid|don'?t you dare|do not dare|not allowed to|you(?:'re"
        r"| are) not (?:allowed|supposed|permitted|meant) to|(?:we|you)"
        r" (?:aren'?t|are not) (?:allowed|supposed|permitted|meant) to)\b",
        polarity="do_not",
    ),
    form(
        "no-business",
        r"(?:you|u)(?:'ve| have)?(?: got)? no (?:business|reason to be|need to be) (?:in|with|near"
        r"|touching|around) [^,;]+"
        r"|(?P<subject>(?:the |our |my )?(?:[\w./-]+ ){1,3})(?:is|are|stays?) (?:read-?only|immutable"
        r"|locked|sealed"
        r"|closed to you|untouchable)$",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "not-yours",
        r"(?P<subject>[^,;]{2,60}? )(?:(?:is|are)(?:n'?t| not) (?:yours|ours|for you|up to you)\b|(?:is"
        r"|are) (?:history|deprecated here|banned|dead"
        r" to me|out of (?:the )?question|not welcome)\b)",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "ease-up",
        r"(?:please )?(?:stop with|lay off|ease up on|cut back on|enough (?:of|with)|lose|quit it with"
        r"|cut out|leave out|do without) (?:the |all |all the "
        r"|those |any )?(?!it\b|this\b|that\b|here\b)[\w-]+",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "refuse",
        r"(?:i|we)(?:'ll| will|'d| would) (?:reject|refuse|send back|revert|close|be (?:very "
        r"|really )?(?:unhappy|angry|mad|sad|cross|upset))\b"
        r"(?! (?:it|this|that)\b)[^,;]+",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "nothing-done",
        r"(?:do|change|touch|add|bump|upgrade|commit|delete|install|merge|push|rename|remove|write"
        r"|deploy|publish"
        r"|move) nothing\b",
        polarity="do_not",
    ),
    form(
        "resist",
        r"(?:please )?(?:resist the (?:urge|temptation)|don'?t be tempted|do not be tempted"
        r"|don'?t you ever|don'?t you dare|no need to ever)\b",
        polarity="do_not",
    ),
    form(
        "hold-off",
        r"(?:please |let'?s )*(?:hold off(?: on| with)?|wait with|hold back(?: on| with)?|leave (?!it\b"
        r"|that\b|this\b)[^,;]{2,60}? out(?: of\b|$|\s))[^,;]*",
        polarity="do_not",
        confidence=0.8,
    ),
    form(
        "we-cannot",
        r"(?:we|you(?! (?:can'?t|cannot) have)) (?:can'?t|cannot) (?:ship|use|add|have|afford|break|change"
        r"|depend on|rely on"
        r"|pull in|accept|publish|merge|touch|drop|store|log)\b"
        r"(?! (?:it|this|that|yet|now|them|because)\b)[^,;]+",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "my-job",
        r"leave (?!(?:it|that|this|a|an|some)\b)[^,;]{2,50} to (?:them|him|her|the [\w-]+(?: [\w-]+)?)$"
        r"|leave [^,;]{2,50} (?:to|for) (?:me|us|ops|the \w+ team)\b|(?P<subject>(?!(?:it"
        r"|this)\b)[^,;]{2,50}? )(?:is|are|stays?|remains?) (?:my|our|not your)"
        r" (?:job|call|business|task|decision|thing)\b|i(?:'ll| will)? (?:do|handle|make|write|run"
        r"|take care of) (?:the |all |all the )?[^,;]{2,40} (?:myself|on my own)\b"
        r"|[\w ]{2,30} (?:do|does|handles?|makes?|runs?) [^,;]{2,40} not you$",
        polarity="do_not",
        confidence=0.75,
    ),
    form(
        "are-out",
        r"(?P<subject>(?!(?:the|it|this|that|i|we|they|he|she|v?\d|version"
        r"|release)\b)(?!.*\d)(?:[\w-]+ ){1,3})(?:is|are) out$",
        polarity="do_not",
        confidence=0.7,
    ),
    form(
        "may-not-any",
        r"(?P<subject>(?!(?:it|this|that|you|we|i|they|tests?|there)\b)[^,;]{2,50}? )may not (?!be "
        r"(?:needed|necessary|able|enough|possible|the|an?)\b|work|pass|exist|have|matter"
        r"|need|know|help|support|compile|apply|run|find|see|want|like)[a-z]+",
        polarity="do_not",
        confidence=0.75,
        cue=r"may not",
    ),
)
