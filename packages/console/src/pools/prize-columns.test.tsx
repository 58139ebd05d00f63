import { render, screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import type { Prize } from "@red/contract/pools/prize";
import { figuresOf } from "./pool-math.ts";
import { usePrizeColumns } from "./prize-columns.tsx";
import { PRIZE } from "#test/fixtures.ts";
import { signIn } from "#test/server.ts";

beforeAll(() => signIn("pool.write"));

const NOTHING = () => undefined;
const ACTIONS = { edit: NOTHING, stock: NOTHING, remove: NOTHING, changes: () => [] };

function prize(id: number, weight: number, remaining: number): Prize {
  return { ...PRIZE, id, award_name: `${id}`, weight, remaining, drawn: 10 - remaining, floors: 0 };
}

function Odds({ pool }: { pool: readonly Prize[] }) {
  const column = usePrizeColumns(ACTIONS, figuresOf(pool)).find(({ key }) => key === "odds");
  return (
    <ul>
      {pool.map((prize) => (
        <li key={prize.id}>{column?.render(prize)}</li>
      ))}
    </ul>
  );
}

function oddsOf(pool: readonly Prize[]): (string | null)[] {
  render(<Odds pool={pool} />);
  return screen.getAllByRole("listitem").map(({ textContent }) => textContent);
}

it("shows the configured odds while they hold", () => {
  expect(oddsOf([prize(1, 3, 10), prize(2, 1, 10)])).toEqual(["75.00%", "25.00%1/4"]);
});

it("also shows the current odds when a prize has run out", () => {
  expect(oddsOf([prize(1, 3, 0), prize(2, 1, 10)])).toEqual([
    "75.00%按当前库存 0.00%",
    "25.00%1/4按当前库存 100.00%",
  ]);
});
