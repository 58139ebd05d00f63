import { expect, it } from "vitest";
import { accountsOf } from "./accounts.ts";

it("takes accounts however they are parted, each once, in their order", () => {
  expect(accountsOf("  p2\r\np1, p3；p2\tp4，p1 p2\n\n")).toEqual({
    names: ["p2", "p1", "p3", "p4"],
    doubled: ["p2", "p1"],
  });
});

it("finds none in an empty list", () => {
  expect(accountsOf(" \n,")).toEqual({ names: [], doubled: [] });
});

it("keeps accounts apart that differ in case only, for the server knows which is whose", () => {
  expect(accountsOf("Player player").names).toEqual(["Player", "player"]);
});
