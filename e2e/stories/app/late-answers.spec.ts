/**
 * The operator works on while a write is slow: its answer is held back, the operator opens and types something on another
 * page, and then the answer comes.
 */
import path from "node:path";
import { expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { ROUTES } from "@red/contract/routes";
import { shown } from "../../outside/context.ts";
import { dig, numberAt, textAt } from "../../outside/json.ts";
import type { Operator } from "../../outside/operator.ts";
import { askFor } from "../../outside/platform.ts";
import { authenticatorOf, stepAt } from "../../outside/totp.ts";
import type { Authenticator } from "../../outside/totp.ts";
import { answer, chooseFile, confirmDialog, filled } from "../../screens/places/place.ts";
import type { Look } from "../../screens/places/place.ts";
import { PLACES } from "../../screens/places/places.ts";
import { NOTHING } from "../../screens/longest-data.ts";
import { pick, type } from "../form.ts";
import { GOODS, makeOpenRound, makePrize } from "../round.ts";
import { openConsole, test } from "../stage.ts";
import type { Stage } from "../stage.ts";

type Routes = typeof ROUTES;
type Writing = { readonly access: "write" | "upload" | "own" };
type WriteOf<N extends keyof Routes> = {
  [K in keyof Routes[N] & string]: Routes[N][K] extends Writing ? `${N}.${K}` : never;
}[keyof Routes[N] & string];

/** Calls of platforms and older clients, and calls whose dialog asks for a code and closes with the answer. */
type Elsewhere =
  | "ingest"
  | "draw"
  | "payout"
  | "older"
  | "operator"
  | "own"
  | "apiKey"
  | "approval";

type NotHeld =
  // The page is left or reloaded with the answer.
  | "session.login"
  | "session.logout"
  // Only leads to a file.
  | "ticket.create"
  // The console has no button for this.
  | "stopSwitch.stopDraws"
  | "pool.save"
  // The outcome comes by itself, whichever page is open.
  | "job.retry"
  | "job.seen"
  | "job.exportFile"
  // Needs a payout that has been unknown for a day; works like re-issuing.
  | "record.ask";

/** A new write of the contract that is in none of these lists does not compile. */
type Write = Exclude<
  { [N in keyof Routes]: WriteOf<N> }[Exclude<keyof Routes, Elsewhere>],
  NotHeld
>;

interface Actor extends Look {
  readonly authenticator: Authenticator;
}

type Send = (actor: Actor) => Promise<unknown>;
type Enter = (dialog: Locator, actor: Actor) => Promise<unknown>;

const DAY = shown(Date.now() + 86_400_000).slice(0, 10);
const PLAYER = "late01";
/** Without payouts. */
const IDLE = "late02";
const PRIZE_ROWS = "奖品,奖品额度,权重,奖品总数,是否保底\n雨伞,0.00,1,9,否\n";

/** Like a link of the console, without a reload. */
async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate(`history.pushState({}, "", "/red/activity_manage/${address}")`);
}

/** Opens a place, fills it in, and confirms its dialog. */
function via(name: string, enter: Enter = () => Promise.resolve(), address?: string): Send {
  return async (actor) => {
    const { page, ids } = actor;
    const place = PLACES.find((one) => one.name === name);
    await goTo(page, filled(address ?? path.basename(place?.at ?? ""), ids));
    await place?.open?.(actor);
    const dialog = page.getByRole("dialog").last();
    await expect(dialog).toBeVisible();
    await expect(dialog.locator(".ant-skeleton")).toHaveCount(0);
    await enter(dialog, actor);
    await confirmDialog(actor);
  };
}

/** Clicks a button of a page, then runs `then`. */
function press(
  role: "button" | "switch" | "tab",
  name: RegExp,
  address: string,
  then?: Send,
): Send {
  return async (actor) => {
    await goTo(actor.page, filled(address, actor.ids));
    await actor.page.getByRole(role, { name }).first().click();
    await then?.(actor);
  };
}

const enterCode: Send = async ({ page, authenticator }) =>
  await page.getByLabel("动态验证码").fill(await authenticator.code());

const WRONG = "动态验证码错误";
const enterWrongCode: Send = async ({ page }) => await page.getByLabel("动态验证码").fill("000000");

