import { cleanup, render, screen } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";
import type { Prize } from "@red/contract/prize";
import { figuresOf } from "#rounds/pool-math.ts";
import { addTexts } from "#lib/language.ts";
import { usePrizeColumns } from "./prize-columns.tsx";
import { PRIZE_TEXTS } from "./prize-texts.ts";

beforeAll(() => {
  addTexts("prize", PRIZE_TEXTS);
});
afterEach(cleanup);

const NOTHING = () => undefined;
const ACTIONS = { edit: NOTHING, addStock: NOTHING, remove: NOTHING };

function prize(id: number, weight: number, remaining: number): Prize {
  return {
    id,
    version: 1,
    pool_name: "周末池",
    award_name: `${id}`,
    award_price: "1.00",
    weight,
    award_total: 10,
    floors: 0,
    drawn: 10 - remaining,
    remaining,
  };
}

/** The odds of each prize of a pool, as the table tells them. */
function Odds({ pool }: { pool: readonly Prize[] }) {
  const column = usePrizeColumns(ACTIONS, figuresOf(pool)).find(({ key }) => key === "odds");
  return (
    <ul>
      {pool.map((one) => (
        <li key={one.id}>{column?.render(one)}</li>
      ))}
    </ul>
  );
}

function told(pool: readonly Prize[]): (string | null)[] {
  render(<Odds pool={pool} />);
  return screen.getAllByRole("listitem").map(({ textContent }) => textContent);
}

it("tells the odds that were set where they hold", () => {
  expect(told([prize(1, 3, 10), prize(2, 1, 10)])).toEqual(["75.00%", "25.00%1/4"]);
});

it("tells besides what the odds are now that a prize has run out", () => {
  expect(told([prize(1, 3, 0), prize(2, 1, 10)])).toEqual([
    "75.00%按当前库存 0.00%",
    "25.00%1/4按当前库存 100.00%",
  ]);
});
