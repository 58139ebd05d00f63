/** Makes a round from each preset by keyboard and compares it by API. */
import { expect } from "@playwright/test";
import type { Locator, Page } from "@playwright/test";
import { PRESET_LABELS, PRESETS } from "../outside/expected-chances.ts";
import { shown } from "../outside/context.ts";
import { dig, listAt } from "../outside/json.ts";
import { pick, type } from "./form.ts";
import { openConsole, test } from "./stage.ts";
import { makeOpenRound } from "./round.ts";

/** First one with a sum, one with single rows, one without an amount. */
const IN_TURN = [0, 7, 9, 1, 2, 3, 4, 5, 6, 8].slice(0, Number(process.env["PROVE_N"]));
const DAY = shown(Date.now() + 86_400_000).slice(0, 10);

// Up to ten forms on a possibly busy machine.
test.setTimeout(600_000);

/** Arrow keys move through the cards. */
async function choosePreset(page: Page, dialog: Locator, at: number): Promise<void> {
  await dialog.getByRole("radio").first().focus();
  await page.keyboard.press("Space");
  for (const _step of Array.from({ length: at })) {
    await page.keyboard.press("ArrowRight");
  }
  await expect(dialog.getByRole("radio").nth(at)).toBeChecked();
}

test("presets become rounds, by keys alone", async ({ page, stage }) => {
  const { operator, token } = await stage.operator();
  await makeOpenRound(operator, "预设", 100);
  for (const no of Array.from({ length: 20 }).keys()) {
    await operator.data("POST", "/gred/api/pool", { pool_name: `旁池${no}` });
  }
  await openConsole(page, stage, token, "/activity_manage/config?rounds_name=preset-");
  const add = page.getByRole("button", { name: "新增活动" }).first();
  for (const at of IN_TURN) {
    const label = PRESET_LABELS[at];
    await add.focus({ timeout: 30_000 });
    await page.keyboard.press("Enter");
    const dialog = page.getByRole("dialog", { name: "新增活动" });
    await expect(dialog.getByLabel("活动名称")).toBeFocused({ timeout: 30_000 });
    await page.keyboard.insertText(`preset-${label}`);
    await pick(page, dialog.getByRole("combobox", { name: "奖池" }), "预设池");
    await choosePreset(page, dialog, at);
    await pick(page, dialog.getByRole("combobox", { name: "流水倍数" }), "1 倍");
    await type(page, dialog.getByLabel("活动开始时间"), `${DAY} 08:00:00`);
    await type(page, dialog.getByLabel("活动结束时间"), `${DAY} 20:00:00`);
    await dialog.getByRole("button", { name: "同活动时间" }).focus();
    await page.keyboard.press("Enter");
    await dialog.getByRole("button", { name: /^保存/ }).focus();
    await page.keyboard.press("Enter");
    await expect(dialog).toBeHidden({ timeout: 30_000 });
    await expect(page.getByRole("row", { name: `preset-${label}` })).toBeVisible();
  }
  const path = "/gred/api/act/list?rounds_name=preset-&page=1&size=99";
  const rounds = listAt(await operator.data("GET", path, null), "content");
  const saved = (name: string) => rounds.find((round) => dig(round, "rounds_name") === name);
  expect(rounds).toHaveLength(IN_TURN.length);
  for (const at of IN_TURN) {
    const { code = "", value, times } = PRESETS[at] ?? {};
    const [formula, type_code, name] = code.split(",");
    expect(saved(`preset-${PRESET_LABELS[at]}`)).toMatchObject({
      condition_name: name ?? code,
      condition_value: value === undefined ? "0" : expect.stringMatching(`^${value}(\\.00)?$`),
      ...(name !== undefined && {
        condition_times: times,
        condition_formula: formula,
        condition_type: type_code,
      }),
      achieve_start_time: `${DAY} 08:00:00`,
      end_time: `${DAY} 20:00:00`,
      rounds_status: 1,
    });
  }
});
