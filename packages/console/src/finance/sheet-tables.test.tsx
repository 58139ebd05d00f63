import { screen } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderApp } from "#test/app.tsx";
import { RECORD } from "#test/fixtures.ts";
import { Exceptions } from "./sheet-tables.tsx";

it.each([
  ["daily credit limit reached", "已达当日入账上限（daily credit limit reached）"],
  ["unanswered", "超过 24 小时未得到钱包明确答复"],
  ["客户要求关闭", "客户要求关闭"],
])("shows the reason %s in plain words", (reason, words) => {
  const record = { ...RECORD, reason, amount: "1.50" };
  renderApp(<Exceptions exceptions={{ content: [record], total: 1 }} />);
  expect(screen.getByText(words)).toBeDefined();
});
