/** What the test database holds, by the name that a field gives it, so that made-up calls find something. */
import type { Db } from "#platform/connection";
import { sql } from "kysely";

/** Values by field name. */
export type Knowledge = Map<string, (string | number)[]>;

/** Where values of a field are found; the newest rows come first. */
const SOURCES: Readonly<Record<string, string>> = {
  id: `(select id from activity where deleted_at is null order by id desc limit 20) union all
       (select id from prize where deleted_at is null order by id desc limit 20) union all
       (select id from pool where deleted_at is null order by id desc limit 20) union all
       (select log_id from payout order by log_id desc limit 20)`,
  activity_id: "select id from activity where deleted_at is null order by id desc limit 20",
  pool_id: "select id from pool where deleted_at is null order by id desc limit 20",
  stopSwitch_id: "select id from pool where deleted_at is null order by id desc limit 20",
  sheet_id: "select id from activity where deleted_at is null order by id desc limit 20",
  prize_id: "select id from prize where deleted_at is null order by id desc limit 20",
  act_id: "select id from activity where deleted_at is null order by id desc limit 20",
  rounds_id: "select id from activity where deleted_at is null order by id desc limit 20",
  log_id: "select log_id from payout order by log_id desc limit 60",
  pool_name: "select pool_name from pool where deleted_at is null order by id desc limit 20",
  rounds_name:
    "select rounds_name from activity where deleted_at is null order by id desc limit 20",
  award_name: "select award_name from prize where deleted_at is null order by id desc limit 20",
  tag: "select tag from activity_tag limit 20",
  red_code: "select red_code from message_code limit 20",
  player_id: "select player_id from player order by player_key desc limit 40",
  user_name: "select user_name from player order by player_key desc limit 40",
  order_no: "select order_no from deposit order by id desc limit 20",
  bet_no: "select bet_no from bet order by id desc limit 20",
  request_id: "select request_id from draw_request order by log_id desc limit 40",
  trans_sn: "select trans_sn from payout order by log_id desc limit 40",
};

/** The same values under another name. */
const ALIASES: Readonly<Record<string, string>> = {
  log: "log_id",
  log_ids: "log_id",
  record_id: "log_id",
  player_name: "user_name",
  user_names: "user_name",
  name: "username",
};

/** Names that nothing has yet, for what is to be added. */
const NEW = new Set([
  "pool_name",
  "rounds_name",
  "award_name",
  "tag",
  "red_code",
  "player_id",
  "order_no",
  "bet_no",
  "request_id",
]);

/** Knowledge of `fixed` values alone. */
export function newKnowledge(fixed: Readonly<Record<string, readonly string[]>>): Knowledge {
  return new Map(Object.entries(fixed).map(([name, values]) => [name, [...values]]));
}

/** Reads the database anew; `round` makes the new names differ from those of the last time. */
export async function refreshKnowledge(db: Db, knowledge: Knowledge, round: number): Promise<void> {
  for (const [name, statement] of Object.entries(SOURCES)) {
    const { rows } = await sql<Record<string, string | number>>`${sql.raw(statement)}`.execute(db);
    const values = rows.flatMap((row) => Object.values(row));
    const fresh = NEW.has(name)
      ? Array.from({ length: 10 }, (_, at) => `${name}-${round}-${at}`)
      : [];
    knowledge.set(name, [...values, ...fresh]);
  }
  for (const [name, source] of Object.entries(ALIASES)) {
    knowledge.set(name, knowledge.get(source) ?? []);
  }
}
