"""Masks credentials before anything is written or served: the words around them stay, and so do hashes.

Detectors of whole repositories (detect-secrets, gitleaks) look at files line by line, want a plugin for each
vendor, and know no prose; a person says a password in a sentence.  So there are three kinds of evidence here:
the shape of the value, the name it is given to, and the words before it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from agentinitd.memory.capture.needed import Possible

MASK = "***"


@dataclass(frozen=True, slots=True)
class Redacted:
    text: str
    count: int
    """How many values were masked."""


_KEY_BLOCK = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r".*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)"
    r"|(?<![^\n])PuTTY-User-Key-File-\d:.*?(?:Private-MAC: \S+|\Z)",
    re.DOTALL,
)
# Also when the end was cut off: the beginning of a key is a part of it.
_SHAPES = re.compile(
    r"(?<![A-Za-z0-9_])(?:"
    r"gh[opusr]_[A-Za-z0-9]{4,}|github_pat_\w{6,}|gl(?:pat|dt|ptt|soat|rt)-[\w-]{6,}"
    r"|xox[abeoprs]-[\w-]{8,}|xapp-\d-[\w-]{8,}"
    r"|sk-(?:ant-|proj-|svcacct-|or-)?[\w-]{16,}|[sr]k_(?:live|test)_\w{6,}|whsec_[\w+/=]{8,}"
    r"|xai-\w{12,}|gsk_\w{12,}|(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{8,}"
    r"|AIza[\w-]{12,}|ya29\.[\w.-]{8,}|GOCSPX-[\w-]{8,}"
    r"|SG\.[\w-]{8,}(?:\.[\w-]+)?|npm_[A-Za-z0-9]{16,}|pypi-[\w-]{16,}|do[opr]_v1_[a-f0-9]{8,}"
    r"|hf_[A-Za-z]{12,}|r8_\w{12,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{8,}|lin_api_\w{8,}|ntn_\w{12,}"
    r"|fig[du]_[\w-]{8,}|dapi[a-f0-9]{16,}|tskey-[\w-]{8,}|AGE-SECRET-KEY-1\w{8,}|glsa_\w{8,}"
    r"|hv[sb]\.[\w-]{8,}|pscale_\w{3,8}_[\w-]{8,}|sntry[su]_[\w+/=-]{8,}|dp\.pt\.\w{8,}"
    r"|eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?|\d{8,10}:AA[\w-]{20,}|SK[a-f0-9]{32}\b|key-[a-f0-9]{32}\b"
    r")"
    r"|(?<=hooks\.slack\.com/services/)[\w/]{8,}|(?<=discord\.com/api/webhooks/)\d+/[\w-]{8,}"
)
_USER_INFO = re.compile(r"(?<=://)([^\s/@:'\"`<>]{0,80}):([^\s/@'\"`<>]{1,200})@|(?<=://)([\w.~-]{20,200})@")
_QUERY = re.compile(
    r"([?&](?:(?:access_|auth_|id_|refresh_)?token|api_?key|key|sig|signature|secret|password|pwd|code"
    r"|client_secret|X-Amz-(?:Signature|Credential|Security-Token)|X-Goog-Signature)=)([^\s&'\"`<>#)]{6,})",
    re.IGNORECASE,
)
_HEADER = re.compile(
    r"\b((?:Proxy-)?Authorization\s*[:=]\s*['\"]?(?:Bearer|Basic|Token|Digest|ApiKey)?\s*"
    r"|\b(?:Bearer|Basic)\s+|X-(?:Api-Key|Auth-Token|Access-Token)\s*[:=]\s*['\"]?)([\w.~+/=-]{8,})",
    re.IGNORECASE,
)
_COMMAND = re.compile(
    r"((?:^|\s)(?:curl|wget|http|ftp)\b[^\n|;&]{0,200}?\s(?:-u|--user)[ =]['\"]?[^\s:'\"]{1,80}:)"
    r"([^\s'\"]{3,})"
    r"|((?:^|\s)(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,200}?\s-p)([^\s'\"-][^\s'\"]{2,})"
    r"|((?:^|\s)sshpass\s+-p\s*['\"]?)([^\s'\"]{3,})"
    r"|((?:^|\s)--?(?:password|passwd|pass|token|secret|api-?key|access-key|auth-token|client-secret)"
    r"(?:[ =]\s*)['\"]?)([^\s'\"-][^\s'\"]{2,})",
    re.IGNORECASE,
)

_KEY_OF = "api|access|private|signing|encryption|master|account|auth"
# Begins with a letter in both cases, so that it is found fast; what precedes the name is of no account.
_ASSIGNMENT = re.compile(
    r"([PpSsTtKkCcUu](?i:(?<=p)(?:ass(?:word|wd|phrase|code)?|wd)|(?<=s)ecret(?:[_-]?(?:access)?[_-]?key)?"
    r"|(?<=t)oken|(?<=c)redentials?|(?<=u)rl(?:(?<=webhookurl)|(?<=webhook[_-]url))|(?<=k)ey(?:"
    + "|".join(f"(?<={owner}key)|(?<={owner}[_-]key)" for owner in _KEY_OF.split("|"))
    + r"))(?i:[_-]?(?:value|string|prod|dev|test|staging|\d{1,2}))?[\"']?\s{0,8}(?:=>|:=|==?|[:：])\s{0,8})"
    r"(\"[^\"\n]{4,400}\"|'[^'\n]{4,400}'|`[^`\n]{4,400}`|[^\s\"'`,;，。；、（）()<>]{4,400})"
)
_ASSIGNED_NAMES = "pass|pwd|secret|token|credential|url|key"
_WORDS = (
    r"(?:(?:pass(?:word|phrase|code)|pwd|secret(?: key)?|token|api[ -]?key|access key|private key"
    r"|credential)s?(?!\w)|密[码碼]|口令|令牌|密[钥鑰]|凭证|憑證|暗号)"
)
_VALUE = r"([A-Za-z0-9!@#$%^&*_+=~?/\\.:|-]{5,200})(?!\()"
_SPOKEN = re.compile(
    rf"({_WORDS})([^\n,，。;；!！?？`\"'“「]{{0,24}}?)"
    r"((?:(?:\bis|\bwas|\bhas been|\bgot) (?:now )?(?:changed|set|reset|updated|rotated) to\b"
    r"|\bis now\b|\bis\b|\bwas\b|\bto\b|\bare\b|->|→|[:：=是為为成給给叫用])?\s{0,4}[`\"'“「]?)"
    rf"(?<![A-Za-z0-9_-]){_VALUE}",
    re.IGNORECASE,
)
_SPOKEN_AFTER = re.compile(
    rf"([`\"'“「]?)(?<![\w./-]){_VALUE}"
    r"([`\"'”」]?\s{0,3}(?:is|as|是|作为)\s{0,3}(?:the |my |our |your |a |这个|那个|新的|旧的)?(?:\w{1,12} )?"
    rf"{_WORDS})",
    re.IGNORECASE,
)
# What is told about a credential, and is not the credential: "password min length is 12chars".
_MEASURE = re.compile(
    r"length|limit|count|policy|algorithm|hash|\bm(?:in|ax)\b|expir|valid|budget|size|window|usage|长度|上限|数|有效|额度|窗口",
    re.IGNORECASE,
)
_LONG = re.compile(r"(?<![\w+/=.-])[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/])")

# What each of these has as well, and is found faster.
_SIGNS = {
    _QUERY: re.compile(r"[?&][\w-]+="),
    _COMMAND: re.compile(r"(?:^|\s)-[A-Za-z-]"),
    _LONG: re.compile(r"[A-Za-z0-9+/_-]{24}"),
}

_REFERENCE = re.compile(
    r"[$%{<\[(*]|#[0-9a-f]{3,8}$|\*{3}|x{4,}\b|\.{3}"
    r"|(?:process|import\.meta|os|env|config|settings|self|this|args|opts|ctx|req|request|params|secrets|vault"
    r"|var|local|data)\b[.\[]"
    r"|(?:none|null|nil|true|false|undefined|str|string|bytes|int|number|bool|boolean|any|optional|required"
    r"|redacted|changeme|example|placeholder|your|my|the|this|that|it|in|on|not|from|with|and|or|for|to|of"
    r"|an?|never|always|missing|expired|invalid|empty|wrong|here|there|getenv|input|prompt)\b",
    re.IGNORECASE,
)
_PATH = re.compile(
    r"(?:\.{0,2}/|~/|[a-z]:\\)|[\w.-]+/[\w./-]+\.\w{1,5}$"
    r"|[\w-]+\.(?:md|py|tsx?|js|json|ya?ml|toml|env|txt|go|rs|java|sh|pem|key|crt)$",
    re.I,
)
_HASH = re.compile(r"(?:[0-9a-f]{7,12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64,128})$", re.I)
_SUM = re.compile(r"(?:sha(?:1|224|256|384|512)|md5|h1)[-:]|integrity", re.I)
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$", re.I)
_CALL = re.compile(r"[\w.]+[(\[]|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")


def redact(text: str) -> Redacted:
    """`text` with every credential in it replaced by `***`.  Never raises; linear in the length."""
    possible = _possible(text)
    if not possible:
        return Redacted(text, 0)
    masker = _Masker()
    for number in possible:
        pattern, replace = masker.steps[number]
        text = pattern.sub(replace, text)
    return Redacted(text, masker.count)


def may_hold_one(*texts: str) -> bool:
    """False where `redact` finds nothing, told for many texts at once."""
    return bool(_possible("\n".join(texts)))


def _possible(text: str) -> list[int]:
    """The steps that may find something in it: nearly no text has a word that one of them needs."""
    patterns, words = _patterns()
    return [
        number
        for number in words.in_text(text)
        if (sign := _SIGNS.get(patterns[number])) is None or sign.search(text)
    ]


@cache
def _patterns() -> tuple[list[re.Pattern[str]], Possible]:
    patterns = [pattern for pattern, _ in _Masker().steps]
    words = {_ASSIGNMENT: _ASSIGNED_NAMES}
    return patterns, Possible([words.get(pattern, pattern.pattern) for pattern in patterns])


def has_secret(text: str) -> bool:
    return redact(text).count > 0


class _Masker:
    """Counts what it masks.  The order matters: a shape that is certain comes before a name that hints."""

    def __init__(self) -> None:
        self.count = 0
        self.steps = (
            (_KEY_BLOCK, self._whole),
            (_SHAPES, self._whole),
            (_USER_INFO, self._user_info),
            (_QUERY, self._value),
            (_HEADER, self._header),
            (_COMMAND, self._command),
            (_ASSIGNMENT, self._assigned),
            (_SPOKEN, self._spoken),
            (_SPOKEN_AFTER, self._spoken_after),
            (_LONG, self._long),
        )

    def _masked(self, value: str = "") -> str:
        self.count += 1
        return f"{value[0]}{MASK}{value[0]}" if value[:1] in ('"', "'", "`") else MASK

    def _whole(self, _found: re.Match[str]) -> str:
        return self._masked()

    def _user_info(self, found: re.Match[str]) -> str:
        password = found[2] if found[2] is not None else found[3]
        if _is_stand_in(password) or password in ("password", "passwd", "pass", "pwd", "pw", "user"):
            return found[0]
        return f"{found[1]}:{self._masked()}@" if found[2] is not None else f"{self._masked()}@"

    def _header(self, found: re.Match[str]) -> str:
        """`Basic Authentication` is a word of the language."""
        is_named = found[1].strip().lower() not in ("bearer", "basic")
        return self._value(found) if is_named or _is_secret_like(found[2]) else found[0]

    def _value(self, found: re.Match[str]) -> str:
        return found[0] if _is_stand_in(found[2]) else found[1] + self._masked()

    def _command(self, found: re.Match[str]) -> str:
        before, value = next((found[n], found[n + 1]) for n in (1, 3, 5, 7) if found[n] is not None)
        is_secret = not _is_stand_in(value) and (_is_secret_like(value) or found[7] is None)
        return before + self._masked() if is_secret else found[0]

    def _assigned(self, found: re.Match[str]) -> str:
        value = found[2]
        bare = value[1:-1] if value[0] in "\"'`" else value
        is_quoted = bare is not value
        if _is_stand_in(bare) or not _is_secret_like(bare, is_quoted=is_quoted):
            return found[0]
        return found[1] + self._masked(value)

    def _spoken(self, found: re.Match[str]) -> str:
        word, gap, copula, value = found.groups()
        bare = value.rstrip(".:?")
        is_said = bool(copula.strip()) or ((gap + copula).isspace() and _is_certain(bare))
        if not is_said or _MEASURE.search(gap) or _is_stand_in(bare) or not _is_secret_like(bare):
            return found[0]
        return word + gap + copula + self._masked() + value[len(bare) :]

    def _spoken_after(self, found: re.Match[str]) -> str:
        if _is_stand_in(found[2]) or not _is_secret_like(found[2]):
            return found[0]
        return found[1] + self._masked() + found[3]

    def _long(self, found: re.Match[str]) -> str:
        before = found.string[max(0, found.start() - 12) : found.start()]
        is_sum = _SUM.match(found[0]) or _SUM.search(before)
        return found[0] if is_sum or not _is_random(found[0]) else self._masked()


def _is_stand_in(value: str) -> bool:
    """It names where the value is, or says that it is none: `$TOKEN`, `<your key>`, `import.meta.env.KEY`."""
    forms = (_REFERENCE, _PATH, _CALL, _UUID)
    return MASK in value or any(form.match(value) for form in forms)


def _is_secret_like(value: str, *, is_quoted: bool = False) -> bool:
    """A value under a telling name: a word is none, a word with digits or signs in it may be one."""
    if len(value) < 5 or (value.isdigit() and (len(value) < 6 or not is_quoted)):
        return False
    if re.search(r"[\u2e80-\uffef\s]", value):
        return False
    if re.search(r"[0-9!@#$%^&*+=~?|]", value):
        return _kinds(value) >= 2 or len(value) >= 16
    return len(value) >= 20 and _kinds(value) >= 2 and _bits(value) > 3.5


def _is_certain(value: str) -> bool:
    """Right behind the word only what can be nothing else: `database password kX9#v is used`."""
    return _kinds(value) >= 3 or (len(value) >= 16 and sum(map(str.isdigit, value)) > 2)


def _kinds(value: str) -> int:
    """How many of these it has: small letters, capitals, digits, signs."""
    return sum(bool(re.search(kind, value)) for kind in ("[a-z]", "[A-Z]", "[0-9]", r"[^\w.:/-]"))


def _is_random(value: str) -> bool:
    """Letters of both cases and digits through and through: neither a hash, nor a path, nor a long name."""
    bare = value.rstrip("=")
    if _HASH.match(bare) or _UUID.match(bare) or bare.count("/") > len(bare) // 12:
        return False
    digits, upper, lower = (sum(test(c) for c in bare) for test in (str.isdigit, str.isupper, str.islower))
    if min(digits, upper, lower) < 3 or _bits(bare) < 4.0:
        return False
    # Names are made of words: a run of one kind lasts for long.  In a key it changes at every second letter.
    changes = sum(_kind(one) != _kind(other) for one, other in pairwise(bare))
    return changes > len(bare) * 0.45


def _kind(letter: str) -> int:
    return 0 if letter.isdigit() else 1 if letter.isupper() else 2 if letter.islower() else 3


def _bits(value: str) -> float:
    """Shannon entropy of a letter, in bits."""
    return -sum(n / len(value) * math.log2(n / len(value)) for n in Counter(value).values())
