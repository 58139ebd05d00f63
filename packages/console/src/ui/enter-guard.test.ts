import { expect, it } from "vitest";
import { blocksSubmit, isChoosing } from "./enter-guard.ts";

const ENTER = { key: "Enter", isComposing: false, keyCode: 13, timeStamp: 5000, target: null };
const LONG_AGO = 0;

function fieldIn(html: string): HTMLInputElement | null {
  document.body.innerHTML = html;
  return document.querySelector("input");
}

it.each([
  ["in a field", { target: document.createElement("input") }, LONG_AGO, false],
  ["that composes a word", { isComposing: true }, LONG_AGO, true],
  ["that an input method handles", { keyCode: 229 }, LONG_AGO, true],
  // Safari ends the composition before it sends the key event.
  ["right after a composition", {}, 4990, true],
  ["after an earlier composition", {}, 4800, false],
  ["of another key, composing", { key: "a", isComposing: true }, LONG_AGO, false],
])("Enter %s", (_, more, compositionEndedAt, isBlocked) => {
  expect(blocksSubmit({ ...ENTER, ...more }, compositionEndedAt)).toBe(isBlocked);
});

it.each([
  [["2026-11-21 00:00:00", ""], true],
  [["", "2026-11-21 00:00:00"], true],
  [["2026-11-21 00:00:00", "2026-11-21 23:59:59"], false],
  [["", ""], false],
])("in a range of %o: blocked %s", (values, kept) => {
  const inputs = values.map((value) => `<input value="${value}">`);
  const target = fieldIn(`<div data-range>${inputs.join("")}</div>`);
  expect(blocksSubmit({ ...ENTER, target }, LONG_AGO)).toBe(kept);
});

it.each([
  ['<div class="ant-picker"><input></div>', true],
  ['<input role="combobox" aria-expanded="true">', true],
  ['<input role="combobox" aria-expanded="false">', false],
  ["<div><input></div>", false],
])("in %s Enter chooses: %s", (html, choosing) => {
  expect(isChoosing(fieldIn(html))).toBe(choosing);
});
