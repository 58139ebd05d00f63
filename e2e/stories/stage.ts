/** One system for the stories of a worker: its folder, wallet, platform key and operators. Its books are checked at the end. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test as base } from "@playwright/test";
import type { Page } from "@playwright/test";
import { platformOf } from "../outside/platform.ts";
import { environmentOf, freePort, runRedctl, startSystem } from "../outside/server.ts";
import { makeKey } from "../outside/setup.ts";
import { makeOperator } from "../outside/sign-in.ts";
import { openSwitchboard } from "./switchboard.ts";
import { startWallet, WALLET_KEY } from "./wallet.ts";

const ROOT = process.cwd();
/** Name of the operator whom stories share. */
const COMMON = "story-teller";
export const ADMIN = { username: "story-op", password: "a password for stories" };

/** Starts the product with its data in `folder`; `more` adds to its environment. */
export async function openStage(folder: string, more: Readonly<Record<string, string>> = {}) {
  const wallet = await startWallet(folder);
  const port = await freePort();
  const environment = {
    ...environmentOf(folder, port, ADMIN, { url: wallet.url, ...WALLET_KEY }),
    ...more,
  };
  const direct = `http://127.0.0.1:${port}`;
  const system = await startSystem(environment, direct, folder);
  const redctl = (args: string) => runRedctl(ROOT, environment, args);
  const switchboard = await openSwitchboard(direct);
  const platform = platformOf(switchboard.base, await makeKey(redctl, "stories"));
  // Stories share groups: the goods of one must not make the grants of another costly.
  await redctl("config set goods_value 1.00");
  let shared: ReturnType<typeof makeOperator> | undefined;
  const stage = {
    switchboard,
    wallet,
    platform,
    redctl,
    /**
     * A signed-in operator, whose present code is used up. Stories without a name share one, since making an operator
     * costs as much as opening a page.
     */
    operator: async (name?: string) =>
      await (name === undefined
        ? (shared ??= makeOperator(direct, redctl, COMMON))
        : makeOperator(direct, redctl, name)),
  };
  return {
    stage,
    close: async (): Promise<void> => {
      await switchboard.close();
      const { code } = await system.stop();
      await wallet.close();
      if (code !== 0) {
        throw new Error(`the system ended with ${String(code)}: ${system.output()}`);
      }
    },
  };
}

export type Stage = Awaited<ReturnType<typeof openStage>>["stage"];

export const test = base.extend<object, { stage: Stage }>({
  stage: [
    // oxlint-disable-next-line no-empty-pattern -- the library reads the first parameter's pattern
    async ({}, use) => {
      const folder = mkdtempSync(path.join(tmpdir(), "red-stories-"));
      const { stage, close } = await openStage(folder);
      await use(stage);
      const { code, out } = await stage.redctl("verify --json");
      expect(code, out).toBe(0);
      await close();
      rmSync(folder, { recursive: true, force: true });
    },
    { scope: "worker", timeout: 300_000 },
  ],
});

/**
 * Opens the tab of a pool. Just after the page has opened, many tabs still move and a click can miss, so it repeats
 * until the tab is open.
 */
export async function openPool(page: Page, name: string): Promise<void> {
  const tab = page.getByRole("tab", { name, exact: true });
  await expect(async () => {
    await tab.click();
    await expect(tab).toHaveAttribute("aria-selected", "true", { timeout: 1_000 });
  }).toPass({ timeout: 20_000 });
}

export async function openConsole(page: Page, stage: Stage, token: string, route: string) {
  const url = new URL(stage.switchboard.base);
  await page
    .context()
    .addCookies([{ name: "Admin-Token", value: token, domain: url.hostname, path: "/" }]);
  await page.goto(`${stage.switchboard.base}/red${route}`);
}
