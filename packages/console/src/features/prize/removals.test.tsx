import { cleanup, configure, fireEvent, render, screen } from "@testing-library/react";
import { App } from "antd";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { addTexts } from "#lib/language.ts";
import { loadSession } from "#lib/session.ts";
import { operatorWith } from "#test/operator.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { PRIZE_TEXTS } from "./prize-texts.ts";
import { useRemovals } from "./removals.tsx";

// On a machine that may be busy.
configure({ asyncUtilTimeout: 10_000 });

const USER = operatorWith("pool.write");

beforeAll(async () => {
  addTexts("ui", UI_TEXTS);
  addTexts("prize", PRIZE_TEXTS);
  vi.stubGlobal("fetch", () =>
    Promise.resolve(Response.json({ code: 200, msg: "success", data: USER })),
  );
  await loadSession();
});
afterEach(cleanup);

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
])("says what goes with a pool of %i prizes", async (prizes, words) => {
  render(
    <App>
      <Remove prizes={prizes} />
    </App>,
  );
  fireEvent.click(screen.getByRole("button", { name: "删" }));
  const question = await screen.findByRole("dialog", { name: /删除奖池「周末池」？/u });
  expect(question.textContent).toContain(words);
  fireEvent.click(screen.getByRole("button", { name: /取\s*消/u }));
});
