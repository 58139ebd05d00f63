/** The words for who may do what: permissions of operators, held per route, and scopes of platform keys. */
export const PERMISSIONS = [
  "activity.read",
  "activity.write",
  "pool.read",
  "pool.write",
  "record.read",
  "record.pay",
  "sheet.sign",
  "player.read",
  "player.grant",
  "player.exclude",
  "player.erase",
  /** Accounts of players and their amounts unmasked, on screens and in files. */
  "account.see",
  "amount.see",
  /** Stopping; starting takes the permission for what starts. */
  "stop.use",
  "audit.read",
  "webhook.manage",
  "setting.manage",
  "operator.manage",
  "key.manage",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

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
