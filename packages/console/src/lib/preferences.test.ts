import { expect, it } from "vitest";
import { controlSize } from "./preferences.ts";

it("ignores an unreadable cookie of this name", () => {
  document.cookie = "size=%E0%A4%A";
  expect(controlSize.get()).toBe("medium");
});
