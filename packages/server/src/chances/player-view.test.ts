import { formatCents, parseCents } from "@red/contract/platform/money";
import { playerRoutes } from "@red/contract/chances/player";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import {
  makeExtraTime,
  makePlayer,
  makePool,
  makePrize,
  makeRecords,
  makeRound,
} from "#test/factories";
import {
  ago,
  betOf,
  depositOf,
  eventOf,
  feed,
  fresh,
  takeBack,
  makeFedPlayer,
  PER_120,
} from "#test/ingest-factory";
import { changeRows } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { clear, useTestDb } from "#test/test-db";
import { beforeEach, describe, expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

const HOUR = 3_600_000;
const explain = (user_name: string, rounds_id: number) =>
  app.read(playerViewRoutes.explain, { body: { user_name, rounds_id } });
const head = (user_name: string) => app.read(playerViewRoutes.head, { query: { user_name } });
const lottimes = (user_name: string, rounds_id: number) =>
  app.read(playerRoutes.drawInfo, { body: { user_name, rounds_id } });

const fedPlayer = () => makeFedPlayer(t.db);

beforeEach(async () => {
  await clear(t.db, "stop_switch", "extra_time", "payout", "draw_record");
  await changeRows(t.db, "activity", {}, { deleted_at: new Date() });
});

describe("an explanation", () => {
  test("shows each deposit around the window, its draws, and the missing amount", async () => {
    const { rounds_id } = await makeRound(t.db, PER_120);
    const player = await fedPlayer();
    const deposit = (order_no: string, amount: string, hours: number) =>
      depositOf(player.player_id, { order_no, amount, created_at: ago(hours) });
    const reversed = deposit("D-back", "70.00", 3);
    await feed(t.db, "deposits", [
      deposit("D-early", "500.00", 30),
      deposit("D-1", "100.00", 5),
      deposit("D-2", "150.00", 4),
      reversed,
      deposit("D-3", "9.00", 2),
    ]);
    await takeBack(t.db, [reversed], { reason: "chargeback" });
    await feed(t.db, "bets", [
      betOf(player.player_id, { valid_bet_amount: "33.00", created_at: ago(1) }),
    ]);
    const explanation = await explain(player.user_name.toUpperCase(), rounds_id);
    expect(explanation).toMatchObject({
      source: "deposit",
      cumulative: true,
      repeatable: true,
      condition_value: "120",
      total: 2,
      already: 0,
      remain: 2,
      earned: 2,
      reason: "left",
      gates: [],
      sum: "259.00",
      missing: "101.00",
      more: { count: 0, amount: "0.00", draws: 0 },
      others: [{ kind: "bet", count: 1, amount: "33.00", rows: [{ amount: "33.00" }] }],
    });
    const facts = ["no", "verdict", "sum", "crossed", "draws"] as const;
    expect(explanation.rows.map((row) => facts.map((name) => row[name]))).toEqual([
      ["D-3", "counted", "259.00", null, 0],
      ["D-back", "cancelled", null, null, 0],
      ["D-2", "counted", "250.00", "240.00", 2],
      ["D-1", "counted", "100.00", null, 0],
      ["D-early", "before_window", null, null, 0],
    ]);
    expect(explanation.rows[1]).toMatchObject({ amount: "70.00", cancel_reason: "chargeback" });
    expect(explanation.rows[1]?.cancelled_at).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
    expect(explanation.rule_text).toContain("每满 120");
  });

  test.each([
    ["cumulative, per full", { ...PER_120 }],
    ["single, once", { ...PER_120, condition_formula: "3", condition_type: "1" }],
    ["bets", { ...PER_120, condition_name: "1", condition_value_cents: 5_000 }],
  ] as const)("lists 200 rows, sums up the rest, and adds up: %s", async (_name, rule) => {
    const { rounds_id } = await makeRound(t.db, { ...rule, condition_times: 2 });
    const player = await fedPlayer();
    const kind = rule.condition_name === "1" ? "bets" : "deposits";
    const amounts = Array.from(
      { length: 250 },
      (_, at) => `${1 + ((at * 37) % 400)}.${String(at % 100).padStart(2, "0")}`,
    );
    const made = amounts.map((amount, at) => {
      // Three rows per millisecond, so that the list is cut between equal times.
      const created_at = new Date(Date.now() - HOUR + Math.floor(at / 3)).toISOString();
      return eventOf(kind, player.player_id, amount, created_at);
    });
    await feed(t.db, kind, made);
    const isGone = (at: number) => at % 7 === 0;
    const gone = made.filter((_, at) => isGone(at));
    await takeBack(t.db, gone);
    const explanation = await explain(player.user_name, rounds_id);
    expect(explanation.rows).toHaveLength(200);
    expect(explanation.more.count).toBe(50);
    const given = explanation.rows.reduce((sum, { draws }) => sum + draws, 0);
    expect(given + explanation.more.draws).toBe(explanation.earned);
    expect(explanation.earned).toBeGreaterThan(0);
    expect(explanation).toMatchObject({
      cumulative: rule.condition_formula === "1",
      repeatable: rule.condition_type === "2",
    });
    const counted = amounts
      .filter((_, at) => !isGone(at))
      .reduce((sum, amount) => sum + (parseCents(amount) ?? Number.NaN), 0);
    expect(explanation.sum).toBe(formatCents(counted));
    const listed = explanation.rows
      .filter(({ cancelled_at }) => cancelled_at === null)
      .reduce((sum, { amount }) => sum + (parseCents(amount) ?? Number.NaN), 0);
    expect(explanation.more.amount).toBe(formatCents(counted - listed));
    const { total, already, remain, limited_by } = explanation;
    const chances = { total, already, remain, limited_by };
    expect(await lottimes(player.user_name, rounds_id)).toEqual(chances);
  });

  test("shows where extra times were used and which draw used which chance", async () => {
    const here = await makeRound(t.db, { condition_times: 1 });
    const there = await makeRound(t.db, { rounds_name: "别处" });
    const player = await fedPlayer();
    const { player_key } = player;
    const grant = (values: object = {}) => makeExtraTime(t.db, { player_key, ...values });
    const used = await grant();
    const [, drawn] = await makeRecords(t.db, here, player, [
      { draw_no: 1 },
      { draw_no: 2, record: { extra_time_id: used } },
    ]);
    const use = { used_log_id: drawn?.log_id ?? 0, used_rounds_id: here.rounds_id };
    await changeRows(t.db, "extra_time", { id: used }, use);
    await grant({ used_log_id: 5, used_rounds_id: there.rounds_id });
    await grant({ expire_time: new Date(Date.now() - HOUR) });
    await grant({ tag: "dragon" });
    await grant();
    const explanation = await explain(player.user_name, here.rounds_id);
    expect(explanation.extras.map(({ use, rounds_name }) => [use, rounds_name])).toEqual([
      ["unused", null],
      ["other_group", null],
      ["expired", null],
      ["used_elsewhere", "别处"],
      ["used_here", expect.any(String)],
    ]);
    const chances = { total: 3, already: 2, remain: 1, limited_by: null };
    expect(explanation).toMatchObject({
      ...chances,
      earned: 1,
      extra_unused: 1,
      extra_used_here: 1,
      extras_more: 0,
      draws_more: 0,
      source: null,
      cumulative: false,
      repeatable: false,
      missing: null,
      rows: [],
      more: { count: 0, amount: "0.00", draws: 0 },
      others: [{ kind: "deposit" }, { kind: "bet" }],
    });
    expect(explanation.draws).toMatchObject([
      { draw_no: 2, extra_time_id: used },
      { draw_no: 1, extra_time_id: null },
    ]);
    expect(await lottimes(player.user_name, here.rounds_id)).toEqual(chances);
  });

  test("finds neither unknown accounts nor deleted rounds", async () => {
    const { rounds_id } = await makeRound(t.db);
    const { user_name } = await fedPlayer();
    const ask = (body: { user_name: string; rounds_id: number }) =>
      app.call(playerViewRoutes.explain, { body });
    expect(await ask({ user_name: "nobody", rounds_id })).toMatchObject({ code: 404 });
    await changeRows(t.db, "activity", {}, { deleted_at: new Date() });
    expect(await ask({ user_name, rounds_id })).toMatchObject({
      code: 404,
      msg: "活动不存在或已删除",
    });
  });
});

describe("the header", () => {
  test("explains by the nearest row why nothing was earned", async () => {
    await makeRound(t.db, PER_120);
    const player = await fedPlayer();
    const standing = async () => (await head(player.user_name)).rounds[0];
    expect(await standing()).toMatchObject({ reason: "no_rows", gates: [], is_current: true });
    await feed(t.db, "bets", [
      betOf(player.player_id, { valid_bet_amount: "33.00", created_at: ago(1) }),
    ]);
    expect(await standing()).toMatchObject({ reason: "other_kind", count: 1, amount: "33.00" });
    await feed(t.db, "deposits", [
      depositOf(player.player_id, { amount: "500.00", created_at: ago(25) }),
    ]);
    expect(await standing()).toMatchObject({
      reason: "outside_window",
      amount: "500.00",
      side: "before_window",
      at: expect.stringMatching(/^\d{4}-/),
    });
    const row = depositOf(player.player_id, { amount: "60.00", created_at: ago(1) });
    await feed(t.db, "deposits", [row]);
    expect(await standing()).toMatchObject({
      reason: "sum_below",
      amount: "60.00",
      missing: "60.00",
    });
    await takeBack(t.db, [row]);
    expect(await standing()).toMatchObject({ reason: "all_cancelled", count: 1, amount: "60.00" });
  });

  test("lists everything that blocks a player's draws", async () => {
    const pool_id = await makePool(t.db);
    await makePrize(t.db, { pool_id, award_total: 0 });
    const round = await makeRound(t.db, { pool_id, rounds_status: 0 });
    await changeRows(t.db, "prize", { pool_id }, { award_total: 0 });
    await makePrize(t.db, { pool_id, deleted_at: new Date() });
    const player_id = fresh("p");
    const user_name = `${player_id}-name`;
    await feed(t.db, "players", [{ player_id, user_name, blocked: true }]);
    const { blocked, blocked_since, rounds } = await head(user_name);
    const gates = ["blocked", "paused", "sold_out"];
    expect(blocked).toBe(true);
    expect(rounds).toMatchObject([{ rounds_id: round.rounds_id, gates, reason: "left" }]);
    const by = { stopped_by: "root-op", reason: null };
    const other = await makePool(t.db);
    await t.db
      .insertInto("stop_switch")
      .values([
        { name: "draws", pool_id: null, ...by },
        { name: "pool", pool_id: other, ...by },
      ])
      .execute();
    expect((await head(user_name)).rounds[0]?.gates).toEqual([
      "blocked",
      "draws_stopped",
      "paused",
      "sold_out",
    ]);
    await t.db.updateTable("stop_switch").set({ pool_id }).where("name", "=", "pool").execute();
    expect((await head(user_name)).rounds[0]?.gates).toContain("pool_stopped");
    expect(blocked_since).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
  });

  test("keeps the start of a block until it ends", async () => {
    const player_id = fresh("p");
    const user_name = `${player_id}-name`;
    const save = (change: object) => feed(t.db, "players", [{ player_id, user_name, ...change }]);
    await save({});
    expect((await head(user_name)).blocked_since).toBeNull();
    await save({ blocked: true });
    const since = (await head(user_name)).blocked_since;
    expect(since).not.toBeNull();
    const blocked_at = new Date("2024-05-10T04:00:00Z");
    await changeRows(t.db, "player", { player_id }, { blocked_at });
    await save({ blocked: true, user_name: user_name.toUpperCase() });
    expect((await head(user_name)).blocked_since).toBe("2024-05-10 12:00:00");
    await save({ blocked: false });
    expect(await head(user_name)).toMatchObject({ blocked: false, blocked_since: null });
  });

  test("without a running round shows the latest one", async () => {
    const past = (hours: number) => ({
      start_time: new Date(Date.now() - hours * HOUR),
      end_time: new Date(Date.now() - (hours - 1) * HOUR),
    });
    await makeRound(t.db, past(9));
    const latest = await makeRound(t.db, past(3));
    await makeRound(t.db, { start_time: new Date(Date.now() + HOUR) });
    const { rounds } = await head((await fedPlayer()).user_name);
    const { rounds_id } = latest;
    expect(rounds).toMatchObject([{ rounds_id, is_current: false, gates: ["ended"] }]);
    const running = [];
    for (let made = 0; made < 11; made += 1) {
      const start_time = new Date(Date.now() - HOUR + made * 60_000);
      running.unshift((await makeRound(t.db, { start_time })).rounds_id);
    }
    const present = (await head((await fedPlayer()).user_name)).rounds;
    expect(present.map((round) => round.rounds_id)).toEqual(running.slice(0, 10));
    expect(present[9]).toMatchObject({ is_current: true, gates: [] });
  });

  test("needs a known account", async () => {
    const ask = (user_name: string) => app.call(playerViewRoutes.head, { query: { user_name } });
    expect(await ask("nobody")).toMatchObject({ code: 404, msg: "没有这个玩家账号" });
    expect(await ask("")).toMatchObject({ code: 400, msg: "please enter the account" });
  });

  test("says who it is, how many extra times are left, and whether the player was erased", async () => {
    const { player_key, player_id, user_name } = await fedPlayer();
    await makeExtraTime(t.db, { player_key });
    await makeExtraTime(t.db, { player_key, tag: "dragon" });
    await makeExtraTime(t.db, { player_key, expire_time: new Date(0) });
    const who = { player_id, user_name, blocked: false, erased: false, exclusions: [] };
    expect(await head(user_name)).toMatchObject({ ...who, left_times: 2 });
    const text = `what ${user_name} wrote of nobody`;
    expect(await app.read(playerViewRoutes.named, { body: { text } })).toEqual({
      user_names: [user_name],
    });
    await changeRows(t.db, "player", { player_key }, { blocked: true, erased_at: new Date() });
    expect(await head(user_name)).toMatchObject({ erased: true });
  });
});

describe("payouts in the header, and the reasons of their states (behaviour §6)", () => {
  test("sums payouts by state with time and reason, and puts the round drawn in first", async () => {
    const round = await makeRound(t.db, { condition_times: 5 });
    const player = await makePlayer(t.db);
    const other = await makePlayer(t.db);
    const unknown_since = new Date("2024-05-10T12:03:00Z");
    await makeRecords(t.db, round, player, [
      { state: "paid", award_price_cents: 100 },
      { state: "paid", award_price_cents: 200 },
      { state: "unknown", award_price_cents: 888, payout: { unknown_since } },
      {
        state: "refused",
        award_price_cents: 50,
        payout: { fail_reason: "account frozen", note: "asked the bank" },
      },
      { state: "queued", created_at: new Date("2024-05-10T12:00:00Z") },
    ]);
    await makeRecords(t.db, await makeRound(t.db), other, [{ state: "paid" }]);
    const { draws, payouts, payouts_stopped_since, rounds } = await head(player.user_name);
    expect([rounds.length, rounds[0]?.rounds_id]).toEqual([2, round.rounds_id]);
    expect([draws, payouts_stopped_since]).toEqual([5, null]);
    await changeRows(t.db, "activity", { id: round.rounds_id }, { rounds_status: 0 });
    expect((await head(player.user_name)).rounds[1]?.rounds_id).toBe(round.rounds_id);
    await t.db
      .insertInto("stop_switch")
      .values({ name: "payouts", pool_id: null, stopped_by: "root-op", reason: null })
      .execute();
    expect((await head(player.user_name)).payouts_stopped_since).toMatch(/^\d{4}-/);
    const none = { reasons: [], other_reasons: { count: 0, amount: "0.00" } };
    expect(payouts).toEqual([
      { payout_state: "queued", count: 1, amount: "8.88", since: "2024-05-10 20:00:00", ...none },
      { payout_state: "unknown", count: 1, amount: "8.88", since: "2024-05-10 20:03:00", ...none },
      { payout_state: "paid", count: 2, amount: "3.00", since: null, ...none },
      {
        ...none,
        payout_state: "refused",
        count: 1,
        amount: "0.50",
        since: expect.any(String) as string,
        reasons: [{ reason: "asked the bank", count: 1, amount: "0.50" }],
      },
    ]);
  });

  test("shows each reason with count and sum, newest first, and counts the rest", async () => {
    const round = await makeRound(t.db, { condition_times: 5 });
    const player = await makePlayer(t.db);
    const day = (no: number) => new Date(Date.UTC(2024, 4, no));
    const refused = (fail_reason: string | null, award_price_cents: number, no: number) => ({
      state: "refused" as const,
      award_price_cents,
      created_at: day(no),
      payout: { fail_reason },
    });
    const sum = async () => (await head(player.user_name)).payouts[0];
    await makeRecords(t.db, round, player, [
      refused("closed for good", 100, 1),
      refused("account frozen", 88, 2),
      refused("wallet being migrated", 1666, 3),
      refused("account frozen", 200, 4),
      refused("limit", 300, 5),
    ]);
    expect(await sum()).toMatchObject({
      count: 5,
      amount: "23.54",
      since: "2024-05-01 08:00:00",
      reasons: [
        { reason: "limit", count: 1, amount: "3.00" },
        { reason: "account frozen", count: 2, amount: "2.88" },
        { reason: "wallet being migrated", count: 1, amount: "16.66" },
      ],
      other_reasons: { count: 1, amount: "1.00" },
    });
  });
});
