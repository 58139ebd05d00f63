import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { claimTab, dropAllKept, dropKept, readKept, writeKept } from "./tab-state.ts";

beforeEach(() => sessionStorage.clear());
afterEach(() => vi.restoreAllMocks());

it("keeps what JSON can hold, until it is dropped", () => {
  writeKept("a", { name: "周末", times: 3 });
  expect(readKept("a")).toEqual({ name: "周末", times: 3 });
  expect(readKept("b")).toBeNull();
  dropKept("a");
  expect(readKept("a")).toBeNull();
});

it("reads nothing from what is no JSON", () => {
  sessionStorage.setItem("kept:a", "{");
  expect(readKept("a")).toBeNull();
});

it("is for one operator: the same finds it again, another one finds nothing", () => {
  claimTab("ann");
  writeKept("a", 1);
  claimTab("ann");
  expect(readKept("a")).toBe(1);
  claimTab("bob");
  expect(readKept("a")).toBeNull();
});

it("forgets all of its own, and nothing else", () => {
  sessionStorage.setItem("other", "1");
  writeKept("a", 1);
  writeKept("b", 2);
  dropAllKept();
  expect([readKept("a"), readKept("b"), sessionStorage.getItem("other")]).toEqual([
    null,
    null,
    "1",
  ]);
});

it("keeps nothing old where there is no room for the new", () => {
  writeKept("a", 1);
  vi.spyOn(sessionStorage, "setItem").mockImplementation(() => {
    throw new DOMException("full", "QuotaExceededError");
  });
  writeKept("a", 2);
  expect(readKept("a")).toBeNull();
});
