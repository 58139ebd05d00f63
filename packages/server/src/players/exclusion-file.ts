/** Reads a file with one exclusion per row (behaviour §3). */
import { faultsOf } from "@red/contract/platform/faults";
import { FIELD_LABELS } from "@red/contract/pools/field-labels";
import { EXCLUSION_FILE_LABELS, exclusionRow } from "@red/contract/players/exclusion";
import type { ExclusionRow, exclusionRoutes } from "@red/contract/players/exclusion";
import { parseDateTime } from "@red/contract/platform/datetime";
import { EXTRA_TIMES_PER_CALL_MAX } from "@red/contract/platform/limits";
import { CODE_TEXTS } from "@red/contract/platform/code-texts";
import { EXCLUSION_KINDS } from "@red/contract/platform/codes";
import type { Answer } from "@red/contract/platform/route";
import { text } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import * as z from "zod/mini";
import { readTable } from "#tables/read-table";
import type { Reading } from "./grant-extra-times.ts";

const COLUMNS = Object.entries(EXCLUSION_FILE_LABELS).map(([field, label]) => ({
  field,
  label,
  required: field !== "until",
}));

const KINDS: ReadonlyMap<string, string> = new Map(
  EXCLUSION_KINDS.flatMap((kind) => [
    [CODE_TEXTS.zh[`exclusion_${kind}`], kind],
    [CODE_TEXTS.en[`exclusion_${kind}`], kind],
  ]),
);

/** Matches a day, or a day and a time, as spreadsheets write them. A day ends with its last second. */
const UNTIL = /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?$/;

function untilOf(cell: string): string | null {
  const match = UNTIL.exec(cell);
  const two = (digits = "") => digits.padStart(2, "0");
  if (match === null) {
    return cell === "" ? null : cell;
  }
  const [, year, month, day, hour, minute, second] = match;
  const clock = hour === undefined ? "23:59:59" : [hour, minute, second].map(two).join(":");
  return `${year}-${two(month)}-${two(day)} ${clock}`;
}

/** Returns the error message of a `kind` or `until` cell, with its text and the valid values. */
function unreadable(field: string, found: string, language: Language): string {
  if (field === "until") {
    return text("until_unreadable", language, { found });
  }
  const kinds = EXCLUSION_KINDS.map((kind) => CODE_TEXTS[language][`exclusion_${kind}`]);
  return text("exclusion_kind_unknown", language, {
    found,
    kinds: kinds.join(language === "zh" ? "、" : ", "),
  });
}

/** Returns all rows, or all errors by row. An end before `now` is an error. Throws the errors of readTable. */
export async function readExclusions(
  bytes: Buffer,
  now: Date,
  { timeZone, language }: Reading,
): Promise<Answer<typeof exclusionRoutes.file>> {
  const table = await readTable(bytes, COLUMNS, EXTRA_TIMES_PER_CALL_MAX);
  const faults = table.faults.map(({ row, key, values }) => ({
    row,
    msg: text(key, language, values),
  }));
  const rows: ExclusionRow[] = [];
  for (const { row, texts } of table.rows) {
    const { user_name = "", kind = "", reason = "", until = "" } = texts;
    const body = { user_name, kind: KINDS.get(kind) ?? kind, reason, until: untilOf(until) };
    const result = z.safeParse(exclusionRow, body);
    if (!result.success) {
      const found = faultsOf(result.error.issues, language, FIELD_LABELS[language]);
      const cells: Readonly<Record<string, string>> = { kind, until };
      for (const { field, msg } of found) {
        const cell = cells[field] ?? "";
        // For an empty account the schema returns the text of the form (spec §5), which is English in both languages.
        const isBlank = field === "user_name" && user_name === "";
        const words = isBlank ? text("account_blank", language) : msg;
        faults.push({ row, msg: cell === "" ? words : unreadable(field, cell, language) });
      }
    } else {
      rows.push(result.data);
    }
    const end = body.until === null ? null : parseDateTime(body.until, timeZone);
    if (end !== null && end <= now) {
      faults.push({ row, msg: text("until_in_past", language) });
    }
  }
  return faults.length > 0 ? { rows: [], faults } : { rows, faults };
}
