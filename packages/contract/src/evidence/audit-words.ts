/**
 * Words for the fields and codes of the audit log that are not fields of a form. A key is a field, a field
 * within a kind of object or within another field, or a field with a value.
 */
import { catalogue } from "#platform/catalogue";
import type { Said } from "#platform/catalogue";
import { FIELD_LABELS } from "#pools/field-labels";
import type { BreakEnd, BreakKind } from "#finance/reconciliation";
import type { StopName } from "#stops/stop-switch";
import type { Language } from "#platform/texts";

/** The table needs no word for `resolved`, because no operator does it. */
type Code = `stopped ${StopName}` | `kind ${BreakKind}` | `end ${Exclude<BreakEnd, "resolved">}`;

const AUDIT_WORDS = catalogue({
  id: ["编号", "Number"],
  version: ["版本", "Version"],
  name: ["名称", "Name"],
  roles: ["角色", "Roles"],
  scopes: ["权限范围", "Scopes"],
  disabled: ["停用", "Disabled"],
  bound: ["已绑定验证器", "Authenticator bound"],
  sessions_ended: ["结束的会话", "Sessions ended"],
  failures: ["失败次数", "Failures"],
  new_address: ["新地址", "New address"],
  locked_minutes: ["锁定（分钟）", "Locked for (minutes)"],
  why: ["原因", "Why"],
  "why unknown_name": ["用户名不存在", "no such user name"],
  "why disabled": ["已停用", "disabled"],
  "why wrong_password": ["密码错误", "wrong password"],
  "why wrong_code": ["验证码错误", "wrong one-time code"],
  "why own": ["自己提交的修改", "their own change"],
  "why fresh": ["账号刚设立或重置", "account just made or reset"],
  risk: ["可能支出", "May cost"],
  method: ["方法", "Method"],
  path: ["路径", "Path"],
  query: ["筛选条件", "Filter"],
  url: ["地址", "Address"],
  ids: ["编号", "Numbers"],
  value: ["值", "Value"],
  copy_of: ["复制自", "Copy of"],
  pool_copy_of: ["奖池复制自", "Pool copied from"],
  prizes: ["奖品", "Prizes"],
  "floors 0": ["否", "no"],
  "floors 1": ["是", "yes"],
  drawn: ["已抽出", "Drawn"],
  remaining: ["剩余", "Left"],
  restored: ["恢复的版本", "Version restored"],
  pool_created: ["奖池创建时间", "Pool made at"],
  state: ["状态", "State"],
  "extra_time tag": ["次数组别", "Group"],
  word: ["钱包回报", "Wallet's word"],
  batch_id: ["批次", "Batch"],
  accepted: ["已接收", "Taken"],
  updated: ["已更新", "Updated"],
  duplicates: ["重复", "Repeated"],
  rejected: ["未接收", "Not taken"],
  doubled: ["重复的账号", "Accounts given twice"],
  unknown: ["不存在的账号", "Unknown accounts"],
  blocked: ["已冻结的账号", "Blocked accounts"],
  excluded: ["已排除的账号", "Excluded accounts"],
  expired: ["已过期的账号", "Expired"],
  own_expiry: ["单独的过期时间", "Own expiry"],
  used: ["已使用", "Used"],
  source: ["来源", "Source"],
  refused: ["被拒绝", "Refused"],
  "payout refused": ["未执行", "Not done"],
  file_name: ["文件", "File"],
  breaks: ["差异", "Breaks"],
  "value off": ["关闭", "off"],
  "value on": ["开启", "on"],
  act_id: ["活动编号", "Activity number"],
  stopped: ["已暂停", "Stopped"],
  "stopped draws": ["抽奖", "draws"],
  "stopped payouts": ["发放", "payouts"],
  "stopped pool": ["本池抽奖", "draws from the pool"],
  log_id: ["记录编号", "Record"],
  count: ["数量", "Count"],
  amount: ["金额", "Amount"],
  exclusions: ["排除", "Exclusions"],
  already: ["已经排除", "Excluded before"],
  true: ["是", "yes"],
  false: ["否", "no"],
  hash: ["数据指纹", "Fingerprint"],
  is_alone: ["当时无他人可签", "Nobody else could sign"],
  lines: ["分项", "Lines"],
  paid: ["已到账", "Paid"],
  pending: ["待发放", "Pending"],
  closed: ["已关闭", "Closed"],
  delivered: ["已发货", "Delivered"],
  "lines unknown": ["结果待确认", "Outcome unknown"],
  "lines refused": ["失败", "Refused"],
  from_at: ["开始时间", "From"],
  to_at: ["结束时间", "To"],
  our_state: ["本方状态", "Our state"],
  end: ["处理", "Mended by"],
  "end adopted": ["采纳钱包结果", "adopting the wallet's result"],
  "end accepted": ["确认差异", "accepting the difference"],
  "reconciliation_break kind": ["差异类型", "Kind of break"],
  "kind missing": ["钱包缺失", "missing at the wallet"],
  "kind extra": ["钱包多出", "extra at the wallet"],
  "kind wrong_amount": ["金额不符", "different amount"],
  "kind wrong_player": ["玩家不符", "different player"],
  "kind stale_status": ["状态未更新", "not updated"],
  "download kind": ["数据", "Data"],
  "query kind": ["数据", "Data"],
  "kind deposit": ["存款", "deposits"],
  "kind betlog": ["投注", "bets"],
  file: ["文件", "File"],
  pools: ["奖池", "Pools"],
  rounds: ["活动", "Activities"],
  prize_total: ["奖品总数", "Pieces in all"],
  weight_total: ["总权重", "Weight in all"],
  added: ["新增", "Added"],
  removed: ["移除", "Removed"],
  stopped_at: ["暂停时间", "Stopped at"],
  stopped_by: ["暂停人", "Stopped by"],
  page: ["页面", "Page"],
  "page activity": ["活动管理", "Activities"],
  "page audit": ["操作日志", "Audit log"],
  "page event_deposit": ["存款查询", "Deposits"],
  "page event_bet": ["投注查询", "Bets"],
  "page exclusions": ["排除名单", "Exclusions"],
  "page extra_times": ["次数管理", "Extra draws"],
  "page query": ["活动数据查询", "Activity data"],
  "page record": ["发放记录", "Distribution records"],
  "page webhooks": ["平台推送", "Webhooks"],
  "page reconciliation": ["钱包对账", "Reconciliation"],
  left: ["可能还提到", "May still name them"],
  dropped: ["作废的审批", "Changes dropped"],
  place: ["位置", "Place"],
  "place audit_log": ["操作日志", "audit log"],
  "place approval": ["审批", "approvals"],
  "place stop_switch": ["暂停原因", "reasons of stops"],
  "place sheet_sign_off": ["签核备注", "notes of signed sheets"],
  "place payout": ["发放备注与原因", "notes and reasons of payouts"],
  "place job_row": ["任务中未完成的原因", "reasons in jobs"],
  "place exclusion": ["排除原因", "reasons of exclusions"],
  "place extra_time_taken_back": ["收回次数的原因", "reasons for taking draws back"],
  "place reconciliation": ["对账文件名", "names of statements' files"],
  "place reconciliation_break": ["对账差异", "differences"],
  "place wallet_entry": ["钱包账单", "the wallet's statements"],
  rows: ["行数", "Rows"],
  rewritten: ["改写的旧记录", "Rows rewritten"],
  migrations: ["升级步骤", "Migrations"],
  made_at: ["备份时间", "Backed up at"],
  asked: ["待向钱包查询的发放", "Payouts that the wallet is asked about"],
  shards: ["分片", "Shards"],
  workers: ["机器", "Machines"],
  no: ["序号", "Number"],
  "source operator": ["后台录入", "the console"],
  "source file": ["文件", "a file"],
  "word paid": ["已到账", "paid"],
  "word refused": ["被拒绝", "refused"],
  "word unclear": ["无明确结果", "unclear"],
  "word never_seen": ["钱包没有这笔", "never seen"],
  month: ["月份", "Month"],
  format: ["格式", "Format"],
  "order newest": ["从新到旧", "newest first"],
  "order oldest": ["从旧到新", "oldest first"],
  action: ["操作", "Action"],
  actor: ["操作人", "Who"],
  actors: ["操作人类型", "Who is"],
  "actors all": ["全部", "all"],
  "actors people": ["人员", "people"],
  "actors platforms": ["平台", "platforms"],
  object_type: ["对象类型", "Kind of object"],
  object_id: ["对象", "Object"],
  outcome: ["结果", "Outcome"],
  "outcome done": ["完成", "done"],
  "outcome refused": ["被拒绝", "refused"],
  request_id: ["请求编号", "Request"],
  drawn_prize: ["抽中的奖品", "Prize as drawn"],
  "download /gred/api/prize/export": ["奖品", "prizes"],
  "download /gred/api/record/export": ["发放记录", "distribution records"],
  "download /red/record/export": ["发放记录", "distribution records"],
  "download /gred/api/userInfo/excel": ["存款投注", "deposits and bets"],
  "download /gred/api/audit/export": ["操作日志", "the audit log"],
  "download /gred/api/month/export": ["月度文件", "a month's file"],
  "download /gred/api/act/{id}/sheet/export": ["活动对账表", "the sheet of activity"],
  "download /gred/api/act/{id}/proof": ["抽奖凭证，活动", "the evidence of activity"],
  "download /gred/api/job/{id}/file": ["导出文件，任务", "the file of task"],
} satisfies Record<Code, Said> & Record<string, Said>);

