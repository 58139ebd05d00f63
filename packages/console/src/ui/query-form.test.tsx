import { fireEvent, screen, waitFor } from "@testing-library/react";
import { act, createRef } from "react";
import type { ComponentProps } from "react";
import { expect, it, vi } from "vitest";
import { renderApp } from "#test/app.tsx";
import { plainAmount } from "./plain-number.ts";
import { QueryForm } from "./query-form.tsx";
import type { QueryFormHandle } from "./query-form.tsx";
import type { QueryField, Values } from "./query-field.tsx";

const REFUSED = "条件有误，请先更正；列表没有更新";
const NOT_LISTED = "按填写的条件导出；列表尚未按这些条件查询";
const FIELDS: readonly QueryField[] = [
  { kind: "text", name: "user_name", label: "账号" },
  { kind: "digits", name: "rounds_id", label: "活动ID" },
  {
    kind: "range",
    name: "created",
    label: "参与时间",
    start: "start_time",
    end: "end_time",
    today: "2026-11-21",
  },
];

function show(values: Values = {}, more: Partial<ComponentProps<typeof QueryForm>> = {}) {
  const onQuery = vi.fn<(values: Values) => void>();
  const onReset = vi.fn<() => void>();
  const ref = createRef<QueryFormHandle>();
  const props = { id: "test", label: "查询条件", fields: FIELDS, onQuery, onReset, ref, ...more };
  const form = (shown: Values) => <QueryForm {...props} values={shown} />;
  const view = renderApp(form(values));
  const change = (next: Values) => view.rerender(form(next));
  const exported = vi.fn<(values: Values) => Promise<boolean>>(() => Promise.resolve(true));
  const take = () => ref.current?.withEntered(exported);
  return { ...view, onQuery, onReset, change, exported, take };
}

const ask = () => fireEvent.click(screen.getByRole("button", { name: "查询" }));

it("searches with trimmed texts and digits only, and with undefined for empty fields", async () => {
  const { onQuery } = show();
  fireEvent.change(screen.getByLabelText("账号"), { target: { value: "  player01 " } });
  fireEvent.change(screen.getByLabelText("活动ID"), { target: { value: "４1" } });
  ask();
  await waitFor(() => expect(onQuery).toHaveBeenCalledOnce());
  expect(onQuery).toHaveBeenCalledWith({
    user_name: "player01",
    rounds_id: "41",
    start_time: undefined,
    end_time: undefined,
  });
});

it("shows the filters of the address, also after going back", async () => {
  const { change } = show({
    user_name: "a",
    start_time: "2026-11-21 00:00:00",
    end_time: "2026-11-21 23:59:59",
  });
  await waitFor(() => expect(screen.getByLabelText("账号")).toHaveProperty("value", "a"));
  expect(screen.getByLabelText("参与时间 结束时间")).toHaveProperty("value", "2026-11-21 23:59:59");
  change({});
  await waitFor(() => expect(screen.getByLabelText("账号")).toHaveProperty("value", ""));
  expect(screen.getByLabelText("参与时间 开始时间")).toHaveProperty("value", "");
});

it("does not submit on Enter while a word is composed or a range is half entered", () => {
  show();
  const account = screen.getByLabelText("账号");
  // fireEvent returns false when the default action (submitting the form) was prevented.
  expect(fireEvent.keyDown(account, { key: "Enter", isComposing: true })).toBe(false);
  expect(fireEvent.keyDown(account, { key: "Enter", keyCode: 13 })).toBe(true);
  const start = screen.getByLabelText("参与时间 开始时间");
  fireEvent.change(start, { target: { value: "2026-11-21 00:00:00" } });
  expect(fireEvent.keyDown(start, { key: "Enter", keyCode: 13 })).toBe(false);
});

it("lets its page reset, and clears input that was never searched", async () => {
  const { onReset } = show();
  fireEvent.change(screen.getByLabelText("账号"), { target: { value: "player01" } });
  fireEvent.click(screen.getByRole("button", { name: "重置" }));
  expect(onReset).toHaveBeenCalledOnce();
  await waitFor(() => expect(screen.getByLabelText("账号")).toHaveProperty("value", ""));
});

