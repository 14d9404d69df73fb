"""Chinese constructions that are told by their grammar, whatever they are about; and what only reports."""

from __future__ import annotations

import pytest

from agentinitd.memory.capture.chinese import read
from agentinitd.memory.capture.prose import Context, Found, sentences


def found_in(message: str, agent: str = "") -> list[Found]:
    context = Context(agent_before=agent)
    return [found for sentence in sentences(message) for found in read(sentence, context)]


def texts_of(message: str) -> list[str]:
    return [found.text for found in found_in(message) if found.act == "state"]


def polarities_of(message: str) -> list[str]:
    return [found.polarity for found in found_in(message) if found.act == "state"]


@pytest.mark.parametrize(
    "message",
    [
        "遇到编译警告就当错误处理",
        "只要动了战斗逻辑就把录像回放跑一遍",
        "一旦上线报错马上回滚",
        "新建的查询慢的话就加索引",
        "跑不通的话把完整报错贴出来",
        "要是一个查询估计扫超过一亿行，先把 explain 贴给我看再跑",
        "每次改 protocol 都 bump 一下版本号",
        "不懂就问，别瞎猜",
        "每次改完说一下为什么这么改",
    ],
)
def test_act_at_an_occasion_of_the_work_is_demanded(message: str) -> None:
    assert polarities_of(message) == ["do"]


@pytest.mark.parametrize(
    "message",
    [
        "讲流程的时候多画点图",
        "吞异常的地方至少打条日志",
        "新功能要有对应的测试",
        "合并都往 dev 合",
        "上线先灰度",
        "修 bug 先写测试复现再改",
        "service 之间走依赖注入",
        "改动控制到最小",
        "依赖选稳定版",
        "密钥从环境变量读",
        "单测里外部服务都 mock 掉",
        "组合优于继承",
        "对外只暴露 http 接口",
        "数据库账号只给 read 权限",
        "我们只支持 postgres",
        "翻译文件你就管繁体的",
        "这次的更新公告用英文写",
        "通用的东西抽到 components",
        "引用资源用相对路径",
        "每个接口都校验权限",
        "返回值包成结构体",
        "大括号跟在行尾",
        "内部方法加下划线前缀",
        "组件一超过 200 行就该拆了",
        "压测只在白天跑",
        "语法要兼容 mysql 5.7",
        "碰计费相关的代码先问一下我",
        "翻译不确定的词保留原文",
    ],
)
def test_manner_is_laid_down_without_a_word_that_demands(message: str) -> None:
    assert polarities_of(message) == ["do"]


@pytest.mark.parametrize(
    "message",
    [
        "能用原生 fetch 就不引 axios",
        "没必要为了一个 debounce 就引 lodash",
        "显而易见的代码不用写注释",
        "周五不发版",
        "旧代码先不管",
        "代码里不能访问外网",
        "周日不要给客户发邮件",
        "原始数据集只读",
        "raw/ 里的原始观测数据一个字节都不准改",
    ],
)
def test_ban_needs_no_word_that_forbids(message: str) -> None:
    assert polarities_of(message) == ["do_not"]


@pytest.mark.parametrize(
    "message",
    [
        "处理路径我比较喜欢 pathlib",
        "画图配色最好用 viridis",
        "我还是偏函数式一点的写法",
        "poc 里面我希望注释多写点",
        "如果可以的话图例最好用中文",
        "界面文案偏口语一些比较好",
    ],
)
def test_preference_may_begin_with_the_work_it_is_about(message: str) -> None:
    assert [(found.polarity, found.force) for found in found_in(message)] == [("do", "soft")]


@pytest.mark.parametrize(
    ("message", "texts"),
    [
        (
            "新来的比较严 表结构有变更的话必须配回滚脚本 要不工单给你打回来",
            ["表结构有变更的话必须配回滚脚本"],
        ),
        ("接口字段名一律小驼峰 数据库字段用下划线", ["接口字段名一律小驼峰", "数据库字段用下划线"]),
        ("金额字段统一 decimal(18,4)，别的类型导不进去", ["金额字段统一 decimal(18,4)"]),
        ("节点能用 std::variant 就用 std::variant 吧", ["节点能用 std::variant 就用 std::variant 吧"]),
        ("除了 README 用英文，其他文档全写中文", ["除了 README 用英文，其他文档全写中文"]),
        ("你怎么又生成了个 package-lock 这个仓库只认 pnpm 啊", ["这个仓库只认 pnpm"]),
        ("除 README 外，文档一律不要动", ["除 README 外，文档一律不要动"]),
    ],
)
def test_clause_is_cut_where_the_person_cut_it(message: str, texts: list[str]) -> None:
    assert texts_of(message) == texts