function typed(fields: Readonly<Record<string, string>>): Enter {
  return async (within) => {
    for (const [label, text] of Object.entries(fields)) {
      await within.getByLabel(label).first().fill(text);
    }
  };
}

const enterGrant: Enter = async (within, { page }) => {
  await pick(page, within.getByLabel("次数组别"), "周末红包");
  await type(page, within.getByLabel("过期时间"), `${DAY} 20:00:00`);
  await within.getByLabel("账号").fill(PLAYER);
};

const enterRound: Enter = async (dialog, { page }) => {
  await dialog.getByLabel("活动名称").fill("迟到新");
  await pick(page, dialog.getByRole("combobox", { name: "奖池" }), "迟到池");
  await dialog.getByText("不限", { exact: true }).click();
  await pick(page, dialog.getByRole("combobox", { name: "流水倍数" }), "1 倍");
  await type(page, dialog.getByLabel("活动开始时间"), `${DAY} 08:00:00`);
  await type(page, dialog.getByLabel("活动结束时间"), `${DAY} 20:00:00`);
  await dialog.getByRole("button", { name: "同活动时间" }).click();
};

const enterSpan: Enter = async (dialog, { page }) => {
  const fields = dialog.locator(".ant-picker input");
  await type(page, fields.first(), "2026-01-02 00:00:00");
  await type(page, fields.last(), "2026-01-02 23:59:59");
};

