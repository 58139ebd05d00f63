/** Damage to chances, extra times and payouts, each with the expected finding. */
import { aNumber, foundBy, holding, something } from "#test/planted-damage";
import type { Damage, Finding } from "#test/planted-damage";

const CHANCES = "chances against raw deposits and bets (§4)";
const EXTRA_TIMES = "extra times against records (§4)";
const AMOUNTS = "payout amounts against records (§6)";
const ROLLUPS = "rollups against their lists (§11)";
const STATES = "payout states against attempts (§6)";

export const lastEarned = (player_id: string, round: string, rule_version = 1) =>
  `select r.* from draw_record r join player p using (player_key)
   where p.player_id = '${player_id}' and r.rounds_id = ${round}
     and r.rule_version = ${rule_version} and r.extra_time_id is null
   order by r.draw_no desc limit 1`;

const DRAWN = {
  id: "$id",
  rounds_id: "$rounds_id",
  player_key: "$player_key",
  rule_version: "$rule_version",
};

function overdrawn(allowed: number, drawn: unknown): Finding {
  return ["draw_record", DRAWN, { earned_draws: `at most ${allowed}` }, { earned_draws: drawn }];
}

const first = (change: string) => `update deposit set ${change} where order_no = 'first-p2'`;
const bet = (change: string) => `update bet set ${change} where bet_no = 'b-p3'`;

const chances = foundBy(CHANCES, [
  ...(
    [
      ["delete from deposit where order_no = 'first-p2'", 0],
      [first("amount_cents = 10000"), 1],
      // A second after the window.
      [first("created_at = '2024-05-10 16:00:00+00'"), 0],
      [first("created_at = '2024-05-09 15:59:59.999+00'"), 0],
      [first("reversed_at = '2024-06-01'"), 0],
      [first("player_key = (select player_key from player where player_id = 'p9')"), 0],
    ] as const
  ).map(([by, allowed]): Damage => ({
    what: `chances after: ${by}`,
    of: lastEarned("p2", "$cumulative"),
    by,
    finds: overdrawn(allowed, 2),
  })),
  {
    // 250.00 and 101.50: two draws for every full 120, and one more once 100 was enough.
    what: "chances under the rule version of each draw",
    of: lastEarned("p2", "$cumulative", 2),
    by: "update deposit set amount_cents = 1 where amount_cents = 10150",
    finds: overdrawn(2, 3),
  },
  {
    what: "chances after a reversal longer before the draw than calls may overlap",
    by: `update deposit d set reversed_at = r.created_at - interval '11 seconds'
       from (${lastEarned("p2", "$cumulative", 2)}) r where d.order_no = 'first-p2'`,
    finds: ["draw_record", something, something, something],
  },
  ...[
    "delete from bet where bet_no = 'b-p3'",
    bet("valid_bet_cents = 19999"),
    bet("voided_at = '2024-06-01'"),
  ].map((by): Damage => ({
    what: `chances after: ${by}`,
    of: lastEarned("p3", "$single"),
    by,
    finds: overdrawn(0, 5),
  })),
  {
    what: "a draw by bets on a platform that does not count",
    of: lastEarned("p1", "$single"),
    by: `update activity_rule set rule = rule || '{"platforms": [2234]}' where rounds_id = $single`,
    finds: overdrawn(0, 5),
    andMore: true,
  },
  {
    what: "a draw on no chance at all where only extra times count",
    of: `select * from draw_record where rounds_id = $listed order by player_key, draw_no desc limit 1`,
    by: [
      "update draw_record set extra_time_id = null where id = $id",
      "update extra_time set used_log_id = null, used_rounds_id = null where used_log_id = $id",
    ],
    finds: overdrawn(0, 1),
  },
  {
    what: "more draws than a kept rule grants",
    of: `select player_key, rounds_id, max(id) as id, 1 as rule_version, count(*) as draws
         from draw_record where rounds_id = $open
         group by player_key, rounds_id having count(*) > 2 order by player_key limit 1`,
    by: `update activity_rule set rule = rule || '{"condition_times": 2}' where rounds_id = $open`,
    finds: overdrawn(2, "$draws"),
    andMore: true,
  },
  ...[
    "delete from activity_rule",
    "update activity_rule set rule = rule - 'condition_times'",
    `update activity_rule set rule = rule || '{"condition_value_cents": 0}'`,
    "update activity_rule set rule = '[]'",
  ].map((by): Damage => ({
    what: `a rule that gives no chances: ${by}`,
    by: `${by} where version = 1 and rounds_id = $cumulative`,
    finds: [
      "activity_rule",
      { rounds_id: "$cumulative", version: 1 },
      { is_readable: true },
      { is_readable: false },
    ],
    andMore: true,
  })),
]);

