import { screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { activityRoutes } from "@red/contract/rounds/activity";
import { renderApp } from "#test/app.tsx";
import { serve } from "#test/server.ts";
import { Differences } from "./audit-rows.tsx";

const LEFT = { refused: [{ log_id: 7, state: "paid" }] };

test.each([
  ["all", LEFT, null, ["未执行 记录编号 7 状态 已到账"]],
  [
    "some",
    { state: "refused" },
    { state: "queued", ...LEFT },
    ["状态 被拒绝 → 排队中", "未执行 记录编号 7 状态 已到账"],
  ],
])(
  "shows records that an act did not change without an arrow: %s",
  (_name, before, after, lines) => {
    serve(activityRoutes.tags, { tags: {} });
    renderApp(<Differences object_type="payout" before={before} after={after} />);
    expect(screen.getAllByRole("paragraph").map((one) => one.textContent)).toEqual(lines);
  },
);
