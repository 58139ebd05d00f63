/** The prepared system for the facts, and its two users. */
import { setTimeout as sleep } from "node:timers/promises";
import type { Browser, BrowserContextOptions, Page } from "@playwright/test";
import { PRESETS } from "../../outside/expected-chances.ts";
import { shown, windowFrom } from "../../outside/context.ts";
import { dig, numberAt } from "../../outside/json.ts";
import type { Operator } from "../../outside/operator.ts";
import { askFor, inFlight } from "../../outside/platform.ts";
import type { Ask } from "../../outside/platform.ts";
import { makeRound as makeRoundOf } from "../../outside/setup.ts";
import type { Stage } from "../../stories/stage.ts";
import { holdToken } from "../places/place.ts";
import { goOn } from "../visit.ts";
import { NOTHING } from "../longest-data.ts";

/** Time limit for a step towards a state. */
export const STEP_MS = 20_000;
/** Settings and form texts of an earlier state would be restored. */
const FORGET = "sessionStorage.clear(); localStorage.clear();";
const DESKTOP = { width: 1440, height: 900 };
const DAY_MS = 86_400_000;
const REFUSAL = "account frozen";
const PLAYER = { player_id: "fact-1", user_name: "fact01" };

/** Brings a screen into a state; answers the page. */
export type Make = (scene: Scene) => Promise<Page>;

interface Times {
  readonly today: string;
  readonly tomorrow: string;
}

interface Wish {
  readonly name: string;
  readonly tag: string;
  readonly pool_name: string;
  /** "formula,type,name" of a preset of the specification. */
  readonly code: string;
  readonly times: number;
}

/** A round over today and tomorrow, or only tomorrow. */
export async function makeRound(
  operator: Operator,
  { today, tomorrow }: Times,
  { name, tag, pool_name, code, times }: Wish,
): Promise<number> {
  const preset = PRESETS.find((each) => each.code === code);
  if (preset === undefined) {
    throw new Error(`no preset ${code}`);
  }
  const window = windowFrom(`${today} 00:00:00`, `${tomorrow} 23:59:59`);
  const wish = { name, tag, pool_name, preset: { ...preset, times }, times: window };
  return (await makeRoundOf(operator, window, wish)).id;
}

async function makePools({ data }: Operator): Promise<void> {
  const money = { award_name: "8.88元红包", award_price: "8.88", weight: 3000, award_total: 40 };
  const cup = { award_name: "保温杯", award_price: "0.00", weight: 1000, award_total: 10 };
  for (const prize of [
    { pool_name: "事实池", ...money, floors: 0 },
    { pool_name: "事实池", ...cup, floors: 1 },
    { pool_name: "现金池", ...money, award_total: 1_000_000, floors: 1 },
    { pool_name: "实物池", ...cup, award_total: 1_000_000, floors: 1 },
  ]) {
    await data("POST", "/gred/api/prize", prize);
  }
}

async function feed({ platform, operator }: { platform: Stage["platform"]; operator: Operator }) {
  const players = [
    PLAYER,
    ...Array.from({ length: 24 }, (_, at) => ({
      player_id: `page-${at}`,
      user_name: `page${String(at).padStart(2, "0")}`,
    })),
  ];
  await platform.call("POST", "/open/v1/players", { players });
  const created_at = new Date().toISOString();
  const deposit = { ...PLAYER, amount: "250.00", channel: 9, client: 3, created_at };
  const bet = { ...PLAYER, valid_bet_amount: "130.00", platform: 7234, created_at };
  await platform.call("POST", "/open/v1/deposits", {
    deposits: [{ ...deposit, order_no: "fact-d1" }],
  });
  await platform.call("POST", "/open/v1/bets", { bets: [{ ...bet, bet_no: "fact-b1" }] });
  const grant = (user_name: string, tag: string, ms: number) =>
    operator.data("POST", "/gred/api/extratimes", {
      user_name,
      tag,
      expire_time: shown(Date.now() + ms),
    });
  for (const { user_name } of players.slice(1)) {
    await grant(user_name, "dragon", DAY_MS);
  }
  await grant(PLAYER.user_name, "dragon", DAY_MS);
  await grant(PLAYER.user_name, "weekend", DAY_MS / 4);
  // Expires before anybody looks at it.
  await grant(PLAYER.user_name, "dragon", 3_000);
}

/** Waits until a record of the round, or this one, has the status. */
async function untilStatus(operator: Operator, rounds_id: number, log_id: number, status: number) {
  for (;;) {
    const rows = await operator.records(rounds_id);
    if (rows.some((row) => row.log_id === log_id && row.award_status === status)) {
      return;
    }
    await sleep(50);
  }
}

async function draw(stage: Stage, operator: Operator, ask: Ask, status: number): Promise<number> {
  const { body } = await stage.platform.draw(ask);
  const log_id = numberAt(body, "log_id");
  await untilStatus(operator, ask.rounds_id, log_id, status);
  return log_id;
}

