/** The rounds of a month are listed with their sheets, signed with one code, and exported in one workbook. */
import { monthRoutes } from "@red/contract/finance/month";
import { read, utils } from "@e965/xlsx";
import { freshCode, openSession } from "#test/contract-world";
import { makeOperator, makePlayer, makeRecords, makeRound } from "#test/factories";
import type { RecordValues } from "#test/factories";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { monthBefore } from "./month.ts";

const t = useTestDb();
const a = useTestApp(t);
const MAY = "2024-05";
const drawn_at = new Date("2024-05-31T12:00:00Z");
let refusedRound = 0;
let emptyRound = 0;
let queuedRound = 0;
let partlyRound = 0;
const UNSETTLED = "仍有发放中或结果待确认的记录，不能签核";
const UNCOMPARED = "尚未与钱包对账单全部核对，不能签核";

async function endedAt(
  end: string,
  rounds_name: string,
  values: readonly RecordValues[] = [],
  deleted_at: Date | null = null,
) {
  const end_time = new Date(end);
  const times = { start_time: new Date(end_time.getTime() - 7_200_000), end_time, deleted_at };
  const round = await makeRound(t.db, { ...times, rounds_name });
  await makeRecords(
    t.db,
    round,
    await makePlayer(t.db),
    values.map((one) => ({ created_at: drawn_at, ...one })),
  );
  return round.rounds_id;
}

beforeAll(async () => {
  // The business day is UTC+8. Most rounds end at or next to the first and last second of May.
  await endedAt("2024-04-30T15:59:59Z", "april");
  await endedAt("2023-12-31T15:59:59Z", "december, deleted", [{ state: "paid" }], new Date());
  await endedAt("2024-03-31T15:59:59Z", "deleted without records", [], new Date());
  await makeRound(t.db, { rounds_name: "runs" });
  emptyRound = await endedAt("2024-04-30T16:00:00Z", "empty");
  refusedRound = await endedAt("2024-05-31T15:59:59Z", "refused", [
    { state: "refused", award_price_cents: 100 },
    { state: "closed", award_price_cents: 50 },
  ]);
  queuedRound = await endedAt("2024-05-31T15:59:58Z", "queued", [
    { state: "queued", award_price_cents: 7 },
    { state: "paid", award_price_cents: 5 },
    { state: "check", award_price_cents: 20 },
  ]);
  const at = (time: string) => new Date(`2024-05-10T${time}:00Z`);
  partlyRound = await endedAt("2024-05-10T16:00:00Z", "partly", [
    {
      state: "paid",
      award_price_cents: 30,
      created_at: at("00:00"),
      payout: { paid_at: at("13:00") },
    },
  ]);
  await t.sql`insert into reconciliation (from_at, to_at, source, made_by, statement_count, statement_cents, matched)
    values (${at("00:00")}, ${at("12:30")}, 'call', 'op', 0, 0, 0)`;
  await endedAt("2024-05-31T16:00:00Z", "june");
});

const month = () => a.read(monthRoutes.detail, { query: { month: MAY } });

async function sign(sheets: readonly { rounds_id: number; hash: string }[], code: string) {
  const seen = sheets.map(({ rounds_id, hash }) => ({ rounds_id, hash }));
  return await a.call(monthRoutes.sign, { body: { sheets: seen }, code });
}

