/** Derives every draw again from its record (behaviour §3, §5). */
import { deriveDraw } from "@red/engine/draw";
import { poolMemory, ruleMemory } from "./verify-versions.ts";
import type { KeptPrize, KeptRuleValues } from "./verify-versions.ts";
import type { Db } from "#platform/db/connection";
import { streamDraws } from "./verify-records-sql.ts";
import type { DrawnRecord } from "./verify-records-sql.ts";
import { offenceOf } from "#platform/db/snapshot";
import type { Offence } from "#platform/db/snapshot";

/** Returns the prize for the ticket, or null if no prize matches. */
function derivedPrize(record: DrawnRecord, prizes: readonly KeptPrize[]): number | null {
  const { ticket, fallback_ticket, exhausted } = record;
  try {
    return deriveDraw(prizes, ticket, fallback_ticket, exhausted);
  } catch (fault) {
    // The stored prizes are not a valid pool: wrong order or impossible weights.
    if (fault instanceof RangeError) {
      return null;
    }
    throw fault;
  }
}

function judge(
  record: DrawnRecord,
  rule: KeptRuleValues | null,
  prizes: readonly KeptPrize[] | null,
): Offence | null {
  const prize_id = prizes && derivedPrize(record, prizes);
  const prize = prizes?.find((one) => one.id === record.prize_id);
  const at = record.created_at.getTime();
  const isInTime =
    rule !== null && at >= rule.start_time.getTime() && at < rule.end_time.getTime() + 1_000;
  const offence = offenceOf("draw_record", {
    ids: { id: record.id, rounds_id: record.rounds_id },
    expected: {
      prize_id,
      award_name: prize?.award_name ?? null,
      award_price_cents: prize?.award_price_cents ?? null,
      turnover: rule?.turnover ?? null,
      pool_id: rule?.pool_id ?? null,
      is_in_time: true,
    },
    found: {
      prize_id: record.prize_id,
      award_name: record.award_name,
      award_price_cents: record.award_price_cents,
      turnover: record.turnover,
      pool_id: record.pool_id,
      is_in_time: isInTime,
    },
  });
  return Object.keys(offence.expected ?? {}).length === 0 ? null : offence;
}

/**
 * Checks each record and reports the lowest id with an offence. With the prizes of the pool version and the
 * exhausted prizes, the ticket must lead to the record's prize. Name and price must be from the pool version,
 * turnover and pool from the rule version, and the draw must be inside the round's time. Not covered: whether a
 * prize was exhausted at the very moment of a record. Ids follow the database's clock and not the order of
 * commits, so only counts are checked (evidence/verify-stock-sql.ts).
 */
export async function verifyDraws(snapshot: Db): Promise<Offence | null> {
  const rules = ruleMemory(snapshot);
  const pools = poolMemory(snapshot);
  let first: { readonly id: number; readonly offence: Offence } | null = null;
  for await (const page of streamDraws(snapshot)) {
    await rules.load(page.map((record) => [record.rounds_id, record.rule_version]));
    await pools.load(page.map((record) => [record.pool_id, record.pool_version]));
    for (const record of page) {
      const rule = rules.of(record.rounds_id, record.rule_version);
      const prizes = pools.of(record.pool_id, record.pool_version);
      const offence = judge(record, rule, prizes);
      if (offence !== null && (first === null || record.id < first.id)) {
        first = { id: record.id, offence };
      }
    }
  }
  return first?.offence ?? null;
}
