import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderApp } from "#test/app.tsx";
import { Summary } from "./webhook-page.tsx";

const TAKES = { host: "a.test", failing_since: null, failing_answer: null, next_try_at: null };

it("warns of a failing address with its last answer and the next try", () => {
  const failing = { failing_since: "2026-11-20 20:00:00", failing_answer: "status 500" };
  const next_try_at = "2026-11-20 20:05:00";
  renderApp(<Summary {...TAKES} {...failing} next_try_at={next_try_at} total={3} waiting={2} />);
  expect(screen.getByRole("status").textContent).toBe(
    "推送到 a.test，自 2026-11-20 20:00:00 起失败 · 2 条待送达" +
      "最近应答：状态码 500下次推送：2026-11-20 20:05:00",
  );
});

it("names the address without a warning while it accepts messages", () => {
  renderApp(<Summary {...TAKES} total={0} waiting={0} />);
  expect([screen.queryByRole("status"), screen.getByText("推送到 a.test").tagName]).toEqual([
    null,
    "SPAN",
  ]);
});
