import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { DatePicker, Form, Input } from "antd";
import { Suspense, use } from "react";
import type { ComponentProps } from "react";
import { afterEach, describe, expect, it, vi } from "vitest";
import { ApiError } from "#lib/api.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { FormDialog } from "./form-dialog.tsx";
import { renderApp } from "#test/app.tsx";
import { held } from "#test/server.ts";

interface Values {
  name: string;
  weight: string;
  note?: string;
}
type Given = Partial<ComponentProps<typeof FormDialog<Values>>>;

const WORDS = { labels: { name: "名称", weight: "权重", note: "备注" }, choices: {} };

function version(number: number) {
  return { initial: { name: `第 ${number} 版`, weight: "1" }, draftKey: `test:${number}` };
}

function Dialog(given: Given) {
  const [form] = Form.useForm<Values>();
  return (
    <FormDialog<Values>
      title="编辑"
      form={form}
      okText="保存"
      words={WORDS}
      lastSave={() => Promise.resolve(null)}
      onSubmit={() => Promise.resolve()}
      onClose={() => undefined}
      {...version(1)}
      {...given}
    >
      <Form.Item name="name" label="名称" rules={[{ required: true }]}>
        <Input />
      </Form.Item>
      <Form.Item name="weight" label="权重" rules={[{ required: true }]}>
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

function show(given: Given = {}) {
  const onClose = vi.fn<() => void>();
  const page = (more: Given | null) => more && <Dialog onClose={onClose} {...given} {...more} />;
  const view = renderApp(page({}));
  return { ...view, onClose, update: (more: Given | null) => view.rerender(page(more)) };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`${label}$`));
const enter = (label: string, value: string) =>
  fireEvent.change(field(label), { target: { value } });
const draft = (number: number) => sessionStorage.getItem(`kept:draft:test:${number}`);
const press = (name: string) => fireEvent.click(screen.getByRole("button", { name }));

describe("a refusal", () => {
  function refuse(error: ApiError, more: Given = {}): void {
    show({ ...more, onSubmit: () => Promise.reject(error) });
    press("保存");
  }

  function conflict(...fields: readonly string[]): ApiError {
    const errors = fields.map((name) => ({ field: name, msg: `${name} 已有` }));
    return new ApiError("已有同名", 409, fields.length === 0 ? null : { errors });
  }

  it("is shown at its field; the alert has only the specification's text for a failed save", async () => {
    refuse(conflict("name"), { failedText: "添加失败" });
    await screen.findByText("name 已有");
    expect(screen.getByText("添加失败")).toBeTruthy();
    expect(screen.queryByText("已有同名")).toBeNull();
    enter("名称", "别的");
    await waitFor(() => expect(screen.queryByText("name 已有")).toBeNull());
  });

  it("is shown in the alert if no field shows it", async () => {
    refuse(conflict());
    await screen.findByText("已有同名");
    cleanup();
    refuse(conflict("name", "elsewhere"));
    await screen.findByText("name 已有");
    expect(screen.getByText("已有同名")).toBeTruthy();
  });
});

it("updates the number of errors as fields are filled in", async () => {
  show({ initial: { name: "", weight: "" } });
  press("保存");
  await screen.findByText("有 2 处需要修改");
  enter("名称", "红包");
  await screen.findByText("有 1 处需要修改");
  enter("权重", "1");
  await waitFor(() => expect(screen.queryByText(/处需要修改/)).toBeNull());
  enter("权重", "");
  await screen.findByText("有 1 处需要修改");
});

it("is submitted by Enter in a text field, once, and not in a date picker", async () => {
  const onSubmit = vi.fn<() => Promise<void>>(() => new Promise(() => undefined));
  show({ onSubmit });
  const isKept = (label: string) => !fireEvent.keyDown(field(label), { key: "Enter" });
  expect([isKept("名称"), isKept("时间")]).toEqual([false, true]);
  const form = field("名称").form;
  fireEvent.submit(form ?? document.body);
  await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  fireEvent.submit(form ?? document.body);
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(onSubmit).toHaveBeenCalledOnce();
});

it("leaves no listener behind if its page renders again before it opens", async () => {
  // Under NODE_ENV=test the component library gives every dialog the same id, which would hide dialogs that were not
  // removed.
  vi.stubEnv("NODE_ENV", "development");
  const onClose = vi.fn<() => void>();
  const { promise: coming, resolve: come } = held();
  function Late() {
    use(coming);
    return null;
  }
  // The dialog is still loading its fields, so it closes without a question.
  const page = (isOpen: boolean) => (
    <Suspense>
      {isOpen && <Dialog initial={undefined} onClose={onClose} />}
      <Late />
    </Suspense>
  );
  const pressEsc = async () => await act(async () => fireEvent.keyDown(window, { key: "Escape" }));
  const view = await act(async () => renderApp(page(true)));
  expect(screen.queryByRole("dialog")).toBeNull();
  await act(async () => {
    come();
    await coming;
  });
  await screen.findByRole("dialog");
  await pressEsc();
  expect(onClose).toHaveBeenCalledOnce();
  await act(async () => view.rerender(page(false)));
  expect(screen.queryByRole("dialog")).toBeNull();
  await pressEsc();
  expect(onClose).toHaveBeenCalledOnce();
});
afterEach(() => vi.unstubAllEnvs());

describe("input", () => {
  it("is discarded after a question; none is asked once the input is undone", async () => {
    const { onClose } = show();
    enter("备注", "x");
    press("取消");
    fireEvent.click(await screen.findByRole("button", { name: "继续编辑" }));
    expect(onClose).not.toHaveBeenCalled();
    enter("备注", "");
    press("取消");
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  });

  it("is kept in a newer version, which fills the other fields", async () => {
    const { update } = show();
    enter("备注", "x");
    update(version(2));
    await screen.findByText("名称：第 1 版 → 第 2 版，已采用");
    expect([field("名称").value, field("备注").value]).toEqual(["第 2 版", "x"]);
  });

  it("is kept where both have changed the field, and their value is offered", async () => {
    const { update } = show();
    enter("名称", "我的改动");
    await waitFor(() => expect(draft(1)).toContain("我的改动"));
    update(version(2));
    await screen.findByRole("radio", { name: "用对方的：第 2 版" });
    expect(field("名称").value).toBe("我的改动");
    expect(draft(1)).toBeNull();
    expect(draft(2)).toContain("我的改动");
  });

  it("is restored after a reload, and discarded after a question", async () => {
    const { unmount } = show();
    enter("名称", "没有保存");
    await waitFor(() => expect(draft(1)).toContain("没有保存"));
    unmount();
    show();
    await waitFor(() => expect(field("名称").value).toBe("没有保存"));
    press(UI_TEXTS.zh.draft_discard);
    const agree = await screen.findByRole("button", { name: UI_TEXTS.zh.leave_ok });
    expect(field("名称").value).toBe("没有保存");
    fireEvent.click(agree);
    await waitFor(() => expect(field("名称").value).toBe("第 1 版"));
    await waitFor(() => expect(draft(1)).toBeNull());
  });
});

describe("a save in flight", () => {
  const QUESTION = UI_TEXTS.zh.leave_saving_content;

  /** Renders the dialog. `settle(error)` ends the save with an error, and `settle(null)` ends it with success. */
  async function showSaving() {
    const { promise, resolve } = held<ApiError | null>();
    const onSubmit = vi.fn<NonNullable<Given["onSubmit"]>>(async (_, close) => {
      const refusal = await promise;
      if (refusal !== null) {
        throw refusal;
      }
      close();
      // The lists of the dialog still load.
      await held<null>().promise;
    });
    const view = show({ onSubmit });
    view.onClose.mockImplementation(() => view.update(null));
    enter("备注", "10");
    press("保存");
    await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
    return { ...view, settle: (refusal: ApiError | null) => act(async () => resolve(refusal)) };
  }

  it("cannot be discarded, and shows the wait", async () => {
    const { onClose } = await showSaving();
    press("取消");
    await screen.findByText(QUESTION);
    expect(screen.queryByText(UI_TEXTS.zh.leave_content)).toBeNull();
    expect(onClose).not.toHaveBeenCalled();
    await screen.findByText(/^仍在保存… 已等待 \d+ 秒$/u);
    press("关闭");
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  });

  it("leaves no draft, and does not close a later dialog", async () => {
    const { onClose, settle, update } = await showSaving();
    fireEvent.keyDown(window, { key: "Escape" });
    fireEvent.click(await screen.findByRole("button", { name: "关闭" }));
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
    update({});
    expect(field("备注").value).toBe("");
    await settle(null);
    expect(onClose).toHaveBeenCalledOnce();
  });

  it.each([
    ["successful", null, 1],
    ["refused", new ApiError("库存已变", 409), 0],
  ])("closes its question when it ends, %s", async (_, refusal, closed) => {
    const { onClose, settle } = await showSaving();
    press("取消");
    await screen.findByText(QUESTION);
    await settle(refusal);
    await waitFor(() => expect(screen.queryByText(QUESTION)).toBeNull());
    expect(onClose).toHaveBeenCalledTimes(closed);
    expect(draft(1) === null).toBe(refusal === null);
    await waitFor(() => expect(screen.queryByText("库存已变") !== null).toBe(refusal !== null));
  });
});
