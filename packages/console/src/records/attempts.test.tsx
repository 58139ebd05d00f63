import { screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import type { DrawRecord } from "@red/contract/record";
import { Attempts } from "./attempts.tsx";
import { recordRoutes } from "@red/contract/record";
import { renderApp } from "#test/app.tsx";
import { serve } from "#test/server.ts";

const GOODS: DrawRecord = {
  log_id: 8,
  player_id: "p-1",
  user_name: "player01",
  award_name: "保温杯",
  award_price: "0.00",
  type: "physical",
  award_status: 0,
  payout_state: "waiting_delivery",
  fail_reason: null,
  check_reason: null,
  note: null,
  rounds_id: 41,
  rounds_name: "周末红包A",
  trans_sn: "RP1",
  turnover: 1,
  created_at: "2026-11-20 20:00:00",
  paid_at: null,
  unknown_since: null,
  held: false,
  wallet_ref: null,
  attempts: 0,
  draw_no: 1,
  extra_time_id: null,
  rule_version: 1,
  pool_version: 1,
  ticket: 0,
  fallback_ticket: null,
  exhausted: [],
};

beforeAll(() => void serve(recordRoutes.attempts, { content: [], total: 0 }));

it.each([
  ["waiting for delivery", {}, "实物奖品由人工发货，不向钱包请求；等待发货。"],
  ["delivered", { payout_state: "delivered" }, "实物奖品由人工发货，不向钱包请求；已发货。"],
  [
    "money that was not sent yet",
    { type: "virtual", award_price: "1.50", payout_state: "queued" },
    "还没有发放请求。",
  ],
] as const)("says of %s why there is no attempt", async (_, more, words) => {
  renderApp(<Attempts record={{ ...GOODS, ...more }} />);
  expect(await screen.findByText(words)).toBeTruthy();
});
