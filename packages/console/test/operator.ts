/** Who is signed in where a component is tested. */
import type { Permission } from "@red/contract/permissions";
import type { UserInfo } from "@red/contract/session";

/** What the server tells of an operator who may do this and nothing else. */
export function operatorWith(...permissions: Permission[]): UserInfo {
  return {
    name: "operator",
    roles: ["admin"],
    permissions,
    avatar: "",
    introduction: "",
    request_token: "r1",
    time_zone: "Asia/Shanghai",
    red_code_default: "RED_PACKET",
    demo: false,
    wallet: "demo",
  };
}
