/** Reads the rows of ingest calls (platform-api). Each row is checked separately and gets its own verdict. */
import { setImmediate } from "node:timers/promises";
import { faultsOf } from "@red/contract/platform/faults";
import type { IngestResult, ROW_FAULTS } from "@red/contract/events/ingest";
import type { Language } from "@red/contract/platform/texts";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Tx } from "#platform/db/connection";
import * as z from "zod/mini";

interface Rejection {
  readonly code: string;
  readonly message: string;
}

export type Verdict = "accepted" | "updated" | "duplicate" | Rejection;

export interface Numbered<R> {
  readonly index: number;
  readonly row: R;
}

type Reason =
  | (typeof ROW_FAULTS)[number]
  | "number_again"
  | "created_at_range"
  | "created_at_full"
  | "created_at_detached";

const REASONS: Readonly<Record<Reason, { code: string } & Record<Language, string>>> = {
  conflict: {
    code: "conflict",
    zh: "同一单号和时间已有内容不同的记录",
    en: "The same number and time are there already with other content",
  },
  number_again: {
    code: "conflict",
    zh: "该玩家 24 小时内已有同一单号、时间不同的记录",
    en: "This player has the same number already at another time within 24 hours",
  },
  player_mismatch: {
    code: "player_mismatch",
    zh: "player_id 与 user_name 不是同一个玩家",
    en: "player_id and user_name do not belong to the same player",
  },
  not_found: {
    code: "not_found",
    zh: "没有这个单号和时间的记录",
    en: "There is no row with this number and time",
  },
  created_at_range: {
    code: "created_at",
    zh: "created_at 必须在 2020-01-01（UTC）之后，且不能晚于现在 24 小时以上",
    en: "created_at must be from 2020-01-01 UTC on and at most 24 hours from now",
  },
  created_at_detached: {
    code: "created_at",
    zh: "该月份的数据已归档，不能再写入或更改",
    en: "The rows of this month have been taken out: none can be added or changed",
  },
  created_at_full: {
    code: "created_at",
    zh: "同一毫秒的记录过多（最多 16384 条）",
    en: "Too many rows in the same millisecond (at most 16384)",
  },
};

export function rejected(reason: Reason, language: Language): Rejection {
  return { code: REASONS[reason].code, message: REASONS[reason][language] };
}

/** Number of rows to parse before other requests get their turn: one or two milliseconds. */
const ROWS_AT_A_STRETCH = 200;

/**
 * Parses every row separately and returns the valid rows. An invalid row gets its verdict in
 * `verdicts`; its code is the first wrong field.
 */
export async function readRows<S extends z.ZodMiniType>(
  schema: S,
  rows: readonly unknown[],
  language: Language,
  verdicts: Verdict[],
): Promise<Numbered<z.output<S>>[]> {
  const good: Numbered<z.output<S>>[] = [];
  for (const [index, row] of rows.entries()) {
    if (index % ROWS_AT_A_STRETCH === ROWS_AT_A_STRETCH - 1) {
      await setImmediate();
    }
    const parsed = z.safeParse(schema, row);
    if (parsed.success) {
      good.push({ index, row: parsed.data });
    } else {
      const [first] = faultsOf(parsed.error.issues, language);
      verdicts[index] = { code: first.field, message: first.msg };
    }
  }
  return good;
}

function resultOf(verdicts: readonly Verdict[]): IngestResult {
  const count = (verdict: Verdict) => verdicts.filter((one) => one === verdict).length;
  return {
    accepted: count("accepted"),
    updated: count("updated"),
    duplicates: count("duplicate"),
    rejected: verdicts.flatMap((verdict, index) =>
      typeof verdict === "string" ? [] : [{ index, ...verdict }],
    ),
  };
}

export async function concludeIngest(
  tx: Tx,
  actor: Actor,
  call: { readonly action: string; readonly object_type: string },
  verdicts: readonly Verdict[],
): Promise<IngestResult> {
  const result = resultOf(verdicts);
  const after = { ...result, rejected: result.rejected.length };
  await insertAudit(tx, actor, { ...call, after });
  return result;
}
