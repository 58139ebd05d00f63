/**
 * Every change by an operator goes through `runChange`, by API call, by upload or from redctl (behaviour
 * §3, §16). The change runs first and returns what it may cost. Three thresholds decide whether it needs a
 * code, a reason or a second person; a change without a required proof is rolled back.
 */
import { AppError } from "@red/contract/platform/errors";
import type { Needs } from "@red/contract/approvals/guard";
import { formatCents, parseCents } from "@red/contract/platform/money";
import type { Route } from "@red/contract/platform/route";
import type { Risk } from "@red/engine/risk";
import { sql } from "kysely";
import { recoveryHash, typedCode } from "#identity/authenticator";
import { judgeCode, lockCoded, noteFailure } from "#identity/confirm-code";
import { addressGroup } from "#platform/http/address-group";
import { insertAudit } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import type {
  Answered,
  AnyOutcome,
  Caller,
  CodeFault,
  Services,
  UploadedFile,
} from "#platform/handlers";
import { replaceKept } from "#platform/kept-fields";
import { referAccounts, referText } from "#platform/player-names";
import { selectValues } from "#platform/db/setting-sql";
import {
  insertApproval,
  isAble,
  requireRoom,
  selectAbout,
  selectAdministrators,
  selectPlan,
} from "./approval-sql.ts";
import { insertRisked, lockRisked, NOT_COUNTED } from "./risked-sql.ts";
import type { Risked } from "./risked-sql.ts";

/** A change call that has not run yet. */
export interface ChangeCall extends Caller {
  readonly params?: unknown;
  readonly body?: unknown;
  readonly file?: UploadedFile;
  readonly fields?: Readonly<Record<string, string>>;
  /** Absent for redctl, like `services` and `request`. */
  readonly code?: string;
  /** The change is valued and then rolled back. */
  readonly isPreview?: boolean;
  readonly services?: Services;
  readonly request?: { readonly ip: string };
}

interface Needed {
  readonly code: boolean;
  readonly reason: boolean;
  readonly second: boolean;
}

/** The thresholds from which a change needs each proof, in whole cents. Null: never. */
interface Ladder {
  /** Whether the caller may be asked for a code. Programs are asked only if `guard_programs` is on. */
  readonly asks: boolean;
  readonly code: number | null;
  readonly reason: number | null;
  readonly second: number | null;
}

/** Reads the thresholds. Call this before the change, which may change the thresholds. */
async function readLadder(tx: Tx, { operator }: Caller): Promise<Ladder> {
  const values = await selectValues(tx);
  const isPerson = operator?.by_console === true;
  const [reason, second] = [parseCents(values.band_reason), parseCents(values.band_second)];
  const isOn = reason !== null || second !== null;
  // redctl needs no reason and no second person if nobody can approve: in a new installation, or after all
  // accounts are lost.
  const isHelp = operator === null && isOn && !(await selectAdministrators(tx, null)).some(isAble);
  return {
    asks: isPerson || (operator !== null && values.guard_programs === "on"),
    code: parseCents(values.guard_sum),
    reason: isHelp ? null : reason,
    second: isHelp ? null : second,
  };
}

function isAboveCode({ code_cents }: Risk, { asks, code }: Ladder, before: Risked): boolean {
  return asks && code !== null && code_cents > 0 && before.code + code_cents > code;
}

function neededFor(
  route: Route,
  { operator }: Caller,
  risk: Risk,
  ladder: Ladder,
  before: Risked,
): Needed {
  const isFrom = (rung: "reason" | "second") => {
    const sum = risk.others === "never" ? null : ladder[rung];
    return sum !== null && (risk.others === "always" || before[rung] + risk.cents >= sum);
  };
  const isAlways = route.proof !== "risk" || risk.code === "always";
  return {
    code: isAlways ? operator !== null : isAboveCode(risk, ladder, before),
    reason: isFrom("reason") || isFrom("second"),
    second: isFrom("second"),
  };
}

/** Returns the missing proofs, as the answer to the caller. */
function needsOf(route: Route, lacks: Needed, risk: Risk, ladder: Ladder, before: Risked): Needs {
  const isByCode = lacks.code && isAboveCode(risk, ladder, before);
  const byOthers = lacks.second ? before.second : lacks.reason ? before.reason : 0;
  return {
    ...lacks,
    recovery: route.proof !== "authenticator",
    risk: formatCents(risk.cents),
    risked: formatCents(isByCode ? before.code : byOthers),
    code_above: isByCode ? formatCents(ladder.code ?? 0) : null,
    pools: risk.pools.map(({ pool_name, draws_hour, cost_before, cost_after }) => ({
      pool_name,
      cost_before: formatCents(cost_before),
      cost_after: formatCents(cost_after),
      draws_hour,
    })),
  };
}

/**
 * If the call has a code, locks `others`, then the caller's account, and returns a function that checks the
 * code. That function uses up a correct code and returns null; for a wrong code the caller must run `note`
 * in a transaction that commits.
 */
async function lockJudge(tx: Tx, route: Route, call: ChangeCall, others = async () => {}) {
  const { operator, actor, services, request, code: typed = "" } = call;
  const code = typedCode(typed);
  if (operator === null || services === undefined || request === undefined || code === "") {
    return null;
  }
  const proof = { name: operator.name, address: addressGroup(request.ip), code };
  const account = await lockCoded(tx, proof, others);
  const judged = [services.secrets, actor, "confirm_code", account, proof, new Date()] as const;
  return async () => {
    if (route.proof === "authenticator" && recoveryHash(code) !== null) {
      return { fault: "code_of_authenticator" as const, note: async () => {} };
    }
    const { verdict, failure } = await judgeCode(tx, ...judged);
    const note = async () => await (failure && noteFailure(tx, actor, proof, failure));
    return verdict === "right" ? null : { fault: verdict, note };
  };
}