/** How each write is sent, in this order: later ones use what earlier ones made, stopped or removed. */
const WRITES: Readonly<Record<Write, Send>> = {
  "activity.create": via("activity-new", enterRound),
  "activity.update": via("activity-edit"),
  "activity.copy": via("activity-copy"),
  "activity.pause": press("switch", /迟到 开关/, "config?rounds_name=迟到&size=50"),
  "activity.remove": via("activity-delete", undefined, "config?rounds_name=迟到删"),
  "pool.create": press("tab", /添加奖池/, "prize?pool={pool}"),
  "pool.copy": via("pool-copy"),
  "prize.create": via("prize-new", async (dialog, actor) => {
    const fields = { 奖品: "迟到奖品", 权重: "1", 奖品总数: "5", 奖品额度: "1.00" };
    await typed(fields)(dialog, actor);
    await dialog.getByRole("radio", { name: "是" }).check();
  }),
  "prize.update": via("prize-edit"),
  "prize.addStock": via("prize-stock", typed({ 增加: "3" })),
  "prize.previewImport": press("button", /批量导入/, "prize?pool={pool}", chooseFile(PRIZE_ROWS)),
  "prize.importFile": via("prize-import-changes"),
  "prize.remove": via("prize-delete"),
  "pool.restore": press("button", /^历史版本/, "prize?pool={pool}", async (actor) => {
    await answer("恢复到此版本")(actor);
    await confirmDialog(actor);
  }),
  // From here on its page still asks for the prizes by the old name.
  "pool.rename": via("pool-rename", typed({ 奖池名称: "迟到改名池" })),
  "pool.remove": async (actor) => {
    const { page, ids } = actor;
    await goTo(page, filled("prize?pool={lone}", ids));
    await page.locator(".k-head-tools").getByRole("button", { name: "更多" }).click();
    await page.getByRole("menuitem", { name: "删除奖池" }).click();
    await confirmDialog(actor);
  },
  "savedView.save": via("view-save", typed({ 视图名称: "迟到视图" })),
  "savedView.remove": press("button", /^视图/, "distribution", async (actor) => {
    await actor.page.getByRole("menuitem", { name: "删除视图" }).hover();
    await actor.page.getByRole("menuitem", { name: "迟到视图" }).nth(1).click();
    await confirmDialog(actor);
  }),
  "record.reissue": via("reissue-many", undefined, "distribution?rounds_id={round}"),
  "record.close": via("close-many", typed({ 关闭原因: "销户" }), "distribution?rounds_id={ended}"),
  "record.deliver": via("deliver-many", undefined, "distribution?rounds_id={goods}"),
  "reconciliation.run": via("run", enterSpan),
  "reconciliation.upload": via("run", async (dialog, actor) => {
    await enterSpan(dialog, actor);
    const line = `late-${Date.now()},9.99,${PLAYER},2026-01-02T04:00:00Z`;
    await chooseFile(`流水号,面额,玩家ID,到账时间\n${line}\n`)(actor);
  }),
  "reconciliation.mend": via("mend", typed({ 原因: "钱包已更正" })),
  "month.sign": press(
    "button",
    /^签核全部/,
    `month?month=${shown(Date.now()).slice(0, 7)}`,
    enterCode,
  ),
  "sheet.sign": press("button", /^签核/, "sheet?rounds_id={ended}", enterCode),
  "extraTimes.create": press("button", /^重置/, "add_num", async (actor) => {
    const form = actor.page.getByRole("region", { name: "添加次数" });
    await enterGrant(form, actor);
    await form.getByRole("button", { name: "添加" }).click();
  }),
  "extraTimes.grant": via("grant", enterGrant),
  "extraTimes.accounts": async (actor) => {
    // By the address: what the form notes above its button would move that from under the pointer.
    await goTo(actor.page, "add_num?grant=1");
    await chooseFile(`账号\n${PLAYER}\n`)(actor);
  },
  "extraTimes.takeBack": via("take-back", typed({ 原因: "发错了" }), `add_num?user_name=${PLAYER}`),
  "exclusion.file": press(
    "button",
    /^排除账号/,
    "exclusion",
    chooseFile(`账号,类型,原因\n${PLAYER},自我排除,x\n`),
  ),
  "exclusion.create": via("exclude", async (dialog, actor) => {
    await typed({ 账号: PLAYER, 原因: "本人要求" })(dialog, actor);
    await pick(actor.page, dialog.getByLabel("排除类型"), "自我排除");
  }),
  "exclusion.lift": via("lift", typed({ 原因: "已核实" })),
  "erasure.erase": async (actor) => {
    await goTo(actor.page, `record?player=${IDLE}`);
    await actor.page.getByRole("button", { name: "清除资料" }).click();
    const dialog = actor.page.getByRole("dialog").last();
    await dialog.getByLabel("输入账号").fill(IDLE);
    await confirmDialog(actor);
    await enterWrongCode(actor);
  },
  "webhook.redeliver": press("button", /^重新推送/, "webhook"),
  "setting.save": async (actor) => {
    await goTo(actor.page, "settings");
    await actor.page.getByRole("textbox", { name: "大额变动金额" }).fill("9000");
    await answer("保存", "Save", ({ page }) => page.getByRole("main"))(actor);
    await confirmDialog(actor);
  },
  "tag.create": via("tag-new", typed({ 组别标识: "late", 名称: "迟到组" })),
  "tag.rename": via("tag-edit"),
  "redCode.create": via("code-new", typed({ 代码: "LATE", 名称: "迟到信" })),
  "redCode.rename": via("tag-edit", undefined, "tag?edit=red_code&key=RED_PACKET"),
  "stopSwitch.stopPool": press("switch", /「迟到池」的抽奖/, "prize?pool={drawn}"),
  "stopSwitch.startPool": press("button", /^恢复：奖池「迟到池」/, "config", enterWrongCode),
  "stopSwitch.stopPayouts": press("button", /^全部暂停/, "config", ({ page }) =>
    page.getByRole("dialog").getByRole("button", { name: "只暂停发放" }).click(),
  ),
  "stopSwitch.startPayouts": press("button", /^恢复：发放已暂停/, "config", enterWrongCode),
  "stopSwitch.stopEverything": via("stop"),
  "stopSwitch.startDraws": press("button", /^恢复：所有抽奖/, "config", enterWrongCode),
  "stopSwitch.startEverything": press("button", /^恢复运行/, "config", enterCode),
};

/** Sent with a wrong code: the refusal appears when the answer comes, on whatever page the operator is. */
const TOLD: ReadonlySet<string> = new Set([
  "erasure.erase",
  "stopSwitch.startPool",
  "stopSwitch.startPayouts",
  "stopSwitch.startDraws",
]);

/** Error messages: above a form, at a field, or over the page. */
const FAULTS = [".ant-alert", ".ant-message"].map((of) => `${of}-error, ${of}-warning`).join();

