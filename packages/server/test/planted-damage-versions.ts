/** Damage to references and to kept versions, each with the expected finding. */
import { foundBy, something, holding, someRecord } from "#test/planted-damage";
import type { Damage } from "#test/planted-damage";
import { cut } from "#test/planted-damage-money";

const VERSIONS = "versions of pools and rules (§3)";
const REFERENCES = "what records refer to (§3)";
const REQUESTS = "requests against records (§5)";
const RECORD = { id: "$id", rounds_id: "$rounds_id" };

const REQUESTED = `select r.*, q.request_id from draw_record r join draw_request q on q.log_id = r.id
  where draw_no = 2 order by id limit 1`;
const REQUEST = { key: "rk_test", request_id: "$request_id" };

const requests = foundBy(REQUESTS, [
  {
    what: "a record without its request",
    of: REQUESTED,
    // Older ones were deleted by age.
    by: [cut("requests", "$id"), "delete from draw_request where log_id <= $id"],
    finds: ["draw_record", RECORD, { requests: 1 }, { requests: 0 }],
  },
  {
    what: "a record with two requests",
    of: REQUESTED,
    by: `insert into draw_request
       select key, 'again', body_hash, log_id, rounds_id from draw_request where log_id = $id`,
    finds: ["draw_record", RECORD, { requests: 1 }, { requests: 2 }],
  },
  {
    what: "a request for another round",
    of: REQUESTED,
    by: "update draw_request set rounds_id = 99 where log_id = $id",
    finds: ["draw_request", REQUEST, { rounds_id: "$rounds_id" }, { rounds_id: 99 }],
  },
  {
    what: "a request for no record",
    of: REQUESTED,
    by: "update draw_request set log_id = 1 where log_id = $id",
    finds: [
      "draw_request",
      REQUEST,
      { log_id: null, rounds_id: null },
      { log_id: 1, rounds_id: "$rounds_id" },
    ],
  },
]);

const references = foundBy(
  REFERENCES,
  [
    ["player_key", "delete from player where player_key = $player_key"],
    ["prize_id", "delete from prize where id = $prize_id"],
    ["prize_id", "update prize set pool_id = pool_id + 1 where id = $prize_id"],
    ["rounds_id", "delete from activity where id = $open"],
    ["rule_version", "delete from activity_rule where rounds_id = $open"],
    [
      "pool_version",
      "delete from pool_version where pool_id = $pool_id and version = $pool_version",
    ],
  ].map(([column = "", statement = ""]): Damage => ({
    what: `a record without its ${column}: ${statement}`,
    of: someRecord("rounds_id = $open"),
    by: statement,
    finds: ["draw_record", something, { [column]: `$${column}` }, { [column]: null }],
    andMore: true,
  })),
);

const SOUND = `select z.id, z.id::text as prize_id, z.pool_id, p.version
  from prize z join pool p on p.id = z.pool_id where z.award_name = 'sound'`;

const KEPT = { pool_id: "$pool_id", version: "$version", prize_id: "$prize_id" };

const versions = foundBy(VERSIONS, [
  {
    what: "a pool version that is missing",
    by: "delete from pool_version where pool_id = 1 and version = 2",
    finds: ["pool_version", { pool_id: 1, version: 2 }, {}, null],
    andMore: true,
  },
  {
    what: "a pool version ahead of the pool",
    by: "insert into pool_version values (2, 99, '[]')",
    finds: ["pool_version", { pool_id: 2, version: 99 }, null, {}],
  },
  ...[
    ["weight", "weight + 1"],
    ["award_name", "'renamed'"],
    ["award_price_cents", "151"],
    ["award_total", "award_total + 1"],
    ["floors", "not floors"],
  ].map(([column = "", value = ""]): Damage => ({
    what: `a pool version that does not know of a prize's ${column}`,
    of: SOUND,
    by: `update prize set ${column} = ${value} where id = $id`,
    finds: ["pool_version", KEPT, { [column]: something }, { [column]: something }],
  })),
  {
    what: "a pool version that holds a deleted prize",
    of: SOUND,
    by: "update prize set deleted_at = now() where id = $id",
    finds: ["pool_version", KEPT, null, holding({ award_name: "sound" })],
    andMore: true,
  },
  {
    what: "a pool version that lacks a live prize",
    of: SOUND,
    by: `insert into prize (pool_id, award_name, award_price_cents, weight, award_total, floors)
       values ($pool_id, 'smuggled', 1, 1, 1, false)`,
    finds: ["pool_version", something, holding({ award_name: "smuggled" }), null],
    andMore: true,
  },
  {
    what: "a rule version that is missing",
    by: "delete from activity_rule where rounds_id = $cumulative and version = 1",
    finds: ["activity_rule", { rounds_id: "$cumulative", version: 1 }, {}, null],
    andMore: true,
  },
  ...(
    [
      ["turnover = 9", { turnover: 9 }, { turnover: 2 }],
      ["tag = 'weekend'", { tag: "weekend" }, { tag: "dragon" }],
      [
        "end_time = '2095-01-01'",
        { end_time: "2095-01-01T00:00:00.000Z" },
        { end_time: "2095-12-31T16:00:00.000Z" },
      ],
    ] as const
  ).map(([change, expected, found]): Damage => ({
    what: `a rule version that does not know of ${change}`,
    by: `update activity set ${change} where id = $single`,
    finds: ["activity_rule", { rounds_id: "$single", version: 1 }, expected, found],
  })),
]);

export const DAMAGE_OF_VERSIONS = [...requests, ...references, ...versions];
