import { describe, expect, it } from "vitest";
import { outcomeOf } from "./wallet-outcomes.ts";

const NUMBERS = Array.from({ length: 20_000 }, (_, index) => `sn-${index}`);

function share(outcomes: readonly { kind: string }[], kind: string): number {
  return outcomes.filter((outcome) => outcome.kind === kind).length / outcomes.length;
}

describe("outcomes of the demo wallet", () => {
  it("are of every kind, mostly paid at once", () => {
    const outcomes = NUMBERS.map((number) => outcomeOf(number, 0));
    expect(share(outcomes, "pay")).toBeGreaterThan(0.88);
    expect(share(outcomes, "refuse")).toBeCloseTo(0.045, 1);
    expect(share(outcomes, "processing")).toBeCloseTo(0.04, 1);
    expect(share(outcomes, "pay_then_500")).toBeGreaterThan(0.002);
    expect(share(outcomes, "pay_then_500")).toBeLessThan(0.01);
    const slow = outcomes.filter((o) => o.kind === "pay" && o.answerAfterMs >= 800);
    expect(slow.length / outcomes.length).toBeGreaterThan(0.03);
    const ways = outcomes.flatMap((o) => (o.kind === "processing" ? `${o.by} ${o.settle}` : []));
    expect(new Set(ways)).toEqual(new Set(["callback paid", "callback refused", "query paid"]));
  });

  it("are drawn again after a refusal, and then mostly paid", () => {
    const refused = NUMBERS.filter((number) => outcomeOf(number, 0).kind === "refuse");
    const again = refused.map((number) => outcomeOf(number, 1));
    expect(share(again, "pay")).toBeGreaterThan(0.7);
    expect(share(again, "refuse")).toBeGreaterThan(0.1);
    const lasting = refused.filter((number) =>
      [1, 2, 3, 4, 5].every((refusals) => outcomeOf(number, refusals).kind === "refuse"),
    );
    expect(outcomeOf(lasting[0] ?? "", 9)).toEqual({ kind: "refuse", reason: "account closed" });
  });
});
