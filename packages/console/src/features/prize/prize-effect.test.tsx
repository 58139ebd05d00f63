import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, screen, waitFor } from "@testing-library/react";
import { Form, Input } from "antd";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { Prize } from "@red/contract/prize";
import { addTexts } from "#lib/language.ts";
import { queryClient } from "#lib/query.ts";
import { loadSession } from "#lib/session.ts";
import { operatorWith } from "#test/operator.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { PrizeEffect } from "./prize-effect.tsx";
import { PRIZE_TEXTS } from "./prize-texts.ts";

// On a machine that may be busy.
configure({ asyncUtilTimeout: 10_000 });

const USER = operatorWith("pool.write");

const SMALL: Prize = {
  id: 3,
  version: 1,
  pool_name: "周末池",
  award_name: "小红包",
  award_price: "1.00",
  weight: 2,
  award_total: 10,
  drawn: 0,
  remaining: 10,
  floors: 1,
};
const LARGE: Prize = { ...SMALL, id: 5, award_name: "大红包", weight: 1, floors: 0 };

beforeAll(async () => {
  addTexts("ui", UI_TEXTS);
  addTexts("prize", PRIZE_TEXTS);
  vi.stubGlobal("fetch", (url: string) => {
    const data = url.includes("user/info") ? USER : { content: [SMALL, LARGE], total: 2 };
    return Promise.resolve(Response.json({ code: 200, msg: "success", data }));
  });
  await loadSession();
});
afterEach(cleanup);

/** Text of the panel while a form holds this; `id` is the prize that it changes. */
async function told(id: number | null, entered: Partial<Prize>): Promise<string> {
  const { weight, award_total, ...others } = { ...SMALL, ...entered };
  const values = { ...others, weight: String(weight), award_total: String(award_total) };
  render(
    <QueryClientProvider client={queryClient}>
      <Form initialValues={values}>
        {["weight", "award_total", "award_price", "floors"].map((name) => (
          <Form.Item key={name} name={name} noStyle>
            <Input />
          </Form.Item>
        ))}
        <PrizeEffect pool_name="周末池" id={id} />
      </Form>
    </QueryClientProvider>,
  );
  const panel = screen.getByRole("region", { name: "保存后的变化" });
  await waitFor(() => expect(panel.textContent).toContain("奖品抽完后改发"));
  return panel.textContent;
}

it("says of the flag of a prize whom players get without it", async () => {
  const text = await told(3, { floors: 0 });
  expect(text).toContain("是否保底是 → 否");
  expect(text).toContain("奖品抽完后改发本奖品 → 其余奖品按权重");
  expect(text).toContain("奖池将没有有库存的保底奖品");
});

it("says whose turn is first when another prize is guaranteed too", async () => {
  const text = await told(5, { ...LARGE, weight: 3, floors: 1 });
  expect(text).toContain("是否保底否 → 是");
  expect(text).toContain("奖品抽完后改发「小红包」 → 本奖品，其次「小红包」");
  expect(text).not.toContain("没有有库存的保底奖品");
});

it("tells it of a new prize, and of one whose flag stays", async () => {
  expect(await told(null, { weight: 1, floors: 1 })).toContain(
    "奖品抽完后改发「小红包」 → 「小红包」，其次本奖品",
  );
  cleanup();
  const text = await told(3, { weight: 4 });
  expect(text).toContain("奖品抽完后改发本奖品");
  expect(text).not.toMatch(/是否保底|本奖品 →/u);
});