type Spoken = keyof typeof AUDIT_WORDS.zh | keyof typeof FIELD_LABELS.zh;

type PageOf<Key> = Key extends `page ${infer Page}` ? Page : never;

/** Ids of the lists that have saved views. A list without words does not compile. */
export type ViewPage = PageOf<Spoken>;

/** Fields of an audit log row. A field without words does not compile. */
export type AuditFields = Readonly<
  Partial<Record<Exclude<Spoken, `${string} ${string}`>, unknown>>
>;

type Words = Readonly<Record<string, string>>;

/** Returns the label of a field of the audit log or of a form; null for an unknown field. */
export function fieldWord(field: string, language: Language): string | null {
  return (
    (AUDIT_WORDS[language] as Words)[field] ?? (FIELD_LABELS[language] as Words)[field] ?? null
  );
}

/** Returns the name of a download and the number in its address, such as `活动对账表 41`; null for an unknown address. */
export function downloadWord(path: string, language: Language): string | null {
  const word = fieldWord(`download ${path.replace(/\d+/, "{id}")}`, language);
  return word === null ? null : [word, ...(/\d+/.exec(path) ?? [])].join(" ");
}

/** Words for the state of a change that waits for a second person. */
export const APPROVAL_STATES = {
  state_waiting: ["待审批", "Waiting"],
  state_done: ["已执行", "Done"],
  state_refused: ["已拒绝", "Refused"],
  state_withdrawn: ["已撤回", "Withdrawn"],
  state_expired: ["已过期", "Expired"],
  state_differs: ["未执行", "Not done"],
} as const;
