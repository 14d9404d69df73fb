"""What a Chinese sentence asks for, by grammar: which polarity, how firmly, how long, in whose words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agentinitd.memory.capture.chinese import read
from agentinitd.memory.capture.prose import Context, Found, sentences

# `-` forbids, `+` demands, `~` only prefers; `lift` takes back, `may` allows again.  A scope follows unless
# it is the project's, and the text unless it is the whole message.
RULES: list[tuple[str, list[str]]] = [
    ("别动 infra/terraform 里的东西", ["-"]),
    ("infra/ 那块千万不要碰", ["-"]),
    ("生成的文件不要手改", ["-"]),
    ("谁都不许往 main 上直接推", ["-"]),
    ("一行测试都不能删", ["-"]),
    ("公共接口的签名一个都别改", ["-"]),
    ("严禁在日志里打印用户手机号", ["-"]),
    ("配置文件勿改", ["-"]),
    ("密钥甭往仓库里放", ["-"]),
    ("别再用 any 了", ["-"]),
    ("以后别再给我加 emoji 了", ["-"]),
    ("代码里不准出现 TODO", ["-"]),
    ("不要用 moment，用 dayjs", ["-"]),
    ("用 dayjs 别用 moment", ["+"]),
    ("不用 axios 用 fetch", ["+"]),
    ("请求库用 fetch，不要 axios", ["+"]),
    ("改用 pnpm，别再用 npm 了", ["+"]),
    ("用 pnpm 而不是 npm", ["+"]),
    ("表单校验用 zod 而不是 yup", ["+"]),
    ("要 ESM 不要 CommonJS", ["+"]),
    ("时间一律存 UTC", ["+"]),
    ("错误统一抛 AppError", ["+"]),
    ("所有新接口都要写文档", ["+"]),
    ("每个 PR 都得带测试", ["+"]),
    ("每次改完都要跑一遍 lint", ["+"]),
    ("提交之前跑一下单测", ["+"]),
    ("提交前必须跑 make check", ["+"]),
    ("合并前先 rebase", ["+"]),
    ("推送之前记得跑类型检查", ["+"]),
    ("改数据库之前先问我", ["+"]),
    ("要改接口先跟我说", ["+"]),
    ("拿不准就问我，别自己猜", ["+"]),
    ("不确定的地方先问我再动手", ["+"]),
    ("删文件之前一定要跟我确认", ["+"]),
    ("先给我看 diff 再提交", ["+"]),
    ("提交由我来，你别 commit", ["+ 提交由我来", "- 你别 commit"]),
    ("git push 我来做", ["+"]),
    ("别忘了同步更新 README", ["+"]),
    ("记得给新接口加超时", ["+"]),
    ("千万记得改完要更新 changelog", ["+"]),
    ("只准改 src/api", ["+"]),
    ("只能动 web/ 下面的文件", ["+"]),
    ("只改样式，别动逻辑", ["+"]),
    ("这次只看不改，别写代码", ["+once"]),
    ("依赖只用标准库", ["+"]),
    ("测试只跑受影响的包", ["+"]),
    ("仅限 Python 3.11 以上的语法", ["+"]),
    ("除了 README 其他文件一律不许动", ["-"]),
    ("除测试以外都不要用 any", ["-"]),
    ("除非我说可以，否则别发版", ["-"]),
    ("只有测试里才可以用 mock", ["+"]),
    ("缩进保持两个空格", ["+"]),
    ("对外接口保持不变", ["+"]),
    ("目录结构维持原样", ["+"]),
    ("命名跟以前一样就行", ["+"]),
    ("错误码照旧", ["+"]),
    ("代码风格沿用现有的", ["+"]),
    ("版本锁死在 4.2", ["+"]),
    ("我不太喜欢过度封装", ["~-"]),
    ("我不怎么喜欢用装饰器", ["~-"]),
    ("说实话我不喜欢三元嵌套", ["~-"]),
    ("我更喜欢早返回", ["~+"]),
    ("我比较习惯把类型写在前面", ["~+"]),
    ("我们一般不用默认导出", ["~-"]),
    ("我从来不在构造函数里做 IO", ["~-"]),
    ("尽量别用全局变量", ["~-"]),
    ("尽量少写注释", ["~-"]),
    ("最好不要动公共模块", ["~-"]),
    ("最好用组合", ["~+"]),
    ("能不加依赖就别加", ["~-"]),
    ("能用标准库就用标准库", ["~+"]),
    ("宁可多写几行也不要用魔法", ["~-"]),
    ("优先用内置函数", ["~+"]),
    ("建议以后都用 pathlib", ["~+"]),
    ("还是用回 jest 吧", ["~+"]),
    ("回答简短一点", ["~+"]),
    ("说话直接点，别啰嗦", ["-"]),
    ("少废话，直接给代码", ["~- 少废话"]),
    ("少用缩写", ["~-"]),
    ("注释太多了，少写点", ["~-"]),
    ("不要过度设计", ["~-"]),
    ("没必要的抽象别加", ["-"]),
    ("请用中文回答", ["+"]),
    ("以后都说中文", ["+"]),
    ("用中文跟我说", ["+"]),
    ("回复一律用中文，代码注释用英文", ["+ 回复一律用中文", "+ 代码注释用英文"]),
    ("注释写英文", ["+"]),
    ("commit message 用英文", ["+"]),
    ("提交信息用中文写", ["+"]),
    ("PR 描述写中文", ["+"]),
    ("变量名用英文，不要拼音", ["+"]),
    ("测试用 `pnpm test`", ["+"]),
    ("跑测试用 `uv run pytest -q`", ["+"]),
    ("构建命令是 `make build`，别用 npm run build", ["+"]),
    ("本地端口用 5433", ["+"]),
    ("数据库端口固定 5433，别用 5432", ["+"]),
    ("开发服务器跑在 3100 端口，不要占 3000", ["+"]),
    ("分支从 develop 切", ["+"]),
    ("都基于 release/2.x 开分支", ["+"]),
    ("Node 用 20", ["+"]),
    ("用 Node 20，别升到 22", ["+"]),
    ("Python 版本锁在 3.11", ["+"]),
    ("超时统一 30 秒", ["+"]),
    ("覆盖率不低于 80%", ["+"]),
    ("日志走 structlog", ["+"]),
    ("配置放 config/", ["+"]),
    ("测试数据放 tests/fixtures，别放根目录", ["+"]),
    ("图标一律走 sprite", ["+"]),
    ("接口返回统一包一层 data", ["+"]),
    ("从现在起所有改动都走 PR", ["+"]),
    ("以后提交前都先 rebase", ["+"]),
    ("今后新页面用 App Router", ["+"]),
    ("这次先不要写测试", ["-once"]),
    ("先别急着写代码，先出方案", ["-once 先别急着写代码"]),
    ("暂时不要合并", ["-once"]),
    ("今天先别部署", ["-once"]),
    ("这个任务里不要碰支付模块", ["-task"]),
    ("这个 PR 只修 bug，不做重构", ["+task"]),
    ("本次需求不改数据库", ["-task"]),
    ("所有项目都不许用 GPL 的库", ["-always"]),
    ("不管哪个项目都要写类型", ["+always"]),
    ("提交信息用中文，这条所有任务都算", ["+always 提交信息用中文"]),
    ("不得修改已发布的迁移", ["-"]),
    ("迁移脚本写完就不能再改了", ["-"]),
    ("非测试代码里禁止 print", ["-"]),
    ("非跑通测试不可提交", ["-"]),
    ("不能不写测试", ["+"]),
    ("不要不写类型", ["+"]),
    ("不能没有错误处理", ["+"]),
    ("别漏了国际化", ["+"]),
    ("可别忘了加索引", ["+"]),
    ("能不能别每次都重排 import", ["-"]),
    ("可以别用 class 组件吗", ["-"]),
    ("不是说了别动 0007 吗", ["-"]),
    ("我说过不要改公共配置", ["-"]),
    ("我再强调一遍，不要动锁文件", ["- 不要动锁文件"]),
    ("跟你说过多少次了，别改我的格式", ["- 别改我的格式"]),
    ("凡是涉及金额的都用 Decimal", ["+"]),
    ("对外的错误信息不能带堆栈", ["-"]),
    ("接口里不要返回 null，用空数组", ["-"]),
    ("任何时候都不要 force push", ["-"]),
    ("涉及权限的改动一定要先问", ["+"]),
    ("线上库只读，不要写", ["-"]),
    ("不许跳过 hook", ["-"]),
    ("别 mock 数据库", ["-"]),
    ("数据库别 mock", ["-"]),
    ("千万 never push 到 main", ["-"]),
    ("务必保证向后兼容", ["+"]),
    ("函数控制在 50 行以内", ["+"]),
    ("单个文件别超过 300 行", ["-"]),
    ("嵌套不要超过三层", ["-"]),
    ("异常不要吞", ["-"]),
    ("catch 里不能是空的", ["-"]),
    ("禁用 eval", ["-"]),
    ("避免使用全局单例", ["-"]),
    ("请不要自作主张改需求", ["-"]),
    ("不要擅自升级依赖", ["-"]),
    ("未经我同意不许装新包", ["-"]),
    ("没有我的确认不要执行迁移", ["-"]),
    ("别碰它，vendor 是第三方的", ["-"]),
    ("vendor 目录是第三方的，别碰", ["-"]),
    ("那个脚本线上在用，不要动它", ["-"]),
    ("legacy/ 已经冻结了，不要再往里加东西", ["-"]),
    ("別動 legacy 目錄", ["-"]),
    ("請用繁體中文回答", ["+"]),
    ("檔案編碼統一用 UTF-8", ["+"]),
    ("測試一律用 pytest，不要用 unittest", ["+"]),
    ("儘量不要引入新套件", ["~-"]),
    ("提交前請先給我看", ["+"]),
    ("這次先不要改資料庫", ["-once"]),
    ("commit 不要太大，一个功能一个", ["~- commit 不要太大"]),
    ("一个 commit 只做一件事", ["+"]),
    ("小步提交", ["+"]),
    ("类型都写全，不要用 any", ["+"]),
    ("单测要覆盖边界情况", ["+"]),
    ("新增字段要有默认值", ["+"]),
    ("SQL 关键字大写", ["+"]),
    ("常量用大写下划线", ["+"]),
    ("文件名用 kebab-case", ["+"]),
    ("组件名用 PascalCase", ["+"]),
    ("引号用单引号", ["+"]),
    ("字符串统一双引号", ["+"]),
    ("React 组件写成函数式的", ["+"]),
    ("时间格式用 ISO 8601", ["+"]),
    ("金额用分，别用浮点", ["+"]),
    ("排序要稳定", ["+"]),
    ("输出别超过 20 行", ["-"]),
    ("没跑过测试别说完成", ["-"]),
    ("改之前先读一遍文件", ["+"]),
    ("别自己跑 migrate", ["-"]),
    ("别帮我提交", ["-"]),
    ("不要动我的 git 配置", ["-"]),
    ("docker 相关的先放着别改", ["-"]),
    ("前端那边你就别管了", ["-"]),
    ("不想看到 console.log", ["~-"]),
    ("我讨厌 barrel 文件", ["~-"]),
    ("这种写法我不喜欢，以后别用", ["~-"]),
    ("这么写我看不惯", ["~-"]),
    ("一大坨 if else，我一般不这么写", ["~-"]),
    ("我不想引入 redux", ["~-"]),
    ("不建议用 enum", ["~-"]),
    ("还是像之前那样用 tab 缩进", ["+"]),
    ("命名还是按老规矩来", ["+"]),
    ("环境变量一律从 config.py 读", ["+"]),
    ("直接用 fetch 就行，不要再封装了", ["-"]),
    ("默认分支是 trunk，不是 main", ["+"]),
    ("测试库用 5544，不是 5432", ["+"]),
    ("现在可以改 legacy 了", ["may"]),
    ("vendor 可以动了", ["may"]),
    ("数据库那边放开了，随便改", ["may 数据库那边放开了", "may 随便改"]),
    ("不用每次都跑全量测试了", ["lift"]),
    ("注释不用再写了", ["lift"]),
    ("diff 不用给我看了", ["lift"]),
    ("commit 前不用问我了", ["lift"]),
    ("刚才说的那条作废", ["lift"]),
    ("之前那个不许加依赖的限制取消", ["lift"]),
    ("别用 lodash 那条不算了", ["lift"]),
    ("上面说的只用中文的规矩撤回", ["lift"]),
    ("算了，还是用 npm 吧", ["~+ 还是用 npm 吧"]),
    ("端口改成 5434 吧，5433 被占了", ["+ 端口改成 5434 吧"]),
    ("测试命令换成 pnpm test:unit", ["+"]),
    ("Node 版本改成 22", ["+"]),
    ("用不着避免 any 了", ["may"]),
    ("不必再遵守 80 列限制了", ["lift"]),
    ("migrations 已经解禁了", ["may"]),
    ("允许引入新依赖了", ["may"]),
    ("现在可以直接推 main 了", ["may"]),
    ("docs 随便改，但 docs/api 别碰", ["may docs 随便改", "- docs/api 别碰"]),
    ("依赖都可以升，除了 React", ["may"]),
    ("可以删测试文件了，fixtures 还是不能动", ["may 可以删测试文件了", "- fixtures 还是不能动"]),
    ("规则变一下：以后用 tabs 缩进", ["+ 以后用 tabs 缩进"]),
    ("改主意了，注释还是写中文", ["+ 注释还是写中文"]),
    ("别动 legacy，别跑迁移，提交前给我看 diff", ["- 别动 legacy", "- 别跑迁移", "+ 提交前给我看 diff"]),
    ("用 uv，别用 pip，提交信息用中文", ["+ 用 uv，别用 pip", "+ 提交信息用中文"]),
    ("不要改接口，也不要改数据库结构，只改前端", ["- 不要改接口", "- 也不要改数据库结构", "+ 只改前端"]),
    ("别动 config 因为线上在用", ["-"]),
    ("因为线上在用，所以别动 config", ["-"]),
    ("config 别动，不然线上会挂", ["- config 别动"]),
    ("如果要加依赖，先问我", ["+"]),
    ("要是测试没过就别提交", ["-"]),
    ("除非我明确说，不要重构", ["-"]),
    ("没有测试覆盖的代码不要动", ["-"]),
    ("遇到不确定的需求先停下来问我", ["+"]),
    ("写 SQL 的时候不要 select *", ["-"]),
    ("改完代码之后都要格式化", ["+"]),
    ("每次提交只包含一个改动", ["+"]),
    ("先写测试，再写实现", ["+"]),
    ("函数名要动词开头", ["+"]),
    ("返回值统一用 Result", ["+"]),
    ("所有时间都用 UTC", ["+"]),
    ("日志里别打印 token", ["-"]),
    ("log 里不要有中文", ["-"]),
    ("console.log 别留在代码里", ["-"]),
    ("我看不惯那种一行写三个判断的", ["~-"]),
    ("太长的函数我不喜欢", ["~-"]),
    ("我还是喜欢函数式一点的写法", ["~+"]),
    ("比起继承我更喜欢组合", ["~+"]),
    ("能拆小就拆小", ["~+"]),
    ("宁愿慢一点也要保证正确", ["~+"]),
    ("除了测试，别的地方不要用 mock", ["-"]),
    ("别自己瞎猜接口，去看文档", ["- 别自己瞎猜接口"]),
    ("没让你改的别改", ["-"]),
    ("我没说的不要做", ["-"]),
    ("不要顺手重构", ["-"]),
    ("不要动不相关的文件", ["-"]),
    ("只做我说的，别的别碰", ["+"]),
    ("回答别太长", ["~-"]),
    ("不要每次都总结一遍", ["-"]),
    ("别给我贴整个文件，贴改动就行", ["- 别给我贴整个文件"]),
    ("解释不用太细", ["~-"]),
    ("直接改，不用问我", ["lift"]),
    ("代码里不用写注释", ["+"]),
    ("以后不用加类型", ["lift"]),
    ("前端统一走 BFF，别直连后端", ["+"]),
    ("图片放 assets，别放 public", ["+"]),
    ("pre-commit 不许跳过，--no-verify 一律禁止", ["- pre-commit 不许跳过", "- --no-verify 一律禁止"]),
    ("git commit 别加 Co-Authored-By", ["-"]),
    ("版本号我自己改，你别动", ["+"]),
    ("线上配置由我来改", ["+"]),
    ("生产环境一个命令都别跑", ["-"]),
    ("rm -rf 绝对不许用", ["-"]),
    ("rebase 可以，merge 不行", ["- merge 不行"]),
    ("主分支只接受 squash merge", ["+"]),
    ("分支名按 feat/xxx 来", ["+"]),
    ("commit 按 conventional commits 写", ["+"]),
    ("提交信息格式：type(scope): 描述", ["+ 提交信息格式：type(scope)"]),
    ("缩进 4 空格", ["+"]),
    ("行宽 100", ["+"]),
    ("用 4 个空格缩进，不要 tab", ["+"]),
    ("接口路径用复数", ["+"]),
    ("错误信息给用户看的要中文，日志用英文", ["+ 错误信息给用户看的要中文", "+ 日志用英文"]),
    ("文档只写中文版", ["+"]),
    ("README 双语", ["+"]),
    ("测试文件跟源码放一起", ["+"]),
    ("单测命名 xxx.spec.ts", ["+"]),
    ("CI 用 GitHub Actions，不用 Jenkins", ["+"]),
    ("镜像用 alpine，不要 ubuntu", ["+"]),
    ("数据库只用 Postgres，MySQL 的语法别出现", ["+ 数据库只用 Postgres", "- MySQL 的语法别出现"]),
    ("状态管理用 zustand，redux 太重了", ["+ 状态管理用 zustand"]),
    ("样式用 tailwind，不要写内联", ["+"]),
    ("ORM 就用 drizzle", ["+"]),
    ("别 catch 了异常又不处理", ["-"]),
    ("不要为了过测试改断言", ["-"]),
    ("改坏了就回滚，不要硬修", ["-"]),
    ("测试挂了不许注释掉", ["-"]),
    ("不要跳过失败的测试", ["-"]),
    ("跑不过的测试不能 skip", ["-"]),
    ("再强调一次：表结构不准改", ["- 表结构不准改"]),
    ("还是那句话 别动 main 分支", ["- 别动 main 分支"]),
    ("说了多少遍了 不要用 var", ["- 不要用 var"]),
    ("你又忘了，提交前要跑 lint", ["+ 提交前要跑 lint"]),
    ("怎么又用 npm 了？只用 pnpm！", ["+ 只用 pnpm"]),
    ("为什么又动了 legacy？说了不许动", ["-"]),
    ("打住，别再改 schema 了", ["- 别再改 schema 了"]),
    ("停，先不要写代码，我们先讨论方案", ["-once 先不要写代码"]),
    ("等等 先别推", ["-once 先别推"]),
    ("以后这种改动先跟我商量", ["+"]),
    ("下次记得先跑测试", ["+"]),
]

NOTHING = [
    "为什么不能用 async？",
    "要不要加个缓存",
    "这里是不是必须加锁？",
    "可不可以不写测试",
    "能不能用 redis",
    "你为什么不用 map",
    "怎么又改了配置",
    "不用担心，慢慢来",
    "不要紧的，重跑一下就好",
    "没关系，继续",
    "别急，先看日志",
    "别客气",
    "不好意思，刚才打错了",
    "特别慢，看看怎么回事",
    "还有别的办法吗",
    "这个类别的数据有问题",
    "分别跑一下两个测试",
    "老王说不要用 redis",
    "同事说以后都用 rust，听听就好",
    "文档里说必须先初始化",
    "网上都说别用 ORM",
    "README 里写着不要直接改这个文件",
    "据说新版本不能用 require 了",
    "听说他们公司禁止用 emoji",
    "昨天没跑测试",
    "我昨天把配置改了",
    "之前一直不用 docker",
    "上周他们不让改接口",
    "这个接口不能用了",
    "测试跑不起来，不能导入 utils",
    "登录还是不能正常跳转",
    "我怕这样不行",
    "估计不能这么写",
    "可能不要这个字段也行",
    "感觉应该是缓存的问题",
    "如果用 redis 就不能本地跑了",
    "要是能不写测试就好了",
    "把第 40 行删掉",
    "先改订单导出",
    "帮我加个按钮",
    "给列表加上分页",
    "跑一下测试",
    "看看这个报错",
    "把端口改成 8080",
    "把这段翻译成英文",
    "重构一下 utils",
    "删掉没用的 import",
    "用 grep 找一下谁在调用它",
    "写个脚本把数据导出来",
    "继续",
    "好的，提交吧",
    "可以",
    "可以，合并吧",
    "嗯，没问题",
    "对，就是这样",
    "不对，是另一个文件",
    "不是，我说的是前端",
    "不用，谢谢",
    "不用了",
    "不要了",
    "行，先这样",
    "好，等我看看",
    "我真的不太喜欢早会",
    "今天开会太多了，不想写代码",
    "昨晚没睡好",
    "咖啡不能多喝",
    "别说，这样还挺快",
    "天气真差，不想出门",
    "老板不喜欢这个颜色",
    "这个同事从来不写注释",
    "我不喜欢下雨天",
    "这个函数只有一个调用方",
    "只是想确认一下",
    "只改了一行就好了",
    "只剩最后一个测试没过",
    "测试都过了",
    "所有接口都返回 500",
    "每个请求都超时",
    "全部跑完了",
    "这里用的是什么算法",
    "这个项目用的是 pnpm 吗",
    "前端是用 React 写的",
    "这段代码是谁写的",
    "数据库连不上，端口不对",
    "端口被占了",
    "构建失败了，版本对不上",
    "分支已经合了",
    "一定是缓存的问题",
    "应该没问题",
    "应该是这里写错了",
    "必须的！",
    "这个错误必须重启才能好？",
    "我要看一下日志",
    "我要去开会了",
    "要么是缓存要么是 CDN",
    "需要我做什么",
    "你需要多久",
    "主要是慢",
    "重要的是先跑通",
    "多少行了",
    "至少比原来快",
    "觉得怎么样",
    "跑得挺快",
    "写得不错",
    "记得上次那个 bug 吗",
    "我记得是第三个",
    "保持联系",
    "现在可以了",
    "先不急",
    "先放一放，回头再说",
    "回头再改",
    "以后再说吧",
    "以后可能会换成 postgres",
    "以后有空再优化",
    "想想还有什么可以改的",
    "这不是 bug，不用改",
    "第 40 行是对的，不用改",
    "你觉得用 uv 还是 pip",
    "用哪个库比较好",
    "说说你的计划",
    "统一一下这两个函数的命名",
    "解释一下为什么要用锁",
    "不知道为什么一直失败",
    "好像不能直接用",
    "太慢了",
    "改得太多了吧",
    "你是不是忘了加测试",
    "没动吧",
    "没改别的吧",
    "真不错，比我想的好",
    "这不能怪你",
    "谁写的这么烂",
    "怪不得不能编译",
    "难怪一直不通过",
    "原来不能在循环里 await 啊",
    "哈哈哈哈你别逗我了",
    "辛苦了，早点休息",
    "别熬夜了",
    "周五之前要上线，抓紧",
    "客户明天要看演示",
    "产品说要加个导出",
    "下周要做压测",
    "登录成功后要跳到首页，做一下",
    "点取消的时候不要关闭弹窗，改一下",
    "列表为空时显示占位图",
    "这个测试为什么一定要用真数据库",
    "是不是只能这样改",
    "必须这样吗",
    "你确定不能删？",
    "这个文件能删吗",
    "用 pnpm 还是 npm？",
    "只有这一个文件吗",
    "这俩有什么区别",
    "你一般怎么组织测试",
    "为啥提交信息要用英文啊",
    "不能用泛型吗这里",
    "小李建议统一用 tab，你觉得呢",
    "老板要求所有人周五前交周报",
    "Kent Beck 说过不要写没有测试的代码",
    "编译器提示不能在这里用 await",
    "报错说必须传 id",
    "eslint 警告不要用 any",
    "CI 里写着 must pass lint",
    "群里有人说别升级到 15",
    "官方文档建议用 hooks",
    "那篇文章说永远不要用 else",
    "上次我们讨论过不用 redis",
    "之前的版本不能用中文路径",
    "当时必须手动重启",
    "我以前一直用 vim",
    "他们团队规定注释必须写英文，真惨",
    "如果以后要支持 Windows 就得换方案了",
    "假设我们不用 k8s，会省多少钱",
    "我在想要不要全部换成 TS",
    "可能得重启一下",
    "大概只能这样了",
    "说不定不用改",
    "好像必须加锁",
    "我觉得应该没必要",
    "不知道能不能用 bun",
    "昨晚加班到两点，别提了",
    "这天气别出门了",
    "我妈不让我熬夜",
    "他总是不回消息",
    "我不喜欢吃香菜",
    "不太想动，今天摸鱼",
    "开会说的那些你别往心里去",
    "帮我把日志改成 JSON 格式",
    "把按钮颜色改成红色",
    "把依赖升级到最新",
    "新建一个分支修这个 bug",
    "给 User 加一个 email 字段，必填",
    "这个函数返回值改成 Promise",
    "写个测试覆盖空数组的情况",
    "重命名 foo 为 bar",
    "先看一下日志再说",
    "先跑起来看看",
    "你先改，改完我看",
    "回滚刚才的提交",
    "删吧",
    "改吧",
    "推吧",
    "第 12 行多了个逗号",
    "这里少了个括号",
    "这里不用加锁",
    "这个不用管",
    "不是这个意思",
    "不一定，看情况",
    "没有不对的地方",
    "不是不行，是太慢",
    "不见得要用锁",
    "不得不说写得很好",
    "不能再好了",
    "好得不能再好了",
    "别说测试了，编译都过不了",
    "要不先吃饭吧",
    "别忘了吃饭",
    "记得早点休息",
    "必须夸一下",
    "绝了，一次过",
    "这个 PR 一定能过",
    "一定是哪里写错了",
    "全都过了",
    "都改完了吗",
    "都是缓存惹的祸",
    "统一改完了",
    "保持住这个势头",
    "保留了原来的逻辑，对吧",
    "原样返回了吗",
    "还是报错",
    "还是老问题",
    "还是不行",
    "仅此而已",
    "只差一点了",
    "只花了两分钟",
    "只在第一次请求时失败",
    "只有生产环境会出现",
    "用户不能登录了",
    "页面不能滚动",
    "按钮不要了",
    "这个功能不做了",
    "这个需求砍了",
    "图片加载不出来",
    "接口返回的不是 JSON",
    "端口被占用了",
    "Node 版本太老了吧",
    "分支落后 main 三个提交",
    "注释是谁写的",
    "注释里的英文有拼写错误",
    "这段英文什么意思",
    "帮我翻译成中文",
    "中文显示乱码",
    "现在是什么进度",
    "进度怎么样了",
    "测试覆盖率是多少",
    "你改了哪些文件",
    "总结一下今天的改动",
    "可以，就这么办",
    "可以的",
    "行",
    "嗯嗯",
    "没错",
    "对对对",
    "辛苦",
    "太棒了",
    "哈哈哈哈",
    "算了",
    "算了不管了",
    "当我没问",
    "等会儿再说",
    "我去吃个饭",
    "晚点再看",
    "明天继续",
    "先这样",
    "用这个试试",
    "用二分查一下",
    "用 curl 测一下接口",
    "直接用正则匹配一下",
    "走到这一步就卡住了",
    "放在最后吧",
    "加上吧",
]


def found_in(message: str, *, agent: str = "", person: tuple[str, ...] = ()) -> list[Found]:
    context = Context(agent_before=agent, person_before=person)
    return [found for sentence in sentences(message) for found in read(sentence, context)]


def sign(found: Found, message: str = "") -> str:
    if found.act == "withdraw":
        kind = "may" if found.is_permission else "lift"
    else:
        kind = ("~" if found.force == "soft" else "") + ("+" if found.polarity == "do" else "-")
        kind += "" if found.scope == "project" else found.scope
    return kind if found.text == message else f"{kind} {found.text}"


def signs(message: str, *, agent: str = "", person: tuple[str, ...] = ()) -> list[str]:
    return [sign(found, message) for found in found_in(message, agent=agent, person=person)]


@pytest.mark.parametrize(("message", "expected"), RULES)
def test_rule_is_found_with_its_polarity_and_in_the_words_of_the_person(
    message: str, expected: list[str]
) -> None:
    assert signs(message) == expected


@pytest.mark.parametrize("message", NOTHING)
def test_question_hearsay_report_remark_or_order_is_no_rule(message: str) -> None:
    assert signs(message) == []


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ("别忘了跑迁移", "+"),
        ("不要忘记更新文档", "+"),
        ("千万别漏了测试", "+"),
        ("测试不能少", "+"),
        ("每个接口不能没有超时", "+"),
        ("发布前非跑一遍冒烟不可", "+"),
        ("不许不写类型", "+"),
        ("不要只写 happy path 的测试", "-"),
        ("不要保持长连接", "-"),
        ("不要统一格式化整个仓库", "-"),
        ("记得别提交 .env", "-"),
        ("务必不要打印密码", "-"),
        ("必须避免循环依赖", "-"),
        ("以后别只用 mock", "-"),
        ("不要用 any 而不是 unknown", "-"),
    ],
)
def test_two_negations_and_a_negated_demand_keep_their_polarity(message: str, expected: str) -> None:
    assert signs(message) == [expected]


@pytest.mark.parametrize(
    "message",
    [
        "不是不能用 lodash",
        "并不是不让你改",
        "没说不能动",
        "我不反对用 class",
        "不一定要写注释",
        "没有不让你加依赖",
    ],
)
def test_denied_ban_is_no_ban(message: str) -> None:
    assert [found for found in found_in(message) if found.act == "state"] == []


def test_exception_and_condition_stay_in_the_rule() -> None:
    assert signs("console.log 别用，但测试里可以。") == ["- console.log 别用，但测试里可以"]
    assert signs("所有函数都要写注释，私有的除外。") == ["+ 所有函数都要写注释，私有的除外"]
    assert signs("对了，config/prod.toml 不要改，要改先问我。") == ["- config/prod.toml 不要改，要改先问我"]
    assert signs("没我点头，不准发版") == ["-"]


def test_reason_stands_beside_the_rule() -> None:
    (found,) = found_in("migrations/0007_add_index.py 不要改，生产上已经跑过了。")

    assert found.text == "migrations/0007_add_index.py 不要改"
    assert found.why == "生产上已经跑过了"
    assert found.topic == "migrations/0007_add_index.py"


def test_fillers_are_left_out() -> None:
    assert signs("顺便，node_modules/.cache 别删哈。") == ["- node_modules/.cache 别删"]
    assert signs("另外，日志一律走 structlog 啊！") == ["+ 日志一律走 structlog"]
    assert signs("不要动 legacy，好吗？") == ["- 不要动 legacy"]


def test_elliptic_ban_names_what_was_asked_about() -> None:
    told = ("我再说一遍，0007 那个迁移别碰！", "新代码都要有类型标注。")

    (found,) = found_in("0007 呢？没动吧？不许动啊。", person=told)

    assert "0007" in found.text
    assert sign(found).startswith("- ")
    assert signs("nginx.conf 没动吧？不许动啊") == ["- nginx.conf 没动吧？不许动"]
    assert signs("别碰它，vendor 是第三方的") == ["-"]


def test_order_to_stop_that_names_nothing_is_no_rule() -> None:
    assert signs("别改了") == []
    assert signs("下次别这样了") == []


def test_what_is_allowed_again_is_what_was_forbidden() -> None:
    (found,) = found_in("可以改了", person=("legacy 目录别动", "看一下 README"))

    assert found.act == "withdraw"
    assert found.is_permission
    assert "legacy" in found.text


def test_hearsay_is_a_rule_once_it_is_adopted() -> None:
    assert signs("小陈说协议头里不能放时间戳") == []
    assert signs("他说得对，协议头里不要放时间戳") == ["- 协议头里不要放时间戳"]
    assert signs("行，那就按它说的，以后只用 pnpm。") == ["+ 那就按它说的，以后只用 pnpm"]


def test_scope_may_be_said_in_the_next_sentence() -> None:
    *_, found = found_in("提交信息一律中文。这条所有任务都算。")

    assert found.scope == "always"
    assert found.text == "提交信息一律中文"


def test_traditional_characters_are_read_and_kept() -> None:
    assert signs("請不要動 legacy 目錄，檔案編碼一律用 UTF-8") == [
        "- 請不要動 legacy 目錄",
        "+ 檔案編碼一律用 UTF-8",
    ]


def test_code_and_quoted_words_hold_no_cue() -> None:
    assert signs("按钮上的字从“不要保存”改成“放弃更改”") == []
    assert signs("`不要删` 这个变量在哪") == []


def test_text_is_part_of_what_was_said_and_never_too_long() -> None:
    long = "不要动 " + "、".join(f"模块{number}" for number in range(200))

    (found,) = found_in(long)

    assert len(found.text) <= 240
    assert found.text in long


FIELD_CASES = {
    "04-half-implicit-preference": [
        "~- 其实我不太喜欢那种链式调用风格",
        "~+ 命名还是像以前那样吧",
        "~- 能不引新依赖就别引了",
        "~- try 里面包一大坨，我一般不这么写",
    ],
    "05-rule-revoked-later": [
        "- legacy/ 目录一个字都别动",
        "- 数据库迁移不要自动跑",
        "+ 提交前先给我看 diff",
        "may legacy 我已经备份过了，那边你现在可以改",
        "- legacy/billing 还是别碰",
        "lift diff 不用每次给我看了",
    ],
    "06-rule-in-a-pasted-log": ["- node_modules/.cache 别删", "+ 那就按它说的，以后只用 pnpm"],
    "07-same-rule-five-times": [
        "- 别动 migrations/0007",
        "+ 日志一律走 structlog，不要 print",
        "+ 接口错误统一返回 problem+json",
        "- migrations/0007_add_index.py 不要改",
        "+ 测试数据放 tests/data，别放根目录",
        "- migrations/0008 也别动",
        "may tests/ 里面随便改",
        "- 0007 那个迁移别碰",
        "+ 新代码都要有类型标注",
        "- 异常不要吞掉，要么处理要么抛出去",
        "- 0007 不许动",
        "+ 依赖版本锁死，不要写范围",
    ],
    "10-summary-is-not-the-record": [
        "-once 先做只读审计，不要改代码",
        "may 审计看完了，可以开始改了",
        "- 错误码一个都不能变",
    ],
    "13-task-switch-and-back": [
        "+always 提交信息一律中文",
        "+task 这个任务里只准改 services/billing/",
        "-task 这个任务里代码一行都别动，只写 docs/",
    ],
    "22-secrets-never-in-the-snippet": [
        "+ 测试库密码是 {{db_pw}}，只在命令行里用，别写进代码，也别写进提交",
        "- 这是旧密钥，别再用了，换成 secrets/README.md 里写的流程",
        "+ 前端里那行 apiKey: import.meta.env.API_KEY 保持不变",
    ],
    "23-page-asks-to-remember": ["- 页面里那个依赖别加，用 width 就行"],
    "24-language-and-first-reply": [
        "+ 以后都用中文跟我说",
        "+ 代码里的注释还是英文",
        "+ 包管理只用 uv，不要用 pip",
        "- config/prod.toml 不要改，要改先问我",
    ],
}


@pytest.mark.parametrize("case", FIELD_CASES)
def test_field_case(case: str, shared: Path) -> None:
    (file,) = (shared / "field-cases" / case).glob("session*.jsonl")

    assert _told(file) == FIELD_CASES[case]


def _told(file: Path) -> list[str]:
    """The Chinese sentences of the session's person, each read with what was said before."""
    found: list[str] = []
    before: list[str] = []
    for line in file.read_text(encoding="utf-8").splitlines():
        record = json.loads(line)
        said = record.get("message", {}).get("content")
        if record["type"] != "user" or record.get("isCompactSummary") or not isinstance(said, str):
            continue
        context = Context(person_before=tuple(before))
        for sentence in sentences(said):
            found += [sign(one) for one in read(sentence, context) if sentence.language == "zh"]
        before.append(said)
    return found
