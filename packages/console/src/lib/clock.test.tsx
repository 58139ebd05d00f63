import { act, cleanup, render } from "@testing-library/react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { useBusinessDay } from "./clock.ts";
import { signIn } from "#test/server.ts";

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
