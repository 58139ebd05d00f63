import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { Form, Input } from "antd";
import { expect, it, vi } from "vitest";
import { ApiError } from "#lib/api.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { FormDialog } from "./form-dialog.tsx";
import { renderApp } from "#test/app.tsx";

const QUESTION = UI_TEXTS.zh.leave_saving_content;
const EMPTY = { add: "" };

interface StockProps {
  onSubmit: (values: typeof EMPTY, close: () => void) => Promise<void>;
  onClose: () => void;
}

function Stock(props: StockProps) {
  const [form] = Form.useForm<typeof EMPTY>();
  return (
    <FormDialog
      title="补库存"
      form={form}
      initial={EMPTY}
      draftKey="stock"
      okText="增加"
      {...props}
    >
      <Form.Item name="add" label="数量">
        <Input />
      </Form.Item>
    </FormDialog>
  );
}

/** A dialog with a save in flight, to be settled by the test. */
async function showSaving() {
  const onClose = vi.fn<() => void>();
  let resolve: () => void = () => undefined;
  let reject: (error: ApiError) => void = () => undefined;
  const answer = new Promise<void>((onResolve, onReject) => {
    [resolve, reject] = [onResolve, onReject];
  });
  const onSubmit = vi.fn<StockProps["onSubmit"]>(async (_, close) => {
    await answer;
    close();
  });
  const page = (isOpen: boolean) => (
    <>{isOpen && <Stock onSubmit={onSubmit} onClose={onClose} />}</>
  );
  const view = renderApp(page(true));
  onClose.mockImplementation(() => view.rerender(page(false)));
  fireEvent.change(await screen.findByLabelText("数量"), { target: { value: "10" } });
  fireEvent.click(screen.getByRole("button", { name: "增加" }));
  await waitFor(() => expect(onSubmit).toHaveBeenCalledOnce());
  return { onClose, resolve, reject, reopen: () => view.rerender(page(true)) };
}

it("does not offer to discard what is being saved, and shows the wait", async () => {
  const { onClose } = await showSaving();
  fireEvent.click(screen.getByRole("button", { name: "取消" }));
  await screen.findByText(QUESTION);
  expect(screen.queryByText(UI_TEXTS.zh.leave_content)).toBeNull();
  expect(onClose).not.toHaveBeenCalled();
  await screen.findByText(/^仍在保存… 已等待 \d+ 秒$/u);
  fireEvent.click(screen.getByRole("button", { name: "关闭" }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
});

it("restores no draft of it, and leaves a later dialog open", async () => {
  const { onClose, resolve, reopen } = await showSaving();
  fireEvent.keyDown(window, { key: "Escape" });
  fireEvent.click(await screen.findByRole("button", { name: "关闭" }));
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce());
  reopen();
  const field = await screen.findByLabelText<HTMLInputElement>("数量");
  expect(field.value).toBe("");
  await act(async () => resolve());
  expect(onClose).toHaveBeenCalledOnce();
});

it("closes its question when the save ends, successful or not", async () => {
  const well = await showSaving();
  fireEvent.click(screen.getByRole("button", { name: "取消" }));
  await screen.findByText(QUESTION);
  await act(async () => well.resolve());
  await waitFor(() => expect(screen.queryByText(QUESTION)).toBeNull());
  expect(well.onClose).toHaveBeenCalledOnce();
  cleanup();

  const refused = await showSaving();
  fireEvent.click(screen.getByRole("button", { name: "取消" }));
  await screen.findByText(QUESTION);
  await act(async () => refused.reject(new ApiError("库存已变", 409)));
  await screen.findByText("库存已变");
  await waitFor(() => expect(screen.queryByText(QUESTION)).toBeNull());
  expect(refused.onClose).not.toHaveBeenCalled();
});
