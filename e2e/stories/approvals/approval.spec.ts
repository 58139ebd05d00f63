/** A second pair of eyes: what one operator does waits until another has looked at it (behaviour §16). */
import { expect } from "@playwright/test";
import { shown } from "../../outside/context.ts";
import { textAt } from "../../outside/json.ts";
import { operatorOf } from "../../outside/operator.ts";
import { bindAndSignIn } from "../../outside/sign-in.ts";
import { authenticatorOf, stepAt } from "../../outside/totp.ts";
import { pick, type } from "../form.ts";
import { ADMIN, openConsole, test } from "../stage.ts";

const BAND = "/gred/api/setting/band_second";
const MANY = 50;

test("draws wait for a second administrator, and fifty changes for one code", async ({
  browser,
  page,
  stage,
}) => {
  const { base } = stage.switchboard;
  const { operator, token, seed } = await stage.operator("approval-maker");
  const own = authenticatorOf(seed, stepAt(Date.now()));
  // Made by the first of all: who made an account of late, redctl too, can not be approved by it.
  const boss = await bindAndSignIn(base, ADMIN.username, ADMIN.password);
  const body = { name: "approval-second", roles: ["admin"] };
  const code = await authenticatorOf(boss.seed, stepAt(Date.now())).code();
  const made = await operatorOf(base, boss.token).data("POST", "/gred/api/operator", body, code);
  const second = await bindAndSignIn(base, body.name, textAt(made, "password"));
  const codes = authenticatorOf(second.seed, stepAt(Date.now()));
  const names = Array.from({ length: MANY }, (_, at) => `eyes-${at}`);
  await stage.platform.register(...names);
  await operator.data("PUT", BAND, { value: "0.00" });

  await openConsole(page, stage, token, "/activity_manage/add_num?user_name=eyes-0");
  const form = page.getByRole("region", { name: "添加次数" });
  const expire_time = shown(Date.now() + 3 * 86_400_000);
  await form.getByLabel("账号").fill("eyes-0");
  await pick(page, form.getByLabel("次数组别"), "周末红包");
  await type(page, form.getByLabel("过期时间"), expire_time);
  await form.getByRole("button", { name: "添加" }).click();
  const reason = page.getByRole("dialog", { name: "填写原因" });
  await expect(reason).toContainText("另一人审批");
  await reason.getByLabel("原因").fill("赔礼");
  await reason.getByRole("button", { name: "提交审批" }).click();
  await expect(page.getByText("已提交，待他人审批")).toBeVisible();
  await expect(form.getByLabel("账号")).toHaveValue("");
  await expect(page.getByText("added successfully")).toHaveCount(0);
  expect(await operator.leftTimes("eyes-0")).toBe(0);

  // From any page to the bell, its link, and the row's button: three clicks, then the code.
  const eyes = await (await browser.newContext()).newPage();
  await openConsole(eyes, stage, second.token, "/activity_manage/tag");
  await eyes.getByRole("button", { name: "任务，1 项修改待你审批" }).click();
  await eyes.getByRole("link", { name: "去审批" }).click();
  const row = eyes.getByRole("row", { name: /eyes-0/ });
  await expect(row).toContainText("赔礼");
  await row.getByRole("button", { name: /^通过/ }).click();
  await eyes
    .getByRole("dialog")
    .getByLabel("动态验证码")
    .fill(await codes.code());
  await expect(eyes.getByText("已通过并执行 1 项")).toBeVisible();
  // The maker hears of it, and has the draws on the screen, without a reload.
  const told = page.getByText(/^approval-second 已通过你提交的 #\d+$/);
  await expect(told.first()).toBeVisible({ timeout: 5_000 });
  await expect(page.getByLabel("eyes-0 的剩余次数")).toContainText("剩余次数1");

  const put = (method: string, path: string, change: object, code = "") =>
    fetch(`${base}${path}`, {
      method,
      headers: { "content-type": "application/json", token, "x-reason": "because", "x-code": code },
      body: JSON.stringify(change),
    });
  for (const user_name of names.slice(1)) {
    await put("POST", "/gred/api/extratimes", { user_name, tag: "weekend", expire_time });
  }
  await put("PUT", BAND, { value: "off" }, await own.code());
  await eyes.goto(`${base}/red/activity_manage/approval?size=${MANY}`);
  await expect(eyes.getByRole("row")).toHaveCount(MANY + 1);
  await eyes.getByRole("checkbox", { name: "全选本页" }).check();
  await eyes.getByRole("button", { name: "审批", exact: true }).click();
  await eyes
    .getByRole("dialog")
    .getByLabel("动态验证码")
    .fill(await codes.code());
  await expect(eyes.getByText(`已通过并执行 ${MANY} 项`)).toBeVisible();
  expect(await Promise.all(names.map(operator.leftTimes))).toEqual(names.map(() => 1));
});
