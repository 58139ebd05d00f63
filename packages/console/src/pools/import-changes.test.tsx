import { cleanup, screen, within } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import type { ListedActivity } from "@red/contract/rounds/activity";
import type { PoolPreview, Prize } from "@red/contract/pools/prize";
import { ImportChanges } from "./import-changes.tsx";
import { activityRoutes } from "@red/contract/rounds/activity";
import { prizeRoutes } from "@red/contract/pools/prize";
import { renderApp } from "#test/app.tsx";
import { serve, signIn } from "#test/server.ts";
import { PRIZE, ROUND } from "#test/fixtures.ts";

const RUNNING: ListedActivity = {
  ...ROUND,
  start_time: "2020-01-01 00:00:00",
  end_time: "2099-01-01 00:00:00",
};

type After = PoolPreview["prizes"][number];

const LARGE_PRIZE: Prize = { ...PRIZE, id: 5, award_name: "大红包", weight: 1, floors: 0 };
const SMALL: After = { ...PRIZE, change: "unchanged" };
const LARGE: After = { ...LARGE_PRIZE, change: "unchanged" };

beforeAll(async () => {
  await signIn("activity.read", "pool.write");
  serve(prizeRoutes.list, { content: [PRIZE, LARGE_PRIZE], total: 2 });
  serve(activityRoutes.list, { content: [RUNNING], total: 1 });
});

/** Renders the effect of an import after which the pool has these prizes. */
async function show(...prizes: readonly After[]): Promise<HTMLElement> {
  const totals = { prize_total: 20, weight_total: 3 };
  const pool = { pool_name: "周末池", is_new: false, before: totals, after: totals };
  const pools = [{ ...pool, prizes: [...prizes] }];
  const preview = { added: 0, updated: 1, plan: "p", errors: [], pools };
  renderApp(<ImportChanges preview={preview} />);
  await screen.findByText(/导入后从下一次抽奖起生效/u);
  return screen.getByRole("region", { name: "周末池" });
}

function row(name: RegExp): HTMLElement {
  return screen.getByRole("row", { name });
}

it("shows a changed flag before and after, and what replaces sold-out prizes", async () => {
  const warned = await show(
    { ...SMALL, floors: 0, change: "updated" },
    { ...LARGE, floors: 1, change: "updated" },
  );
  expect(warned.textContent).toContain("是否保底有变：「小红包」是 → 否、「大红包」否 → 是。");
  expect(warned.textContent).toContain("奖品抽完后改发：「小红包」 → 「大红包」。");
  expect(warned.textContent).toContain("「周末红包A」正在使用此奖池，导入后从下一次抽奖起生效。");
  expect(warned.textContent).not.toContain("没有有库存的保底奖品");
  expect(row(/^小红包/).textContent).toContain("是否保底 是 → 否");
  expect(row(/^大红包/).textContent).toContain("是否保底 否 → 是");
});

it("names replacements in their order, and warns when the last one is lost", async () => {
  const both = await show(SMALL, { ...LARGE, weight: 3, floors: 1, change: "updated" });
  expect(both.textContent).toContain("奖品抽完后改发：「小红包」 → 「大红包」，其次「小红包」。");
  cleanup();
  const none = await show({ ...SMALL, floors: 0, change: "updated" }, LARGE);
  expect(none.textContent).toContain("奖品抽完后改发：「小红包」 → 其余奖品按权重。");
  expect(none.textContent).toContain("奖池将没有有库存的保底奖品");
});

it("shows all fields of a new prize, and only the changed ones of others", async () => {
  await show(SMALL, LARGE, { ...LARGE, award_name: "手机", award_price: "0.00", change: "added" });
  expect(row(/^手机/).textContent).toMatch(/奖品额度 0.00类型 实物是否保底 否$/u);
  expect(row(/^小红包/).textContent).not.toMatch(/奖品额度|类型|是否保底/u);
  expect(screen.queryByText(/是否保底有变|奖品抽完后改发/u)).toBeNull();
});

it("shows a prize's weight, and a pool's as a sum", async () => {
  await show({ ...SMALL, weight: 7, change: "updated" }, LARGE);
  const titles = screen.getAllByRole("columnheader").map(({ textContent }) => textContent);
  expect(titles.indexOf("权重")).toBe(3);
  expect(titles).not.toContain("权重合计");
  const [, , weight] = within(row(/^小红包/)).getAllByRole("cell");
  expect(weight?.textContent).toBe("2 → 7");
  expect(within(row(/^周末池/)).getByText(/^合计/u).textContent).toBe("合计 3");
});
