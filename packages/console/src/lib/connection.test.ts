import { beforeEach, expect, it, vi } from "vitest";
import { currentConnection, onConnection, probe } from "./connection.ts";
import { reportAnswer, reportNoAnswer } from "./connection.ts";

let isUp = true;
let isReady = true;
let probes = 0;
const changes: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  isUp = true;
  probes = 0;
  changes.length = 0;
  const stop = onConnection(() => changes.push(currentConnection()));
  vi.stubGlobal("fetch", (url: string) => {
    if (url === "/readyz") {
      return Promise.resolve(Response.json({}, { status: isReady ? 200 : 503 }));
    }
    probes += 1;
    return isUp ? Promise.resolve(Response.json({})) : Promise.reject(new TypeError("no network"));
  });
  return async () => {
    isUp = true;
    await probe();
    stop();
    vi.useRealTimers();
    vi.unstubAllGlobals();
  };
});

it("ignores a failed call while the server answers", async () => {
  reportNoAnswer();
  await vi.advanceTimersByTimeAsync(20_000);
  expect(changes).toEqual([]);
  expect(probes).toBe(1);
});

it("probes until the server answers again", async () => {
  isUp = false;
  reportNoAnswer();
  reportNoAnswer();
  await vi.advanceTimersByTimeAsync(14_000);
  expect(changes).toEqual(["unreachable"]);
  expect(probes).toBe(3);
  isUp = true;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(changes).toEqual(["unreachable", "up"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(probes).toBe(4);
});

it("also waits until the server has its database", async () => {
  isReady = false;
  reportNoAnswer();
  await vi.advanceTimersByTimeAsync(0);
  expect(changes).toEqual(["unreachable"]);
  isReady = true;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(changes).toEqual(["unreachable", "up"]);
});

it("is up after any answer, and stops probing", async () => {
  isUp = false;
  reportNoAnswer();
  await vi.advanceTimersByTimeAsync(0);
  reportAnswer();
  expect(changes).toEqual(["unreachable", "up"]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(probes).toBe(1);
});

it("is offline when the browser says so, and probes when it is online again", async () => {
  window.dispatchEvent(new Event("offline"));
  expect(changes).toEqual(["offline"]);
  window.dispatchEvent(new Event("online"));
  await vi.advanceTimersByTimeAsync(0);
  expect(changes).toEqual(["offline", "up"]);
});
