import { approvalsCalls } from "@red/contract/approvals/room";
import { room } from "#platform/http/room";
import type { MountedRoutes } from "#platform/http/mount";
import { trimApprovals } from "./approval-sql.ts";
import { approvalHandlers } from "./approval-routes.ts";
import { settingHandlers } from "./setting-routes.ts";

export const approvalsRoom = room(
  approvalsCalls,
  (deps: { readonly mounted: MountedRoutes }) => ({
    approval: approvalHandlers(deps.mounted),
    setting: settingHandlers,
  }),
  { chores: () => [{ done: "approvals emptied or deleted", run: trimApprovals }] },
);
