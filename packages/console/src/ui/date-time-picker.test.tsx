import { act, fireEvent, render, screen } from "@testing-library/react";
import { Form } from "antd";
import type { FormInstance } from "antd";
import { createRef } from "react";
import { expect, it } from "vitest";
import { DateTimePicker, DayPicker, TimeRangePicker } from "./date-time-picker.tsx";
import { textsOf } from "./query-field.tsx";
import { DATE_TIME, DAY_END, momentOf, unreadOf } from "./typed-time.ts";

const form = createRef<FormInstance>();

function Fields() {
  return (
    <Form ref={form}>
      <Form.Item name="range">
        <TimeRangePicker id="range" label="时间范围" />
      </Form.Item>
      <Form.Item name="time" label="时间">
        <DateTimePicker time={DAY_END} />
      </Form.Item>
      <Form.Item name="day" label="日期">
        <DayPicker />
      </Form.Item>
    </Form>
  );
}

function show(): (label: string) => HTMLInputElement {
  render(<Fields />);
  return (label) => screen.getByLabelText<HTMLInputElement>(label);
}

function enter(field: HTMLInputElement, text: string, key = "Tab"): void {
  field.focus();
  fireEvent.change(field, { target: { value: text } });
  fireEvent.keyDown(field, { key });
}

const heldBy = (name: string): unknown => form.current?.getFieldValue(name);
const RANGE = { kind: "range", name: "range", start: "from", end: "to" } as const;
const texts = () => textsOf({ ...RANGE, label: "", today: "2026-11-21" }, heldBy("range"));

it("reads an hour alone as an end on the day of the start", () => {
  const field = show();
  enter(field("时间范围 开始时间"), "2026-11-01");
  enter(field("时间范围 结束时间"), "22:00");
  expect(texts()).toEqual({ from: "2026-11-01 00:00:00", to: "2026-11-01 22:00:00" });
});
it("does not complete a text while the operator may type on", () => {
  const field = show()("时间");
  field.focus();
  fireEvent.change(field, { target: { value: "2026-11-20" } });
  expect(heldBy("time")).toBeUndefined();
  expect(field.value).toBe("2026-11-20");
  fireEvent.change(field, { target: { value: "2026-11-20 09:30:00" } });
  expect(momentOf(heldBy("time"))?.format(DATE_TIME)).toBe("2026-11-20 09:30:00");
});

it.each(["Tab", "Enter"])("keeps an unreadable text after %s, and the other end", (key) => {
  const field = show();
  enter(field("时间范围 结束时间"), "2026-11-20 10:00:00");
  enter(field("时间范围 开始时间"), "下周一", key);
  expect(texts()).toEqual({ from: undefined, to: "2026-11-20 10:00:00" });
  const [start] = [heldBy("range")].flat();
  expect(unreadOf(start)).toBe("下周一");
  expect(field("时间范围 开始时间").value).toBe("下周一");
  fireEvent.blur(field("时间范围 开始时间"));
  expect(field("时间范围 开始时间").value).toBe("下周一");
});

it("clears one end or both", () => {
  const field = show();
  enter(field("时间范围 开始时间"), "2026-11-01");
  enter(field("时间范围 结束时间"), "2026-11-20");
  enter(field("时间范围 开始时间"), "");
  expect(texts()).toEqual({ from: undefined, to: "2026-11-20 23:59:59" });
  enter(field("时间范围 结束时间"), " ");
  expect(heldBy("range")).toBeNull();
  enter(field("日期"), "20261122");
  expect(field("日期").value).toBe("2026-11-22");
  enter(field("日期"), "");
  expect(heldBy("day")).toBeNull();
});

it("refuses a time in a field for days, instead of dropping it", () => {
  const field = show()("日期");
  enter(field, "2026-11-22 09:30");
  expect(unreadOf(heldBy("day"))).toBe("2026-11-22 09:30");
  expect(field.value).toBe("2026-11-22 09:30");
});

it("drops an unreadable text when its form is reset", () => {
  const field = show()("时间");
  enter(field, "abc");
  expect(field.value).toBe("abc");
  act(() => form.current?.resetFields());
  expect(screen.getByLabelText<HTMLInputElement>("时间").value).toBe("");
});
