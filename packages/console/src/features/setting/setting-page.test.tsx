import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { settingRoutes } from "@red/contract/setting";
import { renderApp } from "#test/app.tsx";
import { refusal, serve } from "#test/server.ts";
import { SettingPage } from "./setting-page.tsx";

it("saves a setting by itself and says at its field why a value is refused", async () => {
  const kept = { value: "1.00", default: "1.00", changed_by: null, changed_at: null };
  serve(settingRoutes.list, { content: [{ key: "guard_sum", kind: "money", ...kept }], total: 1 });
  const answers = [refusal(400, "设置值无效"), { value: "5000.00" }];
  const saved = serve(settingRoutes.save, () => answers.shift() ?? kept);
  renderApp(<SettingPage />);
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "大额变动金额" });
  const save = (value: string) => {
    fireEvent.change(field, { target: { value } });
    fireEvent.click(screen.getByRole("button", { name: "保存" }));
  };
  save("-5");
  const fault = await screen.findByText("设置值无效");
  expect([field.getAttribute("aria-describedby"), field.ariaInvalid]).toEqual([fault.id, "true"]);
  save("¥5,000元");
  await waitFor(() => expect(field.value).toBe("5000.00"));
  expect(saved.map(({ body }) => body)).toEqual([{ value: "-5" }, { value: "5000" }]);
});
