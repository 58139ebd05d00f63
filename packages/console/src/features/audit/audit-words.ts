/** Words for what the audit log holds beside the fields of forms: its own fields, and values that are codes. */
import { catalogue } from "@red/contract/catalogue";
import { FIELD_LABELS } from "@red/contract/field-labels";
import { LOOKUP_TEXTS } from "@red/contract/lookup-texts";
import { WHO_WORDS } from "@red/contract/who-words";
import type { Language } from "@red/contract/texts";
import { STOP_TEXTS } from "#stops/stop-texts.ts";
import { APPROVAL_TEXTS } from "./approval-texts.ts";

/** A field, one of a kind of object, or one with one of its values: in Chinese, in English. */
const TABLE = `
id                   | 编号           | Number
version              | 版本           | Version
name                 | 名称           | Name
roles                | 角色           | Roles
scopes               | 权限范围       | Scopes
disabled             | 停用           | Disabled
bound                | 已绑定验证器   | Authenticator bound
sessions_ended       | 结束的会话     | Sessions ended
failures             | 失败次数       | Failures
new_address          | 新地址         | New address
locked_minutes       | 锁定（分钟）   | Locked for (minutes)
why                  | 原因           | Why
why unknown_name     | 用户名不存在   | no such user name
why disabled         | 已停用         | disabled
why wrong_password   | 密码错误       | wrong password
why wrong_code       | 验证码错误     | wrong one-time code
why own              | 自己提交的修改 | their own change
why fresh            | 账号刚设立或重置 | account just made or reset
risk                 | 可能支出       | May cost
method               | 方法           | Method
path                 | 路径           | Path
query                | 筛选条件       | Filter
url                  | 地址           | Address
ids                  | 编号           | Numbers
value                | 值             | Value
copy_of              | 复制自         | Copy of
pool_copy_of         | 奖池复制自     | Pool copied from
prizes               | 奖品           | Prizes
floors 0             | 否             | no
floors 1             | 是             | yes
drawn                | 已抽出         | Drawn
remaining            | 剩余           | Left
restored             | 恢复的版本     | Version restored
pool_created         | 奖池创建时间   | Pool made at
state                | 状态           | State
extra_time tag       | 次数组别       | Group
word                 | 钱包回报       | Wallet's word
batch_id             | 批次           | Batch
accepted             | 已接收         | Taken
updated              | 已更新         | Updated
duplicates           | 重复           | Repeated
rejected             | 未接收         | Not taken
doubled              | 重复的账号     | Accounts given twice
unknown              | 不存在的账号   | Unknown accounts
blocked              | 已冻结的账号   | Blocked accounts
excluded             | 已排除的账号   | Excluded accounts
expired              | 已过期的账号   | Expired
used                 | 已使用         | Used
source               | 来源           | Source
refused              | 被拒绝         | Refused
file_name            | 文件           | File
breaks               | 差异           | Breaks
value off            | 关闭           | off
value on             | 开启           | on
act_id               | 活动编号       | Activity number
stopped              | 已暂停         | Stopped
stopped draws        | 抽奖           | draws
stopped payouts      | 发放           | payouts
log_id               | 记录编号       | Record
count                | 数量           | Count
amount               | 金额           | Amount
exclusions           | 排除           | Exclusions
already              | 已经排除       | Excluded before
true                 | 是             | yes
false                | 否             | no
`;

type Words = Readonly<Record<string, string>>;

/** Fields whose codes stand in the look-up tables under another name. */
const LOOKUPS: Words = {
  rounds_status: "round",
  platforms: "platform",
  kind: "exclusion",
  our_state: "state",
  roles: "role",
  scopes: "scope",
};

const WHO = catalogue(WHO_WORDS);

const WORDS = new Map(
  TABLE.trim()
    .split("\n")
    .map((line) => {
      const [key = "", zh = "", en = ""] = line.split(/ *\| */);
      return [key, { zh, en }];
    }),
);

/** Also the labels of forms. Null: there is no such field. */
export function fieldWord(field: string, language: Language): string | null {
  return WORDS.get(field)?.[language] ?? (FIELD_LABELS[language] as Words)[field] ?? null;
}

/** `{ log_id: 7, state: "paid" }` as "Record 7 State paid"; a stop switch by its name, and why. */
function partsWord(field: string, parts: object, language: Language): string {
  const all = Object.entries(parts).filter(([key, one]) => one !== null && !key.startsWith("stop"));
  const words = all.map(([key, one]: [string, unknown]) => {
    const own = typeof one === "string" ? fieldWord(`${field} ${one}`, language) : null;
    return own ?? `${fieldWord(key, language) ?? key} ${valueWord(key, one, language)}`;
  });
  return words.join(" ");
}

/** A value in words if it is a code; texts and numbers as they are. */
export function valueWord(field: string, value: unknown, language: Language): string {
  if (Array.isArray(value)) {
    return value
      .map((one) => valueWord(field, one, language))
      .join(language === "zh" ? "、" : ", ");
  }
  if (typeof value === "object" && value !== null) {
    return partsWord(field, value, language);
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const key = `${LOOKUPS[field] ?? field}_${text}`;
  const labels = {
    ...APPROVAL_TEXTS[language],
    ...LOOKUP_TEXTS[language],
    ...WHO[language],
  } as Words;
  const setting = field === "setting" ? (STOP_TEXTS[language] as Words)[text] : undefined;
  const yesNo = typeof value === "boolean" ? fieldWord(text, language) : null;
  return fieldWord(`${field} ${text}`, language) ?? labels[key] ?? setting ?? yesNo ?? text;
}
