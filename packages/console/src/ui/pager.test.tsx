import { cleanup, render } from "@testing-library/react";
import { afterEach, beforeAll, expect, it } from "vitest";
import { addTexts } from "#lib/language.ts";
import { Pager } from "./pager.tsx";
import { UI_TEXTS } from "./ui-texts.ts";

beforeAll(() => addTexts("ui", UI_TEXTS));
afterEach(cleanup);

it.each([
  ["no rows", 0],
  ["one page", 3],
  ["many pages", 4_000],
])("lists total, sizes, pages and jumper in the order of the specification: %s", (_, total) => {
  const { container } = render(
    <Pager page={1} size={20} total={total} onChange={() => undefined} />,
  );
  const parts = [...(container.querySelector("nav")?.children ?? [])];
  const names = ["k-pager-total", "ant-select", "k-pages", "k-jumper"];
  expect(parts.map(({ classList }) => names.find((name) => classList.contains(name)))).toEqual(
    names,
  );
});
