/** The figures of a round's sheet add up; the sheet can be downloaded, and signed once it is ready. */
import { formatDateTime } from "@red/contract/platform/datetime";
import { reconciliationRoutes } from "@red/contract/finance/reconciliation";
import { SHEET_LINES, sheetRoutes } from "@red/contract/finance/sheet";
import { sumAmounts } from "@red/contract/platform/money";
import { reconcile } from "./reconcile.ts";
import { selectSheetRound } from "./sheet-sql.ts";
import { readSheet, signSheets } from "./sign-sheet.ts";
import { lockActivity } from "#rounds/activity-sql";
import { inTransaction } from "#platform/db/connection";
import { freshCode } from "#test/contract-world";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadeRecord, MadeRound, RecordValues } from "#test/factories";
import { TEST_ACTOR } from "#test/operator-factory";
import { until } from "#test/payout-factory";
import { hold, untilWaiting } from "#test/races";
import { auditsOf, changeRows, rowOf } from "#test/rows";
import { TEST_SETTINGS, useTestApp } from "#test/test-app";
import { useTestDb, watched } from "#test/test-db";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import { beforeAll, expect, test } from "vitest";

const HOUR = 3_600_000;
const t = useTestDb();
let longest = 0;
const a = useTestApp(watched(t, (rows) => (longest = Math.max(longest, rows.length))));
let round: MadeRound;
let made: MadeRecord[] = [];
let player_id = "";
let drawnAt = new Date();

beforeAll(async () => {
  drawnAt = new Date(Date.now() - 2 * HOUR);
  const created_at = drawnAt;
  ({ round, made } = await makeEnded([
    paidAt(drawnAt),
    paidAt(drawnAt),
    ...(["refused", "closed", "unknown", "queued"] as const).map((state) => ({
      state,
      created_at,
    })),
    { state: "delivered", award_price_cents: 0, award_name: "phone", created_at },
    { state: "waiting_delivery", award_price_cents: 0, award_name: "phone", created_at },
  ]));
});

const paidAt = (at: Date): RecordValues => ({
  state: "paid",
  created_at: at,
  payout: { paid_at: at },
});

/** Makes an ended round with records of a player. The next statements use the id of this player. */
async function makeEnded(values: readonly RecordValues[], end = HOUR) {
  const now = Date.now();
  const times = { start_time: new Date(now - 3 * HOUR), end_time: new Date(now - end) };
  const ended = await makeRound(t.db, times);
  const player = await makePlayer(t.db);
  ({ player_id } = player);
  return { round: ended, player, made: await makeRecords(t.db, ended, player, values) };
}

async function fileOf({ rounds_id }: MadeRound): Promise<string> {
  const { body } = await a.app.inject({
    url: `/gred/api/act/${rounds_id}/sheet/export?format=csv`,
    headers: { token: a.token },
  });
  return body;
}

const sheet = (id = round.rounds_id) => a.read(sheetRoutes.detail, { params: { id } });

async function statement(
  listed: readonly MadeRecord[],
  from_at = new Date(drawnAt.getTime() - HOUR),
  to_at = new Date(Date.now() + HOUR),
): Promise<void> {
  const each = { amount_cents: 888, player_id, paid_at: drawnAt, wallet_ref: null };
  const pages = [listed.map(({ trans_sn }) => ({ trans_sn, ...each }))];
  await reconcile(t.db, TEST_ACTOR, { from_at, to_at, file_name: null, pages });
}

test("drawn is the sum of all lines, in count and money, by round and by prize", async () => {
  const { drawn, lines, difference, prizes, exceptions } = await sheet();
  expect(drawn).toEqual({ count: 8, amount: "53.28" });
  expect(lines).toEqual({
    paid: { count: 2, amount: "17.76" },
    pending: { count: 2, amount: "8.88" },
    unknown: { count: 1, amount: "8.88" },
    refused: { count: 1, amount: "8.88" },
    closed: { count: 1, amount: "8.88" },
    delivered: { count: 1, amount: "0.00" },
  });
  expect(difference).toEqual({ count: 0, amount: "0.00" });
  for (const part of [{ drawn, lines }, ...prizes]) {
    const amounts = SHEET_LINES.map((line) => part.lines[line].amount);
    expect(sumAmounts(amounts)).toBe(part.drawn.amount);
  }
  expect(prizes.map((prize) => [prize.award_name, prize.drawn.count])).toEqual([
    ["phone", 2],
    ["8.88 red packet", 6],
  ]);
  expect(exceptions.total).toBe(5);
});

