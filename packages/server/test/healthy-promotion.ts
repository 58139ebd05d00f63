/** A small promotion of some weeks, made by the product's functions, with every kind of row. */
import { addStock, createPrize, deletePrize, updatePrize } from "#pools/change-prize";
import { createActivity, updateActivity } from "#rounds/change-activity";
import { drawQueue } from "#draws/draw-queue";
import type { DrawQueue } from "#draws/draw-queue";
import { PAYOUT_SCHEDULE } from "#payouts/payout-rules";
import type { WalletWord } from "#payouts/payout-rules";
import { reissueRecords } from "#payouts/change-records";
import { settlePayouts } from "#payouts/settle-payouts";
import { takeDueCalls } from "#payouts/take-due-calls";
import { receiveCallback } from "#payouts/receive-callback";
import { inTransaction } from "#platform/db/connection";
import type { Db } from "#platform/db/connection";
import { activityForm, OPERATOR, prizeForm, ZONE } from "#test/activity-factory";
import { betOf, depositOf, feed, PLATFORM } from "#test/ingest-factory";
import { callRules } from "#test/payout-factory";
import { sql } from "kysely";

const ROUND_DRAWS_MAX = 6;

/** Times of rounds: they last for years, so that the clock does not matter. */
function longRound(changes: Parameters<typeof activityForm>[0]) {
  return activityForm({
    achieve_start_time: "2024-05-10 00:00:00",
    achieve_end_time: "2024-05-10 23:59:59",
    start_time: "2024-05-10 00:00:00",
    end_time: "2096-01-01 00:00:00",
    ...changes,
  });
}

const NO_CONDITION = {
  condition_formula: "0",
  condition_type: "0",
  condition_value: "0",
} as const;

const CUMULATIVE = longRound({ pool_name: "with a guarantee", rounds_name: "cumulative" });
const SINGLE = longRound({
  pool_name: "with a guarantee",
  rounds_name: "single",
  tag: "dragon",
  condition_name: "1",
  condition_formula: "3",
  condition_type: "1",
  condition_value: "200",
  condition_times: 5,
  turnover: 2,
  red_code: "OTHER_CODE",
});
const OPEN = longRound({
  pool_name: "without",
  rounds_name: "open",
  condition_name: "0",
  condition_times: 5,
  ...NO_CONDITION,
});
const LISTED = longRound({
  pool_name: "with a guarantee",
  rounds_name: "listed",
  condition_name: "3",
  ...NO_CONDITION,
});

export interface Rounds {
  /** A draw for every full 120 of deposits, later for every full 100. */
  readonly cumulative: number;
  /** Five draws once a single bet has reached 200. */
  readonly single: number;
  /** Five draws for everybody; its pool has no guaranteed prize and sells out. */
  readonly open: number;
  /** Extra times only. */
  readonly listed: number;
}

interface Prizes {
  readonly scarce: number;
  readonly sound: number;
}

async function makePools(db: Db): Promise<Prizes> {
  const make = async (changes: Parameters<typeof prizeForm>[0]) =>
    (await inTransaction(db, (tx) => createPrize(tx, OPERATOR, prizeForm(changes)))).data.id;
  const guaranteed = { pool_name: "with a guarantee" };
  const scarce = { award_name: "scarce", award_price: "8.80", weight: 500, award_total: 9 };
  const id = await make({ ...guaranteed, ...scarce });
  const common = { award_name: "sound", award_price: "1.00", weight: 300, award_total: 400 };
  const sound = await make({ ...guaranteed, ...common, floors: 1 });
  const thing = { award_name: "thing", award_price: "0.00", weight: 200, award_total: 100 };
  await make({ ...guaranteed, ...thing });
  for (const [award_name, award_total] of Object.entries({ d: 5, e: 10, f: 30 })) {
    await make({ pool_name: "without", award_name, award_total, weight: 1 });
  }
  return { scarce: id, sound };
}

async function makeRounds(db: Db): Promise<Rounds> {
  const make = (form: ReturnType<typeof longRound>) =>
    inTransaction(db, async (tx) => (await createActivity(tx, OPERATOR, form, ZONE)).data.id);
  return {
    cumulative: await make(CUMULATIVE),
    single: await make(SINGLE),
    open: await make(OPEN),
    listed: await make(LISTED),
  };
}

/** The time of rows that are reversed later and then found by it. */
const created_at = "2024-05-10T12:00:00+08:00";

async function feedEvents(db: Db, players: readonly string[]): Promise<void> {
  await feed(
    db,
    "deposits",
    players.flatMap((player, at) => [
      depositOf(player, { amount: "250.00", order_no: `first-${player}`, created_at }),
      depositOf(player, { amount: `${100 + at}.50` }),
      depositOf(player, { amount: "900.00", created_at: "2024-05-11T00:00:00+08:00" }),
    ]),
  );
  await feed(
    db,
    "bets",
    players.flatMap((player, at) => [
      betOf(player, {
        valid_bet_amount: at % 2 === 0 ? "220.00" : "180.00",
        bet_no: `b-${player}`,
        created_at,
      }),
      betOf(player, { valid_bet_amount: "40.00" }),
    ]),
  );
}

