import { cleanup, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { App, Form, Input } from "antd";
import { afterEach, beforeAll, expect, it } from "vitest";
import { ApiError } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import { UI_TEXTS } from "#ui/ui-texts.ts";
import { FormDialog } from "./form-dialog.tsx";

beforeAll(() => addTexts("ui", UI_TEXTS));
afterEach(cleanup);

const INITIAL = { award_name: "红包", weight: "1" };

function Dialog({ error, failedText }: { error: ApiError; failedText?: string }) {
  const [form] = Form.useForm<typeof INITIAL>();
  return (
    <App>
      <FormDialog
        title="奖品"
        form={form}
        initial={INITIAL}
        draftKey="test"
        okText="保存奖品"
        {...(failedText !== undefined && { failedText })}
        onSubmit={() => Promise.reject(error)}
        onClose={() => undefined}
      >
        <Form.Item name="award_name" label="名称">
          <Input />
        </Form.Item>
        <Form.Item name="weight" label="权重">
          <Input />
        </Form.Item>
      </FormDialog>
    </App>
  );
}

function refuse(error: ApiError, failedText?: string): void {
  render(<Dialog error={error} {...(failedText !== undefined && { failedText })} />);
  fireEvent.click(screen.getByRole("button", { name: "保存奖品" }));
}

function conflict(...fields: readonly string[]): ApiError {
  const errors = fields.map((field) => ({ field, msg: `${field} 已有` }));
  return new ApiError("已有同名", 409, fields.length === 0 ? null : { errors });
}

it("says a conflict at its field, and not a second time above the form", async () => {
  refuse(conflict("award_name"));
  await screen.findByText("award_name 已有");
  expect(screen.queryByText("已有同名")).toBeNull();
  fireEvent.change(screen.getByLabelText("名称"), { target: { value: "别的" } });
  await waitFor(() => expect(screen.queryByText("award_name 已有")).toBeNull());
});

it("keeps the words that the specification wants of a failed save", async () => {
  refuse(conflict("award_name"), "添加失败");
  await screen.findByText("award_name 已有");
  expect(screen.getByText("添加失败")).toBeTruthy();
  expect(screen.queryByText("已有同名")).toBeNull();
});

it("says above the form what no field says", async () => {
  refuse(conflict());
  await screen.findByText("已有同名");
  cleanup();
  refuse(conflict("award_name", "elsewhere"));
  await screen.findByText("award_name 已有");
  expect(screen.getByText("已有同名")).toBeTruthy();
});