test("lists the rounds whose last second lies in the month, and adds them up", async () => {
  const { rounds, total } = await month();
  const nothing = { count: 0, amount: "0.00" };
  const later = { count: 1, amount: "0.30" };
  // The payment of "queued" was never compared with the wallet. The payment of "partly" came after the end
  // of its statement.
  expect(rounds).toMatchObject([
    { rounds_name: "empty", not_ready: null, difference: nothing, covered: true },
    { rounds_name: "partly", not_ready: UNCOMPARED, difference: later, covered: false },
    { rounds_name: "queued", not_ready: UNSETTLED, difference: null, covered: false },
    { rounds_name: "refused", not_ready: null, difference: nothing },
  ]);
  expect(rounds[1]?.statement).toMatchObject({ until: "2024-05-10 20:30:00", later });
  expect(total).toEqual({
    drawn: { count: 6, amount: "2.12" },
    open: { count: 3, amount: "1.27" },
    lines: {
      paid: { count: 2, amount: "0.35" },
      pending: { count: 1, amount: "0.07" },
      unknown: { count: 1, amount: "0.20" },
      refused: { count: 1, amount: "1.00" },
      closed: { count: 1, amount: "0.50" },
      delivered: nothing,
    },
    difference: later,
  });
  expect(await a.read(monthRoutes.detail, { query: {} })).toMatchObject({
    month: "2024-06",
    with_rounds: ["2024-06", MAY, "2024-04", "2023-12"],
  });
  const roundsOf = async (query: { month: string }) =>
    (await a.read(monthRoutes.detail, { query })).rounds;
  const deleted = [{ rounds_name: "december, deleted" }];
  expect(await roundsOf({ month: "2023-12" })).toMatchObject(deleted);
  expect(await roundsOf({ month: "2024-03" })).toEqual([]);
  expect(await a.call(monthRoutes.detail, { query: { month: "2024-13" } })).toMatchObject({
    code: 400,
    msg: "请选择月份",
  });
  expect((await a.call(monthRoutes.detail, { query: { month: "9998-12" } })).code).toBe(400);
});

test("signs what is ready with one code, and names what is left out", async () => {
  const { rounds } = await month();
  const wrong = { code: 402, data: null, msg: "动态验证码错误" };
  expect(await sign(rounds, "000000")).toMatchObject(wrong);
  expect((await month()).rounds.every(({ signed }) => signed === null)).toBe(true);
  const seen = rounds.map(({ rounds_id, hash }) => ({
    rounds_id,
    hash: rounds_id === emptyRound ? "0".repeat(64) : hash,
  }));
  const answer = await sign(seen, await freshCode(t.db, a.services.secrets));
  const refused = [
    { rounds_id: emptyRound, msg: "数据已变化，请核对最新的对账表" },
    { rounds_id: queuedRound, msg: UNSETTLED },
    { rounds_id: partlyRound, msg: UNCOMPARED },
  ];
  expect(answer).toMatchObject({ code: 200, msg: "签核成功", data: { signed: 1, refused } });
  const after = (await month()).rounds.filter(({ signed }) => signed !== null);
  const signed = { by: "root-op", is_current: true };
  expect(after).toMatchObject([{ rounds_id: refusedRound, signed }]);
  // Without a month in the query, the call returns the latest month with a round that was never signed, or
  // the latest month with rounds if all are signed.
  const signAll = (isMeant: RawBuilder<unknown>) =>
    t.sql`insert into sheet_sign_off (rounds_id, no, signed_by, hash, figures)
      select id, 9, 'op', 'h', '{}' from activity where ${isMeant}`;
  await signAll(sql`rounds_name = 'june'`);
  expect(await a.read(monthRoutes.detail, { query: {} })).toMatchObject({ month: MAY });
  await signAll(sql`rounds_name <> all ('{june, refused}')`);
  expect(await a.read(monthRoutes.detail, { query: {} })).toMatchObject({ month: "2024-06" });
});

