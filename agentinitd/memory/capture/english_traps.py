"""English words that sound like a rule and are none: idioms, the past, what others say, what might be."""

from __future__ import annotations

import re

from agentinitd.memory.capture.needed import Sought

HEARSAY = Sought(
    r"\b(?:he|she|they|people|everyone|everybody|some(?:one|body)|nobody"
    r"|(?:[Tt]he|[Mm]y|[Oo]ur|[Tt]heir|[Yy]our|[Aa]|[Tt]his|[Tt]hat|[Tt]hese)(?: [\w-]+){1,4}"
    r"|[A-Z]\w+(?: \d+)?"
    r"|(?!(?:you|and|but|which|that|please|always|never|must|should|also|just|not|nothing|nobody"
    r"|ever)\b)[a-z]{3,10})\s+"
    r"(?:keeps? (?:saying|telling)|(?<!that )(?<!which )says|said|claims|claimed"
    r"|(?<!each )(?<!every )(?<!any )(?<!a )(?<!the )claim|thinks|thought|believes|insists?|argues"
    r"|wrote"
    r"|told (?:me|us)|tells (?:me|us)|reckons|recommends|suggests|suggested|complains|complained|warns"
    r"|warned|mentioned"
    r"|demands|demanded|swears|states|stated"
    r"|puts? it|advises|wants (?:us|me|everyone))\b(?!\s+(?:so|as)\b)"
    r"|[\w./@-]*[./@][\w./@-]*\s+(?:says|states|tells|reads|demands)\b"
    r"|, (?:as )?they say$|, says (?:(?:the|my|our|[A-Z])|[a-z]+$)|\bleft (?:a|this) (?:note|comment"
    r"|message)\b"
    r"|(?i:\b(?:as )?per (?:the|our|their|his|her) (?:rfc|specs?|docs?|manual|standard|guidelines?|policy"
    r"|datasheet"
    r"|readme|wiki)\b)|^(?:just |i )?(?:found|saw|read|heard|spotted|got) (?:this|that|it)\b"
    r"|\b(?i:apparently|supposedly|allegedly|reportedly|rumou?r has it|word is"
    r"|according to|i (?:read"
    r"|heard|saw|was told)"
    r"|it says|(?<!if )you said|you wrote|you told|(?:they|people|docs?|documentation|guidelines|notes"
    r"|comments|reviewers|logs|some|most"
    r"|others|many|folks|colleagues|devs) (?:say|claim|think|suggest|recommend|insist|state|demand|want)"
    r"|(?:the|my|our|some) (?:[\w-]+ ){1,5}say (?:that |you |we |it |to )"
    r"|the (?:message|error|warning|label|text|title|button|dialog)s? is|the (?:message|error|log"
    r"|comment|doc|readme|warning"
    r"|label|text|title|button|dialog)s? (?:says|reads|was|should say|shows))\b",
    re.NOFLAG,
)
OWN_SAYING = re.compile(
    r"\b(?:i|we|as it)\s+(?:said|say|says|told)\b|\bas i\b"
    r"|\bi (?:really |do |always )?(?:like|love|prefer|want|hate|appreciate) it (?:when|if|that)\b",
    re.IGNORECASE,
)
HYPOTHETICAL = Sought(
    r"\b(?:suppose|imagine|(?:tempted|inclined) to|part of me|in my dreams|(?:perfect|ideal) world"
    r"|let'?s say|(?<!i )(?<!you )say we|if money|theoretically|hypothetically"
    r"|in theory|what if|wonder(?:ing)?"
    r"|thinking (?:aloud|out loud)|just thinking|one day|some day|someday"
    r"|if (?:we|i|you|it|they|one|someone) (?:ever |really )?(?:were|was|had|used|went|did|wanted|could"
    r"|switched|moved|dropped|would|started)\b"
    r"|(?:would|might) (?:have to|need to|never|always|be|not)\b|maybe|perhaps|probably|i (?:guess"
    r"|think|believe|suppose|assume|bet|doubt)"
    r"|(?<!you're )(?<!you are )(?<!if )(?<!when )not sure|no idea|(?<!you )don'?t know|dunno|ever became"
    r"|would mean|were to)\b",
)
PAST = Sought(
    r"\b(?:used to|back then|in those days|at the time|years? ago|in my (?:last|old|previous|first)"
    r"|at my (?:last|old|previous)|once upon"
    r"|formerly|previously|last (?:year|week|month|night|time)|yesterday|had (?:always |never |only )?to"
    r"|had (?:always|never|only)|was|were|wasn'?t|weren'?t"
    r"|did|didn'?t|hadn'?t|(?:should|must|could|would|might)(?:n'?t| not| never)? (?:have|of"
    r"|'ve) (?:\w+(?:ed|en|own|ought|ost|elt|ept|eft)|been|had|gone|done|made|come|run|put|set|got|told"
    r"|said|sent|built|known)\b|(?:i|we|you|they|he|she|it) (?:only |just |also |then |always |never )?"
    r"(?:(?!need|feed|seed|exceed|proceed|embed|included,)\w{2,}ed\b|ran|went|got|made|wrote|broke|took"
    r"|tried|saw"
    r"|found|kept|left|built|came|gave|thought|forgot|lost|began|knew|told|said|meant|heard|felt"
    r"|sent|paid|held)"
    r"|(?:never|always) (?:worked|used|had|did|happened|been|seen|was|were|got|said|understood|liked"
    r"|needed|wanted))\b",
)
IDIOM = re.compile(
    r"\b(?:never ?mind\b(?! (?:the|about|that rule))|no (?:action|response|reply|reaction)"
    r" (?:is |are )?(?:needed|required|necessary)|(?:go|goes|going|start|started|begin|carry on|fun|left"
    r"|leave|continue|fine|along|better|lunch|meeting"
    r"|on|ahead|it|that|manage|survive|there|here|ok|dead|lost|much) without (?:me|us|him"
    r"|her)\b(?! [a-z]+ing)|(?:best"
    r"|better) not (?:to"
    r" )?(?:know|ask|think"
    r"|wonder)\b|against the clock|never"
    r" (?:speak of|talk (?:about|of)"
    r" (?:this"
    r"|that|it)\b|let me|underestimate|trust an?|gonna"
    r"|ever seen|seen|heard"
    r"|would|could|did|does|has|have been|had|was|were"
    r"|say never"
    r"|again will i|a dull)|better late than never|no good deed|never on a|you only live"
    r"|rule of fight club|(?<!if you )(?<!when you )don'?t (?:get me wrong|worry|panic|mention it|sweat"
    r"|be (?:shy|afraid|sorry|silly|mad|offended)|hesitate|bother(?! (?:with|about|to|(?!answering"
    r"|replying|reading|waiting|looking|asking|explaining)[a-z]+ing) (?!(?:it"
    r"|that|this|me|him|her|them|us)\b)[a-z])|know|think|see|understand|remember"
    r"|care|mind|believe|give up|change a thing|laugh|cry|die|faint|freak|(?:you )?dare (?:be|crash|fail"
    r"|break"
    r"|die|hang)|let me down|look at me|get (?:mad|too excited|your hopes)|forget to (?:smile|breathe|eat"
    r"|drink"
    r"|sleep)|ask(?=$)|ask me|tell me|quote me|wait (?:for|up)"
    r"|hold (?:back|your breath|it against|your horses)|shoot the messenger|push (?:your|my|our) luck|jinx"
    r"|kid yourself"
    r"|beat yourself|rub it in|blame (?:me|him|her|them|yourself)|cry over|take it personally|expect"
    r" (?:miracles"
    r"|too much|much)"
    r"|you(?! ever| dare))"
    r"|do not (?:worry|hesitate|know|think|see|understand|mind|care)|you must be"
    r"|we must be (?:(?:pretty|very|quite|really|getting|so) )?(?:close|near|nearly|almost|halfway|there"
    r"|missing|on the (?:right|wrong)|at the (?:end|bottom|limit))\b"
    r"|must be (?:stale|broken"
    r"|corrupt(?:ed)?|outdated|off|down|dead|stuck|taken|gone|full|kidding"
    r"|joking|nice|fun|some|because|something|someone|wrong|missing|it|why|how|in (?:the|a|my"
    r"|our|some|there|here|that|this)|there|due|my|our|that)\b"
    r"|must admit|must say|(?:i|i've|i'd|i'll) (?:have|had|got|need) to (?:admit|say|go|leave|run|think"
    r"|check)|can'?t help|should do (?:it|the trick)|should see the|should be (?:fine|ok|okay|good"
    r"|enough|easy|possible|done|there|it|working)"
    r"|let'?s (?:not |never )(?:talk|speak|go there|kid|pretend|spend|waste"
    r"|argue|worry|fool|lie|forget|overthink|rush|panic|get (?:ahead|carried|lost|hung))|it'?s always|like"
    r" in an?|always say"
    r"|only real"
    r"|couldn'?t agree|no (?:rush|hurry|worries|worry|problem|probs|idea|clue|doubt|luck|way(?! (?:i|we"
    r"|you)\b)|wonder"
    r"|matter(?! (?:how|what|which|when|where|who))|one(?! (?:should|may|must|edits?|touch(?:es)?|gets?"
    r"|can|is allowed|changes?|pushes|merges?|but|except|other"
    r"|else))|thanks|(?:more |further |other )?(?:questions?|objections?|complaints?|remarks|regrets)|big"
    r" deal|biggie|difference|kidding|offen[cs]e|pressure"
    r"|pun"
    r"|joke|harm|effect|response|result|reason|point|changes? (?:yet|so far)|errors?(?: now| anymore"
    r"| so far|$)|chance|sign of|sense|time for|such)\b"
    r"|only (?:(?:one|two|three|\d+)(?= (?:left|of|more|things?|hard|fail\w*|remain\w*|errors?|tests?"
    r"|problems?|questions?|was|is|are|were)\b|$)|a few|the (?:first|second|last|other)|then"
    r"|thing(?! (?:you|we) )|problem"
    r"|question"
    r"|works?|fails?|happens?)\b"
    r"|not only|if only|always (?:been|has been|the same|fails?|wins?|happens?)|as always"
    r"|(?<!must )(?<!to )(?<!should )keep (?:going"
    r"|it up|at it|up|me posted|calm|trying|on|in mind(?! to\b)|working(?! (?:on|with|in|for|after"
    r"|when)\b))\b"
    r"|keep up"
    r"|stay tuned|stick around|(?<!that )nothing (?:happens?|works?|changes|to (?:do|see|worry|add|report)"
    r"|else matters|wrong|special|new(?! (?:until|before|unless|without)\b)"
    r"|yet|important|serious)|rather (?:slow|fast|big|nice|good|bad|odd|strange)\b"
    r"|need(?:s)? (?:some )?(?:coffee|sleep|a break|help)"
    r"|the rule of thumb|exception proves|avoid(?:s|ed)?\b.{0,20}\bproblem here)\b",
    re.IGNORECASE,
)
REMARK = re.compile(
    r"\b(?:coffee|tea|highway|motorway|traffic jam|beach|lunch|dinner|breakfast|beer|meetings?|stand-?ups?"
    r"|weather|rain(?:ing|s)?|sunny"
    r"|(?:to|i|can) sleep"
    r"|slept|weekend|holidays?|vacation|(?<!third )(?<!third-)(?<!3rd )(?<!3rd-)party|movie"
    r"|eat|drink|tired|headache|kids?|wife|husband|dentist|doctor|gym|my (?:train|bus)|subway"
    r"|football"
    r"|game tonight|birthday|the office|commute|mondays|salary|christmas)\b",
    re.IGNORECASE,
)
EXPLAINS = re.compile(
    r"\b(?:there'?s the (?:leak|bug|problem|issue|culprit)|that'?s what|or (?:the|it"
    r"|they) (?:[\w-]+ )?[a-z]+s(?:,|$)|or (?:the|it|they|else"
    r"|you) (?:[\w-]+ )?(?:ignores?|drops?"
    r"|rejects?|gets?|fails?|crash(?:es)?|breaks?|returns?|throws?|hangs?|won'?t|loses?|explodes?)\b"
    r"|otherwise (?:it|they|that) (?:throws?|crash(?:es)?|fails?|hangs?|errors?|segfaults?|explodes?"
    r"|returns?"
    r"|breaks?|complains?|does|do|is|will|won'?t)\b|hence\b(?![^,;]*\b(?:must|should|has to"
    r"|have to|needs?|only|never|always|no)\b)|that(?:'?s| is) (?:why|the (?:bug|problem"
    r"|reason|leak|issue"
    r"|cause|explanation))|that (?:explains|would explain)|which (?:is why|explains)|no wonder"
    r"|somewhere|somehow|can'?t find|that'?s how|else (?:you|it|we|they) (?:get|throws?|fails?)"
    r"|so it (?:fails"
    r"|crashes|hangs|throws|breaks)|the (?:bug|reason|cause) is|turns out)\b",
    re.IGNORECASE,
)
"""What is said with this tells how something works, not how it is to be."""
FEATURE = re.compile(
    r"(?:please )?(?:implement|create|build|add|make|write|develop|design|introduce|extend) (?!(?:sure"
    r"|it a rule)\b)(?:an?|the|some|new|validation"
    r"|support|rate|[\w-]+)[^:]{0,40}: |\b(?:please (?:implement|build)|build (?:that|it)$|(?:can"
    r"|could) you (?:add|implement|build"
    r"|do) (?:that|this|it)|add that (?:to|in)|please add that"
    r"|i want an? \w+ (?:that|which)|we need an? [^:,]{2,40}: )",
    re.IGNORECASE,
)
"""With this a demand is on what is to be built, not on how to work."""
DIAGNOSES = Sought(
    r"\b(?:errors? (?:in|on|at|with|when|says?)|fail(?:s|ed|ing|ure)?|broken|bug(?! fix)|crash\w*|hangs?"
    r"|throws?"
    r"|stuck|slow|taken|in use|twice|at the moment"
    r"|wrong|weird|strange|missing|reason|why|works|worked|does(?:n'?t| not) work|not working|could that"
    r"|maybe|i think"
    r"|i guess|seems?|looks? like|installed|yesterday|last (?:week|night|time|month)|already|timed out|was"
    r"|were|did"
    r"|that'?s (?:why|the (?!bar|rule|way (?:we|i)|standard|convention|deal|policy|house|minimum"
    r"|limit)\b)|returns? \d|404|500|exception (?:in|at|from)|traceback|it (?:is|was|says|does)"
    r"|i (?:have|get|got"
    r"|see|saw|ran|am)|i'm|got)\b",
)
"""With this a value is part of a report, not laid down."""
PEOPLE = Sought(
    r"\b(?:boss|manager|lead|pms?|product owner|mentors?|teachers?|tutors?|professors?|profs?|supervisors?"
    r"|advis[eo]rs?|colleagues?"
    r"|co-?workers?|teammates?|team ?mates?|team|folks|guys|people|ppl|everybody|someone|somebody"
    r"|designers?|marketing"
    r"|sales|finance|legal|hr|recruiters?|interns?|contributors?|maintainers?|customers?|clients?"
    r"|stakeholders?"
    r"|managers?|directors?|ceo|cto|cfo|board|students?|friends?|buddy|roommates?|flat ?mates?"
    r"|neighbou?rs?|mom|mum|dad"
    r"|mother|father|parents?|sister|brother|wife|husband|girlfriend|boyfriend|kids?|son|daughter|baby"
    r"|grandma|grandpa"
    r"|cats?|dogs?|devs|developers|engineers|programmers|juniors?|seniors?|users always|players|gamers"
    r"|reviewers?|pentester"
    r"|auditors?|consultants?|landlord|humans?|men|women|young|old folks)\b(?! (?:table|id|name|model|page"
    r"|api|branch|code"
    r"|repo|folder|module|service|email|class|object|records?|data|schema|endpoint)s?\b)",
)
"""What is said of these is talk, most often."""
FEELS = re.compile(
    r"\b(?:mondays?|tuesdays?|wednesdays?|thursdays?|fridays?|saturdays?|sundays?|christmas|easter"
    r"|mornings?|evenings?"
    r"|waiting|being|working (?:with|late|on|here)|getting up|my (?:job|life|work|day|team)\b(?! (?:much "
    r"|a lot |so much )?(?:easier|better|simpler|nicer))|this (?:bug"
    r"|error|job"
    r"|project|thing|feeling)|(?<!my )life|heaven|hell|computers|the way (?:it|he|she|they))\b",
    re.IGNORECASE,
)
"""The object of a feeling that is none about code."""
PRONOUN = re.compile(
    r"(?:it|it's|its(?= (?:a|an|the|not|just)\b)|that|that's|this|there|there's|he|she|they|they're|i|i'm"
    r"|i've|i'll|which|who|what"
    r"|one|someone|somebody|people|everyone)\b(?!-)(?! (?:rule|file|folder|repo|project|module|branch|code"
    r"|api|key|table|one|directory|package|is not allowed|is forbidden)s?\b)",
    re.IGNORECASE,
)
"""As a subject: what is said of it is a remark or a guess, not a rule."""
