import { act, renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { asShown, useSelection } from "./selection.ts";
import type { Ticked } from "./selection.ts";

interface Row {
  readonly id: number;
  readonly state: string;
}

const keyOf = ({ id }: Row): number => id;
const rows = (...ids: readonly number[]): readonly Row[] => ids.map((id) => ({ id, state: "old" }));
const idsOf = (selected: readonly Ticked<Row>[]) => selected.map(({ row }) => row.id);
const select = () =>
  renderHook(({ scope }) => useSelection({ keyOf, scope }), { initialProps: { scope: "a" } });

it("keeps the selection of other pages", () => {
  const { result } = select();
  act(() => result.current.mark(rows(1, 3), rows(2)));
  act(() => result.current.mark(rows(5), rows(4)));
  expect(idsOf(result.current.ticked)).toEqual([1, 3, 5]);
  const { size, has } = result.current;
  expect([size, has(3), has(4)]).toEqual([3, true, false]);
  act(() => result.current.mark([], rows(5)));
  expect(idsOf(result.current.ticked)).toEqual([1, 3]);
});

it("is empty for another query, also after going back to the first", () => {
  const { result, rerender } = select();
  act(() => result.current.mark(rows(1), []));
  rerender({ scope: "b" });
  expect(result.current.size).toBe(0);
  rerender({ scope: "a" });
  expect(result.current.size).toBe(0);
  rerender({ scope: "b" });
  act(() => result.current.mark(rows(2), []));
  rerender({ scope: "a" });
  expect(result.current.ticked).toEqual([]);
});

it("has the newest version of a selected row", () => {
  const ticked = rows(1, 2).map((row) => ({ row, at: 100 }));
  const shown = [{ id: 2, state: "new" }];
  const statesAt = (since: number) =>
    asShown(ticked, { rows: shown, since }, keyOf).map(({ state }) => state);
  expect(statesAt(101)).toEqual(["old", "new"]);
  expect(statesAt(99)).toEqual(["old", "old"]);
});

it("keeps the selection of a new query when an answer to the old one arrives", () => {
  const { result, rerender } = select();
  const { replace } = result.current;
  rerender({ scope: "b" });
  act(() => result.current.mark(rows(4), []));
  act(() => replace(rows(1, 2)));
  expect(idsOf(result.current.ticked)).toEqual([4]);
});