/** Answers the round of deposits, and the one with refused payouts. */
async function prepare(stage: Stage, operator: Operator, times: Times) {
  await makePools(operator);
  const pool_name = "现金池";
  const make = (name: string, tag: string, code: string, more: Partial<Wish> = {}) =>
    makeRound(operator, times, { name, tag, pool_name, code, times: 1, ...more });
  const deposits = await make("存款活动", "weekend", "1,2,2");
  await make("投注活动", "dragon", "1,2,1");
  const cups = await make("实物活动", "weekend", "0", { pool_name: "实物池" });
  const refused = await make("补发活动", "weekend", "0");
  const later = { today: times.tomorrow, tomorrow: times.tomorrow };
  await inFlight(
    Array.from({ length: 24 }, (_, at) => at),
    4,
    async (at) => {
      const name = `翻页活动${String(at).padStart(2, "0")}`;
      await makeRound(operator, later, { name, tag: "weekend", pool_name, code: "3", times: 1 });
    },
  );
  await feed({ platform: stage.platform, operator });
  await draw(stage, operator, askFor(deposits, PLAYER.player_id), 1);
  await draw(stage, operator, askFor(cups, PLAYER.player_id), 0);
  await stage.wallet.control("refuse", { reason: REFUSAL });
  await draw(stage, operator, askFor(deposits, PLAYER.player_id), 2);
  return { deposits, refused };
}

async function makeFailed(stage: Stage, operator: Operator, rounds_id: number, player: string) {
  await stage.platform.register(player);
  const log_id = await draw(stage, operator, askFor(rounds_id, player), 2);
  return { user_name: player, log_id };
}

/** Values of `{…}` in addresses, texts and facts. */
async function idsOf(
  { poolId, prizes }: Operator,
  rounds_id: number,
  today: string,
  tomorrow: string,
) {
  const prize = (await prizes("事实池")).find((one) => dig(one, "award_price") === "8.88");
  return {
    ...NOTHING,
    /** Business days, `yyyy-MM-dd`. */
    today,
    tomorrow,
    /** The round of `存款活动`. */
    rounds_id,
    round: rounds_id,
    pool: await poolId("事实池"),
    prize: numberAt(prize, "id"),
    account: PLAYER.user_name,
    /** The account that signed in last. */
    signed_in: "",
  };
}

/** A page in a separate browser with empty storage. */
async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({ ...options, viewport: DESKTOP });
  await context.addInitScript(FORGET);
  const page = await context.newPage();
  page.setDefaultTimeout(STEP_MS);
  return page;
}

/** The signed-in operator's page, the page of a visitor, and the data. */
export async function openScene(stage: Stage, browser: Browser, options: BrowserContextOptions) {
  const { operator, token } = await stage.operator("fact-op");
  const { base } = stage.switchboard;
  const now = Date.now();
  const [today, tomorrow] = [shown(now).slice(0, 10), shown(now + DAY_MS).slice(0, 10)];
  const { deposits, refused } = await prepare(stage, operator, { today, tomorrow });
  const page = await openPage(browser, options);
  const visited = await openPage(browser, options);
  let made = 0;
  let trusted = false;
  const hold = async (value: string) => {
    trusted = false;
    await holdToken(page, stage, value);
  };
  const fresh = (what: string) => {
    made += 1;
    return `${what}${Date.now() % 1_000_000}${made}`;
  };
  const open = async (route: string) => {
    // Remove what an earlier state left. Never the token: a poll refused then makes the page log out, with the next.
    await page.context().clearCookies({ name: /^(?!Admin-Token$)/ });
    const runs = trusted;
    await hold(token);
    await page.setViewportSize(DESKTOP);
    if (runs) {
      await page.evaluate(FORGET);
      await goOn(page, route);
    } else {
      await page.goto(`${base}/red${route}`, { waitUntil: "commit" });
    }
    trusted = true;
    return page;
  };
  return {
    page,
    stage,
    token,
    ids: await idsOf(operator, deposits, today, tomorrow),
    operator,
    /** The operator's calls use this access token from now on. */
    holdToken: hold,
    /** The state of the operator's page is unknown: it is reloaded next time. */
    distrust: () => {
      trusted = false;
    },
    /** The operator's page at `/red` + `route`. */
    open,
    /** The page as the previous state left it, if it is at `/red` + `route`. */
    stay: async (route: string) =>
      trusted && page.url() === `${base}/red${route}` ? page : await open(route),
    /** The page at `/red` + `route` in a new browser. */
    visit: async (route: string) => {
      // The page is left first: the next visit clears its storage.
      await visited.context().clearCookies();
      await visited.goto("about:blank");
      await visited.goto(`${base}/red${route}`, { waitUntil: "commit" });
      return visited;
    },
    /** A record with a refused payout, of a new player. */
    failedRecord: () => makeFailed(stage, operator, refused, fresh("fact-failed-")),
    /** Re-issues such a record by API, with success; the page does not know yet. */
    payOnce: async (log_id: number) => {
      await stage.wallet.control("pay");
      await operator.data("POST", "/gred/api/record/reissue", { log_ids: [log_id] });
      await untilStatus(operator, refused, log_id, 1);
      await stage.wallet.control("refuse", { reason: REFUSAL });
    },
    /** A name not used yet. */
    fresh,
    close: async () => {
      await visited.context().close();
      await page.context().close();
    },
  };
}

export type Scene = Awaited<ReturnType<typeof openScene>>;
