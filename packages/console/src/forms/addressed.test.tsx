import { renderHook } from "@testing-library/react";
import { expect, it } from "vitest";
import { wholeList } from "#ui/list-state.ts";
import { mayBeIn, useAddressed } from "./addressed.ts";

const LOADED = { ...wholeList([]), since: 1 };

it.each([
  ["a loaded list lacks it", { list: LOADED, row: undefined, may: true }, true],
  ["the permission is missing", { list: LOADED, row: 1, may: false }, true],
  ["its row is there", { list: LOADED, row: 1, may: true }, false],
  ["its list is not loaded yet", { list: wholeList([]), row: undefined, may: true }, false],
  [
    "its list is being loaded",
    { list: { ...LOADED, fetching: true }, row: undefined, may: true },
    false,
  ],
  [
    "its list could not be loaded",
    { list: { ...LOADED, failed: true }, row: undefined, may: true },
    false,
  ],
])("drops a dialog from the address, or not: %s", (_what, { list, row, may }, isDropped) => {
  let dropped = false;
  renderHook(() =>
    useAddressed(true, may && mayBeIn(list, row), () => {
      dropped = true;
    }),
  );
  expect(dropped).toBe(isDropped);
});
