"""How credentials look, are named and are told of, and what stands in for one: for `redact.py`."""

from __future__ import annotations

import re

KEY_BLOCK = re.compile(
    r"-----BEGIN (?:[A-Z0-9]+ ){0,4}PRIVATE KEY(?: BLOCK)?-----"
    r".*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)"
    r"|(?<![^\n])PuTTY-User-Key-File-\d:.*?(?:Private-MAC: \S+|\Z)",
    re.DOTALL,
)
# Also when the end was cut off: the beginning of a key is a part of it.
SHAPES = re.compile(
    r"(?<![A-Za-z0-9_])(?:"
    r"gh[opusr]_[A-Za-z0-9]{4,}|github_pat_\w{6,}|gl(?:pat|dt|ptt|soat|rt|cbt)-[\w-]{6,}"
    r"|gl(?:agent|imt|ffct)-[\w-]{6,}"
    r"|xox[abeoprs]-[\w-]{8,}|xapp-\d-[\w-]{8,}"
    r"|sk-(?:ant-|proj-|svcacct-|or-)?[\w-]{16,}|[sr]k_(?:live|test)_\w{6,}|whsec_[\w+/=]{8,}"
    r"|xai-\w{12,}|gsk_\w{12,}|(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{8,}"
    r"|AIza[\w-]{12,}|ya29\.[\w.-]{8,}|GOCSPX-[\w-]{8,}"
    r"|SG\.[\w-]{8,}(?:\.[\w-]+)?|npm_[A-Za-z0-9]{16,}|pypi-[\w-]{16,}|do[opr]_v1_[a-f0-9]{8,}"
    r"|hf_[A-Za-z0-9]{12,}(?!\w)|r8_\w{12,}|shp(?:at|ca|pa|ss)_[a-fA-F0-9]{8,}|lin_api_\w{8,}|ntn_\w{12,}"
    r"|fig[du]_[\w-]{8,}|dapi[a-f0-9]{16,}|tskey-[\w-]{8,}|AGE-SECRET-KEY-1\w{8,}|glsa_\w{8,}"
    r"|hv[sb]\.[\w-]{8,}|pscale_\w{3,8}_[\w-]{8,}|sntry[su]_[\w+/=-]{8,}|dp\.pt\.\w{8,}"
    r"|[ps]k\.eyJ[\w.-]{8,}|eyJ[\w-]{8,}\.[\w-]{4,}(?:\.[\w-]*)?|\d{8,10}:AA[\w-]{20,}|SK[a-f0-9]{32}\b|key-[a-f0-9]{32}\b"
    r"|dckr_[po]at_[\w-]{8,}|sbp_[a-f0-9]{16,}|NRAK-[A-Z0-9]{12,}|sq0[a-z]{3}-[\w-]{12,}|pul-[a-f0-9]{16,}"
    r"|lsv2_(?:pt|sk)_\w{12,}|rubygems_[a-f0-9]{16,}"
    r"|[\w~.-]{3}\dQ~[\w~.-]{16,}"
    r")"
    r"|(?<=hooks\.slack\.com/services/)[\w/]{8,}|(?<=discord\.com/api/webhooks/)\d+/[\w-]{8,}"
    r"|(?<=/open-apis/bot/v2/hook/)[\w-]{8,}|(?<=office\.com/webhook/)[^\s'\"`<>]{8,}"
    r"|(?<=office\.com/webhookb2/)[^\s'\"`<>]{8,}"
)
USER_INFO = re.compile(r"(?<=://)([^\s/@:'\"`<>]{0,80}):([^\s/'\"`<>]{1,200})@|(?<=://)([\w.~-]{20,200})@")
QUERY = re.compile(
    r"([?&](?:(?:access_|auth_|id_|refresh_)?token|api_?key|key|sig|signature|secret|password|pwd|code"
    r"|client_secret|auth|jwt|X-Amz-(?:Signature|Credential|Security-Token)|X-Goog-Signature)=)([^\s&'\"`<>#)]{6,})",
    re.IGNORECASE,
)
HEADER = re.compile(
    r"\b((?:Proxy-)?Authorization\s*[:=]\s*['\"]?(?:Bearer|Basic|Token|Digest|ApiKey)?\s*"
    r"|\b(?:Bearer|Basic)\s+|X-(?:Api-Key|Auth-Token|Access-Token)\s*[:=]\s*['\"]?"
    r"|\bCookie\s*[:=]\s*['\"]?[^\n'\"]{0,200}?(?:sess\w*|sid|token|auth|jwt)=)([\w.~+/=%-]{8,})",
    re.IGNORECASE,
)
COMMAND = re.compile(
    r"((?:^|\s)(?:curl|wget|http|ftp)\b[^\n|;&]{0,200}?\s(?:-u|--user)[ =]['\"]?[^\s:'\"]{1,80}:)"
    r"([^\s'\"]{3,})"
    r"|((?:^|\s)(?:mysql|mysqldump|mysqladmin|mariadb)\b[^\n|;&]{0,200}?\s-p)([^\s'\"-][^\s'\"]{2,})"
    r"|((?:^|\s)(?:sshpass\s+-p|redis-cli\b[^\n|;&]{0,200}?\s-a|(?:docker|podman|helm)(?: registry)? login\b"
    r"[^\n|;&]{0,200}?\s-p|(?:mongosh?|mongodump|mongorestore|az login)\b[^\n|;&]{0,200}?\s-p)\s*['\"]?)"
    r"([^\s'\"]{3,})"
    r"|((?:^|\s)--?(?:password|passwd|pass|token|secret|api-?key|access-key|auth-token|client-secret)"
    r"(?:[ =]\s*)['\"]?)([^\s'\"-][^\s'\"]{2,})",
    re.IGNORECASE,
)

