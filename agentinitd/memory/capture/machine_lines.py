"""How a line looks that no person typed: of a log, a trace, a diff, a shell, a chat, a table, a program."""

from __future__ import annotations

import re
from typing import Literal

LineKind = Literal["typed", "closed", "open", "heading"]
"""`closed`: pasted, and every line of such a paste shows it.  `open`: pasted, and plain lines may belong to
it, such as the output under a command.  `heading`: no sentence; it says what the list under it is."""

_LEVEL = r"(?:ERROR|WARN(?:ING)?|INFO|DEBUG|TRACE|FATAL|CRITICAL|NOTICE|SEVERE|PANIC)"
_CLOCK = r"\d{1,2}:\d\d(?::\d\d)?(?:[.,]\d+)?(?:\s?[AaPp][Mm])?"
_DATE = r"(?:\d{4}[-/.]\d\d?[-/.]\d\d?|\d\d?[-/.]\d\d?[-/.]\d{2,4}|\d{4}年\d{1,2}月\d{1,2}日)"
_SPEAKER = r"@?[\w\u4e00-\u9fff][\w.\u4e00-\u9fff -]{0,30}"

_CLOSED = re.compile(
    rf"""\s*+(?:
    [\[(<]?{_DATE}(?:T|,?\s)\s?(?:{_CLOCK}|\[?{_LEVEL}\b)
  | [\[(]\s*{_CLOCK}\s*[\])]
  | \d{{1,2}}:\d\d:\d\d\b
  | {_CLOCK}\s+(?:{_LEVEL}\b|[-–—|])
  | [A-Z][a-z]{{2}}\s+\d{{1,2}}\s\d\d:\d\d:\d\d\s
  | \[\s*\d+\.\d+\]
  | [\[(<]?{_LEVEL}(?:[\])>]|:|\s*[-|]|\s{{2,}}|\s+(?=[a-z\[(]))
  | \[[\w .-]{{0,24}}(?:bot|BOT|CI|ci|guard|lint|policy|hook|check|audit|scanner)\]
  | \[(?:error|warn(?:ing)?|info|debug|notice|err)\]\s | (?:error|warning|fatal)(?:\[\w+\]|\s[A-Z]+\d+)?:\s
  | (?:npm|yarn|pnpm)\s(?:ERR!|(?:WARN|error|warn|notice)\b)
  | \[?ERR_[A-Z_]{{3,40}}\]?[\s:]
  | (?:error|warning)\s(?:You|Your|The|This|Do|Never|Always|Please|An?|No|Command|Package|Invalid)\s
  | (?:remote|fatal|hint|HINT|DETAIL|make(?:\[\d+\])?(?!:\s\*\*\*)
     |/(?:usr|bin|opt|lib|var|tmp|home)/[^:\s]*):\s
  | E\s{{2,}}\S
  | \|.*\|\s*$
  | \+[-=+]{{3,}}\+?\s*$
  | [│├└┌┐┘┬┴┼─═║╔╗╚╝▏┃]
  | [{{}}\[\]()]+[,;]?\s*$
  | "[^"]+"\s*:\s*\S
  | [{{\[]\s*["'{{\[]
  | (?:export\s+)?[A-Z][A-Z0-9_]{{2,}}=\S*\s*$
  | \[\[?[\w.\-"]+\]?\]\s*$
  | //|/\*|\*/|\*\s+@\w|<!--|--\s(?!\W)|;;\s
  | </?[A-Za-z][\w:.-]*(?:\s[^<>]*)?/?>(?=\s*$|[^\s.,:;!?])
  | \S+\.\w{{1,5}}(?::\d+(?::\d+)?:?|\(\d+(?:,\d+)?\):)\s
  | (?:feat|fix|chore|refactor|perf|revert|docs|test|ci|build|style)(?:\([^)\n]{{1,40}}\)!?|!):\s
  | (?:feat|fix|chore|refactor|perf|revert):\s
  | \**(?:From|To|Cc|Bcc|Subject|Sent|Reply-To|发件人|寄件人|收件人|主题|抄送)\**[:：]\**\s
  | (?:Author|AuthorDate|Commit|CommitDate|Co-authored-by|Signed-off-by|Reviewed-by):\s
  | [+-](?:\s{{2,}}\S|\t)
  | .{{0,120}}\berror\s[A-Z]{{2,}}\d{{3,}}:
  | (?:[Ff]ailed|[Uu]nable|[Cc]annot|[Cc]ould\snot)\s(?:to\s)?\w+\s[^.!?]{{0,80}}:\s
  )""",
    re.VERBOSE,
)
_OPEN = re.compile(
    rf"""\s*+(?:{_CLOCK}\s+{_SPEAKER}[:：] | \[(?![\sxX]\])[^\]\n]{{1,30}}\]\s?{_SPEAKER}[:：]\s
  | \$\s\S | [❯➜»%]\s+\S | [\w.-]+@[\w.-]+[:\s][^\s$\#]*\s?[$\#]\s | (?:PS\s)?[A-Z]:\\[^>]*> | >>>\s
  | Traceback\s\(most | File\s".*",\sline\s\d
  | at\s\S+\s?(?:\[as\s\w+\]\s)?\(.*(?::\d+|\.java|native|Unknown).*\)
  | at\s\S+:\d+:\d+ | Caused\sby: | Exception\sin\sthread | [\w.]*(?:Error|Exception|Panic)(?::\s|\s*$)
  | goroutine\s\d+\s\[ | panic:\s | thread\s'.*'\s(?:\(\d+\)\s)?panicked | \d+:\s+0x[0-9a-f]+
  | -->\s\S+:\d+ | \d*\s\|\s | =\s(?:note|help):
  | diff\s--git | index\s[0-9a-f]{{6,}}\.\. | @@\s.*@@ | (?:---|\+\+\+)\s(?:[ab]/|/dev/)
  | commit\s[0-9a-f]{{7,40}}\b | (?:Merge|Date):\s+(?:[0-9a-f]{{7}}|[A-Z][a-z]{{2}}\s)
  | (?=[0-9a-f]*\d)(?=\d*[a-f])[0-9a-f]{{7,40}}\s\S
  | On\sbranch\s | Changes\s(?:not\sstaged|to\sbe\scommitted) | Untracked\sfiles
  | (?:PASS|FAIL|FAILED|PASSED|SKIP)\s+\S*[./]\S | ok\s+(?:\d+\s-|\S+\s+[\d.]+s) | ====*
  | --- (?:FAIL|PASS|SKIP): | make(?:\[\d+\])?:\s\*\*\*\s
  | -----*\s*(?:FAIL|PASS|Original|Forwarded|BEGIN|原始|转发)
  | [✓✔✗✕×●⨯✖❌⚠]\s | \d+\s(?:passed|failed|tests?\spassed)\b | Tests?(?:\sSuites)?:\s+\d
  | (?:Warning|DeprecationWarning|FutureWarning):\s
  | (?:Compiling|Downloading|Installing|Collecting|Building|Resolving|Fetching)\s\S+\s*(?:v?\d|\(|\.\.\.)
  )""",
    re.VERBOSE,
)
_CODE = re.compile(
    r"""\s*+(?:
    (?:async\s+)?def\s\w+\s?\( | class\s\w+\s?[:({] | class\s\w+\s(?:extends|implements)\s\w+
  | (?:export\s+)?(?:default\s+)?(?:const|let|var|static|final)\s[\w{}\[\],:<>\s]{1,60}=
  | (?:export\s+)?(?:default\s+)?(?:async\s+)?function\s?\*?\s?\w*\(
  | import\s(?:[\w{}*,\s]+\sfrom\s)?["'][^"']+["'];? | import\s[\w.]+(?:\sas\s\w+)?;?\s*$
  | from\s[\w.]+\simport\s | \#include\s?[<"] | package\s[\w.]+;\s*$ | use\s\w+(?:::[\w{}*,\s]+)+;
  | (?:pub\s+)?(?:fn|func)\s\w+\s?[(<]
  | (?:public|private|protected)\s(?:static\s|final\s)*[\w<>\[\]]+\s\w+\s?[(=;]
  | (?:if|for|while|switch|elif|else\sif)\s?\(.*\)\s?\{?\s*$
  | (?:if|for|while|elif|with)\s[^.!?]*[=()<>\[\]][^.!?]*:\s*$
  | (?:try|else|finally)\s?[:{]\s*$ | except\b.*:\s*$ | return\b.*;\s*$ | @\w+(?:\.\w+)*(?:\(.*\))?\s*$
  | (?:SELECT|INSERT\sINTO|UPDATE|DELETE\sFROM|CREATE|ALTER|DROP)\s.*(?:;|FROM|SET|VALUES|TABLE)
  | [\w.$\[\]]*\w\([^()\n]*\);?\s*$ | [\w.$\[\]]+\s[+*/-]?=\s.*;\s*$ | [^.!?]*\)\s?(?:=>\s?)?\{\s*$
  | [^.!?]*\)\s?=>\s?\S
  | .{0,200}\s;\s(?:print\(|const\s\w+\s=|let\s\w+\s=|def\s\w+\(|class\s\w+[(:]|if\s\w+\(
     |for\s\w+\sin\s\w+:|while\s\w+:)
  | (?:for\s\w+\sin\s[\w.()]+|if\s\w+\(\w*\)|while\s\w+):\s\w+\s?(?:[-+*/]?=\s|\(|$)
  )""",
    re.VERBOSE,
)
_HINT = re.compile(
    r"\s*+(?:note|help|hint|info|detail|context|see also|suggestion|cause|reason|statement)\s?[:=]\s",
    re.IGNORECASE,
)
_CODE_SIGN = re.compile(
    r"[(){};=@:#<]|^\s*(?:import|from|package|use|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP)\s"
)
_HEADING = re.compile(r"\s*+#{1,6}\s|\s*#{1,6}[^\s\d#]")
# Words, and none of the signs or beginnings that the other forms need: most lines end here.
_PLAIN = re.compile(
    r"(?!(?:error|warning) [A-Z]|ERR_|On branch|Changes |Untracked|npm |yarn |pnpm |Compiling"
    r"|Downloading|Installing|Collecting"
    r"|Building|Resolving"
    r"|Fetching|SELECT|INSERT|UPDATE|DELETE|CREATE|ALTER|DROP|FAIL|PASS|SKIP|ERROR|WARN|INFO|DEBUG"
    r"|TRACE|FATAL)"
    r"[A-Za-z][a-z']*,? [^:=(){}\[\]|<>@$#/\\;\d…│]*$"
)
_ERR = re.compile(r"\b[a-z]{2,20}\sERR!\s")
_HAN = re.compile(r"[\u3400-\u9fff]")


def is_hint(line: str) -> bool:
    """Said by a program when it stands under what a program said."""
    return (":" in line or "=" in line) and bool(_HINT.match(line))


def kind_of(line: str) -> LineKind:
    """What the line alone says; its neighbours may say more."""
    if "ERR!" in line and _ERR.search(line):
        return "closed"
    if _PLAIN.match(line):
        return "typed"
    if "#" in line and _HEADING.match(line):
        return "heading"
    if _CLOSED.match(line):
        return "closed"
    if _OPEN.match(line):
        return "open"
    is_code = bool(_CODE_SIGN.search(line) and _CODE.match(line) and not _HAN.search(line))
    return "closed" if is_code else "typed"
