/** Texts of the extra times (spec §2, §4, §5); messages are the contract's. */
import type { English } from "#lib/language.ts";
const zh = {
  title: "次数管理",
  add_form: "添加次数",
  user_name: "账号",
  tag: "次数组别",
  expire_time: "过期时间",
  apply: "状态",
  in_7_days: "7 天后",
  month_end: "本月底",
  add: "添加",
  search: "查询次数",
  filter: "次数查询条件",
  list: "额外次数列表",
  left_times: "剩余次数",
  left_of: "{name} 的剩余次数",
  grant: "批量添加",
  grant_accounts: "账号（每行一个，也可用逗号、分号或空格分隔）",
  grant_file: "从文件读取",
  grant_file_hint: "csv、txt、xlsx、xls，有「账号」列；账号后面可以写自己的过期时间",
  grant_none: "还没有账号",
  grant_checking: "正在核对 {entries} 项…",
  grant_count: "名单共 {entries} 项，{times} 个账号各增加 1 次",
  grant_own: "{entries} 项写了自己的过期时间",
  grant_too_many: "一次最多 {max} 个账号",
  grant_pending: "正在核对…",
  grant_submit: "给 {times} 个账号添加 {times} 次",
  grant_done: "批量添加结果",
  granted: "已添加 {times} 次",
  unknown_accounts: "没有这些账号，跳过（{count}）",
  doubled_accounts: "重复的账号，只添加一次（{count}）",
  expired_accounts: "已过期的账号，跳过（{count}）",
  before_accounts: "{hours} 小时内加过这个组别的账号，会再加一次（{count}）",
  before_many:
    "其中 {accounts} 个账号在 {hours} 小时内已加过这个组别的次数，最近一次由 {name} 于 {time} 添加。请确认不是重复添加；添加后不能撤回。",
  before_one:
    "这个账号在 {hours} 小时内已加过这个组别的次数，最近一次由 {name} 于 {time} 添加。请确认不是重复添加；添加后不能撤回。",
} as const;

const en: English<typeof zh> = {
  title: "Extra draws",
  add_form: "Add an extra draw",
  user_name: "Account",
  tag: "Group",
  expire_time: "Expires",
  apply: "State",
  in_7_days: "In 7 days",
  month_end: "End of the month",
  add: "Add",
  search: "Look up extra draws",
  filter: "Extra draw filters",
  list: "Extra draws",
  left_times: "Left",
  left_of: "Left for {name}",
  grant: "Add for many",
  grant_accounts: "Accounts",
  grant_file: "Read from a file",
  grant_file_hint:
    "One account per line, or separated by commas, semicolons or spaces; an account may be followed by its own expiry. Files: csv, txt, xlsx or xls with a column user_name.",
  grant_none: "No accounts yet",
  grant_checking: "Checking {entries} entries…",
  grant_checking_one: "Checking one entry…",
  grant_count: "Entries: {entries}; accounts that get one extra draw each: {times}",
  grant_own: "{entries} with their own expiry",
  grant_too_many: "At most {max} accounts at once",
  grant_pending: "Checking…",
  grant_submit: "Add one to each of {times} accounts",
  grant_submit_one: "Add one to one account",
  grant_done: "Result",
  granted: "{times} added",
  unknown_accounts: "Unknown accounts, left out ({count})",
  doubled_accounts: "Duplicate accounts, added once ({count})",
  expired_accounts: "Past their own expiry, left out ({count})",
  before_accounts: "Had one of this group within {hours} hours, get another ({count})",
  before_many:
    "{accounts} of these accounts got an extra draw of this group within {hours} hours, the last one from {name} at {time}. Make sure that this is no duplicate; it cannot be undone.",
  before_one:
    "This account got an extra draw of this group within {hours} hours, the last one from {name} at {time}. Make sure that this is no duplicate; it cannot be undone.",
};

export const EXTRA_TIMES_TEXTS = { zh, en };

declare module "i18next" {
  interface ResourceNamespaceMap {
    extra_times: typeof zh;
  }
}
