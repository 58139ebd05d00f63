import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { poolRoutes } from "@red/contract/pools/pool";
import type { PoolVersion } from "@red/contract/pools/pool";
import { PRIZE } from "#test/fixtures.ts";
import { renderApp } from "#test/app.tsx";
import { needing, serve, serveValue, signIn } from "#test/server.ts";
import { PoolVersions } from "./pool-versions.tsx";

it("restores a version after naming what that deletes and changes, with a code if needed", async () => {
  await signIn("pool.write");
  const change: PoolVersion["changes"][number] = {
    ...PRIZE,
    change: "changed",
    fields: ["weight"],
  };
  const more = { saved_by: "小李", saved_at: "2026-11-21 20:00:00", changes: [change] };
  const now = { version: 9, ...more, prizes: [{ ...PRIZE, weight: 5000 }] };
  const current = { ...PRIZE, weight: 5000 };
  const added = { ...PRIZE, id: PRIZE.id + 1, award_name: "水杯" };
  const content = [
    now,
    { version: 8, ...more, prizes: [PRIZE] },
    { version: 7, ...more, changes: [], prizes: [current, added] },
    { version: 1, ...more, changes: [], prizes: [] },
  ];
  serve(poolRoutes.versions, { content, total: 9 });
  const answers = [needing({}), { version: 10 }];
  const sent = serve(poolRoutes.restore, () => answers.shift() ?? { version: 0 });
  const valued = serveValue(poolRoutes.restore, () => ({ risk: "912.50" }));
  const pool = { id: 7, pool_name: "周末池", prizes: 1, rounds: 0, stopped: false };
  renderApp(<PoolVersions pool={pool} prizes={[current, added]} onClose={() => undefined} />);
  await screen.findByText("「小红包」：权重 2 → 5,000");
  // Only one version can be restored, so only one text warns about deleted prizes.
  expect(screen.getAllByText(/^恢复会删除/)).toHaveLength(1);
  for (const name of ["当前版本", "与现在相同", "没有奖品，不能恢复"]) {
    expect(screen.getByRole("button", { name })).toHaveProperty("disabled", true);
  }
  const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));
  await waitFor(() => press("恢复到此版本"));
  await screen.findByText("恢复会新增或修改「小红包」");
  expect(screen.getAllByText("恢复会删除「水杯」")).toHaveLength(2);
  await screen.findByText("到结束最多多支出约 912.50");
  press("取消");
  await waitFor(() => expect(screen.queryByText("恢复会新增或修改「小红包」")).toBeNull());
  expect(sent).toEqual([]);
  press("恢复到此版本");
  await waitFor(() => press("恢复"));
  const code = await screen.findByLabelText("动态验证码");
  fireEvent.change(code, { target: { value: "123456" } });
  await screen.findByText("已恢复到版本 8，现在是版本 10");
  const body = { version: 8, current: 9 };
  expect(valued.map((one) => one.body)).toEqual([body]);
  expect(sent.map((one) => [one.body, one.code])).toEqual([
    [body, undefined],
    [body, "123456"],
  ]);
});
