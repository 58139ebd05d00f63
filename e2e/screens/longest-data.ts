/** The longest data that the limits allow: names, sums and reasons. */
import { expect } from "@playwright/test";
import { dig, numberAt, parsed, textAt } from "../outside/json.ts";
import { shown } from "../outside/context.ts";
import type { Operator, RecordRow } from "../outside/operator.ts";
import { askFor } from "../outside/platform.ts";
import { codeOf, stepAt } from "../outside/totp.ts";
import type { Stage } from "../stories/stage.ts";

export const OPERATOR_NAME = "operator-with-quite-a-long-name";
const HOUR_MS = 3_600_000;

/** 64 characters without a line break opportunity. */
const ACCOUNT = "an_account_with_the_longest_name_that_the_platform_may_send_0001";
/** The largest amount of one row: twelve digits. */
const AMOUNT = "9999999999.99";
/** 20 characters. */
const PRIZE = "二十个汉字长的奖品名称在表格里也要读得完整";
const CUP = "限量纪念款真空不锈钢保温杯五百毫升红色";
const ROUND =
  "二零二六年国庆中秋双节同庆全站玩家累计有效存款满额大抽奖第十二场（含周末加开场与补发场）全平台通用红包雨活动加长";
const REASON =
  "财务发现本场红包的实际成本已经超过预算上限，先暂停全部抽奖与发放，等风控同事核对完最近一小时的中奖记录和钱包流水以后再恢复；期间如有玩家询问，请客服统一回复系统维护中，预计两小时内恢复，不要承诺具体时间，也不要透露原因。如有紧急情况请联系值班主管。The reason is as long as it may be, in two languages, to the very end.";
const REFUSAL =
  "the account of this player has been frozen by the risk department until the documents are verified";
const TAG = "a-group-key-that-is-rather-long-for-a-key";
const POOLS = 10;
/** The pool with only one prize. */
const LONE = 2;
const ROUNDS = 24;

export interface Ids {
  readonly round: number;
  /** Another round, which is over and whose sheet can be signed. */
  readonly ended: number;
  /** Business day of the round's start: not today's just after midnight. */
  readonly day: string;
  readonly pool: number;
  /** Another pool, with the last prize of several running rounds. */
  readonly lone: number;
  readonly prize: number;
  readonly account: string;
  readonly tag: string;
  /** Query string of the activity data query, with every filter. */
  readonly query: string;
  /** A prize file that can be imported, and one that cannot. */
  readonly goodFile: string;
  readonly badFile: string;
  /** Names of the round and of the prize, if an operator has chosen them. */
  readonly rounds_name?: string;
  readonly award_name?: string;
}

/** For a system without data: these ids do not exist. */
export const NOTHING: Ids = {
  round: 1,
  ended: 1,
  day: "2026-01-01",
  pool: 1,
  lone: 1,
  prize: 1,
  account: "nobody",
  tag: "weekend",
  query: "",
  goodFile: "",
  badFile: "",
};

const player = (at: number) => ({
  player_id: `platform-id-of-the-longest-kind-there-is-0123456789-abcdef-x${String(at).padStart(4, "0")}`,
  user_name: `${ACCOUNT.slice(0, 60)}${String(at).padStart(4, "0")}`,
});

const poolName = (at: number) => `第${at}个奖池名称也很长的双节同庆全站红包雨专用池`;

async function makePools({
  data,
  poolId,
  prizes,
}: Operator): Promise<Pick<Ids, "pool" | "lone" | "prize">> {
  const prize = { weight: 999_999_999, award_total: 999_999_999 };
  for (let at = POOLS; at >= 1; at -= 1) {
    const pool_name = poolName(at);
    await data("POST", "/gred/api/prize", {
      ...prize,
      pool_name,
      award_name: PRIZE.slice(0, 20),
      award_price: AMOUNT,
      floors: 1,
    });
    if (at !== LONE) {
      const cup = { award_name: CUP, award_price: "0.00", floors: 0 };
      await data("POST", "/gred/api/prize", { ...prize, pool_name, ...cup });
    }
  }
  return {
    pool: await poolId(poolName(1)),
    lone: await poolId(poolName(LONE)),
    prize: numberAt(await prizes(poolName(1)), 0, "id"),
  };
}

function roundOf(at: number, now: number) {
  const isOfDeposits = at % 2 === 0;
  return {
    rounds_name: `${ROUND.slice(0, 60)}${String(at).padStart(4, "0")}`,
    tag: TAG,
    red_code: "RED_PACKET_WITH_A_RATHER_LONG_CODE.0001",
    pool_name: poolName((at % POOLS) + 1),
    condition_name: isOfDeposits ? "2" : "1",
    condition_formula: "1",
    condition_type: "2",
    condition_value: at === 0 ? "1000.05" : "9999999999.99",
    condition_times: 5,
    turnover: 10,
    start_time: shown(now - HOUR_MS),
    end_time: shown(now + 40 * HOUR_MS),
    achieve_start_time: shown(now - 2 * HOUR_MS),
    achieve_end_time: shown(now + 40 * HOUR_MS),
  };
}

