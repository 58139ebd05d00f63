/** A small world for the tests of the whole contract, and what they know of one call that writes. */
import { randomBytes } from "node:crypto";
import { newSeed, seedPurpose } from "#identity/authenticator";
import { tokenHash } from "#identity/operator-auth";
import { insertSession } from "#identity/session-sql";
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";
import type { Services } from "#platform/handlers";
import { makePlayer, makePool, makeRound } from "#test/factories";
import type { MadePlayer, MadeRound } from "#test/factories";
import { codeAt } from "#test/operator-factory";
import type { Form } from "#test/upload";

export interface World {
  readonly db: Db;
  readonly secrets: Services["secrets"];
  /** Running, without a condition: everybody has five draws. */
  readonly open: MadeRound;
  readonly paused: MadeRound;
  /** Over since yesterday. */
  readonly over: MadeRound;
  readonly pool_name: string;
  readonly player: MadePlayer;
}

const DAY_MS = 86_400_000;

/** A round that was over yesterday, and from which nothing was drawn. */
export async function makeEndedRound(db: Db): Promise<MadeRound> {
  const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
  return await makeRound(db, { start_time: daysAgo(2), end_time: daysAgo(1) });
}

/** Fills an empty database. */
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

/** Signs an operator in; answers the access token. */
export async function openSession(db: Db, name: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const { id } = await db
    .selectFrom("operator")
    .select("id")
    .where("name", "=", name)
    .executeTakeFirstOrThrow();
  await inTransaction(db, (tx) =>
    insertSession(tx, { token_hash: tokenHash(token), operator_id: id }),
  );
  return token;
}

/** Access token of an operator without any role, whose name is `powerless`. */
export async function powerlessToken(db: Db): Promise<string> {
  await db
    .insertInto("operator")
    .values({ name: "powerless", password_hash: "never", bind_until: new Date(), roles: [] })
    .execute();
  return await openSession(db, "powerless");
}

/** A code of root-op that was not used yet: of an authenticator that was bound just now. */
export async function freshCode(db: Db, secrets: Services["secrets"]): Promise<string> {
  const { id } = await db
    .selectFrom("operator")
    .select("id")
    .where("name", "=", "root-op")
    .executeTakeFirstOrThrow();
  const seed = newSeed();
  await db
    .updateTable("operator")
    .set({ totp_secret: secrets.seal(seedPurpose(id), seed), totp_step: null })
    .where("id", "=", id)
    .execute();
  return codeAt(seed, new Date());
}

/** The parts of a call as a client has them. */
export interface Parts {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Instead of a body: one file and the fields beside it. */
  readonly form?: Form;
}

/** The one audit row that a write leaves, or why it leaves none. */
export type Trace =
  | {
      readonly action: string;
      readonly object_type: string;
      /** Which sides of the change it tells. */
      readonly tells: readonly string[];
    }
  | { readonly none: string };

/** A call that writes. */
export interface Fixture {
  /** One that must be taken; new names and new rows each time. */
  valid(world: World): Promise<Parts>;
  /** An access token for each call, where the call ends its session. */
  token?(world: World): Promise<string>;
  /** Code of the envelope that means that it was taken; 200 by default. */
  readonly taken?: number;
  readonly trace: Trace;
}

/** A call that leaves a row of the audit log: `create_pool pool after`. */
export function writes(trace: string, valid: Fixture["valid"]): Fixture {
  const [action = "", object_type = "", ...tells] = trace.split(" ");
  return { valid, trace: { action, object_type, tells } };
}

let made = 0;

/** A name that nothing has yet. */
export function unused(what: string): string {
  made += 1;
  return `${what}-${made}`;
}