_KEY_OF = "api|access|private|signing|encryption|master|account|auth|deploy|jwt|license|hmac"
# Begins with a letter in both cases, so that it is found fast; what precedes the name is of no account.
ASSIGNMENT = re.compile(
    r"([PpSsTtKkCcUu](?i:(?<=p)(?:ass(?:word|wd|phrase|code)?|wd|(?<![A-Za-z]p)w(?![A-Za-z]))|(?<=s)ecret(?:[_-]?(?:access)?[_-]?key(?:_base)?)?"
    r"|(?<=t)oken|(?<=c)redentials?|(?<=u)rl(?:(?<=webhookurl)|(?<=webhook[_-]url))|(?<=k)ey(?:"
    + "|".join(f"(?<={owner}key)|(?<={owner}[_-]key)" for owner in _KEY_OF.split("|"))
    + r"))(?i:[_-]?(?:value|string|prod|dev|test|staging|\d{1,2}))?[\"']?\s{0,8}(?:=>|:=|==?|[:：])\s{0,8})"
    r"(\"[^\"\n]{4,400}\"|'[^'\n]{4,400}'|`[^`\n]{4,400}`|[^\s\"'`,;，。；、（）()<>]{4,400})"
)
ASSIGNED_NAMES = "pass|pwd|pw|secret|token|credential|url|key"
_WORDS = (
    r"(?:(?:pass(?:word|phrase|code)|pwd|\bpw|secret(?: key)?|token|api[ -]?key|access key|private key"
    r"|(?:signing|encryption|deploy|licen[cs]e|master|session) key|credential)s?(?!\w)"
    r"|密[码碼]|口令|令牌|密[钥鑰]|凭证|憑證|暗号)"
)
_VALUE = r"([A-Za-z0-9!@#$%^&*_+=~?/\\.:|-]{5,200})(?!\()"
SPOKEN = re.compile(
    rf"({_WORDS})([^\n,，。;；!！?？`\"'“「]{{0,24}}?)"
    r"((?:(?:\bis|\bwas|\bhas been|\bgot) (?:now )?(?:changed|set|reset|updated|rotated) to\b"
    r"|\b(?:must|should|has to|shall) (?:always )?(?:be|stay|remain)\b|\b(?:stays|remains)\b"
    r"|\bis now\b|\bis\b|\bwas\b|\bto\b|\bare\b|->|→|[:：=是為为成給给叫用])?\s{0,4}[`\"'“「]?)"
    rf"(?<![A-Za-z0-9_-]){_VALUE}",
    re.IGNORECASE,
)
SPOKEN_AFTER = re.compile(
    rf"([`\"'“「]?)(?<![\w./-]){_VALUE}"
    r"([`\"'”」]?\s{0,3}(?:is|as|是|作为)\s{0,3}(?:the |my |our |your |a |这个|那个|新的|旧的)?(?:\w{1,12} )?"
    rf"{_WORDS})",
    re.IGNORECASE,
)
# What is told about a credential, and is not the credential: "password min length is 12chars".
MEASURE = re.compile(
    r"length|limit|count|policy|algorithm|hash|\bm(?:in|ax)\b|expir|valid|budget|size|window|usage|长度|上限|数|有效|额度|窗口",
    re.IGNORECASE,
)
AMOUNT = re.compile(r"\d{1,6}[a-z]{1,9}")
DIGITS = re.compile(
    r"((?:密[码碼]|口令|验证码|校验码|驗證碼|暗号"
    r"|(?<![A-Za-z])(?:pass(?:word|code)|pwd|pw|pin(?: code| number)?))\s{0,3}"
    r"(?:(?:就|固定)?(?:是|为|填|用)|改成|改为|换成|\bis(?: now)?\b|[:：=]){1,2}\s{0,3}[`\"'“「]?)(\d{4,12})"
    r"(?![\w.%]|\s{0,2}(?:位|个|次|秒|天|字|bit|char|byte|min|sec|day|hour|digit|ms))",
    re.IGNORECASE,
)
WORD = re.compile(
    r"((?:(?<![A-Za-z])(?:my|our|his|her|root(?:'s)?|admin(?:'s)?) (?:\w{1,12} )?pass(?:word|phrase) is"
    r"|(?:密[码碼]|口令)(?:就)?是)\s{0,3})([A-Za-z]{5,40})(?=$|[\s,，。;；.!！、])(?!\s{1,3}(?:by|for|in|on|at|when|to))",
    re.IGNORECASE,
)
SAID_OF_ONE = re.compile(
    r"\w+(?:ed|ing|able|ible|ive|ory|ly|less)|wrong|correct|empty|weak|strong|short|long|secret|public|plain|hidden"
    r"|still|stored|always|never|known|unknown|needed|sent|lost|plaintext|bcrypt|argon2?|base64|hash|random|root|admin"
    r"|unicode|ascii|utf|case|safe|unsafe|mandatory|different|another|basically|actually|about|enough|common",
    re.IGNORECASE,
)
PHRASE = re.compile(
    r"(pass(?:word|phrase)(?: is|:) ?|(?:密[码碼]|口令)是 ?)([\"“'「`])([^\"”'」`\n]{4,80})(?=[\"”'」`])",
    re.IGNORECASE,
)
PAIR = re.compile(
    r"((?:(?:账号|帐号|用户名)(?:和)?密码|账密|(?<![A-Za-z])(?:creds?|credentials))\s{0,2}(?:is|are|:|：|是)?\s{0,3}[\w.@-]{1,60}"
    r"(?:\s{0,2}[/:：]\s{0,2}|\s{1,2}))([^\s,，。;；、\u2e80-\uffef]{5,80})",
    re.IGNORECASE,
)
LONG = re.compile(r"(?<![\w+/.-])[A-Za-z0-9+/_-]{24,}={0,2}(?![\w+/])")

