/**
 * Texts in the server's responses and in forms, in both languages (behaviour §8). Texts that the
 * specification quotes are literal, also where the quote is English.
 */
import { catalogue } from "./catalogue.ts";
import { ERROR_ROWS } from "./errors.ts";
import type { ErrorKey, TextValues } from "./errors.ts";

const fields = {
  enter_setting_value: ["请输入设置值", "Enter the value of the setting"],
  /* Login (spec §5). */
  enter_username: "Please enter username",
  enter_password: "Please enter password",
  password_same: ["新密码不能与当前密码相同", "The new password must differ from the current one"],
  username_letters: [
    "用户名只能包含英文字母、数字、汉字和 . _ -",
    "A user name has only letters a to z, digits, Chinese characters and . _ -",
  ],
  choose_roles: ["请选择角色", "Please choose roles"],
  choose_object_type: ["请同时选择对象类型", "Please choose the type of the object too"],
  choose_approvals: ["请选择 1 至 50 项", "Choose 1 to 50 changes"],
  choose_scopes: ["请选择权限范围", "Please choose scopes"],
  enter_key_name: ["请输入密钥名称", "Please enter the name of the key"],
  code_needed: ["请输入动态验证码", "Enter the one-time code"],
  code_wrong: ["动态验证码错误", "Wrong one-time code"],
  recovery_wrong: ["恢复码错误", "Wrong recovery code"],
  code_used: [
    "动态验证码已使用过，请等待下一个",
    "This one-time code was used, wait for the next one",
  ],
  code_of_authenticator: [
    "请输入验证器的动态验证码，恢复码不能用来生成恢复码",
    "Enter the authenticator's code: a recovery code makes no new ones",
  ],
  bind_needed: [
    "请用身份验证器扫描二维码，并输入动态验证码",
    "Scan the QR code with your authenticator and enter its code",
  ],
  bind_wrong: [
    "动态验证码错误，请用刚绑定的身份验证器重新输入",
    "Wrong code: enter the one of the authenticator that you just set up",
  ],
  bind_expired: [
    "绑定期限已过，请联系管理员重置",
    "The time for binding has expired, ask an administrator for a reset",
  ],
  /* Activity form (spec §5). */
  enter_rounds_name: ["请填写活动名称", "Enter the activity name"],
  enter_tag: ["请填写活动组别", "Enter the activity group"],
  enter_red_code: ["请填写站内信", "Enter the message code"],
  choose_pool: ["请选择奖池", "Choose a prize pool"],
  choose_condition: ["请选择数据源", "Choose the data source"],
  enter_condition_value: ["请填写条件值", "Enter the condition value"],
  choose_condition_times: ["请选择可抽取次数", "Choose the number of draws"],
  choose_condition_type: ["请选择是否叠加", "Choose whether it repeats"],
  choose_turnover: ["请选择流水倍数", "Choose the turnover multiple"],
  choose_date_time: ["请选择日期时间", "Choose date and time"],
  platforms_bets_only: [
    "平台只能用于按投注计算的活动",
    "Platforms can only be named for an activity that counts bets",
  ],
  condition_value_positive: ["条件值必须大于 0", "The condition value must be above 0"],
  status_on_create: ["新活动只能是启用状态", "A new activity can only be active"],
  id_differs: ["编号与地址不一致", "The number differs from the one in the address"],
  choose_copy_date: ["请选择复制到的日期", "Choose the day to copy to"],
  /* Prize form (spec §5). */
  enter_award_name: ["请填写奖品", "Enter the prize"],
  enter_weight: ["请填写奖品权重", "Enter the weight"],
  enter_award_total: ["请填写奖品总数", "Enter the total"],
  enter_award_price: ["请填写奖品额度", "Enter the amount"],
  choose_floors: ["请选择是否保底", "Choose whether it is guaranteed"],
  enter_pool_name: ["请填写奖池名称", "Enter the pool name"],
  enter_view_name: ["请填写视图名称", "Enter a name for the view"],
  enter_view_page: ["请填写列表", "Enter the list"],
  enter_view_search: [
    "请先按条件查询，再存为视图",
    "Search by a filter first, then save it as a view",
  ],
  enter_label: ["请填写名称", "Enter the name"],
  /* Rows of an uploaded file (behaviour §12). */
  column_missing: ["缺少列 {label}（{field}）", "Column {label} ({field}) is missing"],
  column_twice: [
    "列 {label}（{field}）出现了多次",
    "Column {label} ({field}) occurs more than once",
  ],
  pool_column_missing: [
    "文件没有奖池列，也没有指定奖池",
    "The file has no pool column, and no pool was chosen",
  ],
  row_too_long: ["这一行比表头多出内容", "The row is longer than the header"],
  quotes_unbalanced: ["引号不成对", "Quotes do not match"],
  cell_error: ["单元格是公式错误", "The cell contains a formula error"],
  prize_twice: [
    "与第 {row} 行是同一奖池的同名奖品",
    "Row {row} has the same prize of the same pool",
  ],
  too_many_pools: ["一个文件最多包含 {max} 个奖池", "A file may name at most {max} pools"],
  /* Extra times (spec §5). */
  enter_account: "please fill in the username",
  enter_times_group: "please fill in the times group",
  choose_expiry: "please select the date",
  expiry_in_past: ["过期时间必须晚于现在", "The expiry must be in the future"],
  expiry_for_each: ["过期时间的个数必须与账号相同", "There must be as many expiries as accounts"],
  account_blank: ["请填写账号", "Enter the account"],
  until_in_past: ["截止时间必须晚于现在", "The end must be later than now"],
  cooling_off_ends: ["冷静期要有截止时间", "A cooling-off needs an end"],
  until_or_hours: ["until 与 hours 二者选一", "Send until or hours, not both"],
  choose_exclusion_kind: ["请选择排除类型", "Choose a kind"],
  exclusion_kind_unknown: [
    "没有「{found}」这种类型，只能填：{kinds}",
    "There is no kind “{found}”; it is one of: {kinds}",
  ],
  until_unreadable: [
    "截止时间「{found}」无效，请按 2026-12-31 或 2026-12-31 18:00:00 填写",
    "Not a valid end: “{found}”; write 2026-12-31 or 2026-12-31 18:00:00",
  ],
  enter_reason: ["请填写原因", "Enter a reason"],
  choose_grant: [
    "请指定一次（id）或一批（batch_id），二者选一",
    "Name one (id) or a batch (batch_id), not both",
  ],
  at_row: ["第 {row} 行：{words}", "Row {row}: {words}"],
  enter_search_account: "please enter the account",
  choose_month: ["请选择月份", "Choose a month"],
  choose_sheets: [
    "请选择要签核的活动（最多 500 个）",
    "Choose the activities to sign (500 at most)",
  ],
  enter_find_text: ["请输入要查找的内容", "Enter what to look for"],
  /* Player info and draw info (spec §5). */
  enter_player_name: "please enter the user account",
  draw_info_account: ["请填写用户名", "Enter the account"],
  draw_info_activity: ["请选择活动名称", "Choose the activity"],
  draw_info_date: ["请选择活动日期", "Choose the activity date"],
  /* Records (spec §5). */
  choose_records: ["请选择要补发用户", "Choose the records to re-issue"],
  enter_export_round: ["请填写要导出活动的id", "Enter the id of the activity to export"],
  choose_deliveries: ["请选择要标记发货的记录", "Choose the records to mark as delivered"],
  choose_closings: ["请选择要关闭的记录", "Choose the records to close"],
  choose_questions: ["请选择要查询的记录", "Choose the records to ask about"],
  choose_breaks: ["请选择差异", "Choose the differences"],
  choose_messages: ["请选择推送", "Choose the messages"],
  enter_mend_reason: ["请填写处理原因", "Enter the reason"],
  signed: ["签核成功", "Signed off"],
  reconciled: ["对账完成", "Compared"],
  mended: ["处理成功", "Settled"],
  mend_failed: ["处理失败", "None of them could be settled"],
  not_an_id: ["请输入 1 至 64 个字符", "1 to 64 characters"],
  enter_close_reason: ["请填写关闭原因", "Enter the reason for closing"],
  choose_export_dates: ["请选择要导出的日期", "Choose the dates to export"],
  /* Types and formats of values. */
  required: ["{field} 必填", "{field} is required"],
  unknown_field: ["不认识的字段 {field}", "Unknown field {field}"],
  not_a_text: ["{field} 必须是文本", "{field} must be a text"],
  not_a_list: ["{field} 必须是列表", "{field} must be a list"],
  not_an_object: ["{field} 必须是对象", "{field} must be an object"],
  not_a_number: ["{field} 必须是整数", "{field} must be a whole number"],
  not_id_list: ["{field} 必须是编号，多个以逗号分隔", "{field} must be ids, separated by commas"],
  not_an_amount: [
    "{field} 必须是最多两位小数的金额",
    "{field} must be an amount with at most two decimals",
  ],
  amount_not_text: [
    '{field} 是金额，请以字符串发送，例如 "12.50"',
    '{field} is money: send it as a string, such as "12.50"',
  ],
  not_a_date: ["{field} 必须是 yyyy-MM-dd 日期", "{field} must be a date yyyy-MM-dd"],
  not_an_instant: [
    "{field} 必须是 RFC 3339 时间，如 2026-11-20T20:00:00+08:00",
    "{field} must be an RFC 3339 time such as 2026-11-20T20:00:00+08:00",
  ],
  not_a_time_of_day: ["{field} 必须是 HH:mm 时间", "{field} must be a time HH:mm"],
  not_a_date_time: [
    "{field} 必须是 yyyy-MM-dd HH:mm:ss 时间",
    "{field} must be a time yyyy-MM-dd HH:mm:ss",
  ],
  year_out_of_range: [
    "{field} 的年份必须在 {min} 到 {max} 之间",
    "{field} must be in a year between {min} and {max}",
  ],
  not_in_set: ["{field} 不在可选范围内", "{field} is not one of the choices"],
  too_long: ["{field} 最多 {max} 个字符", "{field} has at most {max} characters"],
  out_of_range: ["{field} 必须在 {min} 到 {max} 之间", "{field} must be between {min} and {max}"],
  bad_characters: ["{field} 含有不允许的字符", "{field} contains characters that are not allowed"],
  invisible_character: [
    "{field} 含有看不见的字符（{character}），请删除后重新输入",
    "{field} contains an invisible character ({character}): type it again without it",
  ],
  too_many: ["{field} 最多 {max} 项", "{field} has at most {max} items"],
  body_not_utf8: ["请求内容不是 UTF-8 编码", "The body is not encoded in UTF-8"],
  body_not_json: ["请求内容不是有效的 JSON", "The body is not valid JSON"],
  body_field_twice: ["同一个对象中有重复的字段", "An object in the body names a field twice"],
  preview_none: ["此接口不支持预览", "This call has no preview"],
  body_not_object: ["请求内容必须是一个对象", "The body must be an object"],
} as const;

