/** Why a player has this number of draws: platforms, windows, limits (behaviour §4). */
import { playerRoutes } from "@red/contract/chances/player";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import { makeRecords, makeRound } from "#test/factories";
import {
  ago,
  betOf,
  depositOf,
  feed,
  takeBack,
  makeFedPlayer,
  PER_120,
} from "#test/ingest-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { describe, expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

const HOUR = 3_600_000;
const explain = (user_name: string, rounds_id: number) =>
  app.read(playerViewRoutes.explain, { body: { user_name, rounds_id } });
const lottimes = (user_name: string, rounds_id: number) =>
  app.read(playerRoutes.drawInfo, { body: { user_name, rounds_id } });

const fedPlayer = () => makeFedPlayer(t.db);

describe("an explanation", () => {
  test("of a round of some platforms counts bets on these alone", async () => {
    const rule = { ...PER_120, condition_name: "1" } as const;
    const { rounds_id } = await makeRound(t.db, { ...rule, platforms: [2234] });
    const player = await fedPlayer();
    const bet = (platform: number, valid_bet_amount: string, hours: number) =>
      betOf(player.player_id, { platform, valid_bet_amount, created_at: ago(hours) });
    const answer = async (...bets: ReturnType<typeof bet>[]) => {
      await feed(t.db, "bets", bets);
      return await explain(player.user_name, rounds_id);
    };
    await feed(t.db, "deposits", [depositOf(player.player_id, { created_at: ago(1) })]);
    const others = [{ kind: "deposit", count: 1, amount: "100.00" }];
    const otherKind = { reason: "other_kind", count: 1, amount: "100.00", others };
    expect(await answer()).toMatchObject({ ...otherKind, rows: [] });
    const gone = bet(1234, "50.00", 2);
    await feed(t.db, "bets", [gone]);
    await takeBack(t.db, [gone]);
    expect(await answer(bet(1234, "130.00", 1), bet(1234, "99.00", 30))).toMatchObject({
      reason: "other_platform",
      count: 1,
      amount: "130.00",
      rows: [
        { amount: "130.00", verdict: "other_platform" },
        { amount: "50.00", verdict: "cancelled" },
        { amount: "99.00", verdict: "before_window" },
      ],
    });
    expect(await answer(bet(2234, "77.00", 26))).toMatchObject({
      reason: "outside_window",
      amount: "77.00",
    });
    const own = bet(2234, "60.00", 1);
    expect(await answer(own)).toMatchObject({ reason: "sum_below", amount: "60.00", sum: "60.00" });
    expect(await answer(bet(2234, "61.00", 1))).toMatchObject({ total: 1, sum: "121.00" });
    await takeBack(t.db, [own]);
    expect(await answer()).toMatchObject({ reason: "sum_below", amount: "61.00" });
  });

  test("names the first row after a window that is over", async () => {
    const achieve_end_time = new Date(Math.floor(Date.now() / 1_000) * 1_000 - 2 * HOUR);
    const { rounds_id } = await makeRound(t.db, { ...PER_120, achieve_end_time });
    const player = await fedPlayer();
    const deposit = (amount: string, ms: number) => {
      const created_at = new Date(achieve_end_time.getTime() + ms).toISOString();
      return depositOf(player.player_id, { amount, created_at });
    };
    await feed(t.db, "deposits", [deposit("130.00", 1_000), deposit("70.00", 9_000)]);
    expect(await explain(player.user_name, rounds_id)).toMatchObject({
      reason: "outside_window",
      side: "after_window",
      amount: "130.00",
      missing: null,
      rows: [{ amount: "70.00" }, { amount: "130.00", verdict: "after_window" }],
    });
    await feed(t.db, "deposits", [deposit("120.00", 999)]);
    expect(await explain(player.user_name, rounds_id)).toMatchObject({ total: 1, missing: null });
  });

  test("counts the draws of the business day in all rounds where they are limited", async () => {
    const round = await makeRound(t.db, { condition_times: 3, day_draws_max: 2 });
    const player = await fedPlayer();
    const other = await makeRound(t.db);
    const yesterday = new Date(Date.now() - 25 * HOUR);
    await makeRecords(t.db, other, player, [{ draw_no: 1 }, { draw_no: 2, created_at: yesterday }]);
    const limited_by = "day_draws_max";
    const one = { total: 1, already: 0, remain: 1, limited_by };
    expect(await explain(player.user_name, round.rounds_id)).toMatchObject(one);
    expect(await lottimes(player.user_name, round.rounds_id)).toEqual(one);
    await makeRecords(t.db, other, player, [{ draw_no: 3 }]);
    const none = { remain: 0, limited_by, reason: "day_draws_max", day_draws_max: 2 };
    expect(await explain(player.user_name, round.rounds_id)).toMatchObject(none);
  });

  test("lists the newest 200 extra times and draws, and counts the rest", async () => {
    const round = await makeRound(t.db, PER_120);
    const player = await fedPlayer();
    await t.sql`insert into extra_time (player_key, tag, expire_time, granted_by)
      select ${player.player_key}, 'weekend', now(), 'root-op' from generate_series(1, 201)`;
    const draws = Array.from({ length: 201 }, (_, at) => ({ draw_no: at + 1 }));
    await makeRecords(t.db, round, player, draws);
    const found = await explain(player.user_name, round.rounds_id);
    expect([found.extras.length, found.extras_more]).toEqual([200, 1]);
    expect([found.draws.length, found.draws_more, found.draws[0]?.draw_no]).toEqual([200, 1, 201]);
  });
});
