import { describe, expect, it } from "vitest";
import { outcomeOf } from "./demo-outcomes.ts";
import type { Control, ModeName } from "./modes.ts";

const NUMBERS = Array.from({ length: 20_000 }, (_, index) => `sn-${index}`);

function share(outcomes: readonly Control[], mode: ModeName): number {
  return outcomes.filter((outcome) => outcome.mode === mode).length / outcomes.length;
}

describe("outcomes of the demonstration's wallet", () => {
  it("are of every kind, mostly paid at once", () => {
    const outcomes = NUMBERS.map((number) => outcomeOf(number, 0));
    expect(share(outcomes, "late")).toBeGreaterThan(0.88);
    expect(share(outcomes, "refuse")).toBeCloseTo(0.045, 1);
    expect(share(outcomes, "processing")).toBeCloseTo(0.04, 1);
    expect(share(outcomes, "pay_then_500")).toBeGreaterThan(0.002);
    expect(share(outcomes, "pay_then_500")).toBeLessThan(0.01);
    const slow = outcomes.filter(({ mode, seconds }) => mode === "late" && seconds >= 0.8);
    expect(slow.length / outcomes.length).toBeGreaterThan(0.03);
    const ways = outcomes.filter(({ mode }) => mode === "processing");
    expect(new Set(ways.map(({ by, settle }) => `${by} ${settle}`))).toEqual(
      new Set(["callback paid", "callback refused", "query paid"]),
    );
  });

  it("are drawn again after a refusal, and then mostly paid", () => {
    const refused = NUMBERS.filter((number) => outcomeOf(number, 0).mode === "refuse");
    const again = refused.map((number) => outcomeOf(number, 1));
    expect(share(again, "late")).toBeGreaterThan(0.7);
    expect(share(again, "refuse")).toBeGreaterThan(0.1);
    const lasting = refused.filter((number) =>
      [1, 2, 3, 4, 5].every((refusals) => outcomeOf(number, refusals).mode === "refuse"),
    );
    const last = outcomeOf(lasting[0] ?? "", 9);
    expect(last).toMatchObject({ mode: "refuse", reason: "account closed" });
  });
});
