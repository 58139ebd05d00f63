/** A month's rounds: listed with their sheets, signed with one code, in one workbook. */
import { monthRoutes } from "@red/contract/month";
import { read, utils } from "@e965/xlsx";
import { freshCode } from "#test/contract-world";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { RecordValues } from "#test/factories";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeAll, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);
const MAY = "2024-05";
const drawn_at = new Date("2024-05-31T12:00:00Z");
let refusedRound = 0;
let emptyRound = 0;

async function endedAt(end: string, rounds_name: string, values: readonly RecordValues[] = []) {
  const end_time = new Date(end);
  const times = { start_time: new Date(end_time.getTime() - 7_200_000), end_time };
  const round = await makeRound(t.db, { ...times, rounds_name });
  await makeRecords(
    t.db,
    round,
    await makePlayer(t.db),
    values.map((one) => ({ ...one, created_at: drawn_at })),
  );
  return round.rounds_id;
}

beforeAll(async () => {
  // The business day is eight hours ahead: the first and the last second of May, and those beside them.
  await endedAt("2024-04-30T15:59:59Z", "april");
  emptyRound = await endedAt("2024-04-30T16:00:00Z", "empty");
  refusedRound = await endedAt("2024-05-31T15:59:59Z", "refused", [
    { state: "refused", award_price_cents: 100 },
    { state: "closed", award_price_cents: 50 },
  ]);
  await endedAt("2024-05-31T15:59:58Z", "queued", [
    { state: "queued", award_price_cents: 7 },
    { state: "paid", award_price_cents: 5 },
  ]);
  await endedAt("2024-05-31T16:00:00Z", "june");
});

const month = () => a.read(monthRoutes.detail, { query: { month: MAY } });

async function sign(sheets: readonly { rounds_id: number; hash: string }[], code: string) {
  const seen = sheets.map(({ rounds_id, hash }) => ({ rounds_id, hash }));
  return await a.call(monthRoutes.sign, { body: { sheets: seen, code } });
}

test("lists the rounds whose last second lies in the month, and adds them up", async () => {
  const { rounds, total } = await month();
  const nothing = { count: 0, amount: "0.00" };
  // What was paid was never compared with the wallet.
  expect(rounds).toMatchObject([
    { rounds_name: "empty", not_ready: null, difference: nothing, covered: true },
    { rounds_name: "queued", not_ready: expect.any(String), difference: null, covered: false },
    { rounds_name: "refused", not_ready: null, difference: nothing },
  ]);
  expect(total).toMatchObject({
    drawn: { count: 4, amount: "1.62" },
    open: { count: 2, amount: "1.07" },
    lines: {
      refused: { count: 1, amount: "1.00" },
      closed: { count: 1, amount: "0.50" },
      pending: { count: 1, amount: "0.07" },
    },
    difference: nothing,
  });
  expect(await a.read(monthRoutes.detail, { query: {} })).toMatchObject({
    month: "2024-06",
    with_rounds: ["2024-06", MAY, "2024-04"],
  });
  expect(await a.call(monthRoutes.detail, { query: { month: "2024-13" } })).toMatchObject({
    code: 400,
    msg: "请选择月份",
  });
});

test("signs what is ready with one code, and names what is left out", async () => {
  const { rounds } = await month();
  expect(await sign(rounds, "000000")).toMatchObject({ code: 402, data: null });
  expect((await month()).rounds.every(({ signed }) => signed === null)).toBe(true);
  const seen = rounds.map(({ rounds_id, hash }) => ({
    rounds_id,
    hash: rounds_id === emptyRound ? "0".repeat(64) : hash,
  }));
  const answer = await sign(seen, await freshCode(t.db, a.services.secrets));
  expect(answer).toMatchObject({ code: 200, data: { signed: 1 } });
  const { refused } = answer.data as { refused: { rounds_id: number; msg: string }[] };
  expect(refused.map(({ rounds_id }) => rounds_id)).toContain(emptyRound);
  expect(refused).toHaveLength(2);
  const after = (await month()).rounds.filter(({ signed }) => signed !== null);
  const signed = { by: "root-op", is_current: true };
  expect(after).toMatchObject([{ rounds_id: refusedRound, signed }]);
  // With every round signed once it opens on the latest of them, not on an empty month.
  await t.sql`insert into sheet_sign_off (rounds_id, no, signed_by, hash, figures)
    select id, 9, 'op', 'h', '{}' from activity`;
  expect(await a.read(monthRoutes.detail, { query: {} })).toMatchObject({ month: "2024-06" });
});

test("is one workbook: month, rounds, prizes, exceptions", async () => {
  const { rawPayload, headers } = await a.app.inject({
    url: `/gred/api/month/export?month=${MAY}`,
    headers: { token: a.token },
  });
  expect(headers["content-disposition"]).toContain(encodeURIComponent(`-${MAY}.xlsx`));
  const book = read(rawPayload);
  expect(book.SheetNames).toEqual(["月度", "活动", "奖品", "异常"]);
  const rows = (name: string) =>
    utils.sheet_to_json<Record<string, unknown>>(book.Sheets[name] ?? {});
  expect(rows("月度")).toMatchObject([{ 月份: MAY, 活动数: 3, 已签核: 0, 已抽出金额: 1.62 }]);
  const nothing = (name: string) => ({ [`${name}条数`]: 0, [`${name}金额`]: 0 });
  const signed = { 签核人: "op", 签核时间: expect.stringMatching(/^[-\d]{10} [:\d]{8}$/) };
  const [empty, queued, refused] = rows("活动");
  const none = "已到账 待发放 待发货 结果待确认 已发货 与对账单之差".split(" ").map(nothing);
  expect(refused).toEqual({
    ...(Object.assign({}, ...none) as object),
    ...signed,
    活动ID: String(refusedRound),
    活动名称: "refused",
    开始时间: "2024-05-31 21:59:59",
    结束时间: "2024-05-31 23:59:59",
    已抽出条数: 2,
    已抽出金额: 1.5,
    失败条数: 1,
    失败金额: 1,
    已关闭条数: 1,
    已关闭金额: 0.5,
    是否为当前数据: "否",
    数据指纹: expect.stringMatching(/^[\da-f]{64}$/),
  });
  expect([empty?.["活动名称"], queued?.["未能签核的原因"]]).toEqual(["empty", expect.any(String)]);
  const prizes = rows("奖品").map((row) => [row["面额"], row["已抽出金额"]]);
  expect(prizes).toEqual([0.05, 0.07, 0.5, 1].map((amount) => [amount, amount]));
  const exceptions = rows("异常").map((row) => [row["金额"], row["原因"]]);
  const frozen = "账户已冻结";
  expect(exceptions).toEqual([
    [0.07, undefined],
    [1, frozen],
    [0.5, frozen],
  ]);
});
