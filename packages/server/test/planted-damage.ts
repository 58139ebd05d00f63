/** Damages to stock, draws and numbers, each with the expected finding. */
import { expect } from "vitest";

/** Table, ids, expected and found values; `$name` is a column of the damaged row. */
export type Finding = readonly [table: string, ids: object, expected: unknown, found: unknown];

export interface Damage {
  readonly what: string;
  /** Selects the row to damage; its columns fill `$name`, as do the promotion's rounds. */
  readonly of?: string;
  readonly by: string | readonly string[];
  readonly finds: Finding;
  /** Other checks find it too. */
  readonly andMore?: true;
}

/** Damages that this check must find. */
export const foundBy = (check: string, damages: readonly Damage[]) =>
  damages.map((damage) => ({ check, ...damage }));

/** Values that depend on how long the promotion took, or that the check decides. */
export const something = expect.anything() as object;
const aTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string;
export const aNumber = expect.any(Number) as number;
export const holding = (values: object) => expect.objectContaining(values) as object;

const REFERENCES = "what records refer to (§3)";
const NUMBERS = "double numbers (§3, §5)";
const STOCK = "stock against records (§5)";
const DRAWS = "draws derived again (§5)";

export const someRecord = (condition: string) =>
  `select * from draw_record where ${condition} order by id limit 1`;

/** Changes a prize's total in one pool version. */
const totalInVersion = (version: string) =>
  `update pool_version set prizes = (select jsonb_agg(case when e -> 'id' = '$prize_id'
     then e || '{"award_total": $total}' else e end) from jsonb_array_elements(prizes) e)
   where pool_id = $pool_id and version = ${version}`;

const FIRST = {
  id: "$id",
  prize_id: "$prize_id",
  pool_id: "$pool_id",
  pool_version: "$pool_version",
};

const stock = foundBy(STOCK, [
  ...["drawn - 1", "drawn + 1"].map((wrong): Damage => ({
    what: `a prize with ${wrong}`,
    of: `select id, drawn, ${wrong} as wrong from prize where award_name = 'thing'`,
    by: "update prize set drawn = $wrong where id = $id",
    finds: ["prize", { id: "$id" }, { drawn: "$drawn" }, { drawn: "$wrong" }],
  })),
  {
    what: "a prize drawn above its total",
    of: `select id as prize_id, pool_id, drawn, drawn - 1 as total, 'at most ' || (drawn - 1) as most
         from prize where award_name = 'thing'`,
    by: [
      "alter table prize drop constraint prize__stock",
      "update prize set award_total = $total where id = $prize_id",
      totalInVersion("(select version from pool where id = $pool_id)"),
    ],
    finds: ["prize", { id: "$prize_id" }, { drawn: "$most" }, { drawn: "$drawn" }],
  },
  {
    what: "a prize drawn above the total that a pool version had",
    of: `select r.prize_id, r.pool_id, r.pool_version, min(r.id) as id, count(*) as drawn,
           count(*) - 1 as total, 'at most ' || (count(*) - 1) as most
         from draw_record r join prize z on z.id = r.prize_id
         where z.award_name = 'scarce' group by 1, 2, 3 order by pool_version limit 1`,
    by: totalInVersion("$pool_version"),
    finds: ["draw_record", FIRST, { drawn: "$most" }, { drawn: "$drawn" }],
  },
  {
    what: "a prize that is said to be exhausted while there was some",
    of: `select id, pool_id, pool_version, z.prize_id, (
           select count(*) from draw_record x
           where x.prize_id = z.prize_id and x.pool_version <= r.pool_version) as drawn
         from draw_record r,
           lateral (select id as prize_id from prize where award_name = 'thing') z
         where rounds_id = $cumulative and r.prize_id <> z.prize_id order by id limit 1`,
    by: "update draw_record set exhausted = exhausted || $prize_id where id = $id",
    finds: ["draw_record", FIRST, { drawn: 100 }, { drawn: "$drawn" }],
    andMore: true,
  },
]);

const RECORD = { id: "$id", rounds_id: "$rounds_id" };

/** Moves a time of the round of extra times to that of its draws. */
export const moved = (column: string, time: string) => `
  with moved as (
    update activity a set ${column} = (
      select date_trunc('milliseconds', ${time}) from draw_record where rounds_id = a.id)
    where rounds_name = 'listed' returning id, ${column} as at
  )
  update activity_rule u set rule = rule || jsonb_build_object('${column}', m.at)
  from moved m where u.rounds_id = m.id`;