const forPlayers = {
  player_state_processing: ["派发中", "On its way"],
  player_state_waiting_delivery: ["待发货", "Waiting to be delivered"],
  player_state_paid: ["已到账", "Paid"],
  player_state_delivered: ["已发货", "Delivered"],
  player_state_failed: ["派发失败", "Could not be paid"],
  stock_plenty: ["充足", "Plenty left"],
  stock_few: ["所剩不多", "Few left"],
  stock_none: ["已抽完", "None left"],
} as const;

const done = {
  success: "success",
  deleted: ["删除成功", "Deleted"],
  added: ["添加成功", "Added"],
  add_failed: ["添加失败", "Could not add"],
  approvals_run: ["已处理", "Decided"],
  approvers_none: ["目前没有其他管理员", "there is none yet"],
  approvers_more: ["另有 {count} 位", "{count} more"],
  approver_lacks: ["{name}（{lacks}）", "{name} ({lacks})"],
  approver_disabled: ["已停用", "disabled"],
  approver_unbound: ["未绑定验证器", "no authenticator bound"],
  approver_fresh: [
    "24 小时内由您或命令行直接或间接设立或重置，{hours} 小时后可以",
    "made or reset within 24 hours by you, redctl, or an account of yours: can in {hours} h",
  ],
  approver_able: ["可以", "could"],
  list_join: ["、", ", "],
  operator_made: ["已新增操作员", "Operator made"],
  operator_disabled: ["已停用", "Disabled"],
  operator_enabled: ["已启用", "Enabled"],
  password_made: ["已生成新密码", "New password made"],
  authenticator_let_go: ["已解除验证器", "Authenticator let go"],
  sessions_ended: ["会话已结束", "Session ended"],
  key_made: ["密钥已生成", "Key made"],
  secret_retired: ["旧密文已停用", "Old secret retired"],
  key_revoked: ["密钥已吊销", "Key revoked"],
  saved: ["修改成功", "Saved"],
  save_failed: ["修改失败", "Could not save"],
  reissued: ["补发成功", "Re-issued"],
  reissue_failed: ["补发失败", "Re-issue failed"],
  delivered: ["已标记发货", "Marked as delivered"],
  deliver_failed: ["标记发货失败", "Could not mark as delivered"],
  closed: ["关闭成功", "Closed"],
  close_failed: ["关闭失败", "Could not close"],
  asked: ["已重新向钱包查询", "The wallet is being asked again"],
  ask_failed: ["查询失败", "Could not ask"],
  paused: ["暂停活动成功", "Activity paused"],
  resumed: ["恢复活动成功", "Activity resumed"],
  stopped: ["已暂停", "Stopped"],
  started: ["已恢复", "Started again"],
  extra_time_added: "added successfully",
  excluded: ["已加入排除名单", "Excluded"],
  lifted: ["已解除", "Lifted"],
  taken_back: ["已收回", "Taken back"],
  approval_player_erased: [
    "该修改涉及的玩家已清除资料，修改已作废",
    "A player whom this change names was erased: it was dropped",
  ],
  erased: ["已清除玩家资料", "The player has been erased"],
  redelivered: ["已安排重新推送", "To be sent again"],
} as const;

