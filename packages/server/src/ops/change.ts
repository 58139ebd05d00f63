/** Commands that may have to wait for a second person, like the same call by an operator (behaviour §16). */
import { randomUUID } from "node:crypto";
import { AppError } from "@red/contract/platform/errors";
import type { Route } from "@red/contract/platform/route";
import { runChange } from "#approvals/run-change";
import { inTransaction } from "#platform/db/connection";
import type { Db, Tx } from "#platform/db/connection";
import type { Caller, Costed } from "#platform/handlers";
import { referText } from "#platform/player-names";
import type { Call, Report } from "./command.ts";

export const REASON = { reason: { value: "TEXT", help: "why, while a band is on" } } as const;

const WAITS: Report = {
  json: { waits: true },
  lines: ["a band is on (docs/operations.md): it waits until another operator approves it"],
};

/** Returns the value of `--reason` in its stored form, with references to players, or null without `--reason`. */
export async function reasonOf(db: Db, call: Call): Promise<string | null> {
  return await referText(db, call.value("reason") === "" ? null : call.value("reason"));
}

/**
 * Makes the change and reports its result, or reports that the change waits. Throws if the change needs a `--reason`.
 */
export async function change<T>(
  db: Db,
  call: Call,
  { route, ...input }: { readonly route: Route; readonly params?: object; readonly body?: object },
  act: (tx: Tx, caller: Caller) => Promise<Costed<T>>,
  reportOf: (made: T) => Report,
): Promise<Report> {
  const reason = await reasonOf(db, call);
  const actor = { ...call.actor, request_id: randomUUID(), reason };
  const caller: Caller = { operator: null, actor };
  let report = WAITS;
  await inTransaction(db, async (tx) => {
    const answered = await runChange(tx, route, { ...caller, ...input }, async () => {
      const { data, risk } = await act(tx, caller);
      report = reportOf(data);
      return { data, risk };
    });
    report = "waits" in answered ? WAITS : report;
  }).catch((fault: unknown) => {
    const isUnsaid = fault instanceof AppError && fault.key === "proof_needed";
    throw isUnsaid ? new Error("a band is on (docs/operations.md): say why with --reason") : fault;
  });
  return report;
}
