"""Words of English and Chinese that mean the same in a rule, under one name each."""

from __future__ import annotations

import re
from functools import lru_cache

# One line an action: what is done to a thing.  Two rules with different actions are two, whatever the thing.
_ACTIONS = """
change: change edit modify touch alter update unchanged untouched intact | 改动 修改 编辑 更新 改 动 碰 变
delete: delete remove drop erase wipe | 删除 删掉 移除 清空 清掉 删
add: add introduce bring pull | 添加 新增 引入 加入 引 加
commit: commit | 提交
push: push | 推送 推到 推
merge: merge | 合并
rebase: rebase | 变基
run: run execute launch | 运行 执行 跑
use: use utilize adopt switch prefer go | 使用 采用 改用 换成 改成 改为 换为 改回
use: | 换回 切换 选用 选择 选定 选 用 走
show: show display | 给我看 给我过目 展示 显示 看
ask: ask confirm consult | 请示 征求 确认 问
put: put place store live belong | 存放 放在 放到 放
write: write | 编写 写
import: import | 导入
install: install | 安装
rename: rename | 重命名 改名
return: return | 返回
swallow: swallow suppress silence ignore | 吞掉 忽略 吞
deploy: deploy release publish ship | 部署 发布 上线
format: format reformat | 格式化
mock: mock stub | 模拟 打桩
skip: skip bypass | 跳过 绕过
restart: restart reboot | 重启
answer: answer reply respond speak talk | 回答 回复 答复 说话 交流
create: create | 新建 创建 建
move: move relocate | 移动 挪动 搬
upgrade: upgrade bump | 升级
downgrade: downgrade | 降级
pin: pin lock freeze | 锁死 锁定 固定 锁
call: call invoke | 调用
name: name naming | 命名 取名 起名
replace: replace swap substitute | 替换 换掉 换
refactor: refactor restructure | 重构
"""
# One line a thing.
_THINGS = """
test: test testing | 测试 用例 单测
migration: migration migrate migrations | 迁移
database: database db | 数据库
dependency: dependency dependencies dep library package | 依赖 第三方库 包
comment: comment | 注释
message: message | 信息 消息
chinese: chinese mandarin | 中文 汉语
english: english | 英文 英语
japanese: japanese | 日文 日语
german: german | 德文 德语
french: french | 法文 法语
spanish: spanish | 西班牙文 西班牙语
korean: korean | 韩文 韩语
russian: russian | 俄文 俄语
log: log logging logger | 日志
type: type typing typed typehint | 类型
annotation: annotation annotate hint | 标注 注解
exception: exception | 异常
error: error | 错误 报错
code: code | 代码
version: version | 版本
branch: branch | 分支
main: main master trunk | 主分支 主干
port: port | 端口
config: config configuration | 配置
file: file | 文件
folder: folder directory dir | 目录 文件夹
root: root | 根
data: data | 数据
fixture: fixture | 夹具
interface: interface api endpoint | 接口
function: function method | 函数 方法
variable: variable | 变量
parameter: parameter argument param arg | 参数
option: option flag | 选项 开关
production: production prod | 生产环境 生产 线上
document: document doc documentation docs | 文档
style: style | 风格 写法
review: review | 评审 审查
secret: secret credential | 密钥 凭证 凭据
password: password passwd pwd | 密码 口令
cache: cache | 缓存
index: index | 索引
table: table | 表格 表
script: script | 脚本
command: command | 命令
lint: lint linter | 静态检查
build: build compile | 构建 编译 打包
server: server | 服务器
service: service | 服务
environment: environment | 环境
frontend: frontend | 前端
backend: backend | 后端
line: line
global: global | 全局
class: class | 类
thread: thread | 线程
timeout: timeout | 超时
retry: retry retries | 重试
emoji: emoji | 表情
unit: unit | 单位
chain: chain chained chaining | 链式
nest: nest nested nesting | 嵌套
schema: schema | 表结构
public: public | 公开
signature: signature | 签名
diff: diff | 差异
new: new | 新
print: print | 打印
changelog: changelog | 变更日志 更新日志
tool: tool | 工具
auto: automatic automatically auto | 自动
start: start startup | 启动
problem: problem | 问题
user: user | 用户
app: app application | 应用
repo: repo repository | 仓库 代码库
dynamic: dynamic | 动态
team: team | 团队
pr: pr | 合并请求 拉取请求
lockfile: lockfile | 锁文件
commandline: cli | 命令行
monday: monday | 周一 星期一 礼拜一
tuesday: tuesday | 周二 星期二 礼拜二
wednesday: wednesday | 周三 星期三 礼拜三
thursday: thursday | 周四 星期四 礼拜四
friday: friday | 周五 星期五 礼拜五
saturday: saturday | 周六 星期六 礼拜六
sunday: sunday | 周日 周天 星期日 星期天 礼拜天
weekend: weekend | 周末
parser: parser | 解析器
tab: tab | 制表符
space: space | 空格
"""
# Words that only say that something is a rule, or carry its sentence.
_ENGLISH_FILLING = """
a about after again ahead all alone also always am an and any anymore anything are as at avoid aware back be
because been before being below better both but by can cannot could couldn dare did didn do does doesn doing
don done dont each either else ever every everything except for from further future get getting good got had
hand hands has have having he hence here how however i if in instead into is isn it its itself just keep
kept kind know least leave let like limit limits longer make making may maybe me might mind more most must
my need needs never no non none nor not note nothing now of off on once one only onto or other others our
ours out over please rather re really regardless remember right same say see shall she should shouldn since
so some somehow stay stays still stop such sure than that the their them then there these they thing things
this those though through time to too under unless until up us via want wanted was wasn we well were what
whatever when where whether which while who why will with within without won would wouldn yes yet you your
yours yourself myself allowed ban banned fine ok okay permitted
"""
_EMPTY_ENGLISH = frozenset(_ENGLISH_FILLING.split())
_CHINESE_FILLING = """
放开 解禁 解封 放行 松绑 解除
改一下 换一下 调整一下 放宽到 放宽 收紧到 收紧 改从 调到 降到 提到 升到 给到 挪到
从今天起 从今天开始 从今起 今天起 从明天起
从现在起 从今以后 从今往后 无论如何 不管怎样 一个字 所有的 所有 任何 每一次 每次 每个 以后 今后 之后 之前
往后 现在 开始 接下来 不允许 不需要 不要 不许 不准 不能 不得 不可以 不可 不用 不必 不再 不太 没必要 无需
禁止 严禁 切勿 千万 一定要 一定 必须 务必 一律 统一 全部 全都 整个 只能 只准 只许 仅 还是 仍然 依然 可以
允许 能不 尽量 尽可能 最好 比较 喜欢 希望 习惯 记住 记得 记着 注意 另外 顺便 对了 其实 随便 一遍 再说 的话
东西 事情 那边 这边 这里 那里 里面 上面 下面 这次 这个 那个 这条 那条 这些 那些 我们 咱们 你们 他们 如果
哪怕 即使 一下 一点 已经 没有 包括 包含 看起来 什么 怎么 为什么 别 勿 请 都 只 也 先 再 又 了 的 地 得 吧
啊 哈 哦 呢 吗 呀 嘛 里 我 你 他 它 咱 给 把 将 被 对 在 到 和 与 或 跟 要 会 能 很 太 不 没 有 是 个 条
些 就 让 那 这 哪 来 去 上 下 过 着 一 前 后 时 原样
"""
_EMPTY_CHINESE = _CHINESE_FILLING.split()