/** A second before the draw that used the extra time: so the draw is too late. */
const lastSecond =
  "(select created_at - interval '1 second' from draw_record where id = used_log_id)";

const USED = "select * from extra_time where used_log_id is not null order by id limit 1";
const ID = { id: "$id" };

const CHUNK = {
  kind: "bet",
  player_key: "$player_key",
  value_cents: 1,
  platforms: [],
  from_at: "-infinity",
} as const;

const SUMS = ["live", "live_cents", "max_cents", "fulls", "gone", "gone_cents"];

/** Sums of p1's rows, of which one is gone, wrong by one in a column; `fulls` are of 70.00. */
const wrongSums = (kind: string, amount: string, gone_at: string) =>
  SUMS.map((column): Damage => ({
    what: `sums with another ${column} than the ${kind}s`,
    of: `select player_key, count(*) filter (where ${gone_at} is null) as live, count(${gone_at}) as gone,
           sum(${amount}) filter (where ${gone_at} is null)::bigint as live_cents,
           sum(${amount}) filter (where ${gone_at} is not null)::bigint as gone_cents,
           max(${amount}) filter (where ${gone_at} is null) as max_cents,
           sum(${amount} / 7000) filter (where ${gone_at} is null)::bigint as fulls
         from ${kind} join player using (player_key) where player_id = 'p1' group by player_key`,
    by: `insert into event_chunk (kind, player_key, value_cents, from_at, to_at, ${SUMS.join()})
       values ('${kind}', $player_key, 7000, '-infinity', 'infinity',
         ${SUMS.map((name) => `$${name}${name === column ? " + 1" : ""}`).join()})`,
    finds: [
      "event_chunk",
      { ...CHUNK, kind, value_cents: 7000 },
      { [column]: `$${column}` },
      { [column]: aNumber },
    ],
  }));

/** Sums of p3's bets, with these ends and this number of rows. */
export const chunk = (from_at: string, to_at: string, live: string) =>
  `insert into event_chunk select 'bet', player_key, 1, ${from_at}, ${to_at}, ${live},
     coalesce(sum(valid_bet_cents), 0), coalesce(max(valid_bet_cents), 0), coalesce(sum(valid_bet_cents), 0), 0, 0
   from bet where player_key = $player_key and created_at >= ${from_at} and created_at < ${to_at}
   group by player_key`;

const chunks = foundBy(CHANCES, [
  ...wrongSums("deposit", "amount_cents", "reversed_at"),
  ...wrongSums("bet", "valid_bet_cents", "voided_at"),
  {
    what: "sums that count a bet too many",
    of: `select player_key, count(*) as bets, count(*) + 1 as wrong from bet
         where player_key = (select player_key from bet where bet_no = 'b-p3')
         group by player_key`,
    by: chunk("'-infinity'", "'infinity'", "$wrong"),
    finds: ["event_chunk", CHUNK, { live: "$bets" }, { live: "$wrong" }],
  },
  {
    what: "sums that count a bet twice",
    of: "select player_key from bet where bet_no = 'b-p3'",
    by: [
      chunk("'-infinity'", "'infinity'", "count(*)"),
      chunk("'2024-01-01Z'", "'infinity'", "count(*)"),
    ],
    finds: [
      "event_chunk",
      CHUNK,
      { to_at: "at most 2024-01-01 00:00:00+00" },
      { to_at: "infinity" },
    ],
  },
]);

