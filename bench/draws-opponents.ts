/**
 * Other ways to draw, on the same tables with all their keys: each writes the rows that the product writes. A contender
 * draws once for a player and resolves after the commit.
 */
import { randomBytes, randomUUID } from "node:crypto";
import pg from "pg";
import type { ConnectionConfig } from "../packages/server/src/platform/db/connection.ts";
import { DRAW_CENTS } from "./draws-scene.ts";
import type { Scene, ScenePrize } from "./draws-scene.ts";

export interface Contender {
  draw(player: number): Promise<void>;
  /** Resolves when every draw is in the database. */
  close(): Promise<void>;
}

/** SQL: inserts the rows of the draws in `taken` (id, player, draw_no, prize columns, extra_id, request, hash, sn, at). */
const ROWS = `
  records as (
    insert into draw_record (id, rounds_id, player_key, draw_no, prize_id, award_name, award_price_cents, turnover,
      rule_version, pool_id, pool_version, ticket, exhausted, extra_time_id, created_at)
    select id, 1, player, draw_no, prize_id, award_name, cents, 3, 1, 1, 1, 1, '{}', extra_id, at from taken
  ), requests as (
    insert into draw_request (key, request_id, body_hash, log_id, rounds_id)
    select 'rk_bench', request, decode(hash, 'hex'), id, 1 from taken
  ), extras as (
    update extra_time e set used_log_id = t.id, used_rounds_id = 1 from taken t where e.id = t.extra_id
  ), payouts as (
    insert into payout (log_id, rounds_id, player_key, trans_sn, award_name, amount_cents, turnover, red_code, state,
      next_at, created_at)
    select id, 1, player, sn, award_name, cents, 3, 'RED_PACKET',
      case when cents = 0 then 'waiting_delivery' else 'queued' end, at, at from taken
  )`;

/** SQL: a new id at the time of the statement, as the product makes it. */
const AT = "date_trunc('milliseconds', clock_timestamp())";
const ID = `((extract(epoch from ${AT}) * 1000)::bigint - 1577836800000) * 16384 + nextval('draw_slot')`;

/** SQL: inserts the rows of one draw. */
const ONE_DRAW = `with taken as materialized (select ${ID} as id, $1::bigint as player, $2::int as draw_no,
    $3::int as prize_id, $4::text as award_name, $5::bigint as cents, $6::bigint as extra_id, $7::text as request,
    $8::text as hash, $9::text as sn, ${AT} as at), ${ROWS} select 1`;

/** The values of `ONE_DRAW`. */
const drawn = (
  player: number,
  draw_no: number,
  prize: Readonly<Record<"id" | "award_name" | "cents", unknown>> | undefined,
  extra: string | null,
) => {
  const { id, award_name, cents } = prize ?? {};
  return [player, draw_no, id, award_name, cents, extra, randomUUID(), HASH, newSn()];
};

function newSn(): string {
  return Date.now().toString(16).padStart(12, "0") + randomBytes(10).toString("hex");
}

/** Makes `count` numbers with one call of the generator, which costs more than a number. */
function newSns(count: number): string[] {
  const random = randomBytes(count * 10).toString("hex");
  const time = Date.now().toString(16).padStart(12, "0");
  return Array.from({ length: count }, (_, at) => time + random.slice(at * 20, at * 20 + 20));
}

const HASH = "00".repeat(32);

/** Picks by weight; stock never runs out in a bench. */
export function pickerOf({ prizes }: Scene): () => ScenePrize {
  const total = prizes.reduce((sum, { weight }) => sum + weight, 0);
  return () => {
    let ticket = Math.random() * total;
    const prize = prizes.find(({ weight }) => (ticket -= weight) < 0) ?? prizes[0];
    if (prize === undefined) {
      throw new Error("the scene has no prize");
    }
    return prize;
  };
}

export async function connect(connection: ConnectionConfig, count: number): Promise<pg.Client[]> {
  const clients = Array.from({ length: count }, () => new pg.Client(connection));
  // The end of the bench's database must not hide the fault that ended the bench.
  clients.forEach((client) => client.on("error", () => {}));
  await Promise.all(clients.map((client) => client.connect()));
  return clients;
}

async function end(clients: readonly pg.Client[]): Promise<void> {
  await Promise.all(clients.map((client) => client.end()));
}

