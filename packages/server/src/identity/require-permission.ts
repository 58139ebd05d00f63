/** Whether an operator may use a route: its permission stands at the route in the contract. */
import { AppError } from "@red/contract/errors";
import type { Route } from "@red/contract/route";
import { insertRefusal } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Db } from "#platform/connection";
import type { Operator } from "#platform/handlers";

/** Throws `not_permitted`, and audits that, unless the operator may use the route. */
export async function requirePermission(
  db: Db,
  operator: Operator,
  route: Route,
  actor: Actor,
): Promise<void> {
  if (route.auth.by !== "operator" || route.auth.permission === "signed_in") {
    return;
  }
  const needed = [
    route.auth.permission,
    ...(route.auth.also === undefined ? [] : [route.auth.also]),
  ];
  const permission = needed.find((name) => !operator.permissions.includes(name));
  if (permission !== undefined) {
    await insertRefusal(db, actor, {
      action: "call",
      object_type: "permission",
      object_id: permission,
      after: { method: route.method, path: route.path },
    });
    throw new AppError("not_permitted", { permission });
  }
}
