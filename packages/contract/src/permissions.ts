/** Permissions that the server checks per route (behaviour §9, platform-api); `admin` has all of them. */
export const PERMISSIONS = [
  "activity.read",
  "activity.write",
  "pool.read",
  "pool.write",
  "record.read",
  "record.pay",
  "player.read",
  "player.grant",
  "player.exclude",
  "player.erase",
  "webhook.manage",
  "setting.manage",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Permissions by role; other roles are opt-in. */
export const ROLES = {
  admin: PERMISSIONS,
} as const satisfies Record<string, readonly Permission[]>;
export type Role = keyof typeof ROLES;

/** Scopes of a platform key (platform-api). */
export const SCOPES = ["ingest", "draw", "read", "wallet"] as const;
export type Scope = (typeof SCOPES)[number];
