import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { businessNow, useBusinessDay } from "./clock.ts";
import { call } from "./api.ts";
import { sessionRoutes } from "@red/contract/identity/session";
import { serve, signIn } from "#test/server.ts";

beforeAll(() => signIn());
afterEach(() => vi.useRealTimers());

it("renders again when the day ends, and not before", () => {
  vi.useFakeTimers({ now: new Date("2026-11-22T23:50:00+08:00") });
  const rendered: string[] = [];
  function Day() {
    rendered.push(useBusinessDay());
    return null;
  }
  render(<Day />);
  const later = (ms: number) => act(() => void vi.advanceTimersByTime(ms));
  later(9 * 60_000);
  expect(rendered).toEqual(["2026-11-22"]);
  later(75_000);
  expect(rendered).toEqual(["2026-11-22", "2026-11-23"]);
  cleanup();
  expect(vi.getTimerCount()).toBe(0);
});

it("follows the server if the browser's clock is two days slow, but ignores a few seconds", async () => {
  vi.useFakeTimers({ now: new Date("2026-11-20T20:00:00+08:00"), toFake: ["Date"] });
  const nowAfter = async (at: string) => {
    const headers = { Date: new Date(`${at}+08:00`).toUTCString() };
    serve(sessionRoutes.logout, () => Response.json({ code: 200, data: null }, { headers }));
    await call(sessionRoutes.logout, {});
    return businessNow("Asia/Shanghai");
  };
  expect(await nowAfter("2026-11-22T20:00:05")).toBe("2026-11-22 20:00:05");
  expect(await nowAfter("2026-11-20T19:59:58")).toBe("2026-11-20 20:00:00");
});