const extraTimes = foundBy(EXTRA_TIMES, [
  {
    what: "a used extra time that is not marked",
    of: USED,
    by: "update extra_time set used_log_id = null, used_rounds_id = null where id = $id",
    finds: [
      "extra_time",
      ID,
      { used_log_id: "$used_log_id", used_rounds_id: "$used_rounds_id" },
      { used_log_id: null, used_rounds_id: null },
    ],
  },
  {
    what: "a used extra time that is gone",
    of: USED,
    by: "delete from extra_time where id = $id",
    finds: ["extra_time", ID, something, null],
    andMore: true,
  },
  ...[
    ["player_key", "player_key = player_key + 1"],
    ["tag", "tag = 'dragon'"],
    ["is_in_time", `expire_time = ${lastSecond}`],
  ].map(([column = "", change = ""]): Damage => ({
    what: `an extra time with another ${column} than its draw`,
    of: USED,
    by: `update extra_time set ${change} where id = $id`,
    finds: ["extra_time", ID, { [column]: something }, { [column]: something }],
  })),
  {
    what: "an extra time that is marked for a record that knows nothing of it",
    of: `select id as log_id, rounds_id from draw_record where extra_time_id is null
         order by id limit 1`,
    by: `insert into extra_time (player_key, tag, expire_time, granted_by, used_log_id, used_rounds_id)
       select player_key, 'weekend', '2097-01-01', 'root-op', $log_id, $rounds_id
       from player limit 1`,
    finds: [
      "extra_time",
      { id: aNumber },
      holding({ "record.extra_time_id": aNumber }),
      holding({ "record.extra_time_id": null }),
    ],
    andMore: true,
  },
  {
    what: "an extra time that two records used",
    of: `select e.*, (select min(id) from draw_record
           where extra_time_id is null and rounds_id = $single) as other
         from extra_time e where used_log_id is not null order by id limit 1`,
    by: "update draw_record set extra_time_id = $id where id = $other",
    finds: [
      "extra_time",
      ID,
      { used_log_id: "$other", used_rounds_id: "$single" },
      { used_log_id: "$used_log_id", used_rounds_id: "$listed" },
    ],
    andMore: true,
  },
]);

const payoutIn = (state: string, more = "0 as more") =>
  `select *, ${more} from payout where state = '${state}' order by log_id limit 1`;
const LOG = { log_id: "$log_id" };

const amounts = foundBy(AMOUNTS, [
  ...["amount_cents", "turnover", "rounds_id", "player_key"].map((column): Damage => ({
    what: `a payout with another ${column} than its record`,
    of: payoutIn("queued", `${column} + 1 as wrong`),
    by: `update payout set ${column} = $wrong where log_id = $log_id`,
    finds: ["payout", LOG, { [column]: `$${column}` }, { [column]: "$wrong" }],
  })),
  {
    what: "a payout of another moment than its record",
    of: payoutIn("queued"),
    by: "update payout set created_at = created_at + interval '1 ms' where log_id = $log_id",
    finds: ["payout", LOG, { created_at: something }, { created_at: something }],
    andMore: true,
  },
  {
    what: "a record without a payout",
    of: payoutIn("queued"),
    by: "delete from payout where log_id = $log_id",
    finds: ["payout", LOG, holding({ amount_cents: aNumber }), null],
    andMore: true,
  },
  {
    what: "a payout without a record",
    of: payoutIn("queued"),
    by: "delete from draw_record where id = $log_id",
    finds: ["payout", LOG, null, holding({ amount_cents: aNumber })],
    andMore: true,
  },
  ...(
    [
      ["red_code", "message code than the round's"],
      ["award_name", "prize name than its record's"],
    ] as const
  ).map(([column, what]): Damage => ({
    what: `a payout with another ${what}`,
    of: payoutIn("queued"),
    by: `update payout set ${column} = 'WRONG' where log_id = $log_id`,
    finds: ["payout", LOG, { [column]: `$${column}` }, { [column]: "WRONG" }],
  })),
]);