def _table(text: str, mark: str) -> tuple[dict[str, str], dict[str, str]]:
    """English words and Chinese words, each to the name of what it means."""
    english: dict[str, str] = {}
    chinese: dict[str, str] = {}
    for line in text.strip().splitlines():
        name, _, words = line.partition(":")
        first, _, second = words.partition("|")
        english |= dict.fromkeys(first.split(), mark + name)
        chinese |= dict.fromkeys(second.split(), mark + name)
    return english, chinese


_ENGLISH_ACTIONS, _CHINESE_ACTIONS = _table(_ACTIONS, "!")
_ENGLISH_THINGS, _CHINESE_THINGS = _table(_THINGS, "~")
_ENGLISH = _ENGLISH_ACTIONS | _ENGLISH_THINGS
_CHINESE = _CHINESE_ACTIONS | _CHINESE_THINGS
# The longest first, so that 改用 is not read as 改, and 不用 not as 用.
_CHINESE_WORD = re.compile("|".join(sorted({*_CHINESE, *_EMPTY_CHINESE}, key=len, reverse=True)))
_SUFFIX = re.compile(r"(?:ies|ing|ed|es|s)$")
LANGUAGES = frozenset(
    {"~chinese", "~english", "~japanese", "~german", "~french", "~spanish", "~korean", "~russian"}
)
ALTERNATIVES = (
    frozenset({"~tab", "~space"}),
    frozenset({"npm", "pnpm", "yarn", "bun"}),
    frozenset({"jest", "vitest", "mocha"}),
)
"""Of each only one can be taken for one purpose."""
ACTIONS = frozenset(_ENGLISH_ACTIONS.values())


def is_action(token: str) -> bool:
    return token.startswith("!")


@lru_cache(maxsize=4096)
def english_token(word: str) -> str | None:
    """What a lower-case word stands for; None for one that says nothing about the subject."""
    if word in _EMPTY_ENGLISH:
        return None
    for form in _forms(word):
        if form in _ENGLISH:
            return _ENGLISH[form]
    return _stem(word)


def _forms(word: str) -> tuple[str, ...]:
    """`dependencies`, `committing`, `used`, `pushes` → what stands in the table."""
    base = _SUFFIX.sub("", word)
    undoubled = base[:-1] if len(base) > 3 and base[-1] == base[-2] else base
    return (word, word.removesuffix("s"), base, base + "e", undoubled, base + "y")


def _stem(word: str) -> str:
    if len(word) > 6 and word.endswith("ing"):
        base = word[:-3]
        return base[:-1] if base[-1] == base[-2] and base[-1] not in "ls" else base
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def chinese_tokens(run: str) -> list[str]:
    """What an unbroken run of Chinese stands for: known words, and what is left of it in pairs."""
    tokens: list[str] = []
    position = 0
    for found in _CHINESE_WORD.finditer(run):
        tokens += _pairs(run[position : found.start()])
        if found.group() in _CHINESE:
            tokens.append(_CHINESE[found.group()])
        position = found.end()
    return tokens + _pairs(run[position:])


def _pairs(text: str) -> list[str]:
    return [text] if len(text) == 1 else list(map(str.__add__, text, text[1:]))
