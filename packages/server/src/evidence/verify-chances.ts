/** Checks chances against raw deposits and bets (behaviour §4). */
import { countedRule, earnedDraws, NO_FACTS } from "@red/engine/chances";
import type { EarningFacts } from "@red/engine/chances";
import { ruleMemory } from "./verify-versions.ts";
import type { KeptRuleValues } from "./verify-versions.ts";
import type { Db } from "#platform/db/connection";
import { selectRawFacts, streamLastEarned } from "./verify-chances-sql.ts";
import type { FactsQuestion, LastEarned } from "./verify-chances-sql.ts";
import type { Offence } from "#platform/db/snapshot";

interface Judged {
  readonly last: LastEarned;
  readonly rule: KeptRuleValues;
}

/** Returns the kind of rows that the rule counts, or null if such a rule could not be saved. */
function sourceOf(rule: KeptRuleValues): "deposit" | "bet" | "none" | null {
  try {
    return countedRule(rule)?.source ?? "none";
  } catch (fault) {
    if (fault instanceof RangeError) {
      return null;
    }
    throw fault;
  }
}

function unreadable({ rounds_id, rule_version }: LastEarned): Offence {
  return {
    table: "activity_rule",
    ids: { rounds_id, version: rule_version },
    expected: { is_readable: true },
    found: { is_readable: false },
  };
}

function questionOf({ last, rule }: Judged): FactsQuestion {
  return {
    player_key: last.player_key,
    start: rule.achieve_start_time,
    end: rule.achieve_end_time,
    value_cents: rule.condition_value_cents,
    platforms: rule.platforms,
    drawn_at: last.drawn_at,
  };
}

function overdrawn({ last, rule }: Judged, facts: EarningFacts): Offence | null {
  const allowed = earnedDraws(rule, facts);
  if (last.earned <= allowed) {
    return null;
  }
  const { log_id, rounds_id, player_key, rule_version } = last;
  return {
    table: "draw_record",
    ids: { id: log_id, rounds_id, player_key, rule_version },
    expected: { earned_draws: `at most ${allowed}` },
    found: { earned_draws: last.earned },
  };
}

/**
 * Checks the last earned draw per player, round and rule version. The player must not have earned more draws than
 * this version grants for the raw rows in its time window that were not reversed or void before the draw. Rows
 * that arrived later count too, because their arrival time is not stored. So this proves that nobody drew more
 * than the rows allow, but not that each chance existed at its moment. Extra times are checked elsewhere, and
 * rounds of detached months are skipped.
 */
export async function verifyChances(snapshot: Db): Promise<Offence | null> {
  const rules = ruleMemory(snapshot);
  for await (const page of streamLastEarned(snapshot)) {
    await rules.load(page.map((last) => [last.rounds_id, last.rule_version]));
    const judged = { deposit: [] as Judged[], bet: [] as Judged[], none: [] as Judged[] };
    for (const last of page) {
      const rule = rules.of(last.rounds_id, last.rule_version);
      const source = rule && sourceOf(rule);
      if (rule === null || source === null) {
        return unreadable(last);
      }
      judged[source].push({ last, rule });
    }
    for (const source of ["deposit", "bet", "none"] as const) {
      const asked = judged[source];
      const answers =
        source === "none" ? [] : await selectRawFacts(snapshot, source, asked.map(questionOf));
      for (const [at, one] of asked.entries()) {
        const { is_detached, ...facts } = answers[at] ?? { ...NO_FACTS, is_detached: false };
        const offence = is_detached ? null : overdrawn(one, facts);
        if (offence !== null) {
          return offence;
        }
      }
    }
  }
  return null;
}
