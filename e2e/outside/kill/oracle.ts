/**
 * Invariants that hold whatever was killed. Each answers the rows that break it; some are checked only when no call
 * or payout is under way.
 */
import { isDeepStrictEqual } from "node:util";
import { cents } from "../money.ts";
import type { Acks, Drawn } from "./acks.ts";
import type { Evidence, Row } from "./evidence.ts";

export interface Case {
  readonly acks: Pick<Acks, "refused">;
  /** Answers received before the evidence was gathered. */
  readonly drawn: ReadonlyMap<string, Drawn>;
  readonly pauses: Acks["pauses"];
  readonly evidence: Evidence;
  /** Draws with another answer when they were repeated. */
  readonly changed: readonly unknown[];
}

type Search = (about: Case) => readonly unknown[];

function grouped<T>(rows: readonly T[], keyOf: (row: T) => unknown): T[][] {
  const groups = new Map<unknown, T[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row)) ?? [];
    group.push(row);
    groups.set(keyOf(row), group);
  }
  return [...groups.values()];
}

function repeated<T>(rows: readonly T[], keyOf: (row: T) => unknown): T[][] {
  return grouped(rows, keyOf).filter((group) => group.length > 1);
}

function byNumber(rows: readonly Row[]): Map<string | null, Row> {
  return new Map(rows.map((row) => [row.trans_sn, row]));
}

const doublePayouts: Search = ({ evidence: { rows, credits } }) => {
  const known = byNumber(rows);
  return [
    ...repeated(credits, ({ trans_sn }) => trans_sn),
    ...repeated(rows, ({ log_id }) => log_id),
    ...credits.filter(({ trans_sn }) => !known.has(trans_sn)),
  ];
};

const oversold: Search = ({ evidence: { rows, prizes } }) => {
  const drawn = new Map(
    grouped(rows, ({ prize_id }) => prize_id).map((group) => [group[0]?.prize_id, group.length]),
  );
  return prizes
    .map((prize) => ({ ...prize, records: drawn.get(prize.id) ?? 0 }))
    .filter((prize) => prize.records !== prize.drawn || prize.records > prize.award_total);
};

const drawnWhilePaused: Search = ({ pauses, evidence: { rows } }) =>
  pauses.flatMap(({ rounds_id, from, until }) =>
    rows.filter(
      (row) => row.rounds_id === rounds_id && row.drawn_at > from && row.drawn_at < until,
    ),
  );

const lostDraws: Search = ({ drawn, evidence: { rows } }) => {
  const rowByRequest = new Map(rows.map((row) => [row.request_id, row]));
  return [...drawn.values()].filter(({ ask, log_id, trans_sn, award_name, award_price }) => {
    const row = rowByRequest.get(ask.request_id);
    const named = [row?.log_id, row?.trans_sn, row?.rounds_id, row?.player_id, row?.award_name];
    const heard = [log_id, trans_sn, ask.rounds_id, ask.player_id, award_name];
    const isPrice = row !== undefined && BigInt(row.award_price_cents) === cents(award_price);
    return !isDeepStrictEqual(named, heard) || !isPrice;
  });
};

/** A refused draw left nothing; each request and each chance has one record. */
const ghostDraws: Search = ({ acks, evidence: { rows, strays }, changed }) => [
  ...changed,
  ...strays,
  ...rows.filter(({ request_id }) => request_id === null || acks.refused.has(request_id)),
  ...repeated(rows, ({ request_id }) => request_id),
  ...repeated(rows, ({ player_id, rounds_id, draw_no }) => `${player_id} ${rounds_id} ${draw_no}`),
];

const wrongAmounts: Search = ({ evidence: { rows, credits } }) => {
  const known = byNumber(rows);
  const own = rows.filter((row) => row.amount_cents !== row.award_price_cents);
  const others = credits.filter(({ trans_sn, amount, player_id, rounds_id }) => {
    const row = known.get(trans_sn);
    const isSame =
      cents(amount) === BigInt(row?.award_price_cents ?? -1) &&
      player_id === row?.player_id &&
      rounds_id === row.rounds_id;
    return row !== undefined && !isSame;
  });
  return [...own, ...others];
};

const misusedExtraTimes: Search = ({ evidence: { rows, extraTimes } }) => {
  const byId = new Map(rows.map((row) => [row.log_id, row]));
  const marked = new Map<number | null, number | null>(
    extraTimes.map(({ id, used_log_id }) => [id, used_log_id]),
  );
  const used = rows.filter(({ extra_time_id }) => extra_time_id !== null);
  return [
    ...repeated(used, ({ extra_time_id }) => extra_time_id),
    ...extraTimes.filter(({ id, used_log_id, player_id, until }) => {
      const row = used_log_id === null ? undefined : byId.get(used_log_id);
      const isRight =
        row?.extra_time_id === id && row.player_id === player_id && row.drawn_at < until;
      return used_log_id !== null && !isRight;
    }),
    ...used.filter((row) => marked.get(row.extra_time_id) !== row.log_id),
  ];
};

const paidWithoutCredit: Search = ({ evidence: { rows, credited } }) =>
  rows.filter(({ state, trans_sn }) => state === "paid" && !credited.has(trans_sn ?? ""));

const brokenRules: Search = ({ evidence: { violations } }) => violations;

export const ALWAYS: Readonly<Record<string, Search>> = {
  "I1 nobody is paid twice": doublePayouts,
  "I2 nothing is drawn beyond its stock": oversold,
  "I2 nothing is drawn while paused": drawnWhilePaused,
  "I3 no answered draw is lost": lostDraws,
  "I4 no draw is made twice, anew or for nobody": ghostDraws,
  "I6 what is paid has its credit": paidWithoutCredit,
  "I7 a credit is what was drawn, for who drew it": wrongAmounts,
  "I8 an extra time is used once, in its time": misusedExtraTimes,
  "the wallet is called as agreed": brokenRules,
};

const IN_DOUBT: ReadonlySet<string | null> = new Set(["queued", "sending", "unknown", "check"]);

const unsettled: Search = ({ evidence: { rows } }) =>
  rows.filter(({ state }) => IN_DOUBT.has(state) || state === null);

const creditedButNotPaid: Search = ({ evidence: { rows, credits } }) => {
  const known = byNumber(rows);
  return credits.filter(({ trans_sn }) => known.get(trans_sn)?.state !== "paid");
};

/** Every call has its answer now, so a record without one is one too many. */
const untoldDraws: Search = ({ drawn, evidence: { rows } }) =>
  rows.filter(({ request_id }) => request_id === null || !drawn.has(request_id));

export const IN_QUIET: Readonly<Record<string, Search>> = {
  ...ALWAYS,
  "I4 every record was told to somebody": untoldDraws,
  "I6 every payout has come to its end": unsettled,
  "I6 what the wallet has paid is paid": creditedButNotPaid,
};
