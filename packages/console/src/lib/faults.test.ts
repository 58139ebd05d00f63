import { renderHook } from "@testing-library/react";
import { afterEach, expect, it, vi } from "vitest";
import { recordFailedCall, recordFault, useFaults, watchFaults } from "./faults.ts";

afterEach(() => vi.useRealTimers());

const log = () => renderHook(() => useFaults()).result.current;
const messages = () => log().map(({ message }) => message);

it("counts a repeated fault, and keeps fifty", () => {
  const same = new Error("again");
  recordFault(same);
  recordFault("other");
  recordFault(same);
  expect(log().map(({ message, count }) => [message, count])).toEqual([
    ["again", 2],
    ["other", 1],
  ]);
  for (let number = 0; number < 60; number += 1) {
    recordFault(`fault ${number}`);
  }
  expect(log()).toHaveLength(50);
  expect(messages()[0]).toBe("fault 59");
});

it("logs uncaught errors, but not refused or aborted calls", () => {
  watchFaults();
  window.dispatchEvent(new ErrorEvent("error", { error: new Error("thrown") }));
  window.dispatchEvent(new ErrorEvent("error", { message: "ResizeObserver loop completed" }));
  for (const name of ["Error", "ApiError", "AbortError"]) {
    const reason = new Error(`rejected ${name}`);
    reason.name = name;
    window.dispatchEvent(Object.assign(new Event("unhandledrejection"), { reason }));
  }
  expect(messages()).toEqual(["rejected Error", "thrown"]);
});

it("logs a failed call a moment later", () => {
  vi.useFakeTimers();
  recordFailedCall(new Error("no network"), "GET /gred/api/act/list");
  expect(messages()).toEqual([]);
  vi.runAllTimers();
  expect(log()[0]?.stack).toContain("GET /gred/api/act/list");
});

it("is empty if the stored value is not a log", () => {
  sessionStorage.setItem("kept:faults", '{"a":1}');
  expect(log()).toEqual([]);
});
