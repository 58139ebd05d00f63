/** The acts of the week's operator, by the documented calls: each ends when its answer was checked. */
import type { Context, Round, Window } from "../context.ts";
import { dig, listAt, numberAt, textAt } from "../json.ts";
import { operatorCall, operatorOf } from "../operator.ts";
import type { Operator } from "../operator.ts";
import { makePool, makeRound } from "../setup.ts";
import type { Prize, RoundWish } from "../setup.ts";
import { signIn } from "../sign-in.ts";
import type { Authenticator } from "../totp.ts";

export function playersOf(day: string, count: number) {
  return Array.from({ length: count }, (_, index) => ({
    player_id: `w-${day}${index}`,
    user_name: `Week_${day}_${index}`,
  }));
}

export type Player = ReturnType<typeof playersOf>[number];

/** Last week's round for tonight: the values that the copy changes. */
export interface Tonight {
  readonly rounds_name: string;
  readonly pool_name: string;
  readonly condition_times: number;
  readonly start_time: string;
  readonly end_time: string;
}

interface Grant {
  readonly user_names: readonly string[];
  readonly tag: string;
  readonly expire_time: string;
}

export interface Figure {
  readonly count: number;
  readonly amount: string;
}

/** The signed-in operator. */
interface Desk {
  readonly base: string;
  token: string;
  operator: Operator;
  authenticator: Authenticator | null;
}

async function codeOf({ authenticator }: Desk): Promise<string> {
  if (authenticator === null) {
    throw new Error("nobody has signed in");
  }
  return await authenticator.code();
}

async function enter(context: Context, desk: Desk): Promise<string> {
  if (desk.authenticator === null) {
    Object.assign(desk, await signIn(context));
  } else {
    const credentials = { ...context.admin, pid: "2", code: await codeOf(desk) };
    const answer = await operatorCall(context.base, "POST", "/oauth/login", credentials);
    desk.token = textAt(answer.data, "access_token");
  }
  desk.operator = operatorOf(context.base, desk.token);
  return desk.token;
}

/** Copies as the console does, then edits tonight's values. */
async function copyRound({ operator }: Desk, source: number, tonight: Tonight): Promise<number> {
  const { rounds_name, pool_name, ...changed } = tonight;
  const made = await operator.data("POST", `/gred/api/act/${source}/copy`, {
    start_date: tonight.start_time.slice(0, 10),
    rounds_name,
    pool_name,
  });
  const id = numberAt(made, "id");
  await operator.changeRound(id, changed);
  return id;
}

async function prizeOf(operator: Operator, pool_name: string, award_name: string) {
  const prizes = await operator.prizes(pool_name);
  return prizes.find((prize) => dig(prize, "award_name") === award_name);
}

async function mendPrice(desk: Desk, pool_name: string, award_name: string, award_price: string) {
  const { operator } = desk;
  const prize = await prizeOf(operator, pool_name, award_name);
  await operator.data("PUT", `/gred/api/prize/${numberAt(prize, "id")}`, {
    award_name,
    weight: numberAt(prize, "weight"),
    award_total: numberAt(prize, "award_total"),
    award_price,
    floors: numberAt(prize, "floors"),
    pool_name,
  });
}

/** Why a player has this number of draws; by deposit number: "counted", or why it is not. */
async function readChances({ operator }: Desk, user_name: string, rounds_id: number) {
  const body = { user_name, rounds_id };
  const explanation = await operator.data("POST", "/gred/api/player/explain", body);
  const rows = listAt(explanation, "rows").map((row): [string, string] => [
    textAt(row, "no"),
    textAt(row, "verdict") === "cancelled"
      ? `reversed: ${textAt(row, "cancel_reason")}`
      : textAt(row, "verdict"),
  ]);
  return {
    total: numberAt(explanation, "total"),
    already: numberAt(explanation, "already"),
    remain: numberAt(explanation, "remain"),
    deposits: Object.fromEntries(rows),
  };
}

/** Trouble of the wallet: since when (local `HH:mm:ss`), and what waits. */
async function readTrouble({ operator }: Desk) {
  const health = await operator.data("GET", "/gred/api/wallet/health", null);
  return dig(health, "trouble") === null
    ? null
    : {
        since: textAt(health, "trouble", "since").slice(-8),
        count: numberAt(health, "waiting", "count"),
        amount: textAt(health, "waiting", "amount"),
      };
}

async function idsOf({ operator }: Desk, { id }: Round, filter: string): Promise<number[]> {
  const path = `/gred/api/record/list?page=1&size=1000&rounds_id=${id}&${filter}`;
  return listAt(await operator.data("GET", path, null), "content").map((row) =>
    numberAt(row, "log_id"),
  );
}

async function startEverything(desk: Desk): Promise<string> {
  const path = "/gred/api/stop/everything/start";
  const wrong = await desk.operator.call("PUT", path, { code: desk.authenticator?.wrong() });
  await desk.operator.data("PUT", path, { code: await codeOf(desk) });
  return String(wrong.msg);
}

