import { expect, test } from "vitest";
import { BLANK, gridBody, gridFigures, gridRows, mergeRows, pasteRows } from "./grid-rows.ts";
import type { GridRow } from "./grid-rows.ts";
import { PRIZE } from "#test/fixtures.ts";

const row = (award_name: string, weight: string, more: Partial<GridRow> = {}): GridRow => ({
  ...BLANK,
  award_name,
  award_price: "8.00",
  weight,
  award_total: "10",
  ...more,
});

test("takes a table with headers in any order, and cleans what a spreadsheet shows", () => {
  const table =
    '奖品权重\t备注\t奖品\t额度\t奖品总数\t是否保底\r\n1,000\tx\t"88""元"\t¥88元\t5 000\t是\r\n\r\n';
  expect(pasteRows([], table, 0, "award_name")).toEqual([
    { award_name: '88"元', award_price: "88", weight: "1000", award_total: "5000", floors: "1" },
  ]);
});

test("puts a table without headers over the rows, from the cell on", () => {
  const rows = [row("a", "1"), row("b", "2", { id: 7, version: 3 })];
  expect(pasteRows(rows, "50\t60\n70\t80", 1, "weight")).toEqual([
    rows[0],
    { ...rows[1], weight: "50", award_total: "60" },
    { ...BLANK, weight: "70", award_total: "80" },
  ]);
});

test("has odds and costs once every number is entered, by the row's place", () => {
  const rows = [row("a", "1"), BLANK, row("b", "3")];
  expect(gridFigures(rows)?.odds.get(2)?.configured).toBe(0.75);
  expect(gridFigures(rows)).toMatchObject({ average: "8.00", exposure: "160.00" });
  expect(gridFigures([...rows, row("c", "")])).toBeUndefined();
});

test("sends filled rows with their places, and the prizes to remove", () => {
  const [kept, gone] = [PRIZE, { ...PRIZE, id: PRIZE.id + 1 }];
  const [first] = gridRows([kept]);
  const { rows, removed, places } = gridBody([BLANK, ...(first ? [first] : [])], [kept, gone]);
  expect(rows).toEqual([expect.objectContaining({ id: kept.id, version: kept.version })]);
  expect(rows[0]).not.toHaveProperty("drawn");
  expect(removed).toEqual([{ id: gone.id, version: gone.version }]);
  expect(places).toEqual([1]);
});

test("keeps my changes when others have saved, and lists theirs", () => {
  const base = [1, 2, 3].map((id) => row(`p${id}`, "1", { id, version: 1 }));
  const mine = [
    row("p1", "5", { id: 1, version: 1 }),
    row("p2", "1", { id: 2, version: 1 }),
    row("p3", "9", { id: 3, version: 1 }),
    row("new", "1"),
  ];
  const saved = [
    row("p1", "7", { id: 1, version: 2, award_total: "20" }),
    row("p4", "1", { id: 4, version: 1 }),
  ];
  const name = "award_name";
  const first = { place: 0, title: "p1" };
  expect(mergeRows(base, mine, saved)).toEqual({
    rows: [
      row("p1", "5", { id: 1, version: 2, award_total: "20" }),
      row("p3", "9"),
      mine[3],
      saved[1],
    ],
    changes: [
      { name: "weight", ...first, before: "1", mine: "5", theirs: "7", kept: true },
      { name: "award_total", ...first, before: "10", mine: "10", theirs: "20", kept: false },
      { name, before: "p2", mine: null, theirs: null, kept: false },
      { name, place: 1, title: "p3", before: null, mine: null, theirs: null, kept: true },
      { name, before: null, mine: "p4", theirs: "p4", kept: false },
    ],
  });
  // I deleted a prize that another operator changed.
  expect(mergeRows(base, [], saved).rows).toEqual(saved);
});
