import { screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { Attempts } from "./attempts.tsx";
import { recordRoutes } from "@red/contract/records/record";
import { renderApp } from "#test/app.tsx";
import { DELIVERY, RECORD } from "#test/fixtures.ts";
import { serve, signIn } from "#test/server.ts";

beforeAll(async () => {
  await signIn("record.read");
  serve(recordRoutes.attempts, { content: [], total: 0 });
});

it.each([
  ["waiting for delivery", DELIVERY, "实物奖品由人工发货，不向钱包请求；等待发货。"],
  [
    "delivered",
    { ...DELIVERY, payout_state: "delivered" },
    "实物奖品由人工发货，不向钱包请求；已发货。",
  ],
  ["money that was not sent yet", { ...RECORD, payout_state: "queued" }, "还没有发放请求。"],
] as const)("says why there is no attempt: %s", async (_, record, words) => {
  renderApp(<Attempts record={record} />);
  expect(await screen.findByText(words)).toBeTruthy();
});
