import { ownRoutes } from "@red/contract/identity/operators";
import { sessionRoutes } from "@red/contract/identity/session";
import { beforeEach, expect, it, vi } from "vitest";
import { OPERATOR } from "#test/fixtures.ts";
import { refusal, serve } from "#test/server.ts";
import type { Sent } from "#test/server.ts";
import { call, settled } from "./api.ts";
import { onNotice } from "./notices.ts";
import { forgetSession, loadSession } from "./session.ts";

const notices: string[] = [];
let ended: readonly Sent[];

beforeEach(() => {
  notices.length = 0;
  forgetSession();
  ended = serve(sessionRoutes.logout, null);
  // Failed calls are logged a second later. Fake timers prevent such a log after the page of the test is gone.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  const stop = onNotice("error", (text) => notices.push(text));
  return () => {
    stop();
    vi.useRealTimers();
  };
});

it("requests the operator once, and stores only the display name", async () => {
  const asked = serve(sessionRoutes.userInfo, OPERATOR);
  const both = await Promise.all([loadSession(), loadSession()]);
  expect(both).toEqual([OPERATOR, OPERATOR]);
  expect(asked).toHaveLength(1);
  expect(localStorage.getItem("name")).toBe(OPERATOR.name);
  expect([localStorage.length, sessionStorage.length]).toEqual([1, 1]);
  expect(sessionStorage.getItem("kept_for")).toBe(OPERATOR.name);
});

it("reads 401 as signed out without a notice, and asks again a little later", async () => {
  const asked = serve(sessionRoutes.userInfo, () => refusal(401, "请先登录"));
  await expect(loadSession()).resolves.toBeNull();
  await expect(loadSession()).resolves.toBeNull();
  expect(asked).toHaveLength(1);
  vi.advanceTimersByTime(1000);
  serve(sessionRoutes.userInfo, OPERATOR);
  await expect(loadSession()).resolves.toEqual(OPERATOR);
  expect([notices, ended]).toEqual([[], []]);
});

it("loads the permissions again after a call that is not permitted", async () => {
  serve(sessionRoutes.userInfo, OPERATOR);
  await loadSession();
  serve(sessionRoutes.userInfo, { ...OPERATOR, permissions: [] });
  serve(ownRoutes.read, () => refusal(403, "", null, "not_permitted"));
  await settled(call(ownRoutes.read, {}));
  await vi.waitFor(async () => expect((await loadSession())?.permissions).toEqual([]));
});

it("ends the session when the user info call is refused, and shows why", async () => {
  serve(sessionRoutes.userInfo, () => refusal(500, "系统出错，请稍后重试"));
  await expect(loadSession()).resolves.toBeNull();
  expect(ended).toHaveLength(1);
  expect(notices).toEqual(["系统出错，请稍后重试"]);
});

it.each([
  ["nothing", () => Promise.reject(new TypeError("Failed to fetch"))],
  ["a proxy's page", () => new Response("Bad Gateway", { status: 502 })],
  ["a server without its database", () => refusal(503, "系统暂时不可用", null, "unavailable")],
])("keeps the session when %s answers the user info call", async (_, answer) => {
  const asked = serve(sessionRoutes.userInfo, answer);
  await expect(loadSession()).resolves.toBeNull();
  expect([asked.length, ended.length]).toEqual([1, 0]);
  expect(notices).toHaveLength(1);
});