async function makeRounds({ data }: Operator, now: number): Promise<number> {
  await data("POST", "/gred/api/tag", {
    tag: TAG,
    label: "双节同庆全站玩家累计有效存款满额大抽奖专用组别名称",
  });
  await data("POST", "/gred/api/redcode", {
    red_code: "RED_PACKET_WITH_A_RATHER_LONG_CODE.0001",
    label: "双节同庆全站玩家累计有效存款满额大抽奖专用站内信",
  });
  const ids: number[] = [];
  for (let at = 0; at < ROUNDS; at += 1) {
    ids.push(numberAt(await data("POST", "/gred/api/act", roundOf(at, now)), "id"));
  }
  return ids[0] ?? 0;
}

async function feed({ platform }: Stage, now: number): Promise<void> {
  const send = async (path: string, body: object) => {
    const { status, text } = await platform.call("POST", path, body);
    expect([status, text]).toEqual([200, expect.any(String)]);
  };
  const players = Array.from({ length: 24 }, (_, at) => player(at));
  await send("/open/v1/players", { players });
  const created_at = new Date(now - HOUR_MS / 2).toISOString();
  const long = "a-number-of-the-platform-as-long-as-it-may-be-0123456789";
  const deposits = players.map((one, at) => ({
    ...one,
    order_no: `${long}-${at}`,
    amount: AMOUNT,
    channel: (at % 9) + 1,
    client: (at % 3) + 1,
    created_at,
  }));
  const bets = players.map((one, at) => ({
    ...one,
    bet_no: `${long}-${at}`,
    valid_bet_amount: AMOUNT,
    platform: 1234 + 1000 * (at % 6),
    created_at,
  }));
  const more = Array.from({ length: 6 }, (_, at) => ({
    ...deposits[0],
    order_no: `${long}-first-${at}`,
  }));
  await send("/open/v1/deposits", { deposits: [...deposits, ...more] });
  await send("/open/v1/bets", { bets });
  const order_no = `${long}-first-5`;
  await send("/open/v1/deposits/reversals", {
    reversals: [{ order_no, created_at, reason: REASON.slice(0, 60) }],
  });
}

/** Draws until each final state of a payout has occurred. */
async function drawAll(stage: Stage, operator: Operator, round: number): Promise<void> {
  const states = () => operator.states(round);
  const drawn = async (mode: string, at: number, times: number, end: RegExp) => {
    await stage.wallet.control(mode, { reason: REFUSAL });
    const before = (await states()).length;
    for (let time = 0; time < times; time += 1) {
      await stage.platform.draw(askFor(round, player(at).player_id));
    }
    await expect
      .poll(async () => (await states()).slice(0, times), { timeout: 60_000 })
      .toEqual(Array.from({ length: times }, () => expect.stringMatching(end)));
    expect(await states()).toHaveLength(before + times);
  };
  await drawn("pay", 0, 6, /^(?:paid|waiting_delivery)$/);
  await drawn("refuse", 0, 8, /^(?:refused|waiting_delivery)$/);
  await drawn("refuse", 1, 8, /^(?:refused|waiting_delivery)$/);
  await drawn("error_500", 2, 8, /^(?:unknown|queued|waiting_delivery|sending)$/);
}

async function settleSome({ data, records }: Operator, round: number): Promise<void> {
  const rows = await records(round);
  const idsOf = (state: string) =>
    rows.filter(({ payout_state }) => payout_state === state).map(({ log_id }) => log_id);
  const [refused = 0, again] = idsOf("refused");
  await data("POST", "/gred/api/record/reissue", { log_ids: [again] });
  await data("PUT", "/gred/api/record/close", { log_ids: [refused], reason: REASON.slice(0, 200) });
  const [waiting] = idsOf("waiting_delivery");
  if (waiting !== undefined) {
    const note = REASON.slice(0, 200);
    await data("PUT", "/gred/api/record/deliver", { log_ids: [waiting], note });
  }
}

/** Uploads a statement with differences of every kind; its entries for `rows` are right. */
async function compare(
  stage: Stage,
  token: string,
  now: number,
  rows: readonly RecordRow[],
): Promise<void> {
  const paid_at = new Date(now).toISOString();
  const line = (at: number) =>
    `a-number-of-the-wallet-as-long-as-they-are-${at},${AMOUNT},${player(at).player_id},${paid_at}`;
  const listed = rows
    .filter(({ payout_state }) => payout_state === "paid")
    .map(
      ({ trans_sn, award_price, player_id }) =>
        `${trans_sn},${award_price},${player_id},${paid_at}`,
    );
  const lines = [
    "流水号,面额,玩家ID,到账时间",
    ...Array.from({ length: 12 }, (_, at) => line(at)),
    ...listed,
  ];
  const parts = new FormData();
  parts.set("from", shown(now - 24 * HOUR_MS));
  parts.set("to", shown(now + HOUR_MS));
  const name = "the-statement-of-the-wallet-with-a-rather-long-file-name-2026-11-21.csv";
  parts.set("poolFile", new Blob([lines.join("\n")], { type: "text/csv" }), name);
  const url = `${stage.switchboard.base}/gred/api/reconciliation/upload`;
  const answer = await fetch(url, { method: "POST", headers: { token }, body: parts });
  expect(dig(parsed(await answer.text()), "code")).toBe(200);
}

