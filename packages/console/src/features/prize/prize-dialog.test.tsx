import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { ConfigProvider } from "antd";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { LOOKUP_TEXTS } from "@red/contract/lookup-texts";
import type { Prize } from "@red/contract/prize";
import { text } from "@red/contract/texts";
import { addTexts } from "#lib/language.ts";
import { queryClient } from "#lib/query.ts";
import { loadSession } from "#lib/session.ts";
import { App } from "#test/app.tsx";
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

/** What the server does instead of what it is asked for. */
let refusal: ((url: string, body: unknown) => object | null) | null = null;

beforeAll(async () => {
  addTexts("ui", UI_TEXTS);
  addTexts("lookups", LOOKUP_TEXTS);
  addTexts("prize", PRIZE_TEXTS);
  vi.stubGlobal("fetch", (url: string, { body }: RequestInit = {}) => {
    const refused = refusal?.(url, typeof body === "string" ? JSON.parse(body) : null) ?? null;
    if (refused !== null) {
      return Promise.resolve(Response.json(refused));
    }
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
beforeEach(() => {
  sessionStorage.clear();
  refusal = null;
});
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

it("keeps what was entered when the pool was renamed meanwhile, also when loading that fails", async () => {
  await open(3, "88.88");
  const weight = screen.getByLabelText<HTMLInputElement>(/权重$/u);
  fireEvent.change(weight, { target: { value: "7" } });
  const saved: unknown[] = [];
  let pool_name: string | null = null;
  refusal = (url, body) => {
    if (url.includes("/edit")) {
      return pool_name === null
        ? { code: 500, msg: "坏了", data: null }
        : { code: 200, msg: "success", data: { ...MONEY, pool_name } };
    }
    if (body === null) {
      return null;
    }
    saved.push(body);
    const errors = [{ field: "pool_name", msg: text("prize_pool_differs") }];
    return { code: 400, msg: text("prize_pool_differs"), data: { errors } };
  };
  const save = () => fireEvent.click(screen.getByRole("button", { name: /^保\s?存/u }));
  save();
  fireEvent.click(await screen.findByRole("button", { name: UI_TEXTS.zh.stale_reload }));
  await waitFor(() => expect(queryClient.isFetching()).toBe(0));
  expect(weight.value).toBe("7");
  pool_name = "改名池";
  fireEvent.click(screen.getByRole("button", { name: UI_TEXTS.zh.stale_reload }));
  await screen.findByText(UI_TEXTS.zh.merged_same);
  expect(weight.value).toBe("7");
  save();
  await waitFor(() => expect(saved).toHaveLength(2));
  expect(saved[1]).toMatchObject({ pool_name: "改名池", weight: "7" });
});
