import { fireEvent, screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { useRemovals } from "./removals.tsx";
import { renderApp } from "#test/app.tsx";
import { signIn } from "#test/server.ts";

beforeAll(() => signIn("pool.write"));

function Remove({ prizes }: { prizes: number }) {
  const { removePool } = useRemovals(() => undefined);
  const pool = { id: 7, pool_name: "周末池", prizes, rounds: 0, stopped: false };
  return (
    <button type="button" onClick={() => void removePool(pool)}>
      删
    </button>
  );
}

it.each([
  [0, "这个奖池里没有奖品，已有的发放记录会保留。"],
  [2, "奖池内的 2 种奖品一并删除，已有的发放记录会保留。"],
])("says what deleting a pool of %i prizes does", async (prizes, words) => {
  renderApp(<Remove prizes={prizes} />);
  fireEvent.click(screen.getByRole("button", { name: "删" }));
  const question = await screen.findByRole("dialog", { name: /删除奖池「周末池」？/u });
  expect(question.textContent).toContain(words);
  fireEvent.click(screen.getByRole("button", { name: /取\s*消/u }));
});
