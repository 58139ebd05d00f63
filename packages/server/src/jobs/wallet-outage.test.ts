import { watchOutage } from "#jobs/wallet-outage";
import { describe, expect, it } from "vitest";

/** A watch over four calls at a time that has noted so many troubled answers. */
function troubled(times: number) {
  const watch = watchOutage(4, 1_000);
  for (let index = 0; index < times; index += 1) {
    watch.note(true);
  }
  return watch;
}

describe("a wallet's outage", () => {
  it("is not assumed for single troubles: there is room up to the limit", () => {
    const watch = troubled(3);
    expect([watch.room(0, 0), watch.room(3, 0), watch.room(9, 0)]).toEqual([4, 1, 0]);
    expect(watch.pause(4, 0)).toBeNull();
    watch.note(false);
    watch.note(true);
    expect(watch.room(0, 0)).toBe(4);
  });

  it("leaves room for one call at a time, once per pause", () => {
    const watch = troubled(4);
    expect(watch.room(2, 10)).toBe(0);
    expect(watch.room(0, 10)).toBe(1);
    expect(watch.room(0, 500)).toBe(0);
    expect(watch.pause(0, 500)).toBe(510);
    // While that call is in flight its end is what everybody waits for.
    expect(watch.room(1, 5_000)).toBe(0);
    expect(watch.pause(1, 5_000)).toBeNull();
    watch.note(true);
    expect(watch.room(0, 5_000)).toBe(1);
  });

  it("is over with the first answer that makes sense", () => {
    const watch = troubled(40);
    watch.note(false);
    expect(watch.room(0, 0)).toBe(4);
    expect(watch.pause(0, 0)).toBeNull();
  });
});