/** A payout with another state; `what` is the broken rule, such as `wallet_said_paid`. */
function state(from: string, to: string, what: string, wanted: boolean, more = ""): Damage {
  const constraint = what === "is_physical" ? "payout__physical" : "payout__paid_whole";
  return {
    what: `a ${from} payout that is ${to}${more}`,
    of: payoutIn(from),
    by: [
      `alter table payout drop constraint ${constraint}`,
      `update payout set state = '${to}'${more} where log_id = $log_id`,
    ],
    finds: ["payout", { ...LOG, state: to }, { [what]: wanted }, { [what]: !wanted }],
  };
}

/** Older attempts and requests were deleted, of the rounds' records below `below_id`. */
export const cut = (what: string, below_id: string) =>
  `insert into round_cut (rounds_id, what, below_id, before_at)
   select id, '${what}', ${below_id}, now() from activity`;

const states = foundBy(STATES, [
  state("queued", "paid", "wallet_said_paid", true, ", paid_at = now()"),
  state("paid", "queued", "wallet_said_paid", false, ", paid_at = null"),
  state("unknown", "refused", "wallet_said_refused", true, ", fail_reason = 'x'"),
  state("paid", "paid", "has_paid_at", true, ", paid_at = null"),
  state("waiting_delivery", "queued", "is_physical", true),
  state("queued", "waiting_delivery", "is_physical", false),
  ...["paid", "refused", "closed"].map((name): Damage => ({
    what: `a ${name} payout that was never sent`,
    of: payoutIn(name),
    by: "update payout_attempt set kind = 'callback' where log_id = $log_id",
    finds: ["payout", { ...LOG, state: name }, { was_called: true }, { was_called: false }],
  })),
  ...(
    [
      ["update payout set attempts = 7", { attempts: 1 }, { attempts: 7 }],
      ["delete from payout_attempt", { attempts: 0 }, { attempts: 1 }],
      ["update payout_attempt set no = 5", { last_attempt: 1 }, { last_attempt: 5 }],
    ] as const
  ).map(([by, expected, found]): Damage => ({
    what: `attempts that were miscounted: ${by}`,
    of: payoutIn("unknown"),
    // Of what is open none are deleted by age.
    by: [cut("attempts", "9e18"), `${by} where log_id = $log_id`],
    finds: ["payout", LOG, expected, found],
    andMore: true,
  })),
  {
    what: "a paid payout without attempts, which is not older than those that were deleted by age",
    of: payoutIn("paid"),
    by: [
      cut("attempts", "$log_id"),
      cut("requests", "9e18"),
      "delete from payout_attempt where log_id = $log_id",
    ],
    finds: [
      "payout",
      { ...LOG, state: "paid" },
      { wallet_said_paid: true, was_called: true },
      { wallet_said_paid: false, was_called: false },
    ],
  },
]);

const BUCKET = { list: "$list", width: "$width", start: "$start", a: "$a", b: "$b", at: something };

const rollups = foundBy(ROLLUPS, [
  {
    what: "a minute that counts a bet too many",
    of: `select list, 1 as width, minute as start, a, b, sum(n)::bigint as n, sum(n)::bigint + 1 as wrong
         from rollup_delta where list = 'bet' group by list, minute, a, b limit 1`,
    by: "insert into rollup_delta values ('bet', $start, $a, $b, 1, 0)",
    finds: ["rollup", BUCKET, { n: "$n" }, { n: "$wrong" }],
  },
  ...[60, 1440].map((width): Damage => ({
    what: `${width} minutes that are not their sum`,
    of: `select list, ${width} as width, minute - minute % ${width} as start, a, b, sum(cents)::bigint as cents,
           sum(cents)::bigint - 1 as wrong
         from rollup_delta where list = 'deposit' group by 1, 2, 3, 4, 5 limit 1`,
    by: [
      "select rollup_fold()",
      `update rollup set cents = $wrong where list = 'deposit' and width = ${width} and start = $start
         and a = $a and b = $b`,
    ],
    finds: ["rollup", BUCKET, { cents: "$cents" }, { cents: "$wrong" }],
  })),
]);

export const DAMAGE_OF_MONEY = [
  ...chances,
  ...chunks,
  ...extraTimes,
  ...amounts,
  ...rollups,
  ...states,
];