/** The proofs for a change whose code is checked before the change runs. */
const CODE_ALONE: Needs = {
  code: true,
  recovery: true,
  reason: false,
  second: false,
  risk: "0.00",
  risked: "0.00",
  code_above: null,
  pools: [],
};

/**
 * Checks the code of a change that is itself a proof. Locks `others` before the caller's account. Returns
 * null for a correct code; the transaction must commit. Throws `proof_needed` without a code.
 */
export async function takeCode(
  tx: Tx,
  route: Route,
  call: ChangeCall,
  others: () => Promise<void>,
): Promise<CodeFault | null> {
  const judge = await lockJudge(tx, route, call, others);
  if (judge === null) {
    throw new AppError("proof_needed", {}, { needs: CODE_ALONE });
  }
  const wrong = await judge();
  await wrong?.note();
  return wrong?.fault ?? null;
}

/** Returns the input of the call, with references to players instead of their names. */
async function inputToKeep(
  tx: Tx,
  route: Route,
  { params = {}, body, file, fields = {} }: ChangeCall,
) {
  return {
    params: params as object,
    body: await replaceKept(route.body, body as object, "account", (names) =>
      referAccounts(tx, names),
    ),
    fields,
    filename: await referText(tx, file?.filename ?? null),
  };
}

/**
 * Returns the audit rows of the change and their objects, or null if the change wrote no audit row and so
 * changed nothing.
 */
async function findPlan(tx: Tx, { actor }: ChangeCall) {
  const plan = await selectPlan(tx, actor);
  return plan.length === 0 ? null : { plan, about: await selectAbout(tx, actor) };
}

/** Stores a rolled-back change for a second person and returns its id. */
async function keepChange(
  tx: Tx,
  route: Route,
  call: ChangeCall,
  risk: Risk,
  { plan, about }: NonNullable<Awaited<ReturnType<typeof findPlan>>>,
): Promise<number> {
  const { operator, actor, file } = call;
  if (operator !== null) {
    await requireRoom(tx, operator.id);
  }
  const id = await insertApproval(tx, {
    call: `${route.method} ${route.path}`,
    input: await inputToKeep(tx, route, call),
    file: file?.bytes ?? null,
    maker_id: operator?.id ?? null,
    made_by: actor.name,
    // The reason exists: a change without a required reason was rejected before.
    reason: actor.reason ?? "",
    risk_cents: risk.cents,
    plan,
  });
  const after = { risk: formatCents(risk.cents) };
  const asking = { action: "ask_approval", object_type: "approval", object_id: id, after, about };
  await insertAudit(tx, actor, asking);
  return id;
}

/** Returns the risk of a change. The types force every change to return a risk. */
export function riskIn({ risk }: { readonly risk?: Risk }): Risk {
  if (risk === undefined) {
    throw new Error("an act did not say what it may cost");
  }
  return risk;
}

/**
 * Runs the change. If the change needs a second person, rolls it back and stores it. Throws `proof_needed`
 * with all missing proofs, or `only_valued` with all required proofs for a preview.
 */
export async function runChange(
  tx: Tx,
  route: Route,
  call: ChangeCall,
  act: () => Promise<AnyOutcome>,
): Promise<Answered> {
  if (typeof route.proof !== "string" || route.proof === "first") {
    return await act();
  }
  const ladder = await readLadder(tx, call);
  const judge = await lockJudge(tx, route, call);
  await sql`savepoint change`.execute(tx);
  const undo = async () => void (await sql`rollback to savepoint change`.execute(tx));
  const outcome = await act();
  if (!("data" in outcome) || "refused" in outcome) {
    await (call.isPreview === true && undo());
    return outcome;
  }
  const risk = riskIn(outcome);
  const person = call.operator?.id ?? null;
  const isCounted = risk.others !== "never";
  const before = isCounted && risk.cents > 0 ? await lockRisked(tx, person) : NOT_COUNTED;
  const needed = neededFor(route, call, risk, ladder, before);
  if (call.isPreview === true) {
    throw new AppError("only_valued", {}, { needs: needsOf(route, needed, risk, ladder, before) });
  }
  const reasoned = (call.actor.reason ?? null) !== null;
  const lacks = {
    code: needed.code && judge === null,
    reason: needed.reason && !reasoned,
    second: needed.second,
  };
  if (lacks.code || lacks.reason) {
    throw new AppError("proof_needed", {}, { needs: needsOf(route, lacks, risk, ladder, before) });
  }
  const found = needed.second ? await findPlan(tx, call) : null;
  await (found && undo());
  // A code that was not required is checked too, if this caller can be asked for codes.
  const coded = judge !== null && (needed.code || found !== null || ladder.asks);
  const wrong = coded ? await judge() : null;
  if (wrong !== null) {
    await undo();
    await wrong.note();
    return { needs: wrong.fault };
  }
  if (found !== null) {
    return { waits: await keepChange(tx, route, call, risk, found) };
  }
  if (isCounted) {
    // Programs are not asked for a code, so their changes must not cause a person to be asked.
    const code_cents = ladder.asks ? risk.code_cents : 0;
    const proofs = { coded, reasoned, approved: false };
    await insertRisked(tx, person, { cents: risk.cents, code_cents }, proofs);
  }
  return outcome;
}
