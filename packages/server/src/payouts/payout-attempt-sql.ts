/** Every attempt at a payout is kept: when, by whom, request, answer, duration (behaviour §6). */
import { sql } from "kysely";
import type { Db, Tx } from "#platform/connection";

export interface StartedAttempt {
  readonly log_id: number;
  readonly no: number;
  readonly kind: "pay" | "query";
  readonly operator: string | null;
  readonly request: string;
}

export async function insertAttempts(tx: Tx, attempts: readonly StartedAttempt[]): Promise<void> {
  if (attempts.length > 0) {
    await tx
      .insertInto("payout_attempt")
      .values([...attempts])
      .execute();
  }
}

export interface FinishedAttempt {
  readonly log_id: number;
  readonly no: number;
  readonly outcome: string;
  readonly duration_ms: number;
  readonly http_status: number | null;
  readonly answer: string | null;
}

/** Records the outcome of attempts. An attempt whose lease had expired keeps a mark of that. */
export async function finishAttempts(tx: Tx, attempts: readonly FinishedAttempt[]): Promise<void> {
  await sql`
    update payout_attempt a
    set outcome = case a.outcome
          when 'lease expired' then x.outcome || ', after its lease expired' else x.outcome end,
      duration_ms = x.duration_ms, http_status = x.http_status, answer = x.answer
    from json_to_recordset(${JSON.stringify(attempts)}::json) as x (log_id bigint, no integer,
      outcome text, duration_ms integer, http_status integer, answer text)
    where a.log_id = x.log_id and a.no = x.no`.execute(tx);
}

export interface HeardWord {
  readonly log_id: number;
  readonly answer: string;
}

/** Records results that we did not query, each as the next attempt of a locked payout. */
export async function insertHeardAttempts(
  tx: Tx,
  kind: "callback" | "statement",
  outcome: string,
  heard: readonly HeardWord[],
): Promise<void> {
  await sql`
    with counted as (
      update payout p set attempts = p.attempts + 1
      from json_to_recordset(${JSON.stringify(heard)}::json) as x (log_id bigint, answer text)
      where p.log_id = x.log_id returning p.log_id, p.attempts, x.answer
    )
    insert into payout_attempt (log_id, no, kind, outcome, answer)
    select log_id, attempts, ${kind}, ${outcome}, answer from counted`.execute(tx);
}

export async function countSendings(db: Db, log_id: number): Promise<number> {
  const { count } = await db
    .selectFrom("payout_attempt")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("log_id", "=", log_id)
    .where("kind", "=", "pay")
    .executeTakeFirstOrThrow();
  return count;
}

export interface AttemptRow {
  readonly no: number;
  readonly kind: "pay" | "query" | "callback" | "statement";
  readonly started_at: Date;
  readonly duration_ms: number | null;
  readonly operator: string | null;
  readonly outcome: string;
  readonly http_status: number | null;
  readonly request: string | null;
  readonly answer: string | null;
}

/** Every attempt at a payout, oldest first; null when the record does not exist. */
export async function selectAttempts(db: Db, log_id: number): Promise<AttemptRow[] | null> {
  const rows = await db
    .selectFrom("payout as p")
    .leftJoin("payout_attempt as a", "a.log_id", "p.log_id")
    .select(["a.no", "a.kind", "a.started_at", "a.duration_ms", "a.operator", "a.outcome"])
    .select(["a.http_status", "a.request", "a.answer"])
    .where("p.log_id", "=", log_id)
    .orderBy("a.no")
    .execute();
  if (rows.length === 0) {
    return null;
  }
  return rows.flatMap(({ no, kind, started_at, outcome, ...rest }) =>
    no === null || kind === null || started_at === null || outcome === null
      ? []
      : [{ no, kind, started_at, outcome, ...rest }],
  );
}
