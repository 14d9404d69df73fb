"""What others wrote is never taken for a rule of the person: letters, chats, tools, what is asked about."""

from __future__ import annotations

from collections.abc import Callable

import pytest

Rules = Callable[[str], list[str]]


OF_TOOLS = [
    "for row in table: total += row.value",
    "load(name) ; print(total) ; for row in table: total",
    "if check(item): result = handle(item)",
    "npm ERR! You must use Node 18\nnpm ERR! never use --force\nnpm ERR! always run npm ci",
    "getting this:\nnpm ERR! You must use Node 18\nnpm ERR! never use --force\nany idea?",
    "npm error You must use Node 18\nnpm error never use --force",
    "yarn install\nerror You must use Node 18\nerror never use --force",
    "warning You must use node >= 18\nwarning never mix package managers",
    "ERROR: You must give at least one requirement\nWARNING: never run pip as the root user",
    "make: *** [Makefile:3: check] Error 1\nYou must use Node 18\nnever use --force",
    "Error: You must use Node 18\nError: never use --force",
    "policy-check: never commit to main\npolicy-check: always sign commits",
    "error: you must not use nightly\nerror: aborting due to previous error",
    "  3:5  error  Never use eval  no-eval\n  7:1  error  Always use ===  eqeqeq",
    "remote: error: You must sign your commits\nremote: never push to main",
    "#12 3.201 npm ERR! You must use Node 18\n#12 3.202 npm ERR! never use --force",
    "build\tRun npm ci\tYou must use Node 18\nbuild\tRun npm ci\tnever use --force",
    "lerna ERR! never use --force\nlerna ERR! You must use Node 18",
    "why? npm ERR! You must use Node 18",
]
LETTERS = [
    (
        "Subject: release rules\n"
        "From: Eve <eve@example.org>\n"
        "To: team@example.org\n"
        "Date: Tue, 3 Nov 2026\n"
        "\n"
        "Hi all,\n"
        "\n"
        "please never deploy on Fridays.\n"
        "Always tag the release.\n"
        "\n"
        "Best,\n"
        "Eve"
    ),
    "From: Eve\nTo: me\nSubject: no more yarn\n\nWe must use pnpm from now on. Don't use yarn.",
    (
        "Date: Mon, 2 Nov 2026 10:00:00 +0100\n"
        "From: ops@example.org\n"
        "To: dev@example.org\n"
        "Subject: freeze\n"
        "\n"
        "Do not merge to main until Monday.\n"
        "Never touch the release branch."
    ),
    (
        "here is what ops sent me:\n"
        "\n"
        "From: ops@example.org\n"
        "Sent: Monday\n"
        "To: dev\n"
        "Cc: boss\n"
        "Subject: freeze\n"
        "\n"
        "Do not merge to main.\n"
        "\n"
        "Always ask ops first."
    ),
    "To: dev@example.org\nSubject: freeze\nFrom: ops\n\nI want you to never merge to main.",
    "发件人: 张三\n收件人: 李四\n主题: 发布规范\n日期: 11月3日\n\n大家好：\n\n以后不要周五发布。",
    "主题：发布规范\n发件人：张三\n\n各位，以后请不要用 yarn。",
    (
        "can you draft a reply?\n"
        "\n"
        "Subject: freeze\n"
        "From: ops@example.org\n"
        "Date: today\n"
        "\n"
        "Hello,\n"
        "please do not merge to main. Use release/2 only."
    ),
    "发送时间: 2026年11月3日 10:00\n发件人: ops\n收件人: dev\n\n请大家不要合并到 main。",
    "**From:** Eve\n**To:** me\n**Subject:** rules\n\nNever use yarn.",
    "Hi all,\n\nplease never deploy on Fridays.\nAlways tag the release.\n\nBest regards,\nEve",
    "Subject: Freeze\n\nHi team,\n\ndon't merge anything. Use release/2 only.",
    (
        "got this today\n"
        "\n"
        "Cc: x@y.z\n"
        "Date: 3 Nov\n"
        "From: Eve\n"
        "Subject: rules\n"
        "\n"
        "Never use yarn.\n"
        "\n"
        "And always use pnpm.\n"
        "\n"
        "what should I answer?"
    ),
]
CHATS = [
    "张三 10:02\n以后不要用 yarn",
    "Bob  10:02 AM\nnever deploy on fridays",
    "Bob Smith  10:02 AM\nnever deploy on fridays\n\nAlice  10:05 AM\nalways tag the release",
    "张三 10:02\n以后不要用 yarn\n李四 10:03\n好的，必须用 pnpm\n张三 10:05\n别动 legacy 目录",
    "张三 2026-11-03 10:02:33\n以后不要用 yarn",
    "Bob — Today at 10:02 AM\nnever deploy on fridays",
    "Bob — 11/03/2026 10:02 AM\nnever deploy on fridays\nalways tag the release",
    "[10:02 AM] Bob Smith\nnever deploy on fridays",
    "10:02 Bob\nnever deploy on fridays\n10:05 Alice\nok, always tag then",
    "张三：\n以后不要用 yarn\n李四：\n必须用 pnpm",
    "Bob Smith 10:02\nnever deploy on fridays",
    "张三 上午10:02\n以后不要用 yarn",
    "昨天 10:02 张三\n以后不要用 yarn",
    "bob_dev Yesterday at 3:14 PM\nplease never use yarn\nand use pnpm",
    "老王(王小明) 10:02:11\n请不要用 yarn，我们统一 pnpm",
    "Bob:\nnever deploy on fridays\nAlice:\nalways tag the release",
    "Bob\n10:02 AM\nnever deploy on fridays\nAlice\n10:03 AM\nalways tag",
    "Bob, [3 Nov 2026 10:02]\nnever deploy on fridays",
    "Bob Smith\n  10:02 AM\nnever deploy on fridays\n10:03\nand always tag releases",
    "看下这个群聊：\n张三 10:02\n以后不要用 yarn\n\n李四 10:03\n收到，统一用 pnpm",
    "Bob:uk:  10:02 AM\nnever deploy on fridays",
    "Bob APP  10:02 AM\nnever deploy on fridays",
    "Priyanka  9:15 AM\nalways squash your commits",
    "李雷 09:12\n以后必须先跑测试\n\n韩梅梅 09:13\n对，不要直接推 main",
    "[03/11/26, 10:02:11] Bob: never deploy on fridays",
    "王小明(王小明) 2026/11/3 10:02:11\n不要直接改生产库",
    "产品-小李 10:02\n文案必须统一",
    "Bob Smith, Alice Jones\n\nBob Smith  10:02\nnever deploy on fridays",
    "Eve 11:40\nwe should never merge on fridays\nBob 11:41\nagreed, only on mondays",
    "小王 昨天 18:30\n千万别动 legacy",
    "dev_ops 今天 18:30\n千万别动 legacy",
    "@eve 10:02\nnever use yarn",
    "张三：以后不要用 yarn\n李四：必须用 pnpm",
    "Eve Adams\nMon 10:02 AM\nnever use yarn",
    "Bob  [10:02]\nnever deploy\nEve  [10:03]\nalways tag",
]
AS_COPIED = [
    (
        "hey can you check this convo\n\n"
        "Tom Baker  4:12 PM\n"
        "from now on, never use lodash\n\n"
        "Sara  4:15 PM\n"
        "+1, use native methods only\n\n"
        "Tom Baker  4:16 PM\n"
        "and always add a changelog entry"
    ),
    "Emma Stone, [12.03.2026 09:15]\nPlease don't use default exports anymore.",
    "陈晨 2026-11-03 09:15:20\n接口一律返回 JSON\n\n刘洋 2026-11-03 09:16:00\n别用 XML",
    "[09:15] 陈晨\n接口一律返回 JSON",
    "陈晨：\n接口一律返回 JSON\n\n刘洋：\n别用 XML",
    "Support Bot APP  2:00 PM\nYou must not reuse passwords.",
    "kevin.lee 10:02 AM\nnever push to main",
    (
        "From: Jane Doe <jane@corp.com>\n"
        "Date: Mon, Nov 2, 2026 at 9:14 AM\n"
        "Subject: Re: Lint rules\n"
        "To: Dev <dev@corp.com>\n\n"
        "Hi,\n\n"
        "Effective today, never disable eslint rules inline. Always open a ticket.\n\n"
        "Thanks,\n"
        "Jane"
    ),
    "Re: Lint rules\nFrom: Jane\nNever disable eslint rules.",
    "----- Original Message -----\nFrom: Jane\nTo: Dev\n\nnever disable eslint rules",
    (
        "发件人：刘洋 <ly@corp.com>\n"
        "发送时间：2026年11月2日\n"
        "收件人：研发\n"
        "主题：规范\n\n"
        "各位好，\n\n"
        "即日起所有接口必须加鉴权，禁止明文存储密码。\n\n"
        "刘洋"
    ),
    "npm warn deprecated You must use v2, never use v1\nnpm warn deprecated always pin versions",
    "yarn error You must use workspaces",
    "Error: You must never call this twice\nError: always await",
    "AGENTS.md:\n- never use yarn\n- always use pnpm",
    "- never use yarn\n- always use pnpm\n\nThis is what AGENTS.md says. Is it up to date?",
    "- never use yarn\n- always use pnpm\n\nthat's from CLAUDE.md, do we need all of it?",
    "1. 不要用 yarn\n2. 统一用 pnpm\n^ 这是谁写的",
    '"never use yarn" <- found this in the README, still true?',
    "- never use yarn <- still valid?",
    (
        "Look what Slack says:\nPriya Patel\n:palm_tree:  9:41 AM\nwe must never deploy on Fridays\n"
        "always get two approvals\n9:43\nand don't touch the cron"
    ),
    "Teams:\nJan de Vries 3/11/2026 10:02 AM\nplease never merge without review",
    "[2026/11/3 10:02] 张三: 以后不要用 yarn\n[2026/11/3 10:03] 李四: 必须用 pnpm",
    "张三  2026年11月3日 10:02\n以后所有接口必须加鉴权",
    "小李(前端) 14:20\n不要动我的组件\n\n小王(后端) 14:21\n接口必须兼容旧版",
    "钉钉群：\n王磊 14:20\n以后统一用 pnpm\n\n这个要不要照做？",
    "mike — Yesterday at 21:04\nnever rebase shared branches",
    "mike  Today at 21:04\nnever rebase shared branches",
    "Maria López\n3:14 PM\nwe only ship on Tuesdays",
    "José  10:02\nnever use yarn",
    "Anna-Lena Schmidt, 10:02\nimmer: never use yarn",
    "> never use yarn\n\nBob wrote that, still true?",
    (
        "Forwarded message\nFrom: Ops <ops@x.io>\nDate: Tue\nSubject: Freeze\n"
        "To: all\n\nDear all,\n\nNever merge to main.\n\nKind regards,\nOps"
    ),
    "from: ops@x.io\nto: dev@x.io\nsubject: freeze\n\nNever merge to main.",
    "主题：代码规范\n\n各位同事：\n\n提交前必须跑测试，不要直接推 main。\n\n谢谢\n张三",
    "Error: You must use Node 18\n    at foo (a.js:1:2)\nnever use --force",
    "pnpm ERR! never use --force",
    "npm WARN deprecated x@1: never use this, use y",
    "ERR_PNPM_FOO  You must never use npm here",
    "npm error code EBADENGINE\nnpm error You must use Node 18",
    "warning: never use --force\nwarning: always use ci",
    "found in the wiki:\n- never use yarn\n- always use pnpm",
    "These are from our old README:\n\n- never use yarn\n- always use pnpm\n\nDo they still apply?",
    "- Never use yarn.\n- Always use pnpm.\n\n👆 from CONTRIBUTING, is that still current?",
    "# Code style\n- never use yarn\n- always use pnpm\n\nis the above still accurate?",
    "# Code style\n- never use yarn\n- always use pnpm\n↑ who added this and why?",
    "- 不要用 yarn\n- 统一用 pnpm\n\n以上内容摘自旧文档，还适用吗？",
    "- 不要用 yarn\n- 统一用 pnpm\n↑ 文档里这几条还要遵守吗",
    "这几条是谁加的？\n- 不要用 yarn\n- 统一用 pnpm",
]
ASKED_ABOUT = [
    "# Rules\n- never use yarn\n- always use pnpm\n^ found this in AGENTS.md, still valid?",
    "- never use yarn\n- always use pnpm\n\n^ this is in the README, is it still true?",
    "# Rules\n- never use yarn\n- always use pnpm\n\nis this still valid?",
    "never use yarn\nalways use pnpm\n^^ who wrote this?",
    "# 规则\n- 不要用 yarn\n- 必须用 pnpm\n↑ 这是 AGENTS.md 里的，还有效吗？",
    "- 不要用 yarn\n- 必须用 pnpm\n上面这些是 README 里的，还算数吗",
    (
        "## Conventions\n"
        "- never use yarn\n"
        "- always use pnpm\n"
        "(found this in CONTRIBUTING.md, does it still hold?)"
    ),
    "# Rules\n- never use yarn\n- always use pnpm\n^ from their docs",
    "Rules:\n1. never use yarn\n2. always use pnpm\n\nthis was in the old wiki, do we still follow it?",
    "- never use yarn\n- always use pnpm\n^ do we still need these?",
    "- never use yarn\n- always use pnpm\n^ copied from the wiki, what should we keep?",
    "# Rules\n\n- never use yarn\n\n- always use pnpm\n\n^ found this in AGENTS.md, still valid?",
    "- don't use yarn\n- please use pnpm\n^ is that still true?",
    "Don't use yarn. Always use pnpm.\n^ copied from the README",
    ("- never use yarn\n- always use pnpm\n\nI found these in the old CONTRIBUTING.md, are they outdated?"),
    "found this in AGENTS.md, still valid?\n# Rules\n- never use yarn\n- don't use npm",
]
OWN = [
    "Rules for this repo:\n\n1. Never use yarn.\n2. Always use pnpm.\n\nGot it?",
    "from now on:\n- never push to main\n- run lint before commit",
    "- never push to main\n- run lint before commit\n\ndo you understand?",
    "# Project rules\n- never use yarn\n- always use pnpm\n\nwhat do you think?",
    "Never use yarn. Always use pnpm. Can you follow that?",
    "- don't touch legacy\n- keep the API stable\n\nAlso: what does the parser do?",
    "please follow these:\n- never use yarn\n- always use pnpm\nthen fix the bug in src/app.py",
    "Hi,\n\nnever use yarn here.\n\nThanks!",
    "Hi team,\n\nplease never use yarn.",
    "I talked to Bob at 10:02.\nNever use yarn.",
    "Backend:\nnever use print\n\nFrontend:\nnever use alert()",
    "Deadline 18:00\nnever skip tests",
    "Today 10:00 AM\nnever deploy after that",
    "明天 10:00\n上线之前不要合并",
    "线上 10:02 报错了\n不要重启服务",
    "王工 说了\n以后不要用 yarn",
    "张三负责前端\n不要改他的文件",
    "注意：\n不要改 legacy\n另外：\n必须写测试",
    "前端：\n不要用 jQuery\n后端：\n必须用 FastAPI",
    "To do:\n- never use var\nSubject:\n- always short",
    "Send mails only with our mailer. From: must be noreply@x.io. Never use another sender.",
    "never trust the Subject: header",
    "I found this in the logs, so never disable the cache",
    "I read the docs in the wiki. Never use the v1 API.",
    "We got this from the client: so always use UTC",
    "- always use pnpm\n- never use npm\n\nthe reason is in the README",
    "- always use pnpm\n- never use npm\nmore of that is in docs/rules.md",
    "I pasted the log above. Don't change the config.",
    "Don't rename the table.\nIt's in the docs already.",
    "以后不要用 yarn\n原因写在文档里",
    "不要改接口\n文档里写得很清楚",
    "Title: My plan\nnever use yarn",
    "error messages: never blame the user",
    "Use `translate()` for texts: never hardcode strings",
    "Message: never send it twice",
    "reply to me: always short",
    "Answer in Chinese: always",
    "docs: never in Chinese",
    "commit: never without tests",
    "commit messages: imperative, never past tense",
    "README 里不要加徽章",
    "给 README 加一节，不要动别的",
    "回复：不要太长",
    "repeat tests on every change",
    "run this on each push",
    "Use the script for each release, never deploy by hand",
    "we must be at feature parity, never drop fields",
    "Meetings: never book them on Fridays in the fixture data",
    "培训数据不要动",
    "面试题库不要改到别处",
    "用英文写注释：不要用中文",
    "评审会的记录文件不要动",
    "Rules:\n- never use yarn\n- always run the tests before committing",
    "# Rules\n- never use yarn\n- always use pnpm",
    "- never push to main\n- use pnpm\n- don't touch legacy/",
    "From now on: never use yarn",
    "Subject lines must be short",
    "Dates: always in UTC\nSubject lines: always under 50 chars",
    "Never log the From: header",
    "npm: never use --force",
    "errors must never be swallowed\nwarnings must never be ignored",
    "以后：不要用 yarn",
    "规则：\n- 不要用 yarn\n- 必须用 pnpm",
    "Always deploy after 10:00\nnever deploy on fridays",
    "Deploys only after 10:00 AM\nnever touch the cron jobs",
    "backup 跑在 10:02\n不要动 cron",
    "- never use yarn\n- always use pnpm\n\nis that clear?",
    "never use yarn\nalways use pnpm\n\nthese rules apply to all packages",
    "Rules:\n- never use yarn\n- always use pnpm\nthese are valid for the whole session",
    "- never use yarn\n- always use pnpm\n^ these are important",
    "- never use yarn\n- always use pnpm\n^ from AGENTS.md, please follow them",
    "- 不要用 yarn\n- 必须用 pnpm\n^ 这些必须遵守",
    "- never use yarn\n- always use pnpm\nthese come from the team, stick to them",
    "Frontend:\nnever use jQuery\nBackend:\nalways use FastAPI",
    "Release 10:00\nnever deploy before that",
    "备份 03:00\n不要动 cron",
    "每天凌晨 3:00\n不要重启服务",
    "周五 18:00\n之后不要发布",
    "任务：\n不要改 legacy\n要求：\n必须写测试",
    "Client:\n- never use fetch directly\nServer:\n- always validate",
    "Deploy Window 10:00\nnever deploy outside of it",
    "Hi Claude,\nnever use yarn here.\nThanks,\nBob",
    "hi,\nplease never touch main.\nthanks",
    "Style: black\nDate: always ISO\nnever use print",
    "方案：不要用 redis\n范围：只改 src/",
    "Bob 10:02\nnever use yarn\n\nplease never use npm either",
    "error messages must be in English\nerror codes must never change",
    "UTC 10:00\nnever run jobs before",
    "yarn install is slow\nnever use yarn",
]


@pytest.mark.parametrize("message", [*OF_TOOLS, *LETTERS, *CHATS, *AS_COPIED, *ASKED_ABOUT])
def test_what_others_wrote_is_no_rule(message: str, rules: Rules) -> None:
    assert rules(message) == []


@pytest.mark.parametrize("message", OWN)
def test_what_only_looks_like_a_paste_is_the_persons_own(message: str, rules: Rules) -> None:
    assert rules(message)


def test_what_the_person_says_under_a_letter_or_a_chat_is_read(rules: Rules) -> None:
    letter = "From: eve@example.org\nSubject: freeze\n\nDon't merge.\n\nBest regards,\nEve"

    assert rules(f"{letter}\n\nYou must never edit vendor/.") == ["You must never edit vendor/"]
    assert rules("Bob 10:02\nnever use yarn\n\nPlease never use npm.") == ["never use npm"]
    assert rules("张三 10:02\n以后不要用 yarn\n\n不要动 legacy/") == ["不要动 legacy/"]


def test_a_line_that_tells_whose_the_thing_is_points_at_no_paste(rules: Rules) -> None:
    message = "这个 App 是给仓库里扫码枪用的，屏幕很小。\nminSdk 得保持 24。"

    assert any("minSdk" in text for text in rules(message))
