/**
 * What is entered is never lost or altered: not by the browser's time zone, a key in a date picker, or a reload. The
 * browser runs in a time zone whose clocks change.
 */
import { expect } from "@playwright/test";
import type { Page } from "@playwright/test";
import { dig } from "../../outside/json.ts";
import { makeOpenRound } from "../round.ts";
import { openConsole, test } from "../stage.ts";

test.use({ timezoneId: "America/New_York" });

// Many small steps on a possibly busy machine.
test.setTimeout(420_000);

/* New York's clocks skip from 02:00 to 03:00 on this day, the business time zone's do not. */
const SKIPPED = "2027-03-14 02:30:00";

const dialog = (page: Page) => page.getByRole("dialog");

/** Form drafts in the tab's storage. */
const keptOf = (page: Page) => page.evaluate<string>("Object.values(sessionStorage).join()");
const writtenOf = (input: string) => JSON.stringify(input).slice(1, -1);

test("the browser's step back asks what Esc asks, and staying keeps the page", async ({
  page,
  stage,
}) => {
  const { token } = await stage.operator();
  await openConsole(page, stage, token, "/activity_manage/tag");
  await page.getByRole("button", { name: "新增组别" }).click();
  const box = dialog(page).getByLabel("组别标识");
  const question = dialog(page).filter({ hasText: "放弃未保存的修改？" });
  await box.fill("half");
  await page.goBack();
  await expect(question).toBeVisible();
  await page.goBack();
  await expect(page).toHaveURL(/\?new=tag$/);
  await question.getByRole("button").first().click();
  await expect(dialog(page)).toHaveCount(1);
  await expect(page).toHaveURL(/\?new=tag$/);
  await expect(box).toHaveValue("half");
  await page.goBack();
  await question.getByRole("button").last().click();
  await expect(dialog(page)).toHaveCount(0);
  await expect(page).toHaveURL(/\/tag$/);
  // Discarded, as with Esc; and without changes there is no question.
  await page.goForward();
  await expect(box).toHaveValue("");
  await page.goBack();
  await expect(dialog(page)).toHaveCount(0);
});

test("what is entered into any form is there again after a reload", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const id = await makeOpenRound(operator, "草稿", 10);
  const prize = dig(await operator.prizes("草稿池"), 0, "id");
  const inPool = `/activity_manage/prize?pool=${await operator.poolId("草稿池")}`;
  const forms: readonly [route: string, field: string, input: string][] = [
    ["/activity_manage/config?new=1", "活动名称", "没存的活动"],
    ["/activity_manage/config?new=1", "活动开始时间", SKIPPED],
    [`/activity_manage/config?edit=${id}`, "活动名称", "改到一半"],
    [`/activity_manage/config?edit=${id}`, "条件开始时间", "2027-03-14 02:31:00"],
    [`/activity_manage/config?copy=${id}`, "复制到", "2027-03-14"],
    [`/activity_manage/config?copy=${id}`, "新奖池名称", "复制到一半"],
    [`${inPool}&new=1`, "奖品总数", "77"],
    [`${inPool}&edit=${String(prize)}`, "权重", "78"],
    [`${inPool}&stock=${String(prize)}`, "增加", "79"],
    [`${inPool}&task=rename`, "奖池名称", "改名到一半"],
    [`${inPool}&task=copy`, "奖池名称", "复制到一半"],
    ["/activity_manage/tag?new=tag", "组别标识", "half_done"],
    ["/activity_manage/tag?edit=tag&key=weekend", "名称", "改到一半"],
    ["/activity_manage/add_num?grant=1", "账号", "half01\nhalf02"],
    ["/activity_manage/add_num", "账号", "half03"],
    ["/activity_manage/record?dialog=draws", "账号", "half04"],
    ["/activity_manage/record?dialog=info", "账号", "half05"],
  ];
  const placeOf = ([route]: readonly [string, string, string]) =>
    /[?&](?:new|edit|copy|stock|task|grant|dialog)=/.test(route)
      ? dialog(page)
      : page.getByRole("region", { name: "添加次数" });
  const visit = async (form: readonly [string, string, string]) => {
    const [route, field] = form;
    // Like a link of the console, without a reload.
    await page.evaluate(`history.pushState({}, "", "/red${route}")`);
    return placeOf(form).getByLabel(field).first();
  };
  await openConsole(page, stage, token, "/404");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const form of forms) {
    const box = await visit(form);
    await box.fill(form[2]);
    await box.blur();
    await expect(box).toHaveValue(form[2]);
    // A date picker shows a typed text before it accepts it.
    await expect.poll(() => keptOf(page), { timeout: 30_000 }).toContain(writtenOf(form[2]));
  }
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  for (const form of forms) {
    await expect(await visit(form)).toHaveValue(form[2], { timeout: 30_000 });
    // The form of a dialog at an address needs no such message.
    if (!form[0].includes("?dialog=")) {
      await expect(placeOf(form).getByText("已恢复上次未保存的内容")).toBeVisible();
    }
  }
});
