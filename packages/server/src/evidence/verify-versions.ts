/** Loads and compares the stored versions of rules and pools for the verification (behaviour §3). */
import type { Db } from "#platform/db/connection";
import { offenceOf } from "#platform/db/snapshot";
import type { Offence, Values } from "#platform/db/snapshot";
import { selectKept, streamActivityRules } from "./verify-versions-sql.ts";
import type { KeptTable } from "./verify-versions-sql.ts";
import * as z from "zod/mini";

const REMEMBERED = 500;

const instant = z.pipe(
  z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)))),
  z.transform((text) => new Date(text)),
);

const keptRule = z.object({
  pool_id: z.int(),
  turnover: z.int(),
  condition_name: z.enum(["0", "1", "2", "3"]),
  condition_formula: z.enum(["0", "1", "3"]),
  condition_type: z.enum(["0", "1", "2"]),
  condition_value_cents: z.int(),
  condition_times: z.int(),
  // Older rules do not have this field.
  platforms: z._default(z.nullable(z.array(z.int())), null),
  achieve_start_time: instant,
  achieve_end_time: instant,
  start_time: instant,
  end_time: instant,
});
export type KeptRuleValues = z.output<typeof keptRule>;

/** Only the fields on which a draw depends. Another check compares the whole current version. */
const keptPrize = z.object({
  id: z.int(),
  award_name: z.string(),
  award_price_cents: z.int(),
  weight: z.int(),
  award_total: z.int(),
  floors: z.boolean(),
});
export type KeptPrize = z.output<typeof keptPrize>;

type Version = readonly [owner: number, version: number];

function versionMemory<T>(snapshot: Db, table: KeptTable, schema: z.ZodMiniType<T>) {
  const known = new Map<string, T | null>();
  const keyOf = (...[owner, version]: Version) => `${owner} ${version}`;
  return {
    /** Loads the versions that are not in memory yet. */
    async load(wanted: readonly Version[]): Promise<void> {
      if (known.size > REMEMBERED) {
        known.clear();
      }
      const missing = new Map(
        wanted.filter((pair) => !known.has(keyOf(...pair))).map((pair) => [keyOf(...pair), pair]),
      );
      const pairs = [...missing.values()];
      const owners = pairs.map(([owner]) => owner);
      const versions = pairs.map(([, version]) => version);
      for (const { owner, version, value } of await selectKept(snapshot, table, owners, versions)) {
        known.set(keyOf(owner, version), schema.safeParse(value).data ?? null);
      }
    },
    /** Returns a loaded version, or null if it is missing or unreadable. */
    of: (...version: Version) => known.get(keyOf(...version)) ?? null,
  };
}

/** Keeps rule versions in memory, by round and version. */
export const ruleMemory = (snapshot: Db) => versionMemory(snapshot, "activity_rule", keptRule);

/** Keeps pool versions in memory, by pool and version. The prizes keep their stored order. */
export const poolMemory = (snapshot: Db) =>
  versionMemory(snapshot, "pool_version", z.array(keptPrize));

const OUTSIDE_THE_RULE: ReadonlySet<string> = new Set([
  "id",
  "version",
  "rounds_status",
  "start_date",
  "created_at",
  "deleted_at",
]);

/** Defaults of fields that older rules lack. */
const NOT_YET = { draws_max: null, day_draws_max: null, platforms: null };

/** A stored time has the offset of the session that saved it, so times are compared as instants. */
function comparable([name, value]: readonly [string, unknown]): [string, unknown] {
  const at = name.endsWith("_time") && typeof value === "string" ? Date.parse(value) : Number.NaN;
  return [name, Number.isNaN(at) ? value : new Date(at).toISOString()];
}

function isValues(value: unknown): value is Values {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Checks that every activity equals its current rule version. Returns the first activity that differs. */
export async function findUnsavedRule(snapshot: Db): Promise<Offence | null> {
  for await (const page of streamActivityRules(snapshot)) {
    for (const { id, version, activity, rule } of page) {
      const wanted = Object.entries(activity).filter(([name]) => !OUTSIDE_THE_RULE.has(name));
      const kept = isValues(rule) ? Object.entries({ ...NOT_YET, ...rule }).map(comparable) : [];
      const offence = offenceOf("activity_rule", {
        ids: { rounds_id: id, version },
        expected: Object.fromEntries(wanted.map(comparable)),
        found: Object.fromEntries(kept),
      });
      if (Object.keys(offence.expected ?? {}).length > 0) {
        return offence;
      }
    }
  }
  return null;
}