type Rows = typeof ERROR_ROWS;

// The two texts of each error row, under the key of the row.
const errors = Object.fromEntries(
  Object.entries(ERROR_ROWS).map(([key, [, zh, en]]) => [key, [zh, en]]),
) as unknown as { readonly [K in ErrorKey]: readonly [Rows[K][1], Rows[K][2]] };

export const TEXTS = catalogue({ ...errors, ...fields, ...forPlayers, ...done });
export type TextKey = keyof typeof TEXTS.zh;

export const LANGUAGES = ["zh", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

/** Fills the placeholders of a template. A placeholder without a value stays unchanged. */
export function filled(template: string, values: TextValues, language: Language): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const { [name]: value = whole } = values;
    return typeof value === "object" ? value[language] : String(value);
  });
}

export function text(key: TextKey, language: Language = "zh", values: TextValues = {}): string {
  return filled(TEXTS[language][key], values, language);
}

/** Whether this is a key of the texts. Schemas contain keys instead of sentences. */
export function isTextKey(key: string): key is TextKey {
  return key in TEXTS.zh;
}

/** Returns English if `Accept-Language` starts with English, otherwise Chinese, the default (behaviour §8). */
export function languageOf(acceptLanguage: string | undefined): Language {
  return acceptLanguage?.trim().toLowerCase().startsWith("en") === true ? "en" : "zh";
}
