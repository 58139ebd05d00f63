/** A player's own view, found from any page: why there is a draw or none. */
import { expect } from "@playwright/test";
import type { Locator } from "@playwright/test";
import type { Player } from "../../outside/week/books.ts";
import type { Chances } from "../../outside/week/hands.ts";
import type { Desk } from "./desk.ts";

/** Finds the player from the bar above the page, and leaves the view again once it was read. */
async function read<T>(
  { page }: Desk,
  { user_name }: Player,
  look: (drawer: Locator) => Promise<T>,
): Promise<T> {
  await page.keyboard.press("Control+k");
  await expect(page.getByRole("combobox", { name: "查找玩家" })).toBeFocused();
  await page.keyboard.type(user_name);
  await page.keyboard.press("Enter");
  const drawer = page.getByRole("dialog", { name: `玩家 ${user_name}` });
  await expect(
    drawer.getByRole("region", { name: "能不能抽奖" }).getByRole("listitem"),
  ).not.toHaveCount(0);
  const seen = await look(drawer);
  await page.keyboard.press("Escape");
  await expect(drawer).toBeHidden();
  return seen;
}

/** What a row of 存款怎么算 says: the number of the deposit, and whether it counts. */
function verdictOf(text: string): [string, string] {
  const [, number = ""] = / · (\S+)/.exec(text) ?? [];
  const [, reversed] = /不计入：.* 冲正（(.*)）/.exec(text) ?? [];
  return [number, reversed === undefined ? "counted" : `reversed: ${reversed}`];
}

export async function readChances(desk: Desk, player: Player, round: string): Promise<Chances> {
  return await read(desk, player, async (drawer) => {
    await drawer.getByRole("button", { name: `${round}：次数怎么算` }).click();
    const counted = drawer.getByRole("region", { name: "存款怎么算" });
    await expect(counted.getByRole("row")).not.toHaveCount(0);
    const figures = await drawer.getByLabel("次数构成").innerText();
    const figure = (name: string) => Number(new RegExp(`${name}\\s+(\\d+)`).exec(figures)?.[1]);
    const rows = await counted.getByRole("row").filter({ hasText: " · " }).allInnerTexts();
    await desk.show("3-wednesday-chances");
    return {
      total: figure("总次数"),
      already: figure("已抽"),
      remain: figure("剩余"),
      deposits: Object.fromEntries(rows.map(verdictOf)),
    };
  });
}

export async function readBlocked(desk: Desk, player: Player): Promise<boolean> {
  return await read(desk, player, async (drawer) => {
    await desk.show("5-friday-blocked");
    const why = await drawer.getByRole("region", { name: "能不能抽奖" }).innerText();
    return why.includes("被禁止抽奖");
  });
}
