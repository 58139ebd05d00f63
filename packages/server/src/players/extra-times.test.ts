import { auditRoutes } from "@red/contract/evidence/audit";
import { formatDateTime } from "@red/contract/platform/datetime";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { playerRoutes } from "@red/contract/chances/player";
import { accountRef } from "#platform/player-names";
import { riskOfDraws } from "@red/engine/risk";
import { inTransaction } from "#platform/db/connection";
import { selectGroupPools } from "#pools/standing-sql";
import { OPERATOR } from "#test/activity-factory";
import { grantExtraTimes } from "./grant-extra-times.ts";
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import {
  makeExtraTime,
  makePlayer,
  makePool,
  makePrize,
  makeRecords,
  makeRound,
} from "#test/factories";
import type { MadePlayer } from "#test/factories";
import { auditsOf, changeRows, rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { clear, useTestDb } from "#test/test-db";
import { upload } from "#test/upload";
import { beforeEach, describe, expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

const EXPIRY = "2099-12-31 23:59:59";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

beforeEach(() => clear(t.db, "extra_time", "audit_log"));

async function create(body: { user_name: string; tag: string; expire_time: string }) {
  return await app.call(extraTimesRoutes.create, { body });
}

async function grant(user_names: readonly string[], terms: object = {}) {
  const body = { user_names: [...user_names], tag: "weekend", expire_time: EXPIRY, ...terms };
  return await app.call(extraTimesRoutes.grant, { body });
}

async function preview(
  user_names: string[],
  more: { tag?: string; expire_times?: (string | null)[] } = {},
) {
  return await app.read(extraTimesRoutes.preview, { body: { user_names, ...more } });
}

async function linesIn(bytes: string) {
  return await upload(app, extraTimesRoutes.accounts, { bytes, filename: "accounts.txt" });
}

async function list(query: Record<string, string | number> = {}) {
  return await app.read(extraTimesRoutes.list, { query: query as object });
}

async function leftTimes(user_name: string) {
  return await app.call(extraTimesRoutes.total, { query: { user_name } });
}

async function versionOf({ player_key }: MadePlayer): Promise<number> {
  return (await rowOf(t.db, "player", { player_key })).version;
}

const audits = () => auditsOf(t.db, ["actor", "action", "outcome", "after"]);

function secondsAgo(seconds: number): Date {
  return new Date(Date.now() - seconds * 1000);
}

describe("granting one", () => {
  test("adds it to a known player, in any case, and can be used at once", async () => {
    const anna = await makePlayer(t.db, { user_name: "Anna_01" });
    const round = await makeRound(t.db, { condition_name: "3" });
    const body = { rounds_id: round.rounds_id, user_name: "anna_01" };
    const before = await versionOf(anna);
    expect(await create({ user_name: " ANNA_01 ", tag: "weekend", expire_time: EXPIRY })).toEqual({
      code: 200,
      msg: "added successfully",
      data: null,
    });
    expect(await versionOf(anna)).toBe(before + 1);
    expect(await list({ user_name: "aNNa_01" })).toEqual({
      content: [
        {
          id: expect.any(Number),
          user_name: "Anna_01",
          tag: "weekend",
          apply: 0,
          expire_time: EXPIRY,
          created_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
          granted_by: "root-op",
          batch_id: null,
          rounds_id: null,
          rounds_name: null,
          taken_back: null,
        },
      ],
      total: 1,
    });
    expect(await leftTimes("ANNA_01")).toMatchObject({ code: 200, data: { left_times: 1 } });
    const chances = { total: 1, already: 0, remain: 1, limited_by: null };
    expect(await app.read(playerRoutes.drawInfo, { body })).toEqual(chances);
    const after = { user_name: accountRef(anna.player_key), tag: "weekend", expire_time: EXPIRY };
    expect(await audits()).toEqual([
      { actor: "root-op", action: "grant_extra_times", outcome: "done", after },
    ]);
    const query = { object_type: "extra_time", object_id: "anna_01" };
    expect(await app.read(auditRoutes.list, { query })).toMatchObject({
      content: [{ object_id: "Anna_01", after: { user_name: "Anna_01" } }],
      total: 1,
    });
    expect(await rowOf(t.db, "extra_time")).toMatchObject({ used_log_id: null });
  });

  test("refuses an unknown player, an unknown group and an expiry that is not in the future", async () => {
    const { user_name } = await makePlayer(t.db);
    const full = { user_name, tag: "weekend", expire_time: EXPIRY };
    expect(await create({ ...full, user_name: "nobody" })).toMatchObject({
      code: 404,
      msg: "没有这个玩家账号",
    });
    const noGroup = { code: 400, msg: "没有这个活动组别" };
    expect(await create({ ...full, tag: "moon" })).toMatchObject(noGroup);
    expect(await grant([user_name], { tag: "moon" })).toMatchObject(noGroup);
    // The current second has already begun, so it is not in the future.
    const now = formatDateTime(new Date(), "Asia/Shanghai");
    expect(await create({ ...full, expire_time: now })).toEqual({
      code: 400,
      msg: "过期时间必须晚于现在",
      data: { errors: [{ field: "expire_time", msg: "过期时间必须晚于现在" }] },
      key: "bad_input",
    });
    expect(await list()).toEqual({ content: [], total: 0 });
    expect(await audits()).toEqual([]);
  });
});

describe("granting many", () => {
  test("does what the preview has shown, and nothing before", async () => {
    const known = [
      await makePlayer(t.db, { user_name: "Seen_A" }),
      await makePlayer(t.db, { user_name: "Seen_B" }),
    ];
    const versions = await Promise.all(known.map(versionOf));
    const past = "2020-01-01 00:00:00";
    const own = "2098-01-01 00:00:00";
    const names = ["seen_a", "SEEN_A", "ghost", "Seen_b", "seen_b", "SEEN_B", "Ghost", "Seen_A"];
    const expire_times = [past, null, null, own, null, null, null, past];
    const data = await preview(names, { expire_times });
    const skipped = { unknown: ["ghost"], doubled: ["seen_b", "Ghost"], expired: ["seen_a"] };
    const others = { ...skipped, blocked: [], excluded: [] };
    const told = { ...others, granted: 2 };
    const plan = expect.any(String) as string;
    expect(data).toEqual({ ...told, plan, granted_before: null });
    expect(await list()).toEqual({ content: [], total: 0 });
    expect(await audits()).toEqual([]);
    const granted = await grant(names, { expire_times, plan: data.plan });
    expect(granted).toMatchObject({ code: 200, data: told });
    expect(await list()).toMatchObject({
      content: [
        { user_name: "Seen_B", expire_time: own },
        { user_name: "Seen_A", expire_time: EXPIRY },
      ],
      total: 2,
    });
    expect(await Promise.all(known.map(versionOf))).toEqual(versions.map((one) => one + 1));
    const [one = "", other = ""] = known.map(({ player_key }) => accountRef(player_key));
    const lists = { user_names: [one, other], doubled: [other], expired: [one], unknown: 2 };
    const ends = { user_name: other, expire_time: "2097-12-31T16:00:00.000Z" };
    const after = { tag: "weekend", ...others, ...lists, own_expiry: [ends] };
    expect(await audits()).toMatchObject([{ action: "grant_extra_times", after }]);
    expect(await list({ user_name: "nobody" })).toEqual({ content: [], total: 0 });
  });

  test("grants nothing when the result would differ from the preview", async () => {
    await makePlayer(t.db, { user_name: "Late_A" });
    const names = ["late_a", "late_b"];
    const { plan } = await preview(names);
    const later = { plan, expire_times: ["2098-01-01 00:00:00", null] };
    expect(await grant(names, later)).toMatchObject({ code: 409, data: null });
    await makePlayer(t.db, { user_name: "Late_B" });
    expect(await grant(names, { plan })).toMatchObject({ code: 409, data: null });
    expect(await list()).toEqual({ content: [], total: 0 });
  });

  test("only to accounts whose own expiry has passed is refused with that reason", async () => {
    const { user_name } = await makePlayer(t.db);
    const expire_times = ["2020-01-01 00:00:00"];
    expect(await grant([user_name], { expire_times })).toMatchObject({
      code: 400,
      msg: "过期时间必须晚于现在",
      data: { granted: 0, expired: [user_name] },
    });
    const other = await grant([user_name, "ghost"], { expire_times: [...expire_times, null] });
    expect(other).toMatchObject({ code: 404, key: "player_unknown" });
  });

  test("risks for each the mean draw of the dearest pool of the group, while a round uses it", async () => {
    const pool_id = await makePool(t.db);
    const { rounds_id: id } = await makeRound(t.db, { tag: "dragon", pool_id });
    await makePrize(t.db, { pool_id, award_price_cents: 1_000 });
    await makePrize(t.db, { pool_id, award_price_cents: 9_000, deleted_at: new Date() });
    const dear = await makePool(t.db);
    await makePrize(t.db, { pool_id: dear, award_price_cents: 8_000 });
    await makeRound(t.db, { tag: "dragon", pool_id: dear, deleted_at: new Date() });
    await makeRound(t.db, { tag: "weekend", pool_id: dear });
    const players = [await makePlayer(t.db), await makePlayer(t.db)];
    const user_names = players.map(({ user_name }) => user_name);
    const terms = { tag: "dragon", expire_time: EXPIRY };
    const reading = { timeZone: "Asia/Shanghai", language: "zh" } as const;
    await inTransaction(t.db, async (tx) => {
      const { risk } = await grantExtraTimes(tx, OPERATOR, { user_names }, terms, reading);
      expect(risk.cents).toBe(1_888);
      const dearestAt = async (ended: RawBuilder<Date>) => {
        await changeRows(tx, "activity", { id }, { end_time: sql<Date>`now() - ${ended}` });
        return riskOfDraws(1, await selectGroupPools(tx, "dragon")).cents;
      };
      expect(await dearestAt(sql`interval '0.999 s'`)).toBe(944);
      expect(await dearestAt(sql`interval '1 s'`)).toBe(0);
    });
  });

  test("only to unknown accounts is refused, and audited", async () => {
    expect(await grant(["ghost", "phantom"])).toEqual({
      code: 404,
      msg: "没有这个玩家账号",
      data: {
        granted: 0,
        unknown: ["ghost", "phantom"],
        doubled: [],
        expired: [],
        blocked: [],
        excluded: [],
        batch_id: null,
      },
      key: "player_unknown",
    });
    const after = { tag: "weekend", unknown: 2 };
    expect(await audits()).toMatchObject([{ outcome: "refused", after }]);
  });

  test("accepts ten thousand at once", async () => {
    await t.sql`insert into player (player_id, user_name)
      select 'm' || n, 'crowd-' || n from generate_series(0, 9989) n`;
    const names = Array.from({ length: 10_000 }, (_, at) => `crowd-${at}`);
    const answer = await grant(names);
    expect(answer).toMatchObject({ code: 200, data: { granted: 9_990, doubled: [] } });
    expect(answer.data).toMatchObject({ unknown: names.slice(9_990) });
    expect(await list({ size: 1 })).toMatchObject({ total: 9_990 });
    expect(await audits()).toHaveLength(1);
  });
});

describe("a file of accounts", () => {
  test.each([
    ["a table", "备注,过期时间,账号\nx,,Anna\n,2030-01-01 00:00:00,ben\n"],
    ["a plain list", "Anna\n\nben\t2030-01-01 00:00:00\n"],
  ])("is read from %s, a line for each", async (_, bytes) => {
    expect(await linesIn(bytes)).toMatchObject({
      code: 200,
      data: { lines: ["Anna", "ben\t2030-01-01 00:00:00"] },
    });
  });

  test("without such a column is refused, and so is one of too many rows", async () => {
    expect(await linesIn("a,b,c\n1,2,3\n")).toMatchObject({
      code: 400,
      msg: "第 1 行：缺少列 账号（user_name）",
    });
    const rows = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`).join("\n");
    expect(await linesIn(rows(10_001))).toMatchObject({ code: 400, msg: "文件最多 10000 行数据" });
    const long = [2, 3].map((row) => ({
      field: "file",
      msg: `第 ${row} 行：这一行比表头多出内容`,
    }));
    expect(await linesIn("账号,过期时间\nAnna,,x\nben,,y\n")).toMatchObject({
      code: 400,
      data: { errors: long },
    });
    const pdf = { bytes: "Anna\n", filename: "accounts.pdf" };
    expect(await upload(app, extraTimesRoutes.accounts, pdf)).toMatchObject({ key: "upload_type" });
  });
});

describe("the list", () => {
  test("is newest first, with used and expired ones by the clock", async () => {
    const player = await makePlayer(t.db);
    const other = await makePlayer(t.db);
    const round = await makeRound(t.db, { rounds_name: "用在这里" });
    const [made] = await makeRecords(t.db, round, player, [{}]);
    const { player_key } = player;
    const use = { used_log_id: made?.log_id ?? 0, used_rounds_id: round.rounds_id };
    await makeExtraTime(t.db, { player_key, expire_time: secondsAgo(60) });
    await makeExtraTime(t.db, { player_key, expire_time: secondsAgo(60), ...use });
    await makeExtraTime(t.db, { player_key: other.player_key });
    await makeExtraTime(t.db, { player_key });
    const { content } = await list();
    expect(content.map((one) => [one.apply, one.user_name, one.rounds_name])).toEqual([
      [0, player.user_name, null],
      [0, other.user_name, null],
      [1, player.user_name, "用在这里"],
      [2, player.user_name, null],
    ]);
    expect(await list({ page: 2, size: 3 })).toEqual({ content: content.slice(3), total: 4 });
    expect(await leftTimes(player.user_name)).toMatchObject({ data: { left_times: 1 } });
  });

  test("still counts one in its last second", { retry: 3 }, async () => {
    const { player_key, user_name } = await makePlayer(t.db);
    await makeExtraTime(t.db, { player_key, expire_time: secondsAgo(0) });
    expect(await list({ user_name })).toMatchObject({ content: [{ apply: 0 }] });
    expect(await leftTimes(user_name)).toMatchObject({ data: { left_times: 1 } });
  });

  test("is paged with the exact number of all; of an unknown account it is empty", async () => {
    const { user_name } = await makePlayer(t.db);
    for (const tag of ["weekend", "dragon", "weekend"]) {
      await create({ user_name, tag, expire_time: EXPIRY });
    }
    const page = async (number: number) => await list({ user_name, page: number, size: 2 });
    expect(await page(1)).toMatchObject({
      content: [{ tag: "weekend" }, { tag: "dragon" }],
      total: 3,
    });
    expect(await page(2)).toMatchObject({ content: [{ tag: "weekend" }], total: 3 });
    expect(await list({ user_name: "nobody" })).toEqual({ content: [], total: 0 });
  });

  test("the search needs an account, and reports an unknown one", async () => {
    expect(await leftTimes("")).toMatchObject({ code: 400, msg: "please enter the account" });
    expect(await leftTimes("nobody")).toMatchObject({ code: 404, msg: "没有这个玩家账号" });
  });
});

describe("recent grants of the group in a preview (behaviour §3)", () => {
  async function before(user_names: string[], tag: string) {
    return (await preview(user_names, { tag })).granted_before;
  }

  /** A grant in the past: how long ago, and the values that differ from a normal grant. */
  interface Had {
    readonly ago: number;
    readonly tag?: string;
    readonly granted_by?: string;
    readonly expire_time?: Date;
    readonly used_log_id?: number;
    readonly used_rounds_id?: number;
  }

  async function playerWho(user_name: string, ...had: Had[]): Promise<void> {
    const { player_key } = await makePlayer(t.db, { user_name });
    for (const { ago, ...row } of had) {
      const created_at = new Date(Date.now() - ago);
      await makeExtraTime(t.db, { granted_by: "someone", ...row, player_key, created_at });
    }
  }

  test("lists who had one of the group within a day, and the newest with its operator", async () => {
    await playerWho("Again_A", { ago: 5 * 60 * MINUTE }, { ago: DAY - 5 * MINUTE });
    await playerWho("Again_B", { ago: 60 * MINUTE, granted_by: "colleague" });
    await playerWho("Again_C", { ago: 90 * MINUTE });
    await playerWho("Again_D");
    const names = ["again_d", "AGAIN_C", "again_b", "ghost", "again_c", "Again_a"];
    const newest = await rowOf(t.db, "extra_time", { granted_by: "colleague" });
    expect(await before(names, "weekend")).toEqual({
      user_names: ["AGAIN_C", "again_b", "Again_a"],
      created_at: formatDateTime(newest.created_at, "Asia/Shanghai"),
      granted_by: "colleague",
    });
  });

  test("ignores other groups, older grants and other players", async () => {
    await playerWho("Other_A", { ago: MINUTE, tag: "dragon" });
    await playerWho("Other_B", { ago: DAY + 5 * MINUTE });
    await playerWho("Other_C");
    await playerWho("Other_D", { ago: MINUTE });
    const names = ["other_a", "other_b", "other_c"];
    expect(await before(names, "weekend")).toBeNull();
    expect(await before(names, "dragon")).toMatchObject({ user_names: ["other_a"] });
    expect(await before([...names, "other_d"], "weekend")).toMatchObject({
      user_names: ["other_d"],
    });
  });

  test("counts used and expired ones, and ignores an unknown group", async () => {
    const round = await makeRound(t.db, {});
    const drawer = await makePlayer(t.db);
    const [record] = await makeRecords(t.db, round, drawer, [{}]);
    const use = { used_log_id: record?.log_id ?? 0, used_rounds_id: round.rounds_id };
    await playerWho("Spent_A", { ago: 60 * MINUTE, ...use });
    await playerWho("Spent_B", { ago: 60 * MINUTE, expire_time: secondsAgo(60) });
    const names = ["spent_a", "spent_b"];
    expect(await before(names, "weekend")).toMatchObject({ user_names: names });
    expect(await before(names, "moon")).toBeNull();
  });

  test("leaves out an account whose own expiry has passed", async () => {
    await playerWho("Past_A", { ago: MINUTE });
    const own = { tag: "weekend", expire_times: ["2020-01-01 00:00:00"] };
    expect(await preview(["past_a"], own)).toMatchObject({
      granted: 0,
      expired: ["past_a"],
      granted_before: null,
    });
  });

  test("needs a group, forbids nothing, and does not change the plan", async () => {
    await playerWho("Plan_A");
    const [names, tag] = [["plan_a"], "weekend"];
    const first = await preview(names, { tag });
    expect(first.granted_before).toBeNull();
    expect(await grant(names, { plan: first.plan })).toMatchObject({ code: 200 });
    const second = await preview(names, { tag });
    expect(second).toMatchObject({
      granted: 1,
      plan: first.plan,
      granted_before: { user_names: names, granted_by: "root-op" },
    });
    expect(await preview(names)).toEqual({ ...second, granted_before: null });
    const again = await grant(names, { plan: first.plan });
    expect(again).toMatchObject({ code: 200, data: { granted: 1 } });
    expect((await audits()).at(-1)?.after).not.toHaveProperty("own_expiry");
    expect(await list()).toMatchObject({ total: 2 });
  });
});