test("a missing payout, or one of another amount, is shown as a difference", async () => {
  const differenceAfter = async (change: RawBuilder<unknown>) => {
    const tx = await t.db.startTransaction().execute();
    try {
      await change.execute(tx);
      return (await readSheet(tx, round.rounds_id, TEST_SETTINGS.timeZone)).figures.difference;
    } finally {
      await tx.rollback().execute();
    }
  };
  const log_id = made[0]?.log_id ?? 0;
  const off = { count: 1, amount: "8.88" };
  expect(await differenceAfter(sql`delete from payout where log_id = ${log_id}`)).toEqual(off);
  const raised = sql`update payout set amount_cents = amount_cents + 1 where log_id = ${log_id}`;
  expect(await differenceAfter(raised)).toEqual(off);
});

test("a sheet is signed with a code once all is settled and the wallet agrees", async () => {
  const sign = async (body: { hash: string; code?: string; note?: string }) =>
    await a.call(sheetRoutes.sign, {
      params: { id: round.rounds_id },
      body: { code: "000000", ...body },
    });
  const seen = async () => (await sheet()).hash;
  expect(await sign({ hash: "0".repeat(64) })).toMatchObject({ code: 409 });
  expect(await sign({ hash: await seen() })).toMatchObject({
    code: 409,
    msg: "仍有发放中或结果待确认的记录，不能签核",
  });
  await sql`update payout set state = 'paid', paid_at = ${drawnAt}, unknown_since = null
    where rounds_id = ${round.rounds_id} and state in ('unknown', 'queued')`.execute(t.db);
  expect(await sheet()).toMatchObject({ not_ready: "尚未与钱包对账单全部核对，不能签核" });

  await statement(made.slice(0, 2));
  const differing = await sheet();
  expect(differing.wallet).toMatchObject({
    covered: true,
    listed: { count: 2, amount: "17.76" },
    difference: { count: 2, amount: "17.76" },
    open_breaks: 2,
  });
  expect(differing.not_ready).toBe("存在差异，不能签核");
  const query = { rounds_id: round.rounds_id };
  expect(await a.read(reconciliationRoutes.breaks, { query })).toMatchObject({
    sums: [{ kind: "missing", count: 2, amount: "17.76" }],
  });

  const paid = made.filter((_one, index) => [0, 1, 4, 5].includes(index));
  await statement(paid);
  const ready = await sheet();
  expect(ready).toMatchObject({
    not_ready: null,
    wallet: { difference: { count: 0, amount: "0.00" } },
  });
  expect(await sign({ hash: ready.hash, code: "" })).toMatchObject({ key: "proof_needed" });
  expect(await sign({ hash: ready.hash, code: "000000" })).toMatchObject({ code: 402 });
  const code = await freshCode(t.db, a.services.secrets);
  expect(await sign({ hash: ready.hash, code, note: "" })).toMatchObject({ code: 200 });
  expect((await sheet()).sign_offs).toMatchObject([
    { no: 1, signed_by: "root-op", is_current: true, note: null },
  ]);
  const { hash, drawn, lines } = ready;
  expect(await auditsOf(t.db, ["after"], { action: "sign_sheet" })).toEqual([
    { after: { hash, note: null, is_alone: false, drawn, lines } },
  ]);
  await t.sql`update payout set state = 'closed', note = 'gone' where log_id = ${made[2]?.log_id}`;
  expect((await sheet()).sign_offs).toMatchObject([{ no: 1, is_current: false }]);
});