/** Money prizes won before the round ends; some physical ones come with them. */
const PAID = 3;

/**
 * A round that is over and ties out, so that its sheet can be signed off: draws for the player, and ends it once the
 * wallet has paid. Answers its records too.
 */
async function playToEnd(
  { platform, wallet }: Stage,
  { data, records }: Operator,
  round: object,
  player_id: string,
): Promise<{ id: number; rows: readonly RecordRow[] }> {
  const id = numberAt(await data("POST", "/gred/api/act", round), "id");
  await wallet.control("pay");
  for (let paid = 0; paid < PAID;) {
    const { body } = await platform.draw(askFor(id, player_id));
    paid += textAt(body, "award_price") === "0.00" ? 0 : 1;
  }
  const paid = async () =>
    (await records(id)).filter(({ payout_state }) => payout_state === "paid").length;
  await expect.poll(paid, { timeout: 60_000 }).toBe(PAID);
  // The end includes its second.
  const end_time = shown(Date.now() - 2_000);
  await data("PUT", `/gred/api/act/update/${id}`, { ...round, id, act_id: id, end_time });
  return { id, rows: await records(id) };
}

/** Signs the sheet; the code of this time step is used, but the next one is already accepted. */
async function signOff({ data }: Operator, id: number, seed: string): Promise<void> {
  const hash = textAt(await data("GET", `/gred/api/act/${id}/sheet`, null), "hash");
  const code = codeOf(seed, stepAt(Date.now()) + 1);
  await data("POST", `/gred/api/act/${id}/sheet/sign`, { hash }, code);
}

/** The system to fill, and its operator. */
interface Filled {
  readonly system: Stage;
  readonly operator: Operator;
  readonly token: string;
  readonly seed: string;
}

/** Fills an empty system so that every text is at its longest. Leaves the wallet in trouble. */
export async function fillWithLongest(filled: Filled): Promise<Ids> {
  const { system: stage, operator, token, seed } = filled;
  const now = Date.now();
  // Nobody is there: its messages wait.
  const host = "the-address-of-a-platform.with-a-rather-long-name.localhost:65535";
  await stage.redctl(`webhooks set http://${host}/hooks`);
  const { pool, lone, prize } = await makePools(operator);
  const round = await makeRounds(operator, now);
  await feed(stage, now);
  for (const at of [0, 1, 2]) {
    await operator.data("POST", "/gred/api/extratimes", {
      user_name: player(at).user_name,
      tag: TAG,
      expire_time: shown(now + 72 * HOUR_MS),
    });
  }
  await operator.data("POST", "/gred/api/exclusion", {
    rows: [1, 2].map((at) => ({
      user_name: player(20 + at).user_name,
      kind: at === 1 ? "cooling_off" : "staff",
      reason: REASON.slice(0, 200),
      until: at === 1 ? shown(now + 72 * HOUR_MS) : null,
    })),
  });
  const over = { ...roundOf(0, now), rounds_name: roundOf(ROUNDS, now).rounds_name };
  const ended = await playToEnd(stage, operator, over, player(3).player_id);
  await drawAll(stage, operator, round);
  await settleSome(operator, round);
  await compare(stage, token, now, ended.rows);
  await signOff(operator, ended.id, seed);
  for (const rounds_status of [0, 1]) {
    await operator.data("PUT", `/gred/api/act/pause/${round}`, { id: round, rounds_status });
  }
  await operator.data("PUT", `/gred/api/stop/pool/${pool}`, { reason: REASON.slice(0, 200) });
  await operator.data("PUT", "/gred/api/stop/payouts", { reason: REASON.slice(0, 200) });
  const account = player(0).user_name;
  return {
    round,
    ended: ended.id,
    day: roundOf(0, now).start_time.slice(0, 10),
    pool,
    lone,
    prize,
    account,
    tag: TAG,
    query: queryOf(roundOf(0, now), account),
    goodFile: fileOf([
      `${PRIZE},${AMOUNT},999999999,1,是`,
      "另一种名称不短的实物奖品,0.00,1,999999999,否",
    ]),
    badFile: fileOf(
      Array.from({ length: 30 }, (_, at) => `${CUP}${at},不是金额的一段相当长的文字,3o,-1,也许`),
    ),
  };
}

function fileOf(rows: readonly string[]): string {
  return ["奖品,奖品额度,权重,奖品总数,是否保底", ...rows].join("\n");
}

function queryOf(round: ReturnType<typeof roundOf>, user_name: string): string {
  const { rounds_name, achieve_start_time, achieve_end_time } = round;
  const start_date = round.start_time.slice(0, 10);
  return `?${new URLSearchParams({ start_date, rounds_name, achieve_start_time, achieve_end_time, user_name }).toString()}`;
}
