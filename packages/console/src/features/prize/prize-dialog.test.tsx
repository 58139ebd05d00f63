import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, fireEvent, render, screen } from "@testing-library/react";
import { App, ConfigProvider } from "antd";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { LOOKUP_TEXTS } from "@red/contract/lookup-texts";
import type { Prize } from "@red/contract/prize";
import { addTexts } from "#lib/language.ts";
import { queryClient } from "#lib/query.ts";
import { loadSession } from "#lib/session.ts";
import { operatorWith } from "#test/operator.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { PrizeDialog } from "./prize-dialog.tsx";
import { PRIZE_TEXTS } from "./prize-texts.ts";

// On a machine that may be busy.
configure({ asyncUtilTimeout: 10_000 });

const USER = operatorWith("pool.write");
const MONEY: Prize = {
  id: 3,
  version: 1,
  pool_name: "周末池",
  award_name: "88.88元红包",
  award_price: "88.88",
  weight: 2,
  award_total: 10,
  drawn: 0,
  remaining: 10,
  floors: 1,
};
const GOODS: Prize = { ...MONEY, id: 4, award_name: "保温杯", award_price: "0.00" };

beforeAll(async () => {
  addTexts("ui", UI_TEXTS);
  addTexts("lookups", LOOKUP_TEXTS);
  addTexts("prize", PRIZE_TEXTS);
  vi.stubGlobal("fetch", (url: string) => {
    const prize = url.includes("/4/") ? GOODS : MONEY;
    const data = url.includes("user/info")
      ? USER
      : url.includes("/edit")
        ? prize
        : { content: [MONEY, GOODS], total: 2 };
    return Promise.resolve(Response.json({ code: 200, msg: "success", data }));
  });
  await loadSession();
});
beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

/** Opens the dialog of a prize; answers what its amount holds, once both have come. */
async function open(id: number, amount: string): Promise<() => string> {
  render(
    <QueryClientProvider client={queryClient}>
      <ConfigProvider theme={{ token: { motion: false } }}>
        <App>
          <PrizeDialog pool_name="周末池" id={id} onClose={() => undefined} />
        </App>
      </ConfigProvider>
    </QueryClientProvider>,
  );
  await screen.findByDisplayValue(amount);
  return () => screen.getByLabelText<HTMLInputElement>(/奖品额度$/u).value;
}

function choose(type: string): void {
  fireEvent.click(screen.getByRole("radio", { name: type }));
}

it("brings the amount back that a prize had before it was called physical", async () => {
  const amount = await open(3, "88.88");
  choose("实物");
  expect(amount()).toBe("0");
  choose("虚拟");
  expect(amount()).toBe("88.88");
  fireEvent.change(screen.getByLabelText(/奖品额度$/u), { target: { value: "5" } });
  choose("实物");
  choose("虚拟");
  expect(amount()).toBe("5");
  fireEvent.change(screen.getByLabelText(/奖品额度$/u), { target: { value: "¥1,200.50元" } });
  expect(amount()).toBe("1200.50");
});

it("asks for the amount of what was physical from the first", async () => {
  const amount = await open(4, "0.00");
  choose("虚拟");
  expect(amount()).toBe("");
});
