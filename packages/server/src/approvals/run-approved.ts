/** Runs an approved change in the transaction of the second person (behaviour §16). */
import { isDeepStrictEqual } from "node:util";
import { AppError } from "@red/contract/platform/errors";
import { notPermitted, ROLES } from "@red/contract/platform/permissions";
import type { Permission } from "@red/contract/platform/permissions";
import type { Route } from "@red/contract/platform/route";
import { text } from "@red/contract/platform/texts";
import type { TextKey } from "@red/contract/platform/texts";
import { sql } from "kysely";
import { lockOperatorById } from "#identity/operator-sql";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import { meaningOf } from "#platform/db/constraints";
import type { AnyOutcome, Operator, WriteCall } from "#platform/handlers";
import { replaceKept } from "#platform/kept-fields";
import type { Mounted } from "#platform/http/mount";
import { withNames } from "#platform/player-names";
import type { approvalRoutes } from "@red/contract/approvals/approval";
import { selectAbout, selectPlan, selectRowIds } from "./approval-sql.ts";
import { insertRisked } from "./risked-sql.ts";
import { riskIn } from "./run-change.ts";
import type { LockedApproval } from "./approval-sql.ts";

/** Returns the first permission of the route that an operator lacks. */
export function missingFor(
  { auth }: Route,
  permissions: readonly Permission[],
): Permission | undefined {
  const { permission, also } = auth.by === "operator" ? auth : {};
  return [permission, also].find(
    (one): one is Permission =>
      one !== undefined && one !== "signed_in" && !permissions.includes(one),
  );
}

/**
 * Returns the maker with their current permissions. Throws `approval_maker_disabled`, or `not_permitted` if
 * the maker may no longer make the change.
 */
async function makerOf(tx: Tx, { maker_id }: LockedApproval, { route }: Mounted) {
  const row = maker_id === null ? null : await lockOperatorById(tx, maker_id);
  if (row === null) {
    return null;
  }
  const permissions = [...new Set(row.roles.flatMap((role) => ROLES[role]))];
  const missing = missingFor(route, permissions);
  if (row.disabled) {
    throw new AppError("approval_maker_disabled");
  }
  if (missing !== undefined) {
    throw notPermitted(missing);
  }
  const { id, name, roles } = row;
  return { id, name, roles, permissions, token_hash: Buffer.alloc(0), by_console: true };
}

/** Returns the secret that the change created and that is shown only once. */
function secretOf(data: unknown): string | null {
  const { key = "", password, secret } = (data ?? {}) as Readonly<Record<string, string>>;
  return password ?? (secret === undefined ? null : `${key} ${secret}`);
}

async function run(
  tx: Tx,
  call: WriteCall<typeof approvalRoutes.approve>,
  row: LockedApproval,
  mounted: Mounted,
) {
  const operator: Operator | null = await makerOf(tx, row, mounted);
  const { request_id } = call.actor;
  const kind = operator === null ? "redctl" : "operator";
  // The audit row of the request has the maker's address. The approver's address would be wrong here.
  const actor: Actor = { kind, name: row.made_by, request_id, address: null, reason: row.reason };
  const { filename, ...input } = row.input;
  // Only account fields get player names in place of references; other typed text stays as stored.
  const accountsOf = (refs: readonly string[]) => withNames(tx, refs);
  const body = await replaceKept(mounted.route.body, input.body, "account", accountsOf);
  const known = await selectRowIds(tx, actor);
  const outcome = await mounted.handle({
    ...call,
    ...input,
    body,
    ...(row.file !== null && {
      file: { filename: await withNames(tx, filename ?? ""), bytes: row.file },
    }),
    operator,
    actor,
    isApproved: true,
    db: tx,
    write: (change: (tx: Tx) => Promise<AnyOutcome>) => change(tx),
  });
  if ("refused" in outcome || !("data" in outcome)) {
    throw new AppError("refused" in outcome ? outcome.refused : "approval_differs");
  }
  const risk = riskIn(outcome);
  const isDearer = risk.cents > row.risk_cents;
  if (isDearer || !isDeepStrictEqual(await selectPlan(tx, actor, known), row.plan)) {
    throw new AppError("approval_differs");
  }
  const proofs = { coded: true, reasoned: true, approved: true };
  await insertRisked(tx, row.maker_id, risk, proofs);
  return { secret: secretOf(outcome.data), about: await selectAbout(tx, actor, known) };
}

/**
 * Runs exactly what was approved. If the result differs from the plan or the change is rejected, rolls back
 * and returns the reason.
 */
export async function runApproved(
  tx: Tx,
  call: WriteCall<typeof approvalRoutes.approve>,
  row: LockedApproval,
  mounted: Mounted,
) {
  await sql`savepoint approved`.execute(tx);
  try {
    return { state: "done" as const, note: null, ...(await run(tx, call, row, mounted)) };
  } catch (fault) {
    const known = fault instanceof AppError ? fault : meaningOf(fault);
    if (known === null) {
      throw fault;
    }
    await sql`rollback to savepoint approved`.execute(tx);
    // Every error key is also a text key.
    const note = text(known.key satisfies TextKey, call.language, known.values);
    return { state: "differs" as const, note, secret: null, about: {} };
  }
}
