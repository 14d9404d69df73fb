"""Verbs of English orders: what a developer can tell somebody to do, as one open class."""

from __future__ import annotations

import re
from collections.abc import Iterable

_VERBS = """
park reserve favor favour funnel drain
back opt err hardcode hard-code dockerize namespace normalise sanitise serialise localise prioritise tokenise
vectorize hydrate fuzz gzip bisect thaw polyfill backport coerce unbox box refrain
abbreviate abort abstract accept account acknowledge activate adapt add address adhere adjust adopt
aggregate alert align allocate allow alphabetize amend annotate announce anonymize answer append apply
archive ask assert assign assume attach attempt audit authenticate automate avoid bail base batch begin
benchmark bind block book branch break bring bubble build bump bundle cache calculate call cancel capitalize
capture carry cast catch change check cherry-pick choose cite clamp clean clear clone close code collapse
collect combine commit compare compile compose compress compute condense confirm connect consider consult
contact contain continue convert coordinate copy count cover crash create crop cross-check cut debounce
debug declare decode decorate deduplicate default defer define degrade delegate delete deliver deploy
deprecate derive describe deserialize destroy detect disable discard discuss dismiss display distinguish
divide do document double-check downgrade download draft draw drop dry-run dump duplicate edit email embed
emit enable encapsulate encode encrypt end enforce ensure enumerate escape estimate evaluate execute exit
expand expect explain export expose express extend extract fail fall fetch file filter finish fix flag flash
flatten flip floor flush fold follow force fork format forward freeze gate generate get give go gracefully
group guard handle hash head hide highlight hoist hold honor honour ignore implement import improve include
increase increment indent index indicate infer inform inherit initialize inject inline insert inspect
install instrument integrate intercept invalidate investigate invoke isolate join justify keep kill label
launch lay lazy-load leave let lift limit line link lint list load localize lock log look loop lower
lowercase make map mark mask match maximize measure memoize mention merge migrate mind minify minimize
mirror mock model modify monitor mount move mute name narrow nest normalize note notify number obey
obfuscate offer omit open optimize order organize outline output overload override overwrite pack package
pad page paginate parallelize parameterize parse partition pass patch pause permit persist pick pin ping
pipe place plan plot point poll populate port post postpone precompute prefer prefetch prefix prepare
prepend present preserve press prevent print prioritize probe proceed produce profile prompt propagate
propose protect prove provide prune publish pull push put quantize quarantine query question queue quit
quote raise randomize re-export re-render re-run re-use read rebase rebuild recompute record redact redirect
reduce refactor refer refresh refuse regenerate register reject relax release reload rely remember remind
remove rename render reorder repeat rephrase replace reply report represent reproduce request require rerun
reset resize resolve respect respond restart restore restrict retain retry return reuse revert review revise
rework rewrite roll rotate round route run sandbox sanitize save say scale scan schedule scope seal search
seed select send separate serialize serve set shard share shift ship shorten shout show shrink shut sign
signal silence simplify simulate skip sleep slice smoke-test snapshot solve sort space spawn speak specify
spell split squash stage stamp start stash state stay step stick stop store stream strip structure stub
submit subscribe substitute suffix suggest summarise summarize suppress swallow swap switch sync synchronize
tag tail take talk target tell terminate test think throttle throw tick tidy time toggle touch track transform
translate transpile trap treat trigger trim truncate trust try tune turn type undo unify uninstall unwrap
update upgrade upload uppercase use validate vendor verify version visit wait walk warn watch whitelist
widen wipe wire work wrap write yield zero zip
"""
_ONE_OFF = """
add apply change check clean clear combine commit compare compile compress compute continue convert copy
count create cut debug delete deploy disable display do download draft draw drop dump duplicate edit enable
estimate execute explain extract fetch find finish fix flip generate get give go hide highlight implement
improve increase inspect install investigate list look lower make merge migrate move open optimize output
paste plot print pull push re-run read rebuild reduce refactor remove rename repeat replace reproduce rerun
reset resolve restart restore retry revert review rewrite roll run search send show simplify solve start
summarise summarize swap switch take tell test think tidy translate trigger try turn undo update upgrade
upload wait work write
"""
_REPORTED = """
accept affect appear apply build call change check compile complain contain cover crash delete exist fail
handle happen have hit import know last list load look log make match mean need occur open parse pass
print read receive render report return run save see seem send show start store support take throw time
touch trigger update use wait work write
"""


def _alternatives(words: Iterable[str]) -> str:
    """By their first letters: trying hundreds of words at a place costs too much."""
    tails: dict[str, list[str]] = {}
    for word in sorted(words, key=lambda word: (-len(word), word)):
        tails.setdefault(word[0], []).append(word[1:])
    return "(?:" + "|".join(f"{first}(?:{'|'.join(rest)})" for first, rest in tails.items()) + ")"


def _with_british(words: Iterable[str]) -> frozenset[str]:
    return frozenset(spelled for word in words for spelled in (word, re.sub(r"(?<=..)ize$", "ise", word)))


ORDERS = _with_british(f"{_VERBS} {_ONE_OFF}".split())
"""Any verb of an order."""
MANNERS = ORDERS - _with_british(_ONE_OFF.split())
"""Verbs that tell how work is done, rather than what is done next: of things in general they are rules."""
ORDER = _alternatives(ORDERS)
THIRD_PERSON = _alternatives(
    {verb + ("es" if verb.endswith(("s", "sh", "ch")) else "s") for verb in _REPORTED.split()}
    | {"has", "does", "is", "was", "goes", "tries", "applies", "happens", "matters"}
)
"""Verbs behind "only" that make a report of it: "it only returns ids"."""