/** The parts of a round's sheet that the week checks. */
async function readSheet({ operator }: Desk, { id }: Round) {
  const sheet = await operator.data("GET", `/gred/api/act/${id}/sheet`, null);
  const figure = (...at: readonly string[]) => ({
    count: numberAt(sheet, ...at, "count"),
    amount: textAt(sheet, ...at, "amount"),
  });
  return {
    drawn: figure("drawn"),
    paid: figure("lines", "paid"),
    pending: figure("lines", "pending"),
    unknown: figure("lines", "unknown"),
    refused: figure("lines", "refused"),
    closed: figure("lines", "closed"),
    delivered: figure("lines", "delivered"),
    difference: figure("difference"),
    listed: figure("wallet", "listed"),
    wallet_difference: figure("wallet", "difference"),
    agrees: dig(sheet, "wallet", "covered") === true && dig(sheet, "wallet", "open_breaks") === 0,
    signed_by: listAt(sheet, "sign_offs")
      .filter((sign) => dig(sign, "is_current") === true)
      .map((sign) => textAt(sign, "signed_by")),
  };
}

async function download({ base, token }: Desk, path: string): Promise<Buffer> {
  const response = await fetch(`${base}${path}`, { headers: { token } });
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || type.includes("json")) {
    throw new Error(`${path} → ${response.status} ${type}`);
  }
  return Buffer.from(await response.arrayBuffer());
}

function actsOf(desk: Desk) {
  const call = async (method: "POST" | "PUT", path: string, body: object) =>
    await desk.operator.data(method, path, body);
  const reissue = async (log_ids: readonly number[]) => {
    await call("POST", "/gred/api/record/reissue", { log_ids });
  };
  return {
    reissue: async (log_id: number) => await reissue([log_id]),
    /** Sends all refused payouts of a round again. */
    reissueRefused: async (round: Round) =>
      await reissue(await idsOf(desk, round, "award_status=2")),
    close: async (log_id: number, reason: string) => {
      await call("PUT", "/gred/api/record/close", { log_ids: [log_id], reason });
    },
    grant: async (list: Grant) => {
      const answer = await call("POST", "/gred/api/extratimes/grant", list);
      return {
        granted: numberAt(answer, "granted"),
        unknown: listAt(answer, "unknown").map(String),
        doubled: listAt(answer, "doubled").map(String),
      };
    },
    stopEverything: async () => {
      await call("PUT", "/gred/api/stop/everything", {});
    },
    /** Marks every physical prize of a round as delivered; answers how many. */
    deliver: async (round: Round, note: string) => {
      const log_ids = await idsOf(desk, round, "award_status=0&award_price=0.00");
      return numberAt(
        await call("PUT", "/gred/api/record/deliver", { log_ids, note }),
        "delivered",
      );
    },
    /** Compares with the wallet's statement of this span; answers the open differences. */
    compareWithWallet: async (from: string, to: string) =>
      numberAt(await call("POST", "/gred/api/reconciliation", { from, to }), "breaks"),
  };
}

/** Before signing in. */
export function handsOf(context: Context) {
  const { base } = context;
  const desk: Desk = { base, token: "", operator: operatorOf(base, ""), authenticator: null };
  const call = async (path: string) => await desk.operator.data("GET", path, null);
  return {
    ...actsOf(desk),
    /** Binds an authenticator the first time; answers the session's access token. */
    signIn: async () => await enter(context, desk),
    makePool: async (pool_name: string, prizes: readonly Prize[]) =>
      await makePool(desk.operator, pool_name, prizes),
    makeRound: async (window: Window, wish: RoundWish) =>
      await makeRound(desk.operator, window, wish),
    copyRound: async (source: number, tonight: Tonight) => await copyRound(desk, source, tonight),
    mendPrice: async (pool_name: string, award_name: string, award_price: string) =>
      await mendPrice(desk, pool_name, award_name, award_price),
    /** Raises totals, by the prize's name. */
    addStock: async (pool_name: string, added: Readonly<Record<string, number>>) => {
      for (const [award_name, add] of Object.entries(added)) {
        const id = numberAt(await prizeOf(desk.operator, pool_name, award_name), "id");
        await desk.operator.data("PUT", `/gred/api/prize/${id}/stock`, { add });
      }
    },
    readChances: async ({ user_name }: Player, { id }: Round) =>
      await readChances(desk, user_name, id),
    readBlocked: async ({ user_name }: Player) =>
      dig(await call(`/gred/api/player/head?user_name=${user_name}`), "blocked") === true,
    /** Trouble of the wallet now; null: none. */
    readTrouble: async () => await readTrouble(desk),
    /** Tries a wrong code before the right one; answers the refusal. */
    startEverything: async () => await startEverything(desk),
    readSheet: async (round: Round) => await readSheet(desk, round),
    exportRecords: async ({ id }: Round, format: "xlsx" | "csv") =>
      await download(desk, `/gred/api/record/export?rounds_id=${id}&format=${format}`),
    exportSheet: async ({ id }: Round) =>
      await download(desk, `/gred/api/act/${id}/sheet/export?format=xlsx`),
    signSheet: async ({ id }: Round) => {
      const hash = textAt(await call(`/gred/api/act/${id}/sheet`), "hash");
      const signed = { hash, code: await codeOf(desk) };
      await desk.operator.data("POST", `/gred/api/act/${id}/sheet/sign`, signed);
    },
  };
}

export type Hands = ReturnType<typeof handsOf>;
export type Sheet = Awaited<ReturnType<Hands["readSheet"]>>;
