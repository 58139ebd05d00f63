import { expect, it, vi } from "vitest";
import { controlSize } from "./preferences.ts";

it.each([
  ["size=%E0%A4%A", "medium"],
  ["size=%E0; size=13px; size=small; size=default", "small"],
])("takes the first valid cookie of its name, else the default: %s", (cookies, size) => {
  vi.spyOn(document, "cookie", "get").mockReturnValue(cookies);
  expect(controlSize.get()).toBe(size);
});
