import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { poolRoutes } from "@red/contract/pool";
import type { PoolVersion } from "@red/contract/pool";
import { PRIZE } from "#test/fixtures.ts";
import { renderApp } from "#test/app.tsx";
import { refusal, serve, signIn } from "#test/server.ts";
import { PoolVersions } from "./pool-versions.tsx";

it("lists what each version changed and restores a former one as it is shown", async () => {
  await signIn("pool.write");
  const { id, award_name, award_price, weight, award_total, floors } = PRIZE;
  const prize = { id, award_name, award_price, weight, award_total, floors };
  const at = { saved_by: "小李", saved_at: "2026-11-21 20:00:00" };
  const changed = { change: "changed" as const, award_name };
  const content: PoolVersion[] = [
    {
      version: 9,
      ...at,
      changes: [{ ...changed, fields: ["weight", "floors"] }],
      prizes: [{ ...prize, weight: 100_000, floors: 0 }],
    },
    { version: 8, ...at, changes: [{ ...changed, fields: ["award_price"] }], prizes: [prize] },
  ];
  serve(poolRoutes.versions, { content, total: 9 });
  const risk = { risk: "2.00", guard_sum: "1.00", pools: [] };
  const answers = [
    refusal(409, "内容已被他人修改", null, "stale_version"),
    refusal(409, "请输入动态验证码", risk, "risk_confirm"),
    { version: 10 },
  ];
  const sent = serve(poolRoutes.restore, () => answers.shift() ?? { version: 0 });
  const onClose = vi.fn<() => void>();
  const pool = { id: 7, pool_name: "周末池", prizes: 1, rounds: 0, stopped: false };
  renderApp(<PoolVersions pool={pool} onClose={onClose} />);
  await screen.findByText("「小红包」：权重 2 → 100,000、是否保底 是 → 否");
  const [, now = document.body, former = document.body] = screen.getAllByRole("row");
  expect(within(now).queryByRole("button")).toBeNull();
  // Its values before are on no page that is loaded.
  expect(former.textContent).toContain("「小红包」：奖品额度小李");
  const restore = () => screen.getByRole<HTMLButtonElement>("button", { name: /恢复到此版本：8/ });
  fireEvent.click(restore());
  await waitFor(() => expect(sent).toHaveLength(1));
  await waitFor(() => expect(restore().disabled).toBe(false));
  expect(onClose).not.toHaveBeenCalled();
  fireEvent.click(restore());
  const code = await screen.findByLabelText("动态验证码");
  fireEvent.change(code, { target: { value: "123456" } });
  await screen.findByText("已恢复到版本 8，现在是版本 10");
  expect(onClose).toHaveBeenCalledOnce();
  const body = { version: 8, current: 9 };
  expect(sent.map((one) => one.body)).toEqual([body, body, { ...body, code: "123456" }]);
});