/** Lends each client to one draw at a time. */
function lend(
  clients: readonly pg.Client[],
  work: (client: pg.Client, player: number) => Promise<void>,
): Contender {
  const free = [...clients];
  const waiting: ((client: pg.Client) => void)[] = [];
  const tryAgain = async (client: pg.Client, player: number): Promise<void> => {
    try {
      await work(client, player);
    } catch (fault) {
      // Two draws of one player took the same number: the later one tries again.
      if (!(fault instanceof pg.DatabaseError && fault.code === "23505")) {
        throw fault;
      }
      await client.query("rollback");
      await tryAgain(client, player);
    }
  };
  const draw = async (player: number) => {
    const client = free.pop() ?? (await new Promise<pg.Client>((resolve) => waiting.push(resolve)));
    try {
      await tryAgain(client, player);
    } finally {
      const next = waiting.shift();
      if (next === undefined) {
        free.push(client);
      } else {
        next(client);
      }
    }
  };
  return { draw, close: () => end(clients) };
}

/** The extra time that a player uses first, and the number of the next draw, kept in memory. */
export async function readPlayers(connection: ConnectionConfig) {
  const client = new pg.Client(connection);
  await client.connect();
  const { rows } = await client.query<{ id: string; player_key: string }>(
    "select id, player_key from extra_time where used_log_id is null",
  );
  await client.end();
  const extras = new Map(rows.map((row) => [Number(row.player_key), row.id]));
  const numbers = new Map<number, number>();
  return (player: number) => {
    const draw_no = (numbers.get(player) ?? 0) + 1;
    numbers.set(player, draw_no);
    const extra = draw_no === 1 ? (extras.get(player) ?? null) : null;
    return { draw_no, extra };
  };
}

/** One transaction per draw: select, lock, select, update, insert. It is what a programmer writes first. */
export async function naive(connection: ConnectionConfig, clients: number): Promise<Contender> {
  const all = await connect(connection, clients);
  const draw = async (client: pg.Client, player: number) => {
    const ask = async <T extends pg.QueryResultRow>(
      name: string,
      text: string,
      values: unknown[],
    ) => (await client.query<T>({ name, text, values })).rows;
    await client.query("begin");
    await ask("a", "select * from activity where id = $1 and rounds_status = 1", [1]);
    await ask("b", "select player_key from player where player_id = $1 for update", [`p${player}`]);
    const [granted] = await ask<{ n: string }>(
      "c",
      `select floor(coalesce(sum(amount_cents), 0) / $2) as n from deposit d, activity a
       where a.id = 1 and player_key = $1 and reversed_at is null
         and d.created_at between a.achieve_start_time and a.achieve_end_time`,
      [player, DRAW_CENTS],
    );
    const [used] = await ask<{ n: string }>(
      "d",
      "select count(*) as n from draw_record where player_key = $1 and rounds_id = 1",
      [player],
    );
    const [extra] = await ask<{ id: string }>(
      "e",
      `select id from extra_time where player_key = $1 and tag = 'bench' and used_log_id is null
         and expire_time > now() order by expire_time limit 1 for update`,
      [player],
    );
    const draw_no = Number(used?.n) + 1;
    if (draw_no > Number(granted?.n) + 1) {
      throw new Error("no chance left");
    }
    const left = await ask<{ id: number; weight: string; award_name: string; cents: string }>(
      "f",
      `select id, weight, award_name, award_price_cents as cents from prize
       where pool_id = 1 and drawn < award_total order by id for update`,
      [],
    );
    let ticket = Math.random() * left.reduce((sum, { weight }) => sum + Number(weight), 0);
    const prize = left.find(({ weight }) => (ticket -= Number(weight)) < 0);
    await ask("g", "update prize set drawn = drawn + 1 where id = $1", [prize?.id]);
    await ask("h", ONE_DRAW, drawn(player, draw_no, prize, extra?.id ?? null));
    await client.query("commit");
  };
  return lend(all, draw);
}

