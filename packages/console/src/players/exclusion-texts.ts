/** Texts of exclusions and of taking back extra times (behaviour §3). Error messages are in the contract. */
import { catalogue } from "@red/contract/platform/catalogue";

export const EXCLUSION_TEXTS = catalogue({
  filter: ["排除名单查询条件", "Exclusion filters"],
  list: ["排除名单", "Exclusions"],
  in_force: ["生效中", "In force"],
  ended: ["已结束", "Ended"],
  lifted: ["已解除", "Lifted"],
  endless: ["永久", "Without end"],
  made: ["录入", "Made"],
  from_file: ["文件", "file"],
  lifted_by: ["解除：{by} {at}", "Lifted: {by} {at}"],
  lift: ["解除", "Lift"],
  lift_label: ["解除 {name} 的排除", "Lift the exclusion of {name}"],
  lift_title: ["解除 {name} 的排除（{kind}）", "Lift the exclusion of {name} ({kind})"],
  lift_hint: ["只解除这一条；其他仍在生效的排除不变。", "Only this one; others stay in force."],
  lift_releases: [
    "解除后将发放暂缓的 {count} 笔，共 {amount}。",
    "Payouts held now will be sent: {count}, {amount} in all.",
  ],
  add: ["排除账号", "Exclude accounts"],
  add_named: ["排除 {name}", "Exclude {name}"],
  accounts: [
    "账号（每行一个，也可用逗号、分号或空格分隔）",
    "Accounts (one per line, or separated by commas, semicolons or spaces)",
  ],
  file: ["从文件读取", "Read from a file"],
  file_hint: [
    "csv、xlsx、xls，列：账号、类型（{kinds}）、原因、截止时间（2026-12-31 或 2026-12-31 18:00:00，空为永久，冷静期必填）",
    "csv, xlsx or xls with the columns user_name, kind ({kinds}), reason and until (2026-12-31 or 2026-12-31 18:00:00; empty: without end, not for a cooling-off)",
  ],
  file_rows: ["文件共 {rows} 行", "{rows} rows in the file"],
  file_drop: ["不用文件", "Without the file"],
  file_faults: ["文件有 {count} 处错误，没有读取", "Not read: faults in the file: {count}"],
  file_fault_list: ["文件中的错误", "Faults in the file"],
  file_more: ["另有 {count} 处", "{count} more"],
  at_row: ["第 {row} 行：{msg}", "Row {row}: {msg}"],
  term: ["期限", "How long"],
  day: ["24 小时", "24 hours"],
  week: ["7 天", "7 days"],
  month: ["30 天", "30 days"],
  date: ["指定时间", "Until a time"],
  holds: [
    "风控和内部员工：排除期间暂缓向玩家发放。自我排除和冷静期：已中奖的照常发放。",
    "Risk control and staff: payouts to the player are held meanwhile. Self-exclusion and cooling-off: what was won is paid.",
  ],
  will: ["将排除 {count} 个账号", "Accounts to exclude: {count}"],
  will_terms: ["（{kinds}；其中永久 {endless} 条）", " ({kinds}; without end: {endless})"],
  will_hold: [
    "，{count} 个账号有排队中的奖金将暂缓发放",
    "; accounts with queued payouts, which will be held: {count}",
  ],
  will_end: ["，到 {until}", "; until {until}"],
  first: [
    "请核对前 {count} 条：账号、类型、截止时间",
    "Please check the first {count}: account, kind, until",
  ],
  unknown: ["没有这些账号，跳过（{count}）", "Unknown accounts, left out ({count})"],
  doubled: [
    "重复的账号，同一类型只取期限最长的一行（{count}）",
    "Duplicate accounts, of one kind the longest term counts ({count})",
  ],
  already: [
    "已在名单中且期限不短于此，跳过（{count}）",
    "Excluded already, at least as long, left out ({count})",
  ],
  save: ["排除", "Exclude"],
  done: ["已排除 {count} 个账号", "Accounts excluded: {count}"],
  chip: ["已排除：{kind}，到 {until}", "Excluded: {kind}, until {until}"],
  chip_endless: ["已排除：{kind}，永久", "Excluded: {kind}, without end"],
});

declare module "i18next" {
  interface ResourceNamespaceMap {
    exclusion: typeof EXCLUSION_TEXTS.zh;
  }
}
