import { fireEvent, screen, waitFor } from "@testing-library/react";
import { DatePicker, Form, Input } from "antd";
import { expect, it, vi } from "vitest";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { FormDialog } from "./form-dialog.tsx";
import { renderApp } from "#test/app.tsx";

interface Values {
  name: string;
  note?: string;
}

const WORDS = { labels: { name: "名称", note: "备注" }, choices: {} };

function Dialog(props: { version: number; onSubmit: () => Promise<void>; onClose: () => void }) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDialog<Values>
      title="编辑"
      form={form}
      initial={{ name: `第 ${props.version} 版` }}
      draftKey={`test:${props.version}`}
      okText="保存"
      onSubmit={props.onSubmit}
      onClose={props.onClose}
      words={WORDS}
    >
      <Form.Item name="name" label="名称">
        <Input />
      </Form.Item>
      <Form.Item name="note" label="备注">
        <Input />
      </Form.Item>
      <Form.Item name="time" label="时间">
        <DatePicker />
      </Form.Item>
    </FormDialog>
  );
}

function show(onSubmit: () => Promise<void> = () => Promise.resolve()) {
  const onClose = vi.fn<() => void>();
  const dialog = (version: number) => (
    <Dialog version={version} onSubmit={onSubmit} onClose={onClose} />
  );
  const view = renderApp(dialog(1));
  return { ...view, onClose, update: (version: number) => view.rerender(dialog(version)) };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const enter = (label: string, value: string) =>
  fireEvent.change(field(label), { target: { value } });
const cancel = () => fireEvent.click(screen.getByRole("button", { name: "取消" }));

it("asks before discarding input, but not once that is undone", async () => {
  const { onClose } = show();
  enter("备注", "x");
  cancel();
  fireEvent.click(await screen.findByRole("button", { name: "继续编辑" }));
  expect(onClose).not.toHaveBeenCalled();
  enter("备注", "");
  cancel();
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

it("keeps the input in a newer version, and takes the rest from it", async () => {
  const { update } = show();
  enter("备注", "x");
  update(2);
  await screen.findByText("名称：第 1 版 → 第 2 版");
  expect([field("名称").value, field("备注").value]).toEqual(["第 2 版", "x"]);
});

it("keeps one's own where both have changed it, and shows the other's", async () => {
  const { update } = show();
  enter("名称", "我的改动");
  await waitFor(() => expect(sessionStorage.getItem("kept:draft:test:1")).toContain("我的改动"));
  update(2);
  await screen.findByText("他人已改为「第 2 版」，保存将覆盖");
  expect(field("名称").value).toBe("我的改动");
  expect(sessionStorage.getItem("kept:draft:test:1")).toBeNull();
  expect(sessionStorage.getItem("kept:draft:test:2")).toContain("我的改动");
});

it("restores the input after a reload, and discards it on demand", async () => {
  const { unmount } = show();
  enter("名称", "没有保存");
  await waitFor(() => expect(sessionStorage.getItem("kept:draft:test:1")).toContain("没有保存"));
  unmount();
  show();
  await waitFor(() => expect(field("名称").value).toBe("没有保存"));
  fireEvent.click(screen.getByRole("button", { name: UI_TEXTS.zh.draft_discard }));
  await waitFor(() => expect(field("名称").value).toBe("第 1 版"));
  await waitFor(() => expect(sessionStorage.getItem("kept:draft:test:1")).toBeNull());
});

it("is submitted by Enter in a text field, once, and not in a date picker", async () => {
  const onSubmit = vi.fn<() => Promise<void>>(() => new Promise(() => undefined));
  show(onSubmit);
  const isKept = (label: string) => !fireEvent.keyDown(field(label), { key: "Enter" });
  expect([isKept("名称"), isKept("时间")]).toEqual([false, true]);
  const form = field("名称").form;
  fireEvent.submit(form ?? document.body);
  await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  fireEvent.submit(form ?? document.body);
  await new Promise((resolve) => {
    setTimeout(resolve, 50);
  });
  expect(onSubmit).toHaveBeenCalledOnce();
});
