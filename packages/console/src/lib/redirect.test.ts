import { expect, it } from "vitest";
import { ownPath } from "./redirect.ts";

it.each([
  ["/activity_manage/prize?pool=2&x=1#top", "/activity_manage/prize?pool=2&x=1#top"],
  ["/", "/"],
])("follows %s", (wanted, path) => {
  expect(ownPath(wanted)).toBe(path);
});

it.each([
  undefined,
  "",
  "activity_manage",
  "https://evil.example/",
  "//evil.example/",
  "/\\evil.example/",
  "/\t/evil.example/",
  "javascript:alert(1)",
  "http://[",
])("does not follow %s", (wanted) => {
  expect(ownPath(wanted)).toBeNull();
});
