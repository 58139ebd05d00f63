import { afterEach, expect, it, vi } from "vitest";
import { act, renderHook } from "@testing-library/react";
import { claimTab, dropAllKept, readKept, useKeptState, writeKept } from "./tab-state.ts";

afterEach(() => vi.unstubAllGlobals());

it("reads null if the stored text is not JSON", () => {
  sessionStorage.setItem("kept:a", "{");
  expect(readKept("a")).toBeNull();
});

it("belongs to one operator: it is dropped when another signs in", () => {
  claimTab("ann");
  writeKept("a", 1);
  claimTab("ann");
  expect(readKept("a")).toBe(1);
  claimTab("bob");
  expect(readKept("a")).toBeNull();
});

it("drops all of its values, and nothing else", () => {
  sessionStorage.setItem("other", "1");
  writeKept("a", 1);
  writeKept("b", 2);
  dropAllKept();
  const left = [readKept("a"), readKept("b"), sessionStorage.getItem("other")];
  expect(left).toEqual([null, null, "1"]);
});

it("removes the old value if the storage is full", () => {
  writeKept("a", 1);
  const real = sessionStorage;
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => real.getItem(key),
    removeItem: (key: string) => real.removeItem(key),
    setItem: () => {
      throw new DOMException("full", "QuotaExceededError");
    },
  });
  writeKept("a", 2);
  expect(readKept("a")).toBeNull();
});

it("keeps a page's state for the same address, and until the page is left", () => {
  const parse = (kept: unknown) => (typeof kept === "string" ? kept : "none");
  const show = () => renderHook(() => useKeptState("state", parse));
  const { result, unmount } = show();
  expect(result.current[0]).toBe("none");
  act(() => result.current[1]("open"));
  // Simulates a reload, where the operator does not leave the page.
  expect(show().result.current[0]).toBe("open");
  unmount();
  expect(show().result.current[0]).toBe("none");
  writeKept("state", { address: "http://elsewhere/", state: "open" });
  expect(show().result.current[0]).toBe("none");
});
