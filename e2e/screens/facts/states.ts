/** The state of each screen for its facts: a place of the registry, and steps on it. */
import type { Page } from "@playwright/test";
import { enterPassword } from "../places/pages.ts";
import { click, enterCode, filled } from "../places/place.ts";
import type { Step } from "../places/place.ts";
import { PLACES } from "../places/places.ts";
import { OWN } from "./own-states.ts";
import { PLAYER_STATES } from "./player-states.ts";
import { ROUND_STATES } from "./round-states.ts";
import type { Make, Scene } from "./scene.ts";
import { cut, listed } from "./steps.ts";
import type { State, States } from "./steps.ts";

const wide =
  (width: number): Step =>
  ({ page }) =>
    page.setViewportSize({ width, height: 900 });
const script =
  (text: string): Step =>
  ({ page }) =>
    page.evaluate(text);
const tagsOn: Step = async ({ page }) => {
  await page.getByRole("switch", { name: "标签栏" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
};
const openTagMenu: Step = ({ page }) =>
  page
    .getByRole("navigation", { name: "已打开的页面" })
    .getByRole("link")
    .click({ button: "right" });
const goHome: Step = async ({ page }) => {
  await page.getByRole("link", { name: "Back to home" }).click();
  await page.waitForURL(/config/);
};
const reload: Step = ({ page }) => page.reload();

const SHELL_STATES: States = {
  login: {
    opened: ["login"],
    "nothing entered": ["login-missing"],
    "only blanks for a name": ["login", enterPassword("   ", "something")],
    "no password": ["login", enterPassword("somebody", "")],
    "wrong password": ["login", enterPassword("nobody-of-this-name", "something")],
    "account not bound": ["login-bind"],
    "account bound": ["login-code"],
    "wrong code": ["login-code", enterCode],
  },
  guard: { "signed out": ["login"], "signed in": ["config"] },
  shell: {
    opened: ["config"],
    "sidebar collapsed": ["config", click("收起侧栏")],
    "sidebar collapsed, then reloaded": ["config", click("收起侧栏"), reload],
    "sidebar collapsed and expanded": ["config", click("收起侧栏"), click("展开侧栏")],
    "992 px wide": ["config", wide(992)],
    "991 px wide": ["config", wide(991)],
    "991 px wide, sidebar opened": ["config", wide(991), click("展开侧栏")],
    "user menu": ["menu-user"],
    "fullscreen where the browser has none": [
      "config",
      script('void Object.defineProperty(document, "fullscreenEnabled", { value: false })'),
      click("全屏"),
    ],
    "network gone": ["config", listed, cut("GET /gred/api/act/list", ".ant-message-notice")],
    "size chosen": ["settings", ({ page }) => page.getByText("紧凑", { exact: true }).click()],
    "sizes offered": ["settings"],
  },
  settings: {
    opened: ["settings"],
    "tags view on": ["settings", tagsOn],
    "menu of a tag": ["settings", tagsOn, openTagMenu],
    "a fault has happened": [
      "config",
      script('setTimeout(() => { throw new TypeError("a planted fault"); })'),
    ],
  },
  "error pages": {
    "page not found": ["404"],
    "page not found, home chosen": ["404", goHome],
    "no permission": ["401"],
  },
};

const STATES: States = { ...SHELL_STATES, ...ROUND_STATES, ...PLAYER_STATES };

async function reach(scene: Scene, [named, ...steps]: State): Promise<Page> {
  const [name = "", more] = named.split("?");
  const place = PLACES.find((one) => one.name === name);
  if (place === undefined) {
    throw new Error(`there is no place ${name}`);
  }
  const sign = place.at.includes("?") ? "&" : "?";
  const ids = { ...scene.ids, unique: scene.fresh("") };
  const route = filled(more === undefined ? place.at : `${place.at}${sign}${more}`, ids);
  const page = await (place.outside === true ? scene.visit(route) : scene.open(route));
  const look = { ...scene, ids, page };
  await place.open?.(look);
  for (const step of steps) {
    await step(look);
  }
  return page;
}

/** Undefined when the screen has no such state. */
export function stateOf(screen: string, state: string): Make | undefined {
  const found = STATES[screen]?.[state];
  return found === undefined ? OWN[`${screen}, ${state}`] : (scene) => reach(scene, found);
}
