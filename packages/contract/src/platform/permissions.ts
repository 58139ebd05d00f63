/** Permissions of operators, which each route requires, and scopes of platform keys, with their words. */
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
  /** Permission to see accounts of players, or their amounts, unmasked on screens and in files. */
  "account.see": ["查看玩家账号", "see accounts of players"],
  "amount.see": ["查看玩家金额", "see amounts of players"],
  /** Permission to stop. To start again, an operator needs the permission for the stopped function. */
  "stop.use": ["暂停抽奖与发放", "stop draws and payouts"],
  "audit.read": ["查看操作日志", "see the audit log"],
  "webhook.manage": ["管理平台推送", "manage webhooks"],
  "setting.manage": ["修改设置", "change settings"],
  "operator.manage": ["管理操作员", "manage operators"],
  "key.manage": ["管理平台密钥", "manage platform keys"],
} as const;
export type Permission = keyof typeof WORDS;
export const PERMISSIONS = Object.keys(WORDS) as [Permission, ...Permission[]];
/** People read these texts instead of the id of a permission. */
export const PERMISSION_TEXTS = catalogue(WORDS);

export function notPermitted(permission: Permission): AppError {
  const [zh, en] = WORDS[permission];
  return new AppError("not_permitted", { permission: { zh, en } });
}

const READ = ["activity.read", "pool.read", "record.read", "player.read"] as const;
const SEE = ["account.see", "amount.see"] as const;

/** Permissions of each role. An operator with several roles has the permissions of all of them (behaviour §9). */
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
