/** The words for who may do what: permissions of operators, held per route, and scopes of platform keys. */
import { catalogue } from "./catalogue.ts";
import { AppError } from "./errors.ts";

const WORDS = {
  "activity.read": ["查看活动", "see activities"],
  "activity.write": ["修改活动", "change activities"],
  "pool.read": ["查看奖池", "see pools"],
  "pool.write": ["修改奖池", "change pools"],
  "record.read": ["查看记录", "see records"],
  "record.pay": ["补发与核对", "re-issue and reconcile"],
  "sheet.sign": ["签核", "sign off"],
  "player.read": ["查看玩家", "see players"],
  "player.grant": ["添加与收回次数", "grant draws and take them back"],
  "player.exclude": ["排除玩家", "exclude players"],
  "player.erase": ["清除玩家资料", "erase players"],
  /** Accounts of players and their amounts unmasked, on screens and in files. */
  "account.see": ["查看玩家账号", "see accounts of players"],
  "amount.see": ["查看玩家金额", "see amounts of players"],
  /** Stopping; starting takes the permission for what starts. */
  "stop.use": ["暂停抽奖与发放", "stop draws and payouts"],
  "audit.read": ["查看操作日志", "see the audit log"],
  "webhook.manage": ["管理平台推送", "manage webhooks"],
  "setting.manage": ["修改设置", "change settings"],
  "operator.manage": ["管理操作员", "manage operators"],
  "key.manage": ["管理平台密钥", "manage platform keys"],
} as const;
export type Permission = keyof typeof WORDS;
export const PERMISSIONS = Object.keys(WORDS) as [Permission, ...Permission[]];
/** What people read instead of a permission's id. */
export const PERMISSION_TEXTS = catalogue(WORDS);

export function notPermitted(permission: Permission): AppError {
  const [zh, en] = WORDS[permission];
  return new AppError("not_permitted", { permission: { zh, en } });
}

const READ = ["activity.read", "pool.read", "record.read", "player.read"] as const;
const SEE = ["account.see", "amount.see"] as const;

/** Permissions by role; an operator with several roles has those of each (behaviour §9). */
export const ROLES = {
  admin: PERMISSIONS,
  operations: [
    ...READ,
    ...SEE,
    "activity.write",
    "pool.write",
    "record.pay",
    "player.grant",
    "stop.use",
  ],
  support: [...READ, ...SEE, "player.grant"],
  finance: [...READ, ...SEE, "record.pay", "sheet.sign", "stop.use", "audit.read"],
  risk: [...READ, ...SEE, "player.exclude", "stop.use", "audit.read"],
  viewer: READ,
} as const satisfies Record<string, readonly Permission[]>;
export type Role = keyof typeof ROLES;
export const ROLE_NAMES = Object.keys(ROLES) as [Role, ...Role[]];

/** Scopes of a platform key (platform-api). */
export const SCOPES = ["ingest", "draw", "read", "wallet"] as const;
export type Scope = (typeof SCOPES)[number];

/** What people read instead of a role's or scope's id, and what each may. */
export const WHO_WORDS = {
  role_admin: ["管理员", "Administrator"],
  role_admin_may: ["全部权限", "everything"],
  role_operations: ["运营", "Operations"],
  role_operations_may: [
    "查看活动、奖池、记录与玩家；修改活动与奖池；补发、核对；添加次数；暂停与恢复",
    "see activities, pools, records and players; change activities and pools; re-issue, reconcile; grant draws; stop and start",
  ],
  role_support: ["客服", "Support"],
  role_support_may: [
    "查看活动、奖池、记录与玩家；添加与收回次数",
    "see activities, pools, records and players; grant draws and take them back",
  ],
  role_finance: ["财务", "Finance"],
  role_finance_may: [
    "查看活动、奖池、记录、玩家与操作日志；补发、核对；签核；暂停，恢复发放",
    "see activities, pools, records, players and the audit log; re-issue, reconcile; sign off; stop, start payouts",
  ],
  role_risk: ["风控", "Risk"],
  role_risk_may: [
    "查看活动、奖池、记录、玩家与操作日志；排除玩家；暂停",
    "see activities, pools, records, players and the audit log; exclude players; stop",
  ],
  role_viewer: ["只读", "Read-only"],
  role_viewer_may: [
    "查看活动、奖池、记录与玩家，但隐藏玩家账号与金额",
    "see activities, pools, records and players; accounts and amounts hidden",
  ],
  scope_ingest: ["上报数据", "feed data"],
  scope_ingest_may: ["上报玩家、存款与投注", "send players, deposits and bets"],
  scope_draw: ["抽奖", "draw"],
  scope_draw_may: ["为玩家抽奖", "draw for players"],
  scope_read: ["查询", "look up"],
  scope_read_may: ["查询活动、次数与抽奖结果", "read activities, draws left and results"],
  scope_wallet: ["钱包回报", "report payouts"],
  scope_wallet_may: ["由钱包回报发放结果", "the wallet tells how payouts ended"],
} as const;
