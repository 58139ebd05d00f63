/** Sidebar, navbar, error pages (spec §2, §8, §9). */
import { whileCut } from "./scene.ts";
import type { Scene, States } from "./scene.ts";

const HOME = "/activity_manage/config";

async function openWide(scene: Scene, width: number) {
  const page = await scene.open(HOME);
  await page.setViewportSize({ width, height: 900 });
  return page;
}

export const shellStates: States = {
  opened: (scene) => scene.open(HOME),
  "sidebar collapsed": async (scene) => {
    const page = await scene.open(HOME);
    await page.getByRole("button", { name: "收起侧栏" }).click();
    return page;
  },
  "sidebar collapsed, then reloaded": async (scene) => {
    const page = await scene.open(HOME);
    await page.getByRole("button", { name: "收起侧栏" }).click();
    await page.reload();
    return page;
  },
  "sidebar collapsed and expanded": async (scene) => {
    const page = await scene.open(HOME);
    await page.getByRole("button", { name: "收起侧栏" }).click();
    await page.getByRole("button", { name: "展开侧栏" }).click();
    return page;
  },
  "992 px wide": (scene) => openWide(scene, 992),
  "991 px wide": (scene) => openWide(scene, 991),
  "991 px wide, sidebar opened": async (scene) => {
    const page = await openWide(scene, 991);
    await page.getByRole("button", { name: "展开侧栏" }).click();
    return page;
  },
  "user menu": async (scene) => {
    const page = await scene.open(HOME);
    await page.getByRole("button", { name: "fact-op" }).click();
    return page;
  },
  "logged out": async (scene) => {
    // Of an account of its own: the session is over afterwards.
    const { token } = await scene.stage.operator(scene.fresh("fact-leaver-"));
    const page = await scene.open(HOME);
    await scene.holdToken(token);
    await page.reload();
    await page.getByRole("button", { name: "fact-leaver" }).click();
    await page.getByRole("menuitem", { name: "退出登录" }).click();
    await page.waitForURL(/login/);
    return page;
  },
  "fullscreen where the browser has none": async (scene) => {
    const page = await scene.open(HOME);
    await page.evaluate(
      'void Object.defineProperty(document, "fullscreenEnabled", { value: false })',
    );
    await page.getByRole("button", { name: "全屏", exact: true }).click();
    return page;
  },
  "network gone": async (scene) => {
    const page = await scene.open(HOME);
    await page.getByRole("table").waitFor();
    await whileCut(scene, "GET /gred/api/act/list", async () => {
      await page.getByRole("button", { name: "刷新", exact: true }).click();
      await page.locator(".ant-message-notice").first().waitFor();
    });
    return page;
  },
  "size chosen": async (scene) => {
    const page = await scene.open(HOME);
    await page.getByRole("button", { name: "密度" }).click();
    await page.getByRole("menuitem", { name: "紧凑" }).click();
    return page;
  },
  "sizes offered": async (scene) => {
    const page = await scene.open(HOME);
    await page.getByRole("button", { name: "密度" }).click();
    return page;
  },
};

async function openSettings(scene: Scene) {
  const page = await scene.open(HOME);
  await page.getByRole("button", { name: "界面设置" }).click();
  await page.getByRole("dialog", { name: "界面设置" }).waitFor();
  return page;
}

async function withTags(scene: Scene) {
  const page = await openSettings(scene);
  await page.getByRole("switch", { name: "标签栏" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  return page;
}

export const settingsStates: States = {
  opened: openSettings,
  "tags view on": withTags,
  "menu of a tag": async (scene) => {
    const page = await withTags(scene);
    const tag = page.getByRole("navigation", { name: "已打开的页面" }).getByRole("link");
    await tag.click({ button: "right" });
    return page;
  },
  "a fault has happened": async (scene) => {
    const page = await scene.open(HOME);
    await page.evaluate(() => {
      setTimeout(() => {
        throw new TypeError("a planted fault");
      });
    });
    return page;
  },
};

export const errorStates: States = {
  "page not found": (scene) => scene.open("/404"),
  "page not found, home chosen": async (scene) => {
    const page = await scene.open("/404");
    await page.getByRole("link", { name: "Back to home" }).click();
    await page.waitForURL(/config/);
    return page;
  },
  "no permission": (scene) => scene.open("/401"),
  "no permission, back chosen": async (scene) => {
    const page = await scene.open("/activity_manage/prize");
    await page.getByRole("table").waitFor();
    await page.goto(page.url().replace(/\/activity_manage.*/, "/401"));
    await page.getByRole("button", { name: "返回" }).click();
    await page.waitForURL(/prize/);
    return page;
  },
};
