import { expect, it } from "vitest";
import { pageAsked, pageMarks } from "./pages.ts";

it.each([
  [1, 1, [1]],
  [1, 2, [1, 2]],
  [1, 3, [1, 2, 3]],
  [1, 4, [1, 2, 3, 4]],
  [1, 5, [1, 2, "after", 5]],
  [2, 4, [1, 2, 3, 4]],
  [4, 7, [1, 2, 3, 4, 5, 6, 7]],
  [5, 9, [1, "before", 4, 5, 6, "after", 9]],
  [9, 9, [1, "before", 8, 9]],
])("page %i of %i names %j", (page, last, marks) => {
  expect(pageMarks(page, last)).toEqual(marks);
});

it("names the open page, the first and the last, each once and in order", () => {
  for (let last = 1; last <= 30; last += 1) {
    for (let page = 1; page <= last; page += 1) {
      const numbers = pageMarks(page, last).filter((mark) => typeof mark === "number");
      expect(numbers).toEqual([...new Set(numbers)].toSorted((a, b) => a - b));
      expect(numbers).toEqual(expect.arrayContaining([1, page, last]));
      expect(pageMarks(page, last).length).toBeLessThanOrEqual(7);
    }
  }
});

it("takes a typed page, the nearest that there is", () => {
  expect(
    ["3", " 3 ", "３", "0", "99", "", "x", "-1", "1.5"].map((text) => pageAsked(text, 7)),
  ).toEqual([3, 3, 3, 1, 7, null, null, null, null]);
});
