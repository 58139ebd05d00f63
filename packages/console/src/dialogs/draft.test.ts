import { expect, it } from "vitest";
import { dayjs } from "#ui/wall-time.ts";
import { dropDraft, isSameInput, loadDraft, saveDraft } from "./draft.ts";

it("puts back what was entered, times as they were read on the clock", () => {
  saveDraft("a", { name: "周末", times: 3, start: dayjs("2026-11-21 20:00:00"), end: null });
  const draft = loadDraft("a");
  expect(draft).toMatchObject({ name: "周末", times: 3, end: null });
  expect(dayjs(draft?.["start"] as dayjs.Dayjs).format("YYYY-MM-DD HH:mm:ss")).toBe(
    "2026-11-21 20:00:00",
  );
});

it("knows nothing of another form, or once it is dropped", () => {
  saveDraft("a", { name: "x" });
  expect(loadDraft("b")).toBeNull();
  dropDraft("a");
  expect(loadDraft("a")).toBeNull();
});

it.each([
  [{ a: "x", b: null }, { a: "x" }, true],
  [{ a: "", b: undefined }, {}, true],
  [{ a: dayjs("2026-11-21 20:00:00") }, { a: dayjs("2026-11-21 20:00:00") }, true],
  [{ a: dayjs("2026-11-21 20:00:00") }, { a: dayjs("2026-11-21 20:00:01") }, false],
  [{ a: 0 }, {}, false],
  [{ a: "x" }, { a: "y" }, false],
])("%o and %o: the same input %s", (one, other, same) => {
  expect(isSameInput(one, other)).toBe(same);
  expect(isSameInput(other, one)).toBe(same);
});