/** Rounds, pools and records for the writes. */
async function setScene(stage: Stage, operator: Operator) {
  const { data, records } = operator;
  const round = await makeOpenRound(operator, "迟到", 100);
  const ended = await makeOpenRound(operator, "迟到完", 1);
  const goods = await makeOpenRound(operator, "迟到货", 100, GOODS);
  const id = await makeOpenRound(operator, "迟到删", 1);
  // Nobody listens there.
  await stage.redctl("webhooks set http://127.0.0.1:9/hooks");
  await data("PUT", `/gred/api/act/pause/${id}`, { id, rounds_status: 0 });
  const prize = await makePrize(operator, "迟到旁池", { ...GOODS, floors: 0 });
  const lone = numberAt(await data("POST", "/gred/api/pool", { pool_name: "迟到空池" }), "id");
  await stage.platform.register(PLAYER);
  await stage.platform.register(IDLE);
  await stage.wallet.control("refuse", { reason: "account closed" });
  for (const drawn of [round, ended, goods]) {
    await stage.platform.draw(askFor(drawn, PLAYER));
  }
  const stateIn = async (from: number) => (await records(from))[0]?.payout_state;
  await expect.poll(() => stateIn(round)).toBe("refused");
  await expect.poll(() => stateIn(ended)).toBe("refused");
  await operator.changeRound(ended, { end_time: shown(Date.now() - 2_000) });
  const [pool, drawn] = [await operator.poolId("迟到旁池"), await operator.poolId("迟到池")];
  return { round, ended, goods, prize, pool, lone, drawn };
}

test("open pages and typed texts stay when a write is answered late", async ({ page, stage }) => {
  test.setTimeout(420_000);
  page.setDefaultTimeout(20_000);
  const { operator, token, seed } = await stage.operator("latecomer");
  const authenticator = authenticatorOf(seed, stepAt(Date.now()));
  const ids = { ...NOTHING, ...(await setScene(stage, operator)), goodFile: PRIZE_ROWS };
  const actor: Actor = { page, stage, token, ids, authenticator };
  await openConsole(page, stage, token, "/activity_manage/record");
  const dialogs = page.getByRole("dialog");
  for (const [write, send] of Object.entries(WRITES)) {
    await test.step(write, async () => {
      const [noun = "", name = ""] = write.split(".");
      const method = textAt(ROUTES, noun, name, "method");
      const route = textAt(ROUTES, noun, name, "path");
      // An act that needs a code asks for it with its first answer.
      const header = dig(ROUTES, noun, name, "proof") === "code" ? "x-code" : undefined;
      await goTo(page, "record");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("用户数据查询");
      await expect(dialogs).toHaveCount(0);
      stage.switchboard.hold(`${method} ${route}`, "answer", header);
      const isIt = new RegExp(`${route.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
      const sent = page.waitForRequest(
        (request) =>
          request.method() === method &&
          isIt.test(request.url()) &&
          (header === undefined || header in request.headers()),
      );
      await send(actor);
      const answered = (await sent).response();

      if (noun === "stopSwitch" && (await dialogs.count()) > 0) {
        // The shell's own dialogs are above every page: close them; the write continues.
        await page.keyboard.press("Escape");
        await expect(dialogs).toHaveCount(2);
        await confirmDialog(actor);
        await expect(dialogs).toHaveCount(0);
      }
      // An editor of another page, whose address has fields that others have too.
      const isOfTags = noun === "tag" || noun === "redCode";
      const address = isOfTags ? "config?new=1&tag=weekend" : "tag?new=tag&page=3&size=50";
      await goTo(page, address);
      const box = dialogs.getByLabel(isOfTags ? "活动名称" : "组别标识");
      await box.fill("half");
      stage.switchboard.hold(null);
      await (await answered)?.finished();
      await box.press("End");
      await box.pressSequentially("_and_more", { delay: 20 });
      await expect(box).toHaveValue("half_and_more");
      await expect(page).toHaveURL(`${stage.switchboard.base}/red/activity_manage/${address}`);
      await expect(dialogs).toHaveCount(1);
      await expect(page.locator(FAULTS)).toHaveText(TOLD.has(write) ? [WRONG] : []);
    });
  }
  await stage.wallet.control("pay");
  expect(await operator.stops()).toEqual(["pool"]);
});