it("does not search while a required field is empty, and says which", async () => {
  const onMissing = vi.fn<(texts: readonly string[]) => void>();
  const date: QueryField = { kind: "date", name: "start_date", label: "活动日期" };
  const fields = [date, ...FIELDS].map((field) => ({ ...field, required: `请填写${field.label}` }));
  const dates = {
    start_date: "2026-11-21",
    start_time: "2026-11-21 00:00:00",
    end_time: "2026-11-21 23:59:59",
  };
  const { change, onQuery } = show({ ...dates, user_name: " " }, { fields, onMissing });
  ask();
  await waitFor(() => expect(onMissing).toHaveBeenCalledOnce());
  expect(onMissing).toHaveBeenCalledWith(["请填写账号", "请填写活动ID"]);
  await screen.findByText("请填写账号");
  // The error of a field disappears as soon as the field is changed.
  fireEvent.change(screen.getByLabelText("账号"), { target: { value: "p" } });
  await waitFor(() => expect(screen.queryByText("请填写账号")).toBeNull());
  expect(screen.getByText("请填写活动ID")).toBeTruthy();
  change({ ...dates, user_name: "a", rounds_id: "1" });
  ask();
  await waitFor(() => expect(onQuery).toHaveBeenCalledOnce());
  expect(onMissing).toHaveBeenCalledOnce();
});

it("shows a fault at its field, also at a hidden one, and does not search", async () => {
  localStorage.setItem("collapsed:test", "1");
  const fields: readonly QueryField[] = [
    ...FIELDS,
    { kind: "text", name: "award_name", label: "奖品名称" },
    { kind: "text", name: "award_price", label: "面额", normalize: plainAmount },
  ];
  const check = ({ award_price, end_time }: Values) => [
    ...(award_price === "x" ? [{ field: "award_price", msg: "面额不是金额" }] : []),
    ...(end_time === undefined ? [] : [{ field: "end_time", msg: "时间不对" }]),
  ];
  const times = { start_time: "2026-11-21 00:00:00", end_time: "2026-11-20 00:00:00" };
  const { onQuery } = show({ award_price: "x", ...times }, { fields, check });
  const item = screen.getByLabelText("面额").closest(".ant-form-item");
  expect(item?.classList.contains("ant-form-item-hidden")).toBe(true);
  ask();
  expect(await screen.findByText("面额不是金额")).toBeTruthy();
  expect(screen.getByText("时间不对")).toBeTruthy();
  expect(item?.classList.contains("ant-form-item-hidden")).toBe(false);
  expect(onQuery).not.toHaveBeenCalled();
  fireEvent.change(screen.getByLabelText("面额"), { target: { value: "¥1,0６6.50元" } });
  screen.getByDisplayValue("1066.50");
  localStorage.clear();
});

it("does not search with half a range or an unreadable time, and says so", async () => {
  const { onQuery, exported, take } = show();
  const start = screen.getByLabelText("参与时间 开始时间");
  const end = screen.getByLabelText("参与时间 结束时间");
  fireEvent.change(start, { target: { value: "2026-11-21" } });
  fireEvent.blur(start);
  ask();
  await screen.findByText("请同时填写开始时间和结束时间");
  await screen.findByText(REFUSED);
  await act(async () => take());
  fireEvent.change(end, { target: { value: "下周一" } });
  fireEvent.blur(end);
  await screen.findByText(/^时间填写有误/);
  await act(async () => take());
  expect(exported).not.toHaveBeenCalled();
  fireEvent.change(end, { target: { value: "2026/11/21" } });
  fireEvent.blur(end);
  await waitFor(() => expect(screen.queryByText(/^时间填写有误/)).toBeNull());
  expect(onQuery).not.toHaveBeenCalled();
  ask();
  await waitFor(() => expect(onQuery).toHaveBeenCalledOnce());
  const range = { start_time: "2026-11-21 00:00:00", end_time: "2026-11-21 23:59:59" };
  expect(onQuery).toHaveBeenCalledWith(expect.objectContaining(range));
});

it("exports with the entered values, and says if the list shows others", async () => {
  const { exported, take, onQuery } = show();
  await act(async () => take());
  expect(exported).toHaveBeenCalledWith(expect.objectContaining({ rounds_id: undefined }), true);
  expect(screen.queryByText(NOT_LISTED)).toBeNull();
  fireEvent.change(screen.getByLabelText("活动ID"), { target: { value: "7" } });
  await act(async () => take());
  expect(exported).toHaveBeenLastCalledWith(expect.objectContaining({ rounds_id: "7" }), false);
  expect(await screen.findByText(NOT_LISTED)).toBeTruthy();
  expect(onQuery).not.toHaveBeenCalled();
});
