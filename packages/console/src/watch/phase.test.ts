import { ROUND_ACTIVE, ROUND_PAUSED } from "@red/contract/platform/codes";
import { expect, it } from "vitest";
import { isHeld, phaseOf } from "./phase.ts";

const ROUND = { phase: "running", rounds_status: ROUND_ACTIVE, pool_gate: null } as const;
const PAUSED = { rounds_status: ROUND_PAUSED } as const;
const POOL = { pool_gate: "pool_stopped" } as const;
const [NEXT, ENDED] = [{ phase: "next" }, { phase: "ended" }] as const;
const EVERYTHING = ["draws", "payouts"] as const;

it.each([
  ["running", {}, [], false],
  ["payouts_stopped", {}, ["payouts"], false],
  ["draws_stopped", {}, ["draws"], true],
  ["draws_stopped", POOL, EVERYTHING, true],
  ["pool_stopped", POOL, [], true],
  ["pool_stopped", POOL, ["payouts"], true],
  ["sold_out", { pool_gate: "sold_out" }, [], true],
  ["paused", PAUSED, EVERYTHING, false],
  ["paused", { ...PAUSED, ...POOL }, [], false],
  ["next", NEXT, [], false],
  ["next", NEXT, ["payouts"], false],
  ["draws_stopped", NEXT, EVERYTHING, false],
  ["pool_stopped", { ...NEXT, ...POOL }, [], false],
  ["ended", { ...ENDED, ...POOL, ...PAUSED }, EVERYTHING, false],
] as const)("%s: a round %o while %o are stopped", (phase, round, stopped, held) => {
  expect(phaseOf({ ...ROUND, ...round }, [...stopped])).toBe(phase);
  expect(isHeld({ ...ROUND, ...round }, [...stopped])).toBe(held);
});
