import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { wholeList } from "#ui/list-state.ts";
import { mayBeIn, useAddressed } from "./addressed.ts";

const LOADED = { ...wholeList([]), since: 1 };

interface Case {
  list?: Partial<typeof LOADED>;
  row?: number;
  may?: boolean;
}

it.each<[string, Case, boolean]>([
  ["the loaded list lacks its row", {}, true],
  ["the permission is missing", { row: 1, may: false }, true],
  ["its row is there", { row: 1 }, false],
  ["its list is not loaded yet", { list: { since: 0 } }, false],
  ["its list is loading", { list: { fetching: true } }, false],
  ["its list could not be loaded", { list: { failed: true } }, false],
])("if %s: the dialog is removed from the address, %o, %s", (_, given, isDropped) => {
  const { list = {}, row, may = true } = given;
  let dropped = false;
  renderHook(() =>
    useAddressed(true, may && mayBeIn({ ...LOADED, ...list }, row), () => {
      dropped = true;
    }),
  );
  expect(dropped).toBe(isDropped);
});
