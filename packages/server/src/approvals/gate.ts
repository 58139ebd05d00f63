/**
 * The second pair of eyes (behaviour §16): the one function through which every operator's write goes, by call, by
 * upload and by redctl. From one sum on a change needs a reason, from another a second person.
 */
import { AppError } from "@red/contract/errors";
import type { TextValues } from "@red/contract/errors";
import { formatCents, parseCents } from "@red/contract/money";
import type { Route } from "@red/contract/route";
import { settingRoutes } from "@red/contract/setting";
import { text } from "@red/contract/texts";
import type { Language } from "@red/contract/texts";
import type { TextKey } from "@red/contract/texts-zh";
import { sql } from "kysely";
import { confirmCode } from "#identity/confirm-code";
import { addressGroup } from "#platform/address-group";
import { insertAudit } from "#platform/audit";
import type { Tx } from "#platform/connection";
import type { Caller, Outcome, Services, UploadedFile } from "#platform/handlers";
import { replaceKept } from "#platform/kept-fields";
import { referAccounts, referText } from "#platform/player-names";
import { selectSetting } from "#platform/setting-sql";
import {
  insertApproval,
  isAble,
  requireRoom,
  selectAbout,
  selectAdministrators,
  selectPlan,
} from "./approval-sql.ts";
import type { Administrator } from "./approval-sql.ts";
import { isAlwaysGated, isGated } from "./gated.ts";
import { noteRisks, sumOfRisks } from "./risks.ts";

/** A call on its way to its handler. */
export interface GatedCall extends Caller {
  readonly params?: unknown;
  readonly body?: unknown;
  readonly file?: UploadedFile;
  readonly fields?: Readonly<Record<string, string>>;
  /** Absent in redctl, as is `request`. */
  readonly services?: Services;
  readonly request?: { readonly ip: string };
}

type Change = () => Promise<Outcome<unknown>>;

/** Cents from which on a reason, or a second person, is needed; null: never. */
async function selectBand(tx: Tx, key: "band_reason" | "band_second"): Promise<number | null> {
  return parseCents(await selectSetting(tx, key));
}

const NAMED_MAX = 5;

/** Those who would have to approve, each with all that they lack, in the language. */
function whoLack(all: readonly Administrator[], language: Language): string {
  const say = (key: TextKey, values: TextValues = {}) => text(key, language, values);
  const list = (words: readonly string[]) => words.join(say("list_join"));
  const named = all.slice(0, NAMED_MAX).map((one) => {
    const lacks = [
      ...(one.disabled ? [say("approver_disabled")] : []),
      ...(one.bound ? [] : [say("approver_unbound")]),
      ...(one.fresh_hours === null ? [] : [say("approver_fresh", { hours: one.fresh_hours })]),
      ...(isAble(one) ? [say("approver_able")] : []),
    ];
    return say("approver_lacks", { name: one.name, lacks: list(lacks) });
  });
  const count = all.length - named.length;
  const more = count > 0 ? [say("approvers_more", { count })] : [];
  return list([...named, ...more]) || say("approvers_none");
}

/** Saves a setting while nothing waits. Throws `approval_nobody` if others would wait for nobody from then on. */
async function saveFirst(tx: Tx, { operator }: GatedCall, save: Change) {
  const outcome = await save();
  if ((await selectBand(tx, "band_second")) !== null) {
    const all = await selectAdministrators(tx, operator);
    // redctl is nobody's account: two must be able to approve each other.
    if (all.filter(isAble).length < (operator === null ? 2 : 1)) {
      const words = { zh: whoLack(all, "zh"), en: whoLack(all, "en") };
      throw new AppError(operator === null ? "approval_not_two" : "approval_nobody", { words });
    }
  }
  return outcome;
}

/** The code of a run that was undone is used up all the same. */
async function useCode(tx: Tx, call: GatedCall, code: unknown): Promise<void> {
  const { operator, services, request, actor } = call;
  if (operator && services && request && typeof code === "string" && code !== "") {
    const proof = { name: operator.name, address: addressGroup(request.ip), code };
    await confirmCode(tx, services.secrets, actor, proof, new Date());
  }
}

/** What was sent, without the code, and with references to players in place of their names. */
async function inputToKeep(tx: Tx, route: Route, call: GatedCall, body: object) {
  const { params = {}, file, fields = {} } = call;
  const { code: _, ...form } = fields;
  return {
    params: params as object,
    body: await replaceKept(route.body, body, "account", (names) => referAccounts(tx, names)),
    fields: form,
    filename: await referText(tx, file?.filename ?? null),
  };
}

/**
 * Runs the change, or undoes it and keeps it for a second person (`approval_waits`). The plan is what the change wrote to
 * the audit log. Throws `reason_needed` when its risk takes one and the caller gave none.
 */
export async function gate(
  tx: Tx,
  route: Route,
  call: GatedCall,
  act: Change,
): Promise<Outcome<unknown>> {
  const [reasonFrom, secondFrom] = [
    await selectBand(tx, "band_reason"),
    await selectBand(tx, "band_second"),
  ];
  const isFirst = secondFrom === null && route === settingRoutes.save;
  const change = isFirst ? () => saveFirst(tx, call, act) : act;
  const isOff = reasonFrom === null && secondFrom === null;
  if (isOff || call.isApproved === true || !isGated(route, call)) {
    return await change();
  }
  const { actor, operator, file, fields = {} } = call;
  // The first and the lost: redctl helps where nobody could approve.
  if (operator === null && !(await selectAdministrators(tx, null)).some(isAble)) {
    return await change();
  }
  const { reason = null } = actor;
  const risks = noteRisks(tx);
  const isFrom = (cents: number | null) =>
    cents !== null && (isAlwaysGated(route, call) || sumOfRisks(risks) >= cents);
  const requireReason = () => {
    if (reason === null && (isFrom(reasonFrom) || isFrom(secondFrom))) {
      const risk = formatCents(sumOfRisks(risks));
      throw new AppError("reason_needed", {}, { second: isFrom(secondFrom), risk });
    }
  };
  await sql`savepoint gated`.execute(tx);
  const outcome = await change().catch((fault: unknown) => {
    // The reason first: the code that is asked for does not live long.
    if (fault instanceof AppError && fault.key === "risk_confirm") {
      requireReason();
    }
    throw fault;
  });
  if (outcome.refused !== undefined || outcome.code !== undefined) {
    return outcome;
  }
  requireReason();
  const plan = reason !== null && isFrom(secondFrom) ? await selectPlan(tx, actor) : [];
  // What has written no row has changed nothing: a band saved as it was.
  if (reason === null || plan.length === 0) {
    return outcome;
  }
  const about = await selectAbout(tx, actor);
  await sql`rollback to savepoint gated`.execute(tx);
  const { code, ...body } = { code: fields["code"], ...(call.body as object | undefined) };
  await useCode(tx, call, code);
  if (operator !== null) {
    await requireRoom(tx, operator.id);
  }
  const id = await insertApproval(tx, {
    call: `${route.method} ${route.path}`,
    input: await inputToKeep(tx, route, call, body),
    file: file?.bytes ?? null,
    maker_id: operator?.id ?? null,
    made_by: actor.name,
    reason,
    risk_cents: sumOfRisks(risks),
    plan,
  });
  const after = { risk: formatCents(sumOfRisks(risks)) };
  const asking = { action: "ask_approval", object_type: "approval", object_id: id, after, about };
  await insertAudit(tx, actor, asking);
  return { data: null, msg: "approval_waits", refused: "approval_waits", code: 202 };
}
