"""Credentials are masked whatever shape they come in; what only looks like one is left as it is."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentinitd.memory.redact import MASK, has_secret, redact

# Put together here, so that a scanner of this repository finds nothing.
GITHUB = "ghp_" + "R7dQ2mXvT9kLw4ZsB8nYc1HfJ6pA3uEgKo5V"
AWS = "q9Zr+T4mWb7KcX2vN8sL" + "d1HfPy6GjR3uEaQo5iVw"
JWT = "eyJhbGciOiJIUzI1NiJ9." + "eyJzdWIiOiJmaWVsZCJ9.Qm9ndXNTaWduYXR1cmU"
UUID = "8d512c97-91e5-58e0-8baa-7196b50ac2f8"
BLOCK = "-----BEGIN " + "PRIVATE KEY-----\nMIIBVwIBADAN\n-----END " + "PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (f"GITHUB_TOKEN={GITHUB}", "GITHUB_TOKEN=***"),
        (f"I pasted {GITHUB} by mistake", "I pasted *** by mistake"),
        (f"the log ends in {GITHUB[:12]}", "the log ends in ***"),
        ("tiles: pk." + "eyJ1Ijoic3RhZ2luZyJ9Qm7xW2", "tiles: ***"),
        ("linear wants lin_api_" + "k2Jw9QxZ", "linear wants ***"),
        ("GET /back?code=" + "x81-Kqe7", "GET /back?code=***"),
        (f"{'long_' * 20}signing_key = 'a1b2c3d4e5'", f"{'long_' * 20}signing_key = '***'"),
        (f"AWS_SECRET_ACCESS_KEY={AWS}", "AWS_SECRET_ACCESS_KEY=***"),
        (f"key {AWS.replace('+', 'x')} in the log", "key *** in the log"),
        (f"curl -H 'Authorization: Bearer {JWT}' http://h/", "curl -H 'Authorization: Bearer ***' http://h/"),
        (f"{BLOCK}\n这是旧密钥，别再用了", "***\n这是旧密钥，别再用了"),
        (BLOCK[:50], "***"),
        ("postgres://app:S3ttembrini-42@db:5433/app", "postgres://app:***@db:5433/app"),
        ("redis://:p4ssw0rd@10.0.0.1:6379/0", "redis://:***@10.0.0.1:6379/0"),
        ("https://x.example/z?token=abcdef123456&x=1", "https://x.example/z?token=***&x=1"),
        ("mysql -uroot -pS3cr3tpw shop", "mysql -uroot -p*** shop"),
        ("curl -u admin:pa55w0rd https://x", "curl -u admin:*** https://x"),
        ("deploy --password hunter2!", "deploy --password ***"),
        ("client_secret: 'aB3dE5fG7hI9jK1l'", "client_secret: '***'"),
        ('{"api_key": "0123456789abcdef0123456789abcdef"}', '{"api_key": "***"}'),
        ("my password is hunter2, keep it", "my password is ***, keep it"),
        ("the db password was changed to N3wPass!", "the db password was changed to ***"),
        ("database password kX9#vt2Lq!7 is used", "database password *** is used"),
        ("测试库密码是 kX9#vt2Lq!7，别写进代码", "测试库密码是 ***，别写进代码"),
        ("新的令牌我口头给你：t-84hhQ0pLZs1，用完就忘", "新的令牌我口头给你：***，用完就忘"),
        ("密码改成 Qwer!2345", "密码改成 ***"),
        ("x9Kd83Jd02Lsn48Fh2Ks is the api key", "*** is the api key"),
        (f"//npm.corp/:_authToken={UUID}", "//npm.corp/:_authToken=***"),
        (f"HEROKU_API_KEY={UUID}", "HEROKU_API_KEY=***"),
        (f"https://x.example/send?key={UUID}", "https://x.example/send?key=***"),
        ("the db pw: pz12abCD#q - never commit it", "the db pw: *** - never commit it"),
        ("DB_PW=Blue42!sky", "DB_PW=***"),
        ("the signing key must be " + "9f1c2ab4" * 8, "the signing key must be ***"),
        ("SECRET_KEY_BASE=" + "9f1c2ab4" * 16, "SECRET_KEY_BASE=***"),
        (f"API={AWS.replace('+', 'x')} npm test", "API=*** npm test"),
        ("docker login -u bob -p " + "dckr_pat_" + "a1B2" * 7, "docker login -u bob -p ***"),
        ("redis-cli -a s3cretPassw0rd ping", "redis-cli -a *** ping"),
        ("AZURE_CLIENT_SECRET is abc8Q~" + "a1B2" * 8, "AZURE_CLIENT_SECRET is ***"),
        ("postgres://app:p@ss:w0rd@db/x", "postgres://app:***@db/x"),
        ("curl -H 'Cookie: session=" + "a1B2" * 8 + "'", "curl -H 'Cookie: session=***'"),
        ("hf_" + "a1B2" * 9, "***"),
        ("密码是 sunshine，别写进代码", "密码是 ***，别写进代码"),
        ("my password is correcthorse, never commit it", "my password is ***, never commit it"),
        ("口令是 654321", "口令是 ***"),
        ("the PIN is 739184", "the PIN is ***"),
        ("验证码固定填 739184，别改", "验证码固定填 ***，别改"),
        ("账号密码 admin / admin12345", "账号密码 admin / ***"),
        ('the passphrase is "open sesame"', 'the passphrase is "***"'),
    ],
)
def test_a_credential_is_masked_and_the_words_around_it_stay(text: str, shown: str) -> None:
    redacted = redact(text)

    assert (redacted.text, redacted.count) == (shown, 1)


@pytest.mark.parametrize(
    "text",
    [
        "回退到提交 9f1c2ab47d0e5b3388aa61c07e24d19f0b6c5e12，工单 3d5e7f90-4b1a-4c8e-9a77-1f2e3d4c5b6a",
        "前端里那行 apiKey: import.meta.env.API_KEY 保持不变，token 数现在是 48213",
        "换成 secrets/README.md 里写的流程",
        "def login(password: str, token: str) -> None:",
        "token = parser.next_token()",
        "token = parts[1]",
        "secret = settings.SECRET_KEY",
        "the password is required, and the token is refreshed every 15min",
        "API_KEY=$API_KEY make deploy; export TOKEN=${GITHUB_TOKEN}",
        "Authorization: Bearer $TOKEN, or HTTP Basic Authentication",
        "password=<your-password>",
        "postgres://app:password@localhost/app",
        '"integrity": "sha512-oBTu9cQzQ2ZQ4aa8Bb7cCddEeFf99GgHhIiJjKkLlMmNnOo=="',
        "MAX_TOKENS=4096, max_tokens: 200000, token budget is 500",
        "tokenizer: cl100k_base",
        "密码用 bcrypt 加密，token 用 uuid4() 生成",
        "password min length is 12chars",
        "Token: '#cccccc'",
        "run test_user_can_reset_password_v2 in src/components/authentication/PasswordResetForm.tsx",
        "the options --username and --password options",
        "my password is wrong, and the root password is stored in vault",
        "密码是 required 的，密码是 bcrypt 加密的，密码是 12 位，验证码是 6 位数字",
        "creds: src/auth/creds.ts, credentials are in vault/prod",
        "tokens must be 32chars long, and the session key must be rotated monthly",
        "SORT_KEY=created_at_desc_2024 CACHE_KEY=9f1c2ab47d0e5b3388aa61c07e24d19f0b6c5e12",
        "mongosh -p 27017; docker run -p 8080:80 x; redis-cli -a $REDIS_PW ping",
        "request_id=3d5e7f90-4b1a-4c8e-9a77-1f2e3d4c5b6a",
    ],
)
def test_what_only_looks_like_one_is_left_as_it_is(text: str) -> None:
    assert redact(text).text == text
    assert not has_secret(text)


def test_every_secret_of_the_field_case_is_masked_and_nothing_else(shared: Path) -> None:
    case = shared / "field-cases" / "22-secrets-never-in-the-snippet"
    needles = json.loads((case / "needles.json").read_text(encoding="utf-8"))
    log = (case / "session.template.jsonl").read_text(encoding="utf-8")
    fill = {name: "".join(halves) for name, halves in needles["fill"].items()}
    for name, value in fill.items():
        log = log.replace("{{" + name + "}}", json.dumps(value)[1:-1])
    texts = [text for row in log.splitlines() for text in _texts(json.loads(row).get("message"))]

    shown = "\n".join(redact(text).text for text in texts)

    for secret in (fill[name] for name in needles["secret"]):
        assert not any(secret[at : at + 8] in shown for at in range(len(secret) - 7))
    assert all(text in shown for text in needles["not_secret"])


def _texts(value: object) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value if isinstance(value, list) else value.values() if isinstance(value, dict) else ()
    return [text for part in parts for text in _texts(part)]


PIECES = ["token", " is ", "密码", "=", "://a:", "@", GITHUB, "-----BEGIN", "x9", "\n", "'"]


@given(st.lists(st.sampled_from(PIECES)))
def test_no_text_whatever_makes_it_fail_and_a_second_time_changes_nothing(pieces: list[str]) -> None:
    once = redact(" ".join(pieces)).text

    assert redact(once).text == once
    assert GITHUB not in once


def test_the_mask_is_no_secret() -> None:
    assert not has_secret(f"password is {MASK}, token={MASK}, https://u:{MASK}@h/")
