import { approvalRoutes } from "./approval.ts";
import { settingRoutes } from "./setting.ts";

export const approvalsCalls = { approval: approvalRoutes, setting: settingRoutes } as const;