/** Gives four players two extra times each: one expires before the rounds end, one after. */
async function grantExtraTimes(db: Db): Promise<void> {
  await sql`
    insert into extra_time (player_key, tag, expire_time, granted_by)
    select player_key, tag, expire_time::timestamptz, 'root-op'
    from player
    cross join (values ('weekend', '2095-01-01'), ('weekend', '2097-01-01'),
      ('dragon', '2097-01-01')) as granted (tag, expire_time)
    where player_id in ('p1', 'p2', 'p3', 'p4')`.execute(db);
}

/** All players draw until no chance is left, round by round, so that extra times are used in a known round. */
async function drawAll(
  queue: DrawQueue,
  rounds: Rounds,
  players: readonly string[],
  phase: string,
): Promise<void> {
  for (const rounds_id of [rounds.listed, rounds.cumulative, rounds.single, rounds.open]) {
    const asked = players.flatMap((player_id) =>
      Array.from({ length: ROUND_DRAWS_MAX }, (_, at) => ({ player_id, at })),
    );
    await Promise.all(
      asked.map(({ player_id, at }) => {
        const request_id = `${phase}-${rounds_id}-${player_id}-${at}`;
        return queue.draw("rk_test", { request_id, rounds_id, player_id });
      }),
    );
  }
}

async function changeThings(db: Db, rounds: Rounds, prizes: Prizes): Promise<void> {
  await inTransaction(db, (tx) => addStock(tx, OPERATOR, prizes.scarce, 4));
  const dearer = prizeForm({
    pool_name: "with a guarantee",
    award_name: "sound",
    award_price: "1.50",
    weight: 250,
    award_total: 390,
    floors: 1,
  });
  await inTransaction(db, (tx) => updatePrize(tx, OPERATOR, prizes.sound, dearer));
  const easier = { ...CUMULATIVE, condition_value: 10_000, turnover: 5, version: 1 };
  await inTransaction(db, (tx) => updateActivity(tx, OPERATOR, rounds.cumulative, easier, ZONE));
}

const WORDS: readonly WalletWord[] = [
  { kind: "paid", wallet_ref: "w-1" },
  { kind: "refused", reason: "account frozen" },
  { kind: "unclear", why: "timeout" },
  { kind: "processing" },
];

async function answerPayouts(db: Db, words: readonly WalletWord[], limit: number): Promise<void> {
  const due = await inTransaction(db, (tx) => takeDueCalls(tx, limit, callRules()));
  const answered = due.calls.flatMap((call, at) => {
    const word = words[at % words.length];
    const fact = { duration_ms: 12, http_status: null, answer: null };
    return word === undefined ? [] : [{ due: call, word, ...fact }];
  });
  await inTransaction(db, (tx) => settlePayouts(tx, answered, PAYOUT_SCHEDULE));
}

async function payOut(db: Db): Promise<void> {
  await answerPayouts(db, WORDS, 40);
  const refused = await db
    .selectFrom("payout")
    .select("log_id")
    .where("state", "=", "refused")
    .orderBy("log_id")
    .limit(5)
    .execute();
  const log_ids = refused.map((row) => row.log_id);
  await inTransaction(db, (tx) =>
    reissueRecords(tx, OPERATOR, log_ids, PAYOUT_SCHEDULE.retentionMs),
  );
  await answerPayouts(db, WORDS, 20);
  // The first is true; the second causes a query.
  for (const state of ["unknown", "refused"] as const) {
    const one = await db
      .selectFrom("payout")
      .select(["trans_sn", "amount_cents as amount"])
      .where("state", "=", state)
      .orderBy("log_id")
      .executeTakeFirstOrThrow();
    const later = { status: "paid", amount: one.amount } as const;
    await inTransaction(db, (tx) => receiveCallback(tx, PLATFORM, one.trans_sn, later));
  }
  await sql`
    update payout set state = 'delivered', paid_at = clock_timestamp()
    where log_id = (select min(log_id) from payout where state = 'waiting_delivery')`.execute(db);
  await sql`
    update payout set state = 'closed'
    where log_id = (select max(log_id) from payout where state = 'refused')`.execute(db);
}

/** The wallet pays all open payouts. */
export async function payRest(db: Db): Promise<void> {
  await sql`update payout set next_at = clock_timestamp()`.execute(db);
  await answerPayouts(db, [{ kind: "paid", wallet_ref: "w-2" }], 100_000);
}

/** Fills an empty database with several hundred records of the players p1, p2, … */
export async function makeHealthyPromotion(db: Db, count = 12): Promise<Rounds> {
  const players = Array.from({ length: count }, (_, at) => `p${at + 1}`);
  const prizes = await makePools(db);
  const rounds = await makeRounds(db);
  await feedEvents(db, players);
  const queue = drawQueue(db);
  await drawAll(queue, rounds, players, "before");
  await changeThings(db, rounds, prizes);
  await grantExtraTimes(db);
  await drawAll(queue, rounds, players, "after");
  await inTransaction(db, (tx) => deletePrize(tx, OPERATOR, prizes.scarce));
  const taken = { created_at, reason: "returned" };
  await feed(db, "reversals", [{ order_no: "first-p1", ...taken }]);
  await feed(db, "voids", [{ bet_no: "b-p1", ...taken }]);
  await payOut(db);
  return rounds;
}
