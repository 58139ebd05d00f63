import { act, cleanup, fireEvent, screen, waitFor } from "@testing-library/react";
import { Form, Input } from "antd";
import { Suspense, use } from "react";
import { afterEach, expect, it, vi } from "vitest";
import { ApiError } from "#lib/api.ts";
import { FormDialog } from "./form-dialog.tsx";
import { renderApp } from "#test/app.tsx";
import { held } from "#test/server.ts";

afterEach(() => vi.unstubAllEnvs());

const INITIAL = { award_name: "红包", weight: "1" };

interface DialogProps {
  error: ApiError;
  failedText?: string;
  initial?: typeof INITIAL;
}

function Dialog({ error, failedText, initial = INITIAL }: DialogProps) {
  const [form] = Form.useForm<typeof INITIAL>();
  return (
    <FormDialog
      title="奖品"
      form={form}
      initial={initial}
      draftKey="test"
      okText="保存奖品"
      {...(failedText !== undefined && { failedText })}
      onSubmit={() => Promise.reject(error)}
      onClose={() => undefined}
    >
      <Form.Item name="award_name" label="名称" rules={[{ required: true }]}>
        <Input />
      </Form.Item>
      <Form.Item name="weight" label="权重" rules={[{ required: true }]}>
        <Input />
      </Form.Item>
    </FormDialog>
  );
}

/* Its fields are still loading: it closes without a question. */
function Empty({ onClose }: { onClose: () => void }) {
  const [form] = Form.useForm();
  return (
    <FormDialog
      title="奖品"
      form={form}
      initial={undefined}
      draftKey="empty"
      okText="保存奖品"
      onSubmit={() => Promise.resolve()}
      onClose={onClose}
    >
      {null}
    </FormDialog>
  );
}

function refuse(error: ApiError, failedText?: string): void {
  renderApp(<Dialog error={error} {...(failedText !== undefined && { failedText })} />);
  fireEvent.click(screen.getByRole("button", { name: "保存奖品" }));
}

function conflict(...fields: readonly string[]): ApiError {
  const errors = fields.map((field) => ({ field, msg: `${field} 已有` }));
  return new ApiError("已有同名", 409, fields.length === 0 ? null : { errors });
}

it("shows a conflict at its field, and not again above the form", async () => {
  refuse(conflict("award_name"));
  await screen.findByText("award_name 已有");
  expect(screen.queryByText("已有同名")).toBeNull();
  fireEvent.change(screen.getByLabelText(/名称/), { target: { value: "别的" } });
  await waitFor(() => expect(screen.queryByText("award_name 已有")).toBeNull());
});

it("shows the specification's text for a failed save", async () => {
  refuse(conflict("award_name"), "添加失败");
  await screen.findByText("award_name 已有");
  expect(screen.getByText("添加失败")).toBeTruthy();
  expect(screen.queryByText("已有同名")).toBeNull();
});

it("shows above the form what no field shows", async () => {
  refuse(conflict());
  await screen.findByText("已有同名");
  cleanup();
  refuse(conflict("award_name", "elsewhere"));
  await screen.findByText("award_name 已有");
  expect(screen.getByText("已有同名")).toBeTruthy();
});

it("updates the number of errors as fields are filled in", async () => {
  renderApp(<Dialog error={conflict()} initial={{ award_name: "", weight: "" }} />);
  fireEvent.click(screen.getByRole("button", { name: "保存奖品" }));
  await screen.findByText("有 2 处需要修改");
  fireEvent.change(screen.getByLabelText(/名称/), { target: { value: "红包" } });
  await screen.findByText("有 1 处需要修改");
  fireEvent.change(screen.getByLabelText(/权重/), { target: { value: "1" } });
  await waitFor(() => expect(screen.queryByText(/处需要修改/)).toBeNull());
  fireEvent.change(screen.getByLabelText(/权重/), { target: { value: "" } });
  await screen.findByText("有 1 处需要修改");
});

it("leaves no listener behind when its page renders again before it opens", async () => {
  // Under NODE_ENV=test the library gives every dialog the same id: leftovers would not be seen.
  vi.stubEnv("NODE_ENV", "development");
  const onClose = vi.fn<() => void>();
  const { promise: coming, resolve: come } = held();
  function Late() {
    use(coming);
    return null;
  }
  const page = (isOpen: boolean) => (
    <Suspense>
      {isOpen && <Empty onClose={onClose} />}
      <Late />
    </Suspense>
  );
  const press = async () => await act(async () => fireEvent.keyDown(window, { key: "Escape" }));
  const view = await act(async () => renderApp(page(true)));
  expect(screen.queryByRole("dialog")).toBeNull();
  await act(async () => {
    come();
    await coming;
  });
  await screen.findByRole("dialog");
  await press();
  expect(onClose).toHaveBeenCalledOnce();
  await act(async () => view.rerender(page(false)));
  expect(screen.queryByRole("dialog")).toBeNull();
  await press();
  expect(onClose).toHaveBeenCalledOnce();
});
