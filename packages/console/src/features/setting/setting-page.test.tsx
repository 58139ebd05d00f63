import { fireEvent, screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { settingRoutes } from "@red/contract/setting";
import type { Setting } from "@red/contract/setting";
import { renderApp } from "#test/app.tsx";
import { refusal, serve, signIn } from "#test/server.ts";
import { SettingPage } from "./setting-page.tsx";

it("saves a setting by itself and says at its field why a value is refused", async () => {
  await signIn("setting.manage");
  const kept = { changed_by: null, changed_at: null };
  const sum: Setting = { key: "guard_sum", kind: "money", value: "1.00", default: "1.00", ...kept };
  const programs: Setting = { ...sum, key: "guard_programs", kind: "bool", value: "off" };
  serve(settingRoutes.list, { content: [sum, programs], total: 2 });
  const msg = "设置值无效，应如 10000.00";
  const answers = [
    refusal(400, msg, { errors: [{ field: "value", msg }] }, "setting_wrong"),
    { value: "5000.00" },
    { value: "on" },
  ];
  const saved = serve(settingRoutes.save, () => answers.shift() ?? { value: "" });
  renderApp(<SettingPage />);
  const field = await screen.findByRole<HTMLInputElement>("textbox", { name: "大额变动金额" });
  const save = (value: string) => {
    fireEvent.change(field, { target: { value } });
    fireEvent.click(screen.getByRole("button", { name: "保存：大额变动金额" }));
  };
  save("-5");
  const note = (await screen.findByText(msg)).closest("[id]");
  expect(note?.id).toBe(field.getAttribute("aria-describedby"));
  save("¥5,000元");
  await waitFor(() => expect(saved).toHaveLength(2));
  fireEvent.click(screen.getByRole("switch", { name: "程序也要动态验证码" }));
  await waitFor(() => expect(saved).toHaveLength(3));
  expect(saved.map(({ url, body }) => [url.split("/").pop(), body])).toEqual([
    ["guard_sum", { value: "-5" }],
    ["guard_sum", { value: "5000" }],
    ["guard_programs", { value: "on" }],
  ]);
});