@pytest.mark.parametrize(
    "message",
    [
        # why something happened
        "这个字段必须唯一，所以插入报错了",
        "这个 sdk 要求必须在主线程初始化，难怪崩",
        "这个数据集里每张图必须有一个对应的 json，加载器就是这么判断的",
        "MySQL 的 utf8 一个字符最多三个字节，insert error 就是这么来的",
        # how a thing behaves
        "查库存那个接口从不返回 null",
        "spi 从机必须等片选拉低才会响应",
        "那个脚本只在 linux 上能跑",
        "大部分请求都走缓存",
        "数据都是从 kafka 过来的",
        "前端现在一律走 cdn",
        "目前并发最多两百",
        "我们用的是 gitlab 不是 github",
        "盘点的时候页面要转一分多钟才出来",
        "配置默认从环境变量读",
        "免费版每天只能调 100 次",
        "这种写法在 python2 里是不允许的",
        "浮点数不能直接比较，这个我知道",
        "那个配置项不能热更新，改完它要重启才生效",
        "我同学他们公司禁止用 chatgpt",
        "错误提示：请勿重复提交",
        "索引只在等值查询的时候有用",
        "缓存穿透的时候请求会全打到库上",
        "这个端口被占了所以只能换一个",
        # what was
        "我大学的时候只写 c",
        "上个项目我只用 svn，git 是来这边才学的",
        "我们之前禁止过 force push，后来就没人提了",
        "本来只有院长能导出",
        "我当时跟外包说了别把密码写死",
        # what shall be built
        "要加个功能 设备离线超过 5 分钟就给管理员发短信",
        "写个函数，输入不能为空",
        "储物柜加个锁定：密码输错三次，十分钟内谁都打不开",
        "提交按钮往下挪 8 像素",
        # what annoys, and what is thought
        "这库的文档写得真烂，每个方法都要自己猜",
        "因为没加索引，所以每次都要扫全表",
        "所有接口都返回 500",
        "gdb 这东西真的是，每次用都得重新查命令",
        "webpack 那个配置文件看着就头大，五百多行",
        "每次发版都要停机半小时，客户都有意见了",
        "求求了 bug 你别再出来了",
        "不用了，我自己来",
        "我怀疑必须重启才行",
        "我在考虑以后都用 bun",
        "等我哪天有空了，先把那堆告警规则理一遍",
        "编译通过的那一刻我必须发个朋友圈",
        "千万别误会 我不是说你写得不好",
    ],
)
def test_report_narrative_specification_and_sigh_are_no_rules(message: str) -> None:
    assert found_in(message) == []


def test_answer_to_what_the_agent_asked_about_the_world_is_no_rule() -> None:
    asked = "这两个模块的编译顺序有要求吗？"

    assert found_in("有的，头文件必须先生成，不然后面那个目标找不到", asked) == []
    assert found_in("有的，以后头文件必须先生成", asked) != []
    assert found_in("头文件必须先生成", asked) != []


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ("有的表叫 ds 有的叫 day 我真服了 分区字段一律叫 dt", "分区字段一律叫 dt"),
        ("上次就是没加锁，所以以后写库都要加锁", "所以以后写库都要加锁"),
        ("写个 dockerfile，不能用 root 跑", "不能用 root 跑"),
    ],
)
def test_rule_beside_a_report_is_kept(message: str, text: str) -> None:
    assert texts_of(message) == [text]


def test_demand_in_english_with_a_negation_is_a_demand() -> None:
    (found,) = found_in("don't forget 跑 cargo fmt 再提交")

    assert found.polarity == "do"


def test_misspelled_reminder_is_one() -> None:
    assert polarities_of("记的 dma 缓冲区要 32 字节对齐") == ["do"]
    assert found_in("登记的地址") == []


@pytest.mark.parametrize("message", ["这次可以改 config", "今天破例可以改 nginx 配置", "这次允许重启 kafka"])
def test_what_may_be_done_this_once_is_a_permission_for_once(message: str) -> None:
    (found,) = found_in(message)

    assert (found.act, found.is_permission, found.scope) == ("withdraw", True, "once")


@pytest.mark.parametrize("message", ["这次可以改完吗", "今天可以写完", "这次可以了"])
def test_what_can_be_done_in_time_permits_nothing(message: str) -> None:
    assert found_in(message) == []


def test_until_when_something_is_put_off_stays_with_it() -> None:
    assert texts_of("先别提交，等我看过再说") == ["先别提交，等我看过再说"]
    assert texts_of("这个先放着，等我看完再说") == []
    assert texts_of("等我确认之后再合并") == ["等我确认之后再合并"]


def test_do_not_forget_is_no_rule_beside_what_is_not_to_be_forgotten() -> None:
    assert texts_of("每次改完 proto 都要重新生成一遍代码，别忘了") == ["每次改完 proto 都要重新生成一遍代码"]


@pytest.mark.parametrize(
    "message",
    [
        "定时任务每次都在零点之后多跑一遍，不知道为啥",
        "这个接口必须传两次 token 才行，搞不懂为什么",
        "每次启动都要连两遍库，好奇怪",
        "你把 README 里安装那一节补上，写简单点就行",
        "我们现在用 Jenkins，慢得要死",
    ],
)
def test_what_is_wondered_at_or_ordered_now_is_no_rule(message: str) -> None:
    assert texts_of(message) == []


def test_what_to_tell_before_may_hold_a_word_that_asks() -> None:
    assert texts_of("改之前先跟我说一声你打算怎么改") == ["改之前先跟我说一声你打算怎么改"]
