/** What an operator or a platform key may do (behaviour §9, platform-api). */
/** Permissions held by the server per route; `admin` has them all (behaviour §9). */
export const PERMISSIONS = [
  "activity.read",
  "activity.write",
  "pool.read",
  "pool.write",
  "record.read",
  "record.pay",
  "player.read",
  "player.grant",
] as const;
export type Permission = (typeof PERMISSIONS)[number];

/** Permissions of each role; further roles are opt-in and come later. */
export const ROLES = {
  admin: PERMISSIONS,
} as const satisfies Record<string, readonly Permission[]>;
export type Role = keyof typeof ROLES;

/** Scopes of a platform key (platform-api). */
export const SCOPES = ["ingest", "draw", "read", "wallet"] as const;
export type Scope = (typeof SCOPES)[number];
