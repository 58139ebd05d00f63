import { expect, it } from "vitest";
import { controlSize } from "./preferences.ts";

it("takes a cookie of this name that somebody else wrote for none", () => {
  document.cookie = "size=%E0%A4%A";
  expect(controlSize.get()).toBe("medium");
});