const draws = foundBy(DRAWS, [
  ...["award_price_cents", "turnover", "award_name"].map((column): Damage => ({
    what: `a draw with another ${column}`,
    of: `select id, rounds_id, ${column} as was, ${column === "award_name" ? "'WRONG'" : `${column} + 1`} as wrong
         from draw_record where draw_no = 2 order by id limit 1`,
    by: `update draw_record set ${column} = '$wrong' where id = $id`,
    finds: ["draw_record", RECORD, { [column]: "$was" }, { [column]: "$wrong" }],
    andMore: true,
  })),
  {
    // Tickets from 800 on are the thing, which has plenty of stock; 799 is the sound prize.
    what: "a draw of another prize than the ticket's",
    of: `select *, (select id from prize where award_name = 'sound') as sound from draw_record
         where pool_id = 1 and pool_version = 3 and ticket >= 800 order by id limit 1`,
    by: "update draw_record set ticket = 799 where id = $id",
    finds: ["draw_record", RECORD, { prize_id: "$sound" }, { prize_id: "$prize_id" }],
  },
  ...[
    ["a ticket beyond the weights", "ticket = 1000000"],
    ["a fallback ticket that was not needed", "fallback_ticket = 0"],
    ["an exhausted prize of another pool", "exhausted = exhausted || 999"],
    ["a pool version that is not there", "pool_version = 99"],
  ].map(([what, change]): Damage => ({
    what: `a draw with ${what}`,
    of: someRecord("fallback_ticket is null"),
    by: `update draw_record set ${change} where id = $id`,
    finds: ["draw_record", RECORD, holding({ prize_id: null }), holding({ prize_id: aNumber })],
    andMore: true,
  })),
  ...[
    ["start_time", "min(created_at) + interval '1 ms'"],
    ["end_time", "min(created_at) - interval '1 second'"],
  ].map(([column = "", time = ""]): Damage => ({
    what: `a draw outside its round's time by its ${column}`,
    of: someRecord("rounds_id = $listed"),
    by: moved(column, time),
    finds: ["draw_record", RECORD, { is_in_time: true }, { is_in_time: false }],
  })),
  {
    what: "a draw from another pool than its round's",
    of: someRecord("rounds_id = $open"),
    by: `update activity_rule set rule = rule || '{"pool_id": 77}' where rounds_id = $open`,
    finds: ["draw_record", RECORD, { pool_id: 77 }, { pool_id: "$pool_id" }],
    andMore: true,
  },
]);

const PLAYERS = { ...RECORD, player_key: "$player_key" };

const IN_TWO_PARTITIONS = {
  what: "the number of a log in two partitions",
  of: someRecord("draw_no = 2"),
  by: [
    "select ensure_draw_partition(64)",
    "create temp table copy on commit drop as select * from draw_record where id = $id",
    "update copy set rounds_id = 64, draw_no = 1, extra_time_id = null",
    "insert into draw_record select * from copy",
  ],
  andMore: true,
} as const;

const numbers = foundBy(NUMBERS, [
  {
    what: "numbers of draws with a gap",
    of: someRecord("draw_no = 2"),
    by: "update draw_record set draw_no = 40 where id = $id",
    finds: ["draw_record", PLAYERS, { draw_no: 2 }, { draw_no: 40 }],
    andMore: true,
  },
  {
    what: "a number of a draw twice",
    of: someRecord("draw_no = 2"),
    by: [
      "alter table draw_record drop constraint draw_record__draw_no_unique",
      "update draw_record set draw_no = 1 where id = $id",
    ],
    finds: ["draw_record", PLAYERS, { draw_no: 2 }, { draw_no: 1 }],
    andMore: true,
  },
  { ...IN_TWO_PARTITIONS, finds: ["draw_record", { id: "$id" }, { records: 1 }, { records: 2 }] },
  {
    what: "the number of a log that does not tell its time",
    of: someRecord("draw_no = 2"),
    by: "update draw_record set created_at = created_at + interval '1 ms' where id = $id",
    finds: ["draw_record", RECORD, { created_at: aTime }, { created_at: aTime }],
    andMore: true,
  },
  {
    what: "the number of a payout twice",
    of: "select log_id, trans_sn from payout order by log_id limit 1",
    by: [
      "alter table payout drop constraint payout__trans_sn_unique",
      `update payout set trans_sn = '$trans_sn' where log_id = (select max(log_id) from payout)`,
    ],
    finds: ["payout", { log_id: "$log_id", trans_sn: "$trans_sn" }, { payouts: 1 }, { payouts: 2 }],
  },
]);

const references = foundBy(REFERENCES, [
  {
    ...IN_TWO_PARTITIONS,
    finds: [
      "draw_record",
      { id: "$id", rounds_id: 64 },
      { rounds_id: 64, rule_version: 1 },
      { rounds_id: null, rule_version: null },
    ],
  },
]);

export const DAMAGE_OF_DRAWS = [...stock, ...draws, ...numbers, ...references];
