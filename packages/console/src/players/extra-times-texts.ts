/** Texts of the extra times (spec §2, §4, §5). Error messages are in the contract. */
import { catalogue } from "@red/contract/platform/catalogue";

export const EXTRA_TIMES_TEXTS = catalogue({
  add_form: ["添加次数", "Add an extra draw"],
  tag: ["次数组别", "Group"],
  in_7_days: ["7 天后", "In 7 days"],
  month_end: ["本月底", "End of the month"],
  add: ["添加", "Add"],
  search: ["查询次数", "Look up extra draws"],
  filter: ["次数查询条件", "Extra draw filters"],
  list: ["额外次数列表", "Extra draws"],
  left_times: ["剩余次数", "Left"],
  left_of: ["{name} 的剩余次数", "Left for {name}"],
  grant: ["批量添加", "Add for many"],
  grant_accounts: ["账号（每行一个，也可用逗号、分号或空格分隔）", "Accounts"],
  grant_file: ["从文件读取", "Read from a file"],
  grant_file_hint: [
    "csv、txt、xlsx、xls，有「账号」列；账号后面可以写自己的过期时间",
    "One account per line, or separated by commas, semicolons or spaces; an account may be followed by its own expiry. Files: csv, txt, xlsx or xls with a column user_name.",
  ],
  grant_none: ["还没有账号", "No accounts yet"],
  grant_checking: ["正在核对 {entries} 项…", "Checking {entries} entries…", "Checking one entry…"],
  grant_count: [
    "名单共 {entries} 项，{times} 个账号各增加 1 次",
    "Entries: {entries}; accounts that get one extra draw each: {times}",
  ],
  grant_own: ["{entries} 项写了自己的过期时间", "{entries} with their own expiry"],
  grant_too_many: ["一次最多 {max} 个账号", "At most {max} accounts at once"],
  grant_pending: ["正在核对…", "Checking…"],
  grant_submit: [
    "给 {times} 个账号添加 {times} 次",
    "Add one to each of {times} accounts",
    "Add one to one account",
  ],
  grant_done: ["批量添加结果", "Result"],
  granted: ["已添加 {times} 次", "{times} added"],
  unknown_accounts: ["没有这些账号，跳过（{count}）", "Unknown accounts, left out ({count})"],
  doubled_accounts: [
    "重复的账号，只添加一次（{count}）",
    "Duplicate accounts, added once ({count})",
  ],
  expired_accounts: ["已过期的账号，跳过（{count}）", "Past their own expiry, left out ({count})"],
  blocked_accounts: ["被禁止抽奖的账号，跳过（{count}）", "Blocked accounts, left out ({count})"],
  excluded_accounts: ["排除名单中的账号，跳过（{count}）", "Excluded accounts, left out ({count})"],
  batch: ["批次", "Batch"],
  batch_label: ["只看批次 {batch}", "Only batch {batch}"],
  take_back: ["收回", "Take back"],
  take_back_label: ["收回 {name} 的次数", "Take back the extra draw of {name}"],
  take_back_batch: ["收回这一批", "Take this batch back"],
  take_back_single: ["收回 {name} 的一次", "Take back one extra draw of {name}"],
  take_back_many: ["收回批次 {batch} 中未使用的次数", "Take back what is unused of batch {batch}"],
  take_back_hint: [
    "收回后不能恢复，只能重新添加。",
    "What is taken back can only be granted anew.",
  ],
  take_back_hint_many: [
    "已使用的不受影响；收回后不能恢复，只能重新添加。",
    "Used ones stay. What is taken back can only be granted anew.",
  ],
  taken_back: [
    "已收回 {taken} 次；已使用而保留 {used} 次",
    "{taken} taken back; {used} used and kept",
  ],
  take_back_counts: [
    "将收回未使用的 {unused} 次（含已过期的）；已使用 {used} 次。",
    "Unused, to be taken back (expired ones too): {unused}; used: {used}.",
  ],
  gone: ["已收回", "Taken back"],
  gone_why: ["{by}，{at}：{reason}", "{by}, {at}: {reason}"],
  batch_unused: ["未使用（含已过期）", "Unused (expired ones too)"],
  batch_used: ["已使用", "Used"],
  before_accounts: [
    "{hours} 小时内加过这个组别的账号，会再加一次（{count}）",
    "Had one of this group within {hours} hours, get another ({count})",
  ],
  before_many: [
    "其中 {accounts} 个账号在 {hours} 小时内已加过这个组别的次数，最近一次由 {name} 于 {time} 添加。请确认不是重复添加。",
    "{accounts} of these accounts got an extra draw of this group within {hours} hours, the last one from {name} at {time}. Make sure that this is no duplicate.",
  ],
  before_one: [
    "这个账号在 {hours} 小时内已加过这个组别的次数，最近一次由 {name} 于 {time} 添加。请确认不是重复添加。",
    "This account got an extra draw of this group within {hours} hours, the last one from {name} at {time}. Make sure that this is no duplicate.",
  ],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    extra_times: typeof EXTRA_TIMES_TEXTS.zh;
  }
}
