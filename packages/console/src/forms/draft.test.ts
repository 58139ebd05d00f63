import { expect, it } from "vitest";
import { dayjs } from "#ui/wall-time.ts";
import { momentOf, unreadOf, unreadTime } from "#ui/typed-time.ts";
import { dropDraft, isSameInput, loadDraft, saveDraft } from "./draft.ts";

it("restores the input, with times as the clock showed them", () => {
  saveDraft("a", { name: "周末", times: 3, start: dayjs("2026-11-21 20:00:00"), end: null });
  const draft = loadDraft("a");
  expect(draft).toMatchObject({ name: "周末", times: 3, end: null });
  expect(dayjs(draft?.["start"] as dayjs.Dayjs).format("YYYY-MM-DD HH:mm:ss")).toBe(
    "2026-11-21 20:00:00",
  );
});

it("restores the ends of a range, and unreadable texts", () => {
  const span = [dayjs("2026-11-21 20:00:00"), unreadTime("下周一")];
  saveDraft("a", { span, day: unreadTime("abc") });
  const draft = loadDraft("a");
  const [start, end] = [draft?.["span"]].flat();
  expect(momentOf(start)?.format("YYYY-MM-DD HH:mm:ss")).toBe("2026-11-21 20:00:00");
  expect(unreadOf(end)).toBe("下周一");
  expect(unreadOf(draft?.["day"])).toBe("abc");
});

it("counts a chosen file as input, and cannot restore it", () => {
  const file = new File(["x"], "statement.csv");
  expect(isSameInput({}, { file })).toBe(false);
  saveDraft("a", { file });
  expect(loadDraft("a")).toEqual({ file: null });
});

it("is empty for another form, and after it is dropped", () => {
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
  [{ a: unreadTime("x") }, { a: unreadTime("x") }, true],
  [{ a: unreadTime("x") }, { a: unreadTime("y") }, false],
  [{ a: unreadTime("x") }, {}, false],
  [{ a: 0 }, {}, false],
  [{ a: "x" }, { a: "y" }, false],
])("%o and %o are the same input: %s", (one, other, same) => {
  expect(isSameInput(one, other)).toBe(same);
  expect(isSameInput(other, one)).toBe(same);
});
