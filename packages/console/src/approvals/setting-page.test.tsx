import { fireEvent, screen, waitFor } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import { SETTING_KEYS, SETTINGS, settingRoutes } from "@red/contract/approvals/setting";
import { renderApp } from "#test/app.tsx";
import { needing, refusal, serve, signIn } from "#test/server.ts";
import { SettingPage } from "./setting-page.tsx";

const last = { changed_by: "小李", changed_from: "9000.00", changed_at: "2026-11-21 20:00:00" };
const never = { changed_by: null, changed_from: null, changed_at: null };

beforeAll(async () => {
  await signIn("setting.manage");
  const content = SETTING_KEYS.map((key) => {
    const { default: value } = SETTINGS[key];
    return { key, ...SETTINGS[key], value, ...(key === "guard_sum" ? last : never) };
  });
  serve(settingRoutes.list, { content, total: content.length });
});

it("saves a switch once the operator agrees to its old and new value", async () => {
  const saved = serve(settingRoutes.save, { value: "on" });
  renderApp(<SettingPage />);
  expect(await screen.findAllByText("默认 关闭")).toHaveLength(2);
  fireEvent.click(await screen.findByRole("switch", { name: "程序也要动态验证码" }));
  await screen.findByText("否 → 是");
  expect(saved).toEqual([]);
  const [yes] = screen.getAllByRole("button", { name: /^保\s?存$/u }).slice(-1);
  fireEvent.click(yes ?? document.body);
  await waitFor(() => expect(saved[0]?.body).toEqual({ value: "on" }));
});

it("asks about a larger sum, then for the code it needs, and shows the last change with its operator", async () => {
  const answers = [needing({ code_above: null, risk: "0.00" }), refusal(402, "动态验证码错误")];
  const saved = serve(settingRoutes.save, () => answers.shift() ?? { value: "20000.00" });
  renderApp(<SettingPage />);
  const sum = await screen.findByRole("textbox", { name: "大额变动金额" });
  // Another notation of the same amount is not a change.
  fireEvent.change(sum, { target: { value: "10000" } });
  fireEvent.keyDown(sum, { key: "Enter" });
  fireEvent.keyUp(sum, { key: "Enter" });
  await waitFor(() => expect(sum).toHaveProperty("value", "10000.00"));
  screen.getByText("默认 10,000.00 · 9,000.00 → 10,000.00 · 小李 于 2026-11-21 20:00:00 保存");
  fireEvent.change(sum, { target: { value: "20000" } });
  fireEvent.keyDown(sum, { key: "Enter" });
  await screen.findByText("10,000.00 → 20,000.00");
  const [yes] = screen.getAllByRole("button", { name: /^保\s?存$/u }).slice(-1);
  fireEvent.click(yes ?? document.body);
  const code = await screen.findByLabelText("动态验证码");
  fireEvent.change(code, { target: { value: "123456" } });
  await screen.findByText("动态验证码错误");
  fireEvent.change(code, { target: { value: "654321" } });
  await waitFor(() => expect(screen.queryByLabelText("动态验证码")).toBeNull());
  expect(saved.map(({ code: sent }) => sent)).toEqual([undefined, "123456", "654321"]);
  expect(saved.at(-1)?.body).toEqual({ value: "20000" });
  await waitFor(() => expect(sum).toHaveProperty("value", "10000.00"));
});

it("says how often the saved sum, then the typed sum, would have asked, and nothing for an invalid sum", async () => {
  const asked = serve(settingRoutes.asked, ({ url }) => ({
    times: url.endsWith("value=10000.00") ? 3 : 41,
  }));
  renderApp(<SettingPage />);
  // The other two thresholds are off.
  await screen.findByText("· 近 28 天会询问 3 次");
  const reason = screen.getByRole("textbox", { name: "填写原因的金额" });
  for (const value of ["5", "50", "500"]) {
    fireEvent.change(reason, { target: { value } });
  }
  await screen.findByText("· 近 28 天会询问 41 次");
  expect(asked.map(({ url }) => url)).toEqual([
    "/gred/api/setting/asked?key=guard_sum&value=10000.00",
    "/gred/api/setting/asked?key=band_reason&value=500",
  ]);
  fireEvent.change(reason, { target: { value: "500.123" } });
  expect(screen.queryByText(/41/u)).toBeNull();
});
