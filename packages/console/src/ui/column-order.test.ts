import fc from "fast-check";
import { expect, it } from "vitest";
import { arrange, withShown, withSwapped } from "./column-order.ts";
import type { Arrangeable } from "./column-order.ts";

const COLUMNS: readonly Arrangeable[] = [
  { key: "id", fixed: "start" },
  { key: "name", fixed: "start", rowHeader: true },
  { key: "price" },
  { key: "weight" },
  { key: "total" },
  { key: "actions", fixed: "end", actions: true },
];

function keysOf(stored: string | null, columns = COLUMNS): string[] {
  return arrange(columns, stored).map(({ column, shown }) => `${shown ? "" : "-"}${column.key}`);
}

it("shows everything in the screen's own order until something is chosen", () => {
  expect(keysOf(null)).toEqual(["id", "name", "price", "weight", "total", "actions"]);
  expect(keysOf("")).toEqual(keysOf(null));
});

it("hides and shows again, but never what names the row or acts on it", () => {
  const hidden = withShown(arrange(COLUMNS, null), "weight", false);
  expect(keysOf(hidden)).toEqual(["id", "name", "price", "-weight", "total", "actions"]);
  expect(keysOf(withShown(arrange(COLUMNS, hidden), "weight", true))).toEqual(keysOf(null));
  expect(keysOf("-id,-name,-actions")).toEqual([
    "-id",
    "name",
    "price",
    "weight",
    "total",
    "actions",
  ]);
});

it("moves columns between those that stay in view", () => {
  const moved = withSwapped(arrange(COLUMNS, null), "total", "weight");
  expect(keysOf(moved)).toEqual(["id", "name", "price", "total", "weight", "actions"]);
  const [id, , price, total, weight, actions] = arrange(COLUMNS, moved);
  expect([id?.before, id?.after]).toEqual([null, null]);
  expect([price?.before, price?.after]).toEqual([null, "total"]);
  expect([total?.before, total?.after]).toEqual(["price", "weight"]);
  expect([weight?.before, weight?.after]).toEqual(["total", null]);
  expect([actions?.before, actions?.after]).toEqual([null, null]);
});

it("knows columns that came later, and forgets those that went", () => {
  const old = "id,name,total,-gone,price,actions";
  expect(keysOf(old)).toEqual(["id", "name", "total", "price", "weight", "actions"]);
});

it("keeps every column once, whatever is stored", () => {
  const key = fc.oneof(fc.constantFrom(...COLUMNS.map((column) => column.key)), fc.string());
  const choice = fc.tuple(fc.boolean(), key).map(([hidden, each]) => `${hidden ? "-" : ""}${each}`);
  fc.assert(
    fc.property(fc.array(choice), (choices) => {
      const arranged = arrange(COLUMNS, choices.join(","));
      expect(new Set(arranged.map(({ column }) => column))).toEqual(new Set(COLUMNS));
      expect(arranged).toHaveLength(COLUMNS.length);
      // Storing what is shown changes nothing.
      const again = withShown(arranged, "name", true);
      expect(keysOf(again)).toEqual(keysOf(choices.join(",")));
    }),
  );
});
