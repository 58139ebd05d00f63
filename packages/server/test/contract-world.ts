/** A small database for tests of the whole contract, and the fixtures of writes. */
import { randomBytes } from "node:crypto";
import type { SettingKey } from "@red/contract/approvals/setting";
import { newSeed, seedPurpose } from "#identity/authenticator";
import { tokenHash } from "#identity/operator-auth";
import { insertSession } from "#identity/session-sql";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import type { Services } from "#platform/handlers";
import { makeOperator, makePlayer, makePool, makeRound } from "#test/factories";
import type { MadePlayer, MadeRound } from "#test/factories";
import { codeAt, operatorId } from "#test/operator-factory";
import { changeRows } from "#test/rows";
import type { Form } from "#test/upload";

export interface World {
  readonly db: Db;
  readonly secrets: Services["secrets"];
  /** A running round without condition: every player has five draws. */
  readonly open: MadeRound;
  readonly paused: MadeRound;
  readonly over: MadeRound;
  readonly pool_name: string;
  readonly player: MadePlayer;
}

const DAY_MS = 86_400_000;

/** A round that ended yesterday, without draws. */
export async function makeEndedRound(db: Db): Promise<MadeRound> {
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  return await makeRound(db, { start_time: daysAgo(2), end_time: daysAgo(1) });
}

export async function makeWorld(db: Db, secrets: Services["secrets"]): Promise<World> {
  const pool_name = "舞台池";
  const pool_id = await makePool(db, { pool_name });
  return {
    db,
    secrets,
    open: await makeRound(db, { pool_id, condition_times: 5 }),
    paused: await makeRound(db, { pool_id, rounds_status: 0 }),
    over: await makeEndedRound(db),
    pool_name,
    player: await makePlayer(db),
  };
}

/** Opens a session and returns its access token. */
export async function openSession(db: Db, name: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const operator_id = await operatorId(db, name);
  await inTransaction(db, (tx) => insertSession(tx, { token_hash: tokenHash(token), operator_id }));
  return token;
}

/** Token of operator `powerless`, an operator without a role. */
export async function powerlessToken(db: Db): Promise<string> {
  await makeOperator(db, "powerless", { roles: [] });
  return await openSession(db, "powerless");
}

/** An unused code of the operator, for an authenticator bound just now. */
export async function freshCode(
  db: Db,
  secrets: Services["secrets"],
  name = "root-op",
): Promise<string> {
  const id = await operatorId(db, name);
  const seed = newSeed();
  const bound = { totp_secret: secrets.seal(seedPurpose(id), seed), totp_step: null };
  await changeRows(db, "operator", { id }, bound);
  return codeAt(seed, new Date());
}

export async function setSetting(db: Db, key: SettingKey, value: string): Promise<void> {
  const row = { key, value, changed_by: "test", changed_at: new Date() };
  const insert = db.insertInto("setting").values(row);
  await insert.onConflict((conflict) => conflict.column("key").doUpdateSet(row)).execute();
}

/** Sets the sum from which changes wait for a second person, or need a reason. */
export async function setBand(
  db: Db,
  value: string,
  key: "band_second" | "band_reason" = "band_second",
): Promise<void> {
  await setSetting(db, key, value);
}

export interface Parts {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Replaces the body: one file and fields. */
  readonly form?: Form;
}

/** The audit row of a write, or the reason why it writes none. */
export type Trace =
  | {
      readonly action: string;
      readonly object_type: string;
      /** Whether it has `before`, `after` or both. */
      readonly tells: readonly string[];
    }
  | { readonly none: string };

export interface Fixture {
  /** A valid call; new names and rows each time. */
  valid(world: World): Promise<Parts>;
  /** A token per call, where the call ends its session. */
  token?(world: World): Promise<string>;
  /** Expected code of the envelope; 200 by default. */
  readonly taken?: number;
  readonly trace: Trace;
}

/** A write with an audit row: `create_pool pool after`. */
export function writes(trace: string, valid: Fixture["valid"]): Fixture {
  const [action = "", object_type = "", ...tells] = trace.split(" ");
  return { valid, trace: { action, object_type, tells } };
}

let made = 0;

export function unused(what: string): string {
  made += 1;
  return `${what}-${made}`;
}