test("is one workbook: month, rounds, prizes, exceptions", async () => {
  const exported = (token: string) =>
    a.app.inject({ url: `/gred/api/month/export?month=${MAY}`, headers: { token } });
  const { rawPayload, headers } = await exported(a.token);
  expect(headers["content-disposition"]).toContain(encodeURIComponent(`活动月度对账-${MAY}.xlsx`));
  const book = read(rawPayload);
  expect(book.SheetNames).toEqual(["月度", "活动", "奖品", "异常"]);
  const rows = (name: string) =>
    utils.sheet_to_json<Record<string, unknown>>(book.Sheets[name] ?? {});
  const NAMES = "已抽出 已到账 待发放 待发货 结果待确认 失败 已关闭 已发货 与对账单之差".split(" ");
  const figures = (...all: readonly (readonly [number, number])[]) =>
    Object.fromEntries(
      all.flatMap((two, at) =>
        ["条数", "金额"].map((what, no) => [`${NAMES[at]}${what}`, two[no]]),
      ),
    );
  const [no, yes] = [
    [0, 0],
    [1, 1],
  ] as const;
  const sums = figures([6, 2.12], [2, 0.35], [1, 0.07], no, [1, 0.2], yes, [1, 0.5], no, [1, 0.3]);
  expect(rows("月度")).toEqual([{ 月份: MAY, 活动数: 4, 已签核: 1, ...sums }]);
  const [empty, partly, queued, refused] = rows("活动");
  expect(refused).toEqual({
    ...figures([2, 1.5], no, no, no, no, yes, [1, 0.5], no, no),
    活动ID: String(refusedRound),
    活动名称: "refused",
    开始时间: "2024-05-31 21:59:59",
    结束时间: "2024-05-31 23:59:59",
    签核人: "root-op",
    签核时间: expect.stringMatching(/^[-\d]{10} [:\d]{8}$/),
    是否为当前数据: "是",
    数据指纹: expect.stringMatching(/^[\da-f]{64}$/),
  });
  expect([empty, partly]).toMatchObject([{ 活动名称: "empty" }, { 活动名称: "partly" }]);
  expect(queued).toMatchObject({ 未能签核的原因: UNSETTLED, 签核人: "op", 是否为当前数据: "否" });
  expect(queued).not.toHaveProperty("与对账单之差条数");
  const prizes = rows("奖品");
  expect(prizes.map((row) => [row["活动名称"], row["面额"], row["已抽出金额"]])).toEqual([
    ["partly", 0.3, 0.3],
    ...[0.05, 0.07, 0.2].map((amount) => ["queued", amount, amount]),
    ...[0.5, 1].map((amount) => ["refused", amount, amount]),
  ]);
  const prize = { 活动ID: String(queuedRound), 奖品: "8.88 red packet", 待发放金额: 0.07 };
  expect(prizes[2]).toMatchObject(prize);
  const exceptions = rows("异常");
  expect(exceptions.map((row) => [row["金额"], row["发放说明"], row["原因"]])).toEqual([
    [0.07, "排队中", undefined],
    [0.2, "待人工核对", "超过 24 小时未得到钱包明确答复"],
    [1, "被拒绝", "账户已冻结"],
    [0.5, "已关闭", "账户已冻结"],
  ]);
  expect(exceptions[3]).toMatchObject({
    活动ID: String(refusedRound),
    异常记录ID: expect.stringMatching(/^\d{9,}$/),
    账号: expect.stringMatching(/^player-\d+$/),
    流水号: expect.stringMatching(/^[\da-f-]{36}$/),
    抽奖时间: "2024-05-31 20:00:00",
  });
  await makeOperator(t.db, "viewer", { roles: ["viewer"] });
  const hidden = await exported(await openSession(t.db, "viewer"));
  const shown = utils.sheet_to_csv(read(hidden.rawPayload).Sheets["异常"] ?? {});
  expect(shown).toMatch(/^\d+,refused,\d+,p\*+\d,/m);
  expect(shown).not.toContain("player-");
});

test("without an ended round it opens on last month", async () => {
  const ends = ["2024-01-31T15:59:59.999Z", "2024-01-31T16:00:00Z"];
  const before = ends.map((at) => monthBefore(new Date(at), "Asia/Shanghai"));
  expect(before).toEqual(["2023-12", "2024-01"]);
  await t.sql`truncate activity, draw_record, payout cascade`;
  const last = { month: monthBefore(new Date(), "Asia/Shanghai"), with_rounds: [], rounds: [] };
  expect(await a.read(monthRoutes.detail, { query: {} })).toMatchObject(last);
});
