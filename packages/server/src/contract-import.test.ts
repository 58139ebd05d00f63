/**
 * The prize file holds its columns to the same expectations as the form's fields: one file with every odd
 * text in every column, refused as a whole with each fault named, and one with all that is taken.
 */
import { PRIZE_FILE_LABELS, prizeRoutes } from "@red/contract/prize";
import { FIELD_LABELS } from "@red/contract/field-labels";
import { text } from "@red/contract/texts";
import { textIn } from "#test/contract-cases";
import type { Case, Kind } from "#test/contract-cases";
import { hashOfAll } from "#test/contract-hash";
import { amount, code, whole } from "#test/contract-kinds-number";
import { name } from "#test/contract-kinds-text";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { upload } from "#test/upload";
import { expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

const BILLION = 1_000_000_000;

const COLUMNS: Readonly<Record<string, Kind>> = {
  award_name: name({ max: 64, missing: "enter_award_name" }),
  award_price: amount({ min: "0.00", missing: "enter_award_price" }),
  weight: whole({ min: 0, max: BILLION, missing: "enter_weight" }),
  award_total: whole({ min: 0, max: BILLION, missing: "enter_award_total" }),
  floors: code({ values: [0, 1], missing: "choose_floors" }),
};

/** Cells are trimmed texts; control characters make the file no text, and "true" is a word for 1. */
function isCell({ json }: Case): boolean {
  const cell = json?.startsWith('"') === true ? textIn(json) : null;
  return cell !== null && !/\p{Cc}|\p{Cs}|^\s+$|^true$/u.test(cell) && cell === cell.trim();
}

interface Row {
  readonly column: string;
  readonly one: Case;
}

const rows = Object.entries(COLUMNS).flatMap(([column, kind]) =>
  kind.filter(isCell).map((one): Row => ({ column, one })),
);
const refused = rows.filter(({ one }) => "refuse" in one.expect);
const taken = rows.filter(({ one }) => "kept" in one.expect);

function line({ column, one }: Row, at: number): string {
  const good = {
    award_name: `prize ${at}`,
    award_price: "8.88",
    weight: "10",
    award_total: "5",
    floors: "0",
  };
  const cells = Object.values({ ...good, [column]: textIn(one.json ?? "") });
  return cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(",");
}

function fileOf(lines: readonly Row[]): string {
  const { pool_name: _, ...labels } = PRIZE_FILE_LABELS;
  return [Object.values(labels).join(","), ...lines.map(line)].join("\n");
}

test(`${refused.length} cells that are wrong are named, and nothing is imported`, async () => {
  expect(refused.length).toBeGreaterThan(200);
  const before = await hashOfAll(t.db, true);
  const answer = await upload(a, prizeRoutes.importFile, {
    bytes: fileOf(refused),
    fields: { pool_name: "wrong" },
  });
  const errors = refused.map(({ column, one: { expect: wanted } }, at) => {
    const field = FIELD_LABELS.zh[column] ?? column;
    const msg = "refuse" in wanted ? text(wanted.refuse, "zh", { field, ...wanted.values }) : "";
    return { row: at + 2, column, msg };
  });
  expect(answer.code).toBe(400);
  // By its form an answer of an import that failed tells the faults.
  const { errors: told } = answer.data as {
    errors: { row: number; column: string; msg: string }[];
  };
  expect(told.map(({ row, column, msg }) => ({ row, column, msg }))).toEqual(errors);
  expect(await hashOfAll(t.db, true)).toBe(before);
});

test(`${taken.length} cells that are right are kept exactly`, async () => {
  const answer = await upload(a, prizeRoutes.importFile, {
    bytes: fileOf(taken),
    fields: { pool_name: "right" },
  });
  expect(answer).toMatchObject({ code: 200, msg: "添加成功", data: { added: taken.length } });
  const query = { pool_name: "right", page: 1, size: 9999 };
  const list = await a.call(prizeRoutes.list, { query });
  const { content } = list.data as { content: Record<string, unknown>[] };
  const inOrder = content.toSorted((one, other) => Number(one["id"]) - Number(other["id"]));
  const faults = taken.flatMap(({ column, one: { label, expect: wanted } }, at) => {
    const kept = "kept" in wanted ? wanted.kept : undefined;
    return inOrder[at]?.[column] === kept
      ? []
      : [`${column} = ${label}: ${String(inOrder[at]?.[column])}`];
  });
  expect(faults).toEqual([]);
});