# What each of these has as well, and is found faster.
SIGNS = {
    QUERY: re.compile(r"[?&][\w-]+="),
    COMMAND: re.compile(r"-(?<!\S-)(?:[APUapu]|-?(?i:user|pass|token|secret|api|access|auth|client))"),
    ASSIGNMENT: re.compile(r"[=:：]"),
    LONG: re.compile(r"[A-Za-z0-9+/_-]{24}"),
}

REFERENCE = re.compile(
    r"[$%{<\[(*]|#[0-9a-f]{3,8}$|\*{3}|x{4,}\b|\.{3}"
    r"|(?:process|import\.meta|os|env|config|settings|self|this|args|opts|ctx|req|request|params|secrets|vault"
    r"|var|local|data)\b[.\[]"
    r"|(?:none|null|nil|true|false|undefined|str|string|bytes|int|number|bool|boolean|any|optional|required"
    r"|redacted|changeme|example|placeholder|your|my|the|this|that|it|in|on|not|from|with|and|or|for|to|of"
    r"|an?|never|always|missing|expired|invalid|empty|wrong|here|there|getenv|input|prompt)\b",
    re.IGNORECASE,
)
PATH = re.compile(
    r"(?:\.{0,2}/|~/|[a-z]:\\)|[\w.-]+/[\w./-]+\.\w{1,5}$"
    r"|[\w-]+\.(?:md|py|tsx?|js|json|ya?ml|toml|env|txt|go|rs|java|sh|pem|key|crt)$",
    re.I,
)
HASH = re.compile(r"(?:[0-9a-f]{7,12}|[0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{56}|[0-9a-f]{64,128})$", re.I)
SUM = re.compile(r"(?:sha(?:1|224|256|384|512)|md5|h1)[-:]|integrity", re.I)
UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$", re.I)
CALL = re.compile(r"[\w.]+[(\[]|[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+$|[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$")
