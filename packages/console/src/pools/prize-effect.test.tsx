import { cleanup, screen, waitFor } from "@testing-library/react";
import { Form, Input } from "antd";
import { beforeAll, expect, it } from "vitest";
import type { Prize } from "@red/contract/pools/prize";
import { PrizeEffect } from "./prize-effect.tsx";
import { prizeRoutes } from "@red/contract/pools/prize";
import { renderApp } from "#test/app.tsx";
import { serve, signIn } from "#test/server.ts";
import { PRIZE } from "#test/fixtures.ts";

const LARGE: Prize = { ...PRIZE, id: 5, award_name: "大红包", weight: 1, floors: 0 };

beforeAll(async () => {
  await signIn("pool.write");
  serve(prizeRoutes.list, { content: [PRIZE, LARGE], total: 2 });
});

async function effectText(id: number | null, entered: Partial<Prize>): Promise<string> {
  const { weight, award_total, ...others } = { ...PRIZE, ...entered };
  const values = { ...others, weight: String(weight), award_total: String(award_total) };
  renderApp(
    <Form initialValues={values}>
      {["weight", "award_total", "award_price", "floors"].map((name) => (
        <Form.Item key={name} name={name} noStyle>
          <Input />
        </Form.Item>
      ))}
      <PrizeEffect pool_name="周末池" id={id} />
    </Form>,
  );
  const panel = screen.getByRole("region", { name: "保存后的变化" });
  await waitFor(() => expect(panel.textContent).toContain("奖品抽完后改发"));
  return panel.textContent;
}

it("says what replaces a prize that is no longer guaranteed", async () => {
  const text = await effectText(3, { floors: 0 });
  expect(text).toContain("是否保底是 → 否");
  expect(text).toContain("奖品抽完后改发本奖品 → 其余奖品按权重");
  expect(text).toContain("奖池将没有有库存的保底奖品");
});

it("says which guaranteed prize comes first", async () => {
  const text = await effectText(5, { ...LARGE, weight: 3, floors: 1 });
  expect(text).toContain("是否保底否 → 是");
  expect(text).toContain("奖品抽完后改发「小红包」 → 本奖品，其次「小红包」");
  expect(text).not.toContain("没有有库存的保底奖品");
});

it("names the replacement for a new prize, but not if the flag stays", async () => {
  expect(await effectText(null, { weight: 1, floors: 1 })).toContain(
    "奖品抽完后改发「小红包」 → 「小红包」，其次本奖品",
  );
  cleanup();
  const text = await effectText(3, { weight: 4 });
  expect(text).toContain("奖品抽完后改发本奖品");
  expect(text).not.toMatch(/是否保底|本奖品 →/u);
});