/** A row per unit of stock, taken with `skip locked`; chances are checked in the same statement. */
export async function tickets(
  connection: ConnectionConfig,
  scene: Scene,
  units: number,
): Promise<Contender> {
  const all = await connect(connection, 64);
  const [first] = all;
  await first?.query(
    "drop table if exists bench_ticket; create unlogged table bench_ticket (prize_id int, id int)",
  );
  await first?.query("alter table bench_ticket set logged");
  const total = scene.prizes.reduce((sum, { weight }) => sum + weight, 0);
  for (const { id, weight } of scene.prizes) {
    const count = Math.ceil((weight / total) * units * 1.2) + 1_000;
    await first?.query("insert into bench_ticket select $1, g from generate_series(1, $2::int) g", [
      id,
      count,
    ]);
  }
  await first?.query("create index on bench_ticket (prize_id, id)");
  await first?.query("vacuum analyze bench_ticket");
  const pick = pickerOf(scene);
  return lend(all, async (client, player) => {
    const prize = pick();
    const text = `with me as materialized (
        select coalesce((select max(draw_no) from draw_record where player_key = $1 and rounds_id = 1), 0) + 1 as draw_no,
          (select id from extra_time where player_key = $1 and tag = 'bench' and used_log_id is null
             and expire_time > now() limit 1) as extra_id,
          (select floor(coalesce(sum(amount_cents), 0) / ${DRAW_CENTS}) from deposit d, activity a
           where a.id = 1 and d.player_key = $1 and d.reversed_at is null
             and d.created_at between a.achieve_start_time and a.achieve_end_time) as granted
      ), unit as (
        delete from bench_ticket where ctid = (
          select ctid from bench_ticket where prize_id = $2::int order by id limit 1 for update skip locked)
        returning prize_id
      ), taken as materialized (
        select ${ID} as id, $1::bigint as player, me.draw_no::int as draw_no, unit.prize_id, $3::text as award_name,
          $4::bigint as cents, me.extra_id, $5::text as request, $6::text as hash, $7::text as sn, ${AT} as at
        from me, unit where me.draw_no <= me.granted + 1
      ), ${ROWS} select count(*) as n from taken`;
    const values = [player, prize.id, prize.award_name, prize.cents, randomUUID(), HASH, newSn()];
    const { rows } = await client.query<{ n: string }>({ name: "ticket", text, values });
    if (rows[0]?.n !== "1") {
      throw new Error("no ticket or no chance");
    }
  });
}

export interface Row {
  readonly player: number;
  readonly draw_no: number;
  readonly prize: ScenePrize;
  readonly extra: string | null;
}

export const BATCH_MAX = 512;

/** Inserts the rows of a batch of draws, without reading, locking or checking anything. */
export async function insertBatch(client: pg.Client, rows: readonly Row[]): Promise<void> {
  const list = (values: readonly (string | number | null)[]) =>
    `{${values.map((v) => v ?? "NULL").join(",")}}`;
  const text = `with taken as materialized (
      select ${ID} as id, x.*, ${AT} as at
      from unnest($1::bigint[], $2::int[], $3::int[], $4::text[], $5::bigint[], $6::bigint[], $7::text[], $8::text[],
        $9::text[]) x (player, draw_no, prize_id, award_name, cents, extra_id, request, hash, sn)
    ), ${ROWS} select 1`;
  const values = [
    list(rows.map(({ player }) => player)),
    list(rows.map(({ draw_no }) => draw_no)),
    list(rows.map(({ prize }) => prize.id)),
    list(rows.map(({ prize }) => prize.award_name)),
    list(rows.map(({ prize }) => prize.cents)),
    list(rows.map(({ extra }) => extra)),
    list(rows.map(() => randomUUID())),
    list(rows.map(() => HASH)),
    list(newSns(rows.length)),
  ];
  await client.query({ name: "batch", text, values });
}

/** The product's client and batches with inserts alone: no draw engine can be faster. */
export async function limit(connection: ConnectionConfig, scene: Scene): Promise<Contender> {
  const idle = await connect(connection, 2);
  const all = [...idle];
  const next = await readPlayers(connection);
  const pick = pickerOf(scene);
  let waiting: { player: number; resolve: () => void; reject: (fault: unknown) => void }[] = [];
  let isScheduled = false;

  async function run(client: pg.Client): Promise<void> {
    const batch = waiting.slice(0, BATCH_MAX);
    waiting = waiting.slice(BATCH_MAX);
    try {
      await insertBatch(
        client,
        batch.map(({ player }) => ({ player, ...next(player), prize: pick() })),
      );
      batch.forEach(({ resolve }) => resolve());
    } catch (fault) {
      batch.forEach(({ reject }) => reject(fault));
    }
    idle.push(client);
    schedule();
  }

  function schedule(): void {
    if (isScheduled || waiting.length === 0 || idle.length === 0) {
      return;
    }
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      const client = waiting.length === 0 ? undefined : idle.pop();
      if (client !== undefined) {
        void run(client);
        schedule();
      }
    });
  }

  return {
    draw: (player) =>
      new Promise((resolve, reject) => {
        waiting.push({ player, resolve, reject });
        schedule();
      }),
    close: () => end(all),
  };
}
