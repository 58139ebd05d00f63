import { expect, it, vi } from "vitest";
import { controlSize } from "./preferences.ts";

it("ignores an unreadable cookie of this name", () => {
  document.cookie = "size=%E0%A4%A";
  expect(controlSize.get()).toBe("medium");
});

it("takes the first valid of several cookies of this name", () => {
  vi.spyOn(document, "cookie", "get").mockReturnValue(
    "size=%E0; size=13px; size=small; size=default",
  );
  expect(controlSize.get()).toBe("small");
});