test("the file has all figures, with times in the business zone", async () => {
  const text = (await fileOf(round))
    .replaceAll(/[\da-f]{64}/g, "HASH")
    .replaceAll(/[\da-f-]{36}/g, "UUID")
    .replaceAll(/\d{4}(?:-\d\d){2} \d\d(?::\d\d){2}/g, "TIME")
    .replaceAll(/^\d{9,},player-\d+/gmu, "ID,PLAYER");
  const { end_time } = await rowOf(t.db, "activity", { id: round.rounds_id });
  expect(await fileOf(round)).toContain(` 至 ${formatDateTime(end_time, TEST_SETTINGS.timeZone)}`);
  expect(text.replaceAll("\r", "")).toBe(`\uFEFF项目,条数,金额
活动ID,${round.rounds_id}
活动名称,${(await sheet()).rounds_name}
活动时间,TIME 至 TIME

汇总,条数,金额
已抽出,8,53.28
已到账,4,35.52
待发放,0,0.00
待发货,1,0.00
结果待确认,0,0.00
失败,0,0.00
已关闭,2,17.76
已发货,1,0.00
差额,0,0.00

钱包,条数,金额
对账单,4,35.52
已到账与对账单之差,0,0.00
对账范围,已覆盖
对账单截至,TIME
截至后到账未核对,0,0.00
未处理差异,0
已确认差异,0

奖品,抽出条数,抽出金额,面额,已到账条数,已到账金额,待发放条数,待发放金额,待发货条数,待发货金额,结果待确认条数,结果待确认金额,失败条数,失败金额,已关闭条数,已关闭金额,已发货条数,已发货金额
phone,2,0.00,0.00,0,0.00,0,0.00,1,0.00,0,0.00,0,0.00,0,0.00,1,0.00
8.88 red packet,6,53.28,8.88,4,35.52,0,0.00,0,0.00,0,0.00,0,0.00,2,17.76,0,0.00

签核,时间,数据指纹,备注,是否为当前数据,无他人可签
root-op,TIME,HASH,,否,
当前数据指纹,,HASH

异常记录ID,账号,金额,奖品,流水号,发放说明,原因,抽奖时间
ID,PLAYER,8.88,8.88 red packet,UUID,已关闭,gone,TIME
ID,PLAYER,8.88,8.88 red packet,UUID,已关闭,账户已冻结,TIME
ID,PLAYER,0.00,phone,UUID,待发货,,TIME
`);
});

test("a running round is not signed, without waiting for its draws", async () => {
  const { rounds_id } = await makeRound(t.db);
  const drawing = await hold(t.db, (tx) =>
    sql`select from activity where id = ${rounds_id} for share`.execute(tx),
  );
  const signing = inTransaction(t.db, async (tx) => {
    await sql`set local lock_timeout = 1`.execute(tx);
    const { hash } = await readSheet(tx, rounds_id, TEST_SETTINGS.timeZone);
    const sign = { rounds_id, hash, note: null };
    return await signSheets(tx, TEST_ACTOR, [sign], TEST_SETTINGS.timeZone);
  });
  const fault: unknown = await signing.catch((error: unknown) => error);
  await drawing.commit();
  expect(fault).toMatchObject({ key: "sheet_round_runs" });
});

test("a round is over when its last second has passed, or once it is deleted", async () => {
  const end_time = new Date();
  const { rounds_id } = await makeRound(t.db, { end_time });
  const isOver = async (id: number) => (await selectSheetRound(t.db, id))?.is_over;
  await until("it is over", async () => (await isOver(rounds_id)) === true);
  expect(Date.now() - end_time.getTime()).toBeGreaterThanOrEqual(1_000);
  expect(await isOver((await makeRound(t.db, { deleted_at: end_time })).rounds_id)).toBe(true);
});

test("a signature waits for a change of the round, and then finds other figures", async () => {
  const { round: ended } = await makeEnded([]);
  const id = ended.rounds_id;
  const { hash } = await sheet(id);
  const change = await hold(t.db, async (tx) => {
    await lockActivity(tx, id);
    await changeRows(tx, "activity", { id }, { rounds_name: "another" });
  });
  const signing = a.call(sheetRoutes.sign, { params: { id }, body: { hash }, code: "000000" });
  await untilWaiting(t.db);
  await change.commit();
  expect(await signing).toMatchObject({ key: "sheet_changed" });
});

test("a statement covers nothing that was paid after it was fetched, whatever its span", async () => {
  const values = [paidAt(drawnAt), paidAt(drawnAt)];
  const { round: ended, player, made: before } = await makeEnded(values, HOUR / 2);
  await statement(before);
  expect(await sheet(ended.rounds_id)).toMatchObject({
    not_ready: null,
    wallet: { covered: true },
    statement: { later: { count: 0, amount: "0.00" }, accepted_breaks: 0 },
  });

  // The same statement was fetched an hour ago, and since then the wallet has paid another payout.
  const fetched = new Date(Date.now() - HOUR);
  await sql`update reconciliation set made_at = ${fetched}`.execute(t.db);
  const later = new Date(fetched.getTime() + HOUR / 4);
  const last = await makeRecords(t.db, ended, player, [paidAt(later)]);
  const until = formatDateTime(fetched, TEST_SETTINGS.timeZone);
  expect(await sheet(ended.rounds_id)).toMatchObject({
    not_ready: "尚未与钱包对账单全部核对，不能签核",
    wallet: { covered: false, difference: { count: 1, amount: "8.88" }, open_breaks: 0 },
    statement: { until, later: { count: 1, amount: "8.88" }, accepted_breaks: 0 },
  });
  const file = await fileOf(ended);
  expect(file).toContain("对账范围,未覆盖");
  expect(file).toContain(`对账单截至,${until}`);
  expect(file).toContain("截至后到账未核对,1,8.88");

  await statement([...before, ...last]);
  expect(await sheet(ended.rounds_id)).toMatchObject({
    not_ready: null,
    wallet: { covered: true, difference: { count: 0, amount: "0.00" } },
    statement: { later: { count: 0, amount: "0.00" } },
  });
});

