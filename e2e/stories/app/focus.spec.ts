/** Closing a dialog or menu returns the focus to its opener, or to the nearest element. */
import { expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { askFor } from "../../outside/platform.ts";
import { filled } from "../../screens/places/place.ts";
import type { Place } from "../../screens/places/place.ts";
import { PLACES } from "../../screens/places/places.ts";
import { goOn, settle } from "../../screens/visit.ts";
import { NOTHING } from "../../screens/longest-data.ts";
import type { Ids } from "../../screens/longest-data.ts";
import { makeOpenRound, GOODS } from "../round.ts";
import { openConsole, openPool, test } from "../stage.ts";

// Many small steps on a possibly busy machine.
test.setTimeout(240_000);

/** The address without the part that opens the place. */
function pageOf(place: Place, ids: Ids): string {
  return filled(place.at, ids).replace(/[?&](?!pool=)\w+=[^&]*/, "");
}

async function closedBy(page: Page, layer: Locator, close: () => Promise<void>): Promise<void> {
  await expect(layer).toBeVisible();
  await expect(
    page.locator(".ant-modal-root :focus, .ant-drawer:focus, .ant-drawer :focus"),
  ).toHaveCount(1);
  await close();
  await expect(layer).toBeHidden();
}

/** Opens by key and by pointer; closes with Esc, and after the pointer with the pointer too. */
async function goAndReturn(page: Page, opener: Locator): Promise<void> {
  const layer = page.getByRole("dialog");
  await opener.focus();
  await page.keyboard.press("Enter");
  await closedBy(page, layer, () => page.keyboard.press("Escape"));
  await expect(opener).toBeFocused();
  await opener.click();
  await closedBy(page, layer, async () => {
    // A button that still grows moves away between press and release.
    await settle(page);
    await layer
      .getByRole("button", { name: /^(取消|关闭)$/ })
      .first()
      .click();
  });
  await expect(opener).toBeFocused();
  await expect(page.getByRole("tooltip")).toBeHidden();
}

// The other tests have the animations off.
test("every dialog gives the focus back, with animations", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_name = "焦点归处";
  const round = await makeOpenRound(operator, rounds_name, 10, GOODS);
  const pool = await operator.poolId(`${rounds_name}池`);
  const ids = { ...NOTHING, rounds_name, award_name: GOODS.award_name, round, pool };
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await openConsole(page, stage, token, "/404");
  const opened = PLACES.filter(({ opener }) => opener !== undefined);
  expect(opened.length).toBeGreaterThan(10);
  let address = "";
  for (const place of opened) {
    const next = pageOf(place, ids);
    if (next !== address) {
      await goOn(page, next);
    }
    address = next;
    const name = filled(place.opener ?? "", ids);
    await goAndReturn(page, page.getByRole("button", { name, exact: true }));
  }
});

test("a menu takes the focus and gives it back", async ({ page, stage }) => {
  const { operator, token } = await stage.operator("focus-menu");
  await makeOpenRound(operator, "焦点菜单", 10);
  await openConsole(page, stage, token, "/activity_manage/prize");
  await page.evaluate('localStorage.setItem("tags_view", "1")');
  await page.reload();
  const openers: readonly [Locator, string][] = [
    [page.getByRole("button", { name: "focus-menu" }), "Enter"],
    [page.getByRole("button", { name: "更多", exact: true }), "Enter"],
    [page.getByRole("button", { name: "批量导出" }), "Enter"],
    [
      page
        .getByRole("navigation", { name: "已打开的页面" })
        .getByRole("link", { name: "奖品管理" }),
      "Shift+F10",
    ],
  ];
  for (const [opener, key] of openers) {
    await opener.focus();
    await page.keyboard.press(key);
    const entries = page.getByRole("menuitem");
    await expect(entries.first()).toBeFocused();
    await page.keyboard.press("ArrowDown");
    await expect(entries.nth(1)).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(entries).toHaveCount(0);
    await expect(opener).toBeFocused();
  }
  // So does an entry that opens nothing.
  const theme = page.getByRole("button", { name: "主题" });
  await theme.focus();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem").first()).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(theme).toBeFocused();
});

test("a removed element leaves the focus to the nearest one", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  const rounds_id = await makeOpenRound(operator, "焦点发货", 10, GOODS);
  await stage.platform.register("focus-1");
  await stage.platform.draw(askFor(rounds_id, "focus-1"));
  await stage.platform.draw(askFor(rounds_id, "focus-1"));
  const heading = page.getByRole("heading", { level: 1 });

  // The row stays, but its button disappears.
  await openConsole(page, stage, token, `/activity_manage/distribution?rounds_id=${rounds_id}`);
  const deliver = page.getByRole("row").getByRole("button", { name: /发货/ });
  await expect(deliver).toHaveCount(2);
  await deliver.first().focus();
  await page.keyboard.press("Enter");
  const delivery = page.getByRole("dialog", { name: "标记发货" });
  await closedBy(page, delivery, () => delivery.getByRole("button", { name: "标记发货" }).click());
  await expect(deliver).toHaveCount(1);
  await expect(page.locator("tr[data-row-key] :focus")).toHaveCount(1);

  // Opened by its address, so without an opener.
  await page.goto(`${stage.switchboard.base}/red/activity_manage/config?edit=${rounds_id}`);
  const edit = page.getByRole("dialog");
  await closedBy(page, edit, () => page.keyboard.press("Escape"));
  await expect(heading).toBeFocused();

  // The field loses the focus before the drawer opens.
  const search = page.getByRole("combobox", { name: "查找", exact: true });
  await search.focus();
  await page.keyboard.insertText("focus-1");
  await page.keyboard.press("Enter");
  await closedBy(page, page.getByRole("dialog"), () => page.keyboard.press("Escape"));
  await expect(search).toBeFocused();

  // The menu disappears with its pool.
  await operator.data("POST", "/gred/api/pool", { pool_name: "焦点空池" });
  await page.goto(`${stage.switchboard.base}/red/activity_manage/prize`);
  const tab = page.getByRole("tab", { name: "焦点空池", exact: true });
  await openPool(page, "焦点空池");
  await page.getByRole("button", { name: "更多", exact: true }).click();
  await page.getByRole("menuitem", { name: /删除/ }).click();
  await page.getByRole("dialog").getByRole("button", { name: "确定" }).click();
  await expect(tab).toBeHidden();
  await expect(page.locator("body :focus")).toHaveCount(1);
});
