/** Input of the oracle: the database's rows and the wallet's own ledger, both from outside. */
import { readFileSync } from "node:fs";
import { dig, parsed, textAt } from "../json.ts";
import type { Site } from "./stage.ts";

/** A record with its payout, its request and its player. */
export interface Row {
  readonly log_id: number;
  readonly rounds_id: number;
  readonly player_id: string;
  readonly draw_no: number;
  readonly prize_id: number;
  readonly award_name: string;
  readonly award_price_cents: number;
  readonly extra_time_id: number | null;
  /** Milliseconds since 1970. */
  readonly drawn_at: number;
  readonly request_id: string | null;
  readonly trans_sn: string | null;
  readonly amount_cents: number | null;
  readonly state: string | null;
}

export interface PrizeRow {
  readonly id: number;
  readonly award_name: string;
  readonly award_total: number;
  readonly drawn: number;
}

export interface ExtraTimeRow {
  readonly id: number;
  readonly player_id: string;
  readonly used_log_id: number | null;
  /** End of its validity, in milliseconds since 1970. */
  readonly until: number;
}

export interface Credit {
  readonly trans_sn: string;
  readonly player_id: string;
  readonly amount: string;
  readonly rounds_id: number;
}

export interface Evidence {
  readonly rows: readonly Row[];
  readonly prizes: readonly PrizeRow[];
  readonly extraTimes: readonly ExtraTimeRow[];
  /** Requests without a record, and payouts without one. */
  readonly strays: readonly { readonly what: string; readonly log_id: number }[];
  /** Credits made before the rows were read; repeated numbers stay, since the oracle looks for them. */
  readonly credits: readonly Credit[];
  /** Numbers credited before or while the rows were read. */
  readonly credited: ReadonlySet<string>;
  /** Violated rules of the wallet call. */
  readonly violations: readonly unknown[];
}

const ROWS = `
  select r.id as log_id, r.rounds_id, y.player_id, r.draw_no, r.prize_id, r.award_name,
    r.award_price_cents, r.extra_time_id, (extract(epoch from r.created_at) * 1000)::float8 as drawn_at,
    q.request_id, p.trans_sn, p.amount_cents, p.state
  from draw_record r
  join player y on y.player_key = r.player_key
  left join draw_request q on q.log_id = r.id
  left join payout p on p.log_id = r.id
  order by r.id`;

const STRAYS = `
  select 'request' as what, q.log_id from draw_request q
  where not exists (select from draw_record r where r.id = q.log_id)
  union all
  select 'payout', p.log_id from payout p
  where not exists (select from draw_record r where r.id = p.log_id)`;

const EXTRA_TIMES = `
  select e.id, y.player_id, e.used_log_id,
    (extract(epoch from e.expire_time) * 1000)::float8 + 1000 as until
  from extra_time e join player y on y.player_key = e.player_key`;

/** Lines of the ledger; an unfinished last line was never answered to anybody. */
export function readLedger(file: string): { credits: Credit[]; violations: unknown[] } {
  const credits: Credit[] = [];
  const violations: unknown[] = [];
  for (const line of readFileSync(file, "utf8").split("\n").slice(0, -1)) {
    const entry = parsed(line);
    const credit = dig(entry, "credit");
    if (credit !== undefined && typeof credit === "object") {
      credits.push({
        trans_sn: textAt(credit, "trans_sn"),
        player_id: textAt(credit, "player_id"),
        amount: textAt(credit, "amount"),
        rounds_id: Number(dig(credit, "rounds_id")),
      });
    }
    const violation = dig(entry, "violation");
    if (violation !== undefined) {
      violations.push(violation);
    }
  }
  return { credits, violations };
}

/** Reads one snapshot of the database; the load may continue. */
export async function gather({ database, ledger }: Site): Promise<Evidence> {
  const { credits, violations } = readLedger(ledger);
  const [rows = [], prizes = [], extraTimes = [], strays = []] = await database.view([
    ROWS,
    "select id, award_name, award_total, drawn from prize",
    EXTRA_TIMES,
    STRAYS,
  ]);
  const credited = new Set(readLedger(ledger).credits.map(({ trans_sn }) => trans_sn));
  // Each query names its columns like its type.
  return {
    rows: rows as Row[],
    prizes: prizes as PrizeRow[],
    extraTimes: extraTimes as ExtraTimeRow[],
    strays: strays as Evidence["strays"][number][],
    credits,
    credited,
    violations,
  };
}