test("a statement covers what it lists, even when we learned of it later", async () => {
  const values = [{ state: "unknown", created_at: drawnAt } as const];
  const { round: ended, made: unknown } = await makeEnded(values);
  await statement(unknown);
  const query = { rounds_id: ended.rounds_id };
  const { content } = await a.read(reconciliationRoutes.breaks, { query });
  const body = { ids: content.map(({ id }) => id), end: "adopted", reason: "paid" } as const;
  expect(await a.read(reconciliationRoutes.mend, { body })).toMatchObject({ ended: 1 });
  expect(await sheet(ended.rounds_id)).toMatchObject({
    not_ready: null,
    wallet: { covered: true, difference: { count: 0, amount: "0.00" } },
  });
});

test("a long file is read in pages", async () => {
  const long = await makeRound(t.db);
  const refused = Array.from({ length: 6_000 }, () => ({ state: "refused" as const }));
  const listed = await makeRecords(t.db, long, await makePlayer(t.db), refused);
  longest = 0;
  const [top, exceptions = ""] = (await fileOf(long)).split(/^异常记录ID,.*\r\n/mu);
  expect(top).toContain("\n对账单截至,\r\n");
  const log_ids = exceptions
    .trimEnd()
    .split("\r\n")
    .map((line) => Number(line.split(",", 1)));
  expect(log_ids).toEqual(listed.map(({ log_id }) => log_id).toSorted((x, y) => x - y));
  expect(longest).toBeLessThan(refused.length);
  const { content, total } = (await sheet(long.rounds_id)).exceptions;
  expect([total, content.map(({ log_id }) => log_id)]).toEqual([6_000, log_ids.slice(0, 500)]);
});

test("an earlier day's statement still counts after a later day's", async () => {
  await sql`truncate reconciliation, wallet_entry, reconciliation_break cascade`.execute(t.db);
  const { round: ended, made: paid } = await makeEnded([paidAt(drawnAt), paidAt(drawnAt)]);
  const midnight = new Date(drawnAt.getTime() + HOUR / 2);
  await statement(paid.slice(0, 1), undefined, midnight);
  const { wallet, hash } = await sheet(ended.rounds_id);
  expect(wallet).toMatchObject({ covered: true, listed: { count: 1 }, open_breaks: 1 });
  await statement([], midnight);
  expect(await sheet(ended.rounds_id)).toMatchObject({ wallet, hash });
  const { id } = await rowOf(t.db, "reconciliation_break", { rounds_id: ended.rounds_id });
  const body = { ids: [id], end: "accepted" as const, reason: "goodwill" };
  await a.read(reconciliationRoutes.mend, { body });
  expect(await sheet(ended.rounds_id)).toMatchObject({
    wallet: { open_breaks: 0 },
    statement: { accepted_breaks: 1 },
  });
});

test("a statement covers what was paid before its end, not at it, by the draw if that is later", async () => {
  await sql`truncate reconciliation, wallet_entry, reconciliation_break cascade`.execute(t.db);
  const at = (ms: number) => new Date(drawnAt.getTime() + ms);
  const values = [paidAt(at(-1)), paidAt(at(0))];
  const { round: ended, player, made: all } = await makeEnded(values);
  const reach = async (listed: typeof all, to_at: Date) => {
    await statement(listed, undefined, to_at);
    const { wallet, statement: told } = await sheet(ended.rounds_id);
    return [wallet.covered, told.later.count];
  };
  expect(await reach([], at(0))).toEqual([false, 1]);
  expect(await reach([], at(1))).toEqual([true, 0]);
  // By the wallet's clock this payout was paid before it was drawn. A statement of a future period covers nothing.
  all.push(...(await makeRecords(t.db, ended, player, [paidAt(at(HOUR))])));
  await statement([], new Date(Date.now() + HOUR), new Date(Date.now() + 2 * HOUR));
  expect(await reach(all, at(HOUR))).toEqual([false, 0]);
  expect(await reach(all, at(HOUR + 1))).toEqual([true, 0]);
});
