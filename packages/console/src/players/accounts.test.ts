import { expect, it } from "vitest";
import { accountsOf, listOf } from "./accounts.ts";

const namesOf = (text: string) => accountsOf(text).map(({ user_name }) => user_name);

it("reads accounts with any separator, in order and with repeats", () => {
  expect(namesOf("  p2\r\np1, p3；p2\tp4，p1 P2\n\n")).toEqual([
    "p2",
    "p1",
    "p3",
    "p2",
    "p4",
    "p1",
    "P2",
  ]);
});

it.each([
  ["p1\t2026-11-30 12:30:15", "2026-11-30 12:30:15"],
  ["p1 2026/1/3 9:05", "2026-01-03 09:05:00"],
  ["p1,2026-11-30", "2026-11-30 23:59:59"],
])("reads the expiry behind an account: %s", (line, expire_time) => {
  expect(accountsOf(`${line}\np2 p3`)).toEqual([
    { user_name: "p1", expire_time },
    { user_name: "p2", expire_time: null },
    { user_name: "p3", expire_time: null },
  ]);
});

it("reads a date as an account if no account precedes it", () => {
  expect(accountsOf("2026-11-30\n2026-11-30x 2026-11-30")).toEqual([
    { user_name: "2026-11-30", expire_time: null },
    { user_name: "2026-11-30x", expire_time: "2026-11-30 23:59:59" },
  ]);
});

it("sends expiries only when the list has one", () => {
  expect(listOf(accountsOf("p1 p2"))).toEqual({ user_names: ["p1", "p2"] });
  expect(listOf(accountsOf("p1 2026-11-30\np2"))).toEqual({
    user_names: ["p1", "p2"],
    expire_times: ["2026-11-30 23:59:59", null],
  });
});
