/** Exclusions, and extra times that an operator takes back. `prove -- exclusions` runs the large variants. */
import { setTimeout as sleep } from "node:timers/promises";
import { exclusionRoutes } from "@red/contract/players/exclusion";
import type { ExclusionRow } from "@red/contract/players/exclusion";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import { drawQueue } from "#draws/draw-queue";
import type { DrawQueue } from "#draws/draw-queue";
import { claimPayouts } from "#payouts/payout-claim-sql";
import { PAYOUT_SCHEDULE } from "#payouts/payout-rules";
import { reissueRecords } from "#payouts/change-records";
import { settlePayouts } from "#payouts/settle-payouts";
import { inTransaction } from "#platform/db/connection";
import { accountRef } from "#platform/player-names";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { OPERATOR, ZONE } from "#test/activity-factory";
import { drawOnce, recordsOf as countRecordsOf } from "#test/draw-factory";
import { makeExtraTime, makePlayer, makeRecords, makeRound } from "#test/factories";
import type { MadePlayer } from "#test/factories";
import { hold, untilWaiting } from "#test/races";
import { auditsOf, changeRows, rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { upload } from "#test/upload";
import { excludePlayers } from "./exclude-players.ts";
import { takeBackExtraTimes } from "./take-back-extra-times.ts";

const t = useTestDb();
const app = useTestApp(t);
const proved = Number(process.env["PROVE_N"] ?? 0);
const RACES = proved || 10;
const LONG = proved > 0 ? 10_000 : 500;
const READING = { timeZone: ZONE, language: "zh" } as const;
const ALL = { all: 100, pay: 100, query: 100, isEager: false };

const draw = (queue: DrawQueue, rounds_id: number, { player_id }: MadePlayer) =>
  drawOnce(queue, rounds_id, player_id);
const recordsOf = ({ player_key }: MadePlayer) => countRecordsOf(t, player_key);

function entryOf({ user_name }: Pick<MadePlayer, "user_name">, change: Partial<ExclusionRow> = {}) {
  return { user_name, kind: "self" as const, reason: "本人要求", until: null, ...change };
}

async function exclude(...rows: ExclusionRow[]) {
  return await app.call(exclusionRoutes.create, { body: { rows } });
}

async function list(query: object) {
  return (await app.read(exclusionRoutes.list, { query })).content;
}

const audits = async (action: string) =>
  await auditsOf(t.db, ["outcome", "object_id", "before", "after"], { action });

async function lift(id: number) {
  return await app.call(exclusionRoutes.lift, { params: { id }, body: { reason: "已核实" } });
}

describe("an exclusion", () => {
  test("refuses draws until it ends by the clock or is lifted, and overlapping ones stay", async () => {
    const { rounds_id } = await makeRound(t.db, { condition_times: 5 });
    const player = await makePlayer(t.db);
    const queue = drawQueue(t.db);
    expect(await draw(queue, rounds_id, player)).toHaveProperty("drawn");
    const later = { kind: "cooling_off", until: "2099-01-01 00:00:00" } as const;
    expect(await exclude(entryOf(player, later))).toMatchObject({
      code: 200,
      msg: "已加入排除名单",
    });
    expect(await exclude(entryOf(player, { kind: "risk" }))).toMatchObject({ code: 200 });
    expect(await draw(queue, rounds_id, player)).toEqual({ refused: "player_excluded" });
    const open = await app.open("POST", "/open/v1/draws", {
      request_id: "open-1",
      rounds_id,
      player_id: player.player_id,
    });
    expect([open.statusCode, open.json<{ code: string }>().code]).toEqual([403, "player_excluded"]);
    const { user_name } = player;
    const head = await app.call(playerViewRoutes.head, { query: { user_name } });
    expect(head.data).toMatchObject({ exclusions: [{ kind: "risk" }, { kind: "cooling_off" }] });
    const why = await app.call(playerViewRoutes.explain, { body: { user_name, rounds_id } });
    expect(why.data).toMatchObject({
      gates: ["excluded"],
      exclusion: { kind: "risk", until: null },
      remain: 4,
    });

    const [risk, cooling] = await list({ user_name, state: "in_force" });
    expect(await list({ user_name, kind: "cooling_off" })).toEqual([cooling]);
    const second = { user_name: user_name.toUpperCase(), page: 2, size: 1 };
    expect(await app.read(exclusionRoutes.list, { query: second })).toEqual({
      content: [cooling],
      total: 2,
    });
    expect(await lift(risk?.id ?? 0)).toMatchObject({ code: 200 });
    expect(await lift(risk?.id ?? 0)).toMatchObject({ code: 409, key: "exclusion_ended" });
    expect(await list({ user_name, state: "ended" })).toEqual([
      {
        ...risk,
        in_force: false,
        lifted_by: "root-op",
        lifted_at: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/),
        lift_reason: "已核实",
      },
    ]);
    const was = { user_name: accountRef(player.player_key), kind: "risk", until: null };
    expect(await audits("lift_exclusion")).toEqual([
      { outcome: "done", object_id: `${risk?.id}`, before: was, after: { reason: "已核实" } },
    ]);
    const still = await app.call(playerViewRoutes.explain, { body: { user_name, rounds_id } });
    expect(still.data).toMatchObject({ exclusion: later });
    expect(await lift(987_654)).toMatchObject({ code: 404, key: "exclusion_not_found" });
    expect(await draw(queue, rounds_id, player)).toEqual({ refused: "player_excluded" });
    // Sets the state after the last second of the exclusion.
    const { player_key } = player;
    const past = sql<Date>`now() - interval '1 second'`;
    await changeRows(t.db, "exclusion", { id: cooling?.id ?? 0 }, { until: past });
    await changeRows(t.db, "player", { player_key }, { excluded_until: sql<Date>`now()` });
    expect(await draw(queue, rounds_id, player)).toHaveProperty("drawn");
    expect(await list({ user_name, state: "in_force" })).toEqual([]);
    expect(await list({ user_name, state: "ended" })).toHaveLength(2);
    await exclude(entryOf(player));
    expect(await draw(queue, rounds_id, player)).toEqual({ refused: "player_excluded" });
    const [own] = await list({ user_name, state: "in_force" });
    await lift(own?.id ?? 0);
    expect(await draw(queue, rounds_id, player)).toHaveProperty("drawn");
    const blocked = await makePlayer(t.db, { blocked: true });
    expect(await draw(queue, rounds_id, blocked)).toEqual({ refused: "player_blocked" });
  });

  test("of so many hours ends by the database's clock", async () => {
    const { user_name } = await makePlayer(t.db);
    const term = entryOf({ user_name }, { kind: "cooling_off", hours: 24 });
    const { data } = await exclude(term);
    const [made] = await list({ user_name });
    expect(data).toMatchObject({ first: [{ user_name, until: made?.until }] });
    const lasts_ms = Date.parse(made?.until ?? "") - Date.parse(made?.made_at ?? "");
    // A new second may begin between the two clock readings.
    expect([86_400_000, 86_401_000]).toContain(lasts_ms);
  });

  test("names accounts that get none, and refuses an end in the past or a cooling-off without end", async () => {
    const [anna, ben] = [await makePlayer(t.db), await makePlayer(t.db)];
    const [carl, dora] = [await makePlayer(t.db), await makePlayer(t.db)];
    const round = await makeRound(t.db);
    await makeRecords(t.db, round, ben, [{}, {}]);
    await makeRecords(t.db, round, carl, [{ state: "paid" }]);
    await makeRecords(t.db, round, dora, [{}]);
    await exclude(entryOf(anna));
    const staff = (until: string) => entryOf(carl, { kind: "staff", until: `${until} 00:00:00` });
    const rows = [
      entryOf(anna, { until: "2099-01-01 00:00:00" }),
      entryOf(ben),
      entryOf({ user_name: "ghost" }),
      entryOf({ user_name: ben.user_name.toUpperCase() }, { until: "2098-01-01 00:00:00" }),
      entryOf(ben, { kind: "risk", until: "2099-01-01 00:00:00" }),
      entryOf(ben, { kind: "risk", reason: "查" }),
      staff("2099-01-01"),
      staff("2098-01-01"),
      entryOf(ben, { reason: "again" }),
      entryOf(dora),
    ];
    const risk = entryOf(ben, { kind: "risk", reason: "查" });
    const first = [entryOf(ben), risk, staff("2099-01-01"), entryOf(dora)];
    const outcome = {
      excluded: 3,
      kinds: [
        { kind: "self", count: 2 },
        { kind: "risk", count: 1 },
        { kind: "staff", count: 1 },
      ],
      endless: 3,
      // Players without a queued payout do not count, and players whose exclusion holds no payouts do not count.
      held: 1,
      first,
      unknown: ["ghost"],
      doubled: [ben.user_name.toUpperCase(), ben.user_name, carl.user_name],
      already: [anna.user_name],
    };
    const [refA, refB, refC, refD] = [anna, ben, carl, dora].map((one) =>
      accountRef(one.player_key),
    );
    expect(await app.read(exclusionRoutes.preview, { body: { rows } })).toEqual(outcome);
    expect(await exclude(...rows)).toMatchObject({ code: 200, data: outcome });
    expect(await exclude(...rows)).toMatchObject({ code: 409, key: "exclusions_none" });
    expect((await audits("exclude_players")).slice(-2)).toMatchObject([
      {
        outcome: "done",
        after: {
          source: "operator",
          exclusions: [refB, refB, refC, refD].map((user_name, at) => ({
            ...first[at],
            user_name,
          })),
          already: [refA],
        },
      },
      { outcome: "refused", after: { source: "operator", already: [refA, refB, refC, refD] } },
    ]);
    // Of two exclusions of one kind, the longer one counts.
    expect(await exclude(staff("2099-06-01"))).toMatchObject({ code: 200 });
    expect(await exclude(staff("2099-03-01"))).toMatchObject({ code: 409 });
    const past = entryOf(ben, { until: "2026-01-01 00:00:00" });
    const msg = "截止时间必须晚于现在";
    const errors = [{ field: "rows.1.until", msg }];
    expect(await exclude(entryOf(ben), past)).toMatchObject({ code: 400, msg, data: { errors } });
    expect(await exclude(entryOf(ben), entryOf(ben, { kind: "cooling_off" }))).toMatchObject({
      code: 400,
      data: { errors: [{ field: "rows.1.until", msg: "冷静期要有截止时间" }] },
    });
  });

  test("that meets a draw is answered after it, and none commits later", async () => {
    const { rounds_id, prize_id } = await makeRound(t.db);
    const player = await makePlayer(t.db);
    const stock = await hold(t.db, (tx) =>
      sql`select from prize where id = ${prize_id} for update`.execute(tx),
    );
    const drawing = draw(drawQueue(t.db), rounds_id, player);
    await untilWaiting(t.db);
    const excluding = exclude(entryOf(player)).then(() => recordsOf(player));
    await untilWaiting(t.db, 2);
    await stock.commit();
    expect(await excluding).toBe(1);
    expect(await drawing).toHaveProperty("drawn");
  });

  test(`in ${RACES} races with draws of two queues lets none commit after its answer`, async () => {
    const { rounds_id } = await makeRound(t.db, { condition_times: 5 });
    const [one, other] = [drawQueue(t.db), drawQueue(t.db)];
    for (let race = 0; race < RACES; race += 1) {
      const player = await makePlayer(t.db);
      const drawing = [one, other, one, other].map((queue) => draw(queue, rounds_id, player));
      await sleep(race % 7);
      await inTransaction(t.db, (tx) =>
        excludePlayers(tx, OPERATOR, [entryOf(player)], "operator", READING),
      );
      const atAnswer = await recordsOf(player);
      const drawn = (await Promise.all(drawing)).filter((result) => "drawn" in result);
      expect([await recordsOf(player), drawn.length]).toEqual([atAnswer, atAnswer]);
    }
  }, 120_000);
});

test.each<[kinds: string, draws: string, payouts: string]>([
  ["self 2098", "2098-01-01 00:00:01", "as before"],
  ["cooling_off 2098", "2098-01-01 00:00:01", "as before"],
  ["risk 2098", "2098-01-01 00:00:01", "2098-01-01 00:00:01"],
  ["staff 2098", "2098-01-01 00:00:01", "2098-01-01 00:00:01"],
  ["risk 2098, staff 2099", "2099-01-01 00:00:01", "2099-01-01 00:00:01"],
  ["risk 2099, staff 2098", "2099-01-01 00:00:01", "2099-01-01 00:00:01"],
  ["risk 2098, self 2099", "2099-01-01 00:00:01", "2098-01-01 00:00:01"],
  ["cooling_off 2099, risk", "infinity", "9999-01-01 00:00:00"],
])("%s: draws from %s, payouts from %s", async (kinds, draws, payouts) => {
  const player = await makePlayer(t.db);
  const due = { payout: { next_at: new Date(0) } };
  const [made] = await makeRecords(t.db, await makeRound(t.db), player, [due]);
  const rows = kinds.split(", ").map((one) => {
    const [kind, year] = one.split(" ") as [ExclusionRow["kind"], string?];
    return entryOf(player, { kind, until: year === undefined ? null : `${year}-01-01 00:00:00` });
  });
  await exclude(...rows);
  const ends = await t.sql<{ draws: string; payouts: string }>`
    select (p.excluded_until at time zone ${ZONE})::text as draws,
      case when o.next_at = 'epoch' then 'as before'
        when o.next_at > '9990-01-01' then (o.next_at at time zone 'UTC')::text
        else (o.next_at at time zone ${ZONE})::text end as payouts
    from player p join payout o using (player_key) where o.log_id = ${made?.log_id ?? 0}`;
  expect(ends).toEqual([{ draws, payouts }]);
  for (const { id } of await list({ user_name: player.user_name })) {
    await lift(id);
  }
  const lifted = await t.sql<{ draws: Date | null; payouts: string }>`
    select p.excluded_until as draws,
      case when o.next_at = 'epoch' then 'as before' when o.next_at <= now() then 'now' end as payouts
    from player p join payout o using (player_key) where o.log_id = ${made?.log_id ?? 0}`;
  expect(lifted).toEqual([{ draws: null, payouts: payouts === "as before" ? payouts : "now" }]);
});

describe("payouts", () => {
  const claim = () => inTransaction(t.db, (tx) => claimPayouts(tx, ALL, PAYOUT_SCHEDULE));

  test("go on for the player's own wish, and wait for risk until it is lifted", async () => {
    await t.db.deleteFrom("payout").execute();
    const round = await makeRound(t.db);
    const [self, risk] = [await makePlayer(t.db), await makePlayer(t.db)];
    const [sent] = await makeRecords(t.db, round, self, [{}]);
    const [queued, refused, unknown] = await makeRecords(t.db, round, risk, [
      {},
      { state: "refused" },
      { state: "unknown", payout: { never_seen_at: new Date(0), asked: 1, next_at: new Date(0) } },
    ]);
    await exclude(entryOf(self), entryOf(risk, { kind: "risk" }));
    const ids = [refused?.log_id ?? 0];
    await inTransaction(t.db, (tx) => reissueRecords(tx, OPERATOR, ids, 86_400_000));
    const claimed = await claim();
    expect(new Map(claimed.map(({ log_id, kind }) => [log_id, kind]))).toEqual(
      new Map([
        [unknown?.log_id, "query"],
        [sent?.log_id, "pay"],
      ]),
    );
    // The wallet does not know this payout, so it is queued again and waits with the others.
    const asked = claimed.find(({ kind }) => kind === "query");
    if (asked === undefined) {
      throw new Error("nothing was asked");
    }
    const { log_id, fence, no } = asked;
    // Only the fields of a call that settlePayouts reads.
    const due = { log_id, fence, no, kind: "query", calledAt: new Date() } as never;
    const answer = { word: { kind: "never_seen" }, duration_ms: 1, http_status: 404, answer: "" };
    await inTransaction(t.db, (tx) =>
      settlePayouts(tx, [{ due, ...answer } as never], PAYOUT_SCHEDULE),
    );
    expect(await claim()).toEqual([]);
    const rows = await t.sql<{ held: boolean }>`
      select next_at > now() as held from payout where state = 'queued'`;
    expect(rows).toEqual([{ held: true }, { held: true }, { held: true }]);
    const [exclusion] = await list({ user_name: risk.user_name });
    await lift(exclusion?.id ?? 0);
    const released = (await claim()).map((payout) => payout.log_id);
    expect(new Set(released)).toEqual(
      new Set([queued, refused, unknown].map((made) => made?.log_id)),
    );
  });
});

test(`a file of ${LONG} accounts is previewed and applied within five seconds`, async () => {
  const players = await t.sql<{ name: string }>`insert into player (player_id, user_name)
    select 'file-' || n, 'file-' || n from generate_series(1, ${LONG}::int) n
    returning user_name as name`;
  const started = performance.now();
  const bytes = players.map(({ name }) => `${name},风控,名单 2026-11,\n`).join("");
  const file = { bytes: `账号,类型,原因,截止时间\n${bytes}`, filename: "x.csv" };
  const { rows } = (await upload(app, exclusionRoutes.file, file)).data as { rows: ExclusionRow[] };
  await app.call(exclusionRoutes.preview, { body: { rows } });
  const done = await app.call(exclusionRoutes.create, { body: { rows, source: "file" } });
  expect(performance.now() - started).toBeLessThan(5_000);
  const first = rows.slice(0, 4);
  expect(done.data).toMatchObject({ excluded: LONG, first, unknown: [], already: [] });
  expect(await list({ size: 1 })).toMatchObject([{ source: "file" }]);
}, 60_000);

describe("extra times", () => {
  const terms = { tag: "weekend", expire_time: "2099-12-31 23:59:59" };

  test("are not granted to blocked and excluded accounts, which are named", async () => {
    const blocked = await makePlayer(t.db, { blocked: true });
    const [excluded, free] = [await makePlayer(t.db), await makePlayer(t.db)];
    await exclude(entryOf(excluded));
    const user_names = [blocked, excluded, free].map(({ user_name }) => user_name);
    const outcome = { granted: 1, blocked: [user_names[0]], excluded: [user_names[1]] };
    const body = { user_names };
    expect(await app.read(extraTimesRoutes.preview, { body })).toMatchObject(outcome);
    const granted = await app.read(extraTimesRoutes.grant, { body: { ...body, ...terms } });
    expect(granted).toMatchObject({ ...outcome, batch_id: expect.any(Number) });
    const one = (user_name = "") =>
      app.call(extraTimesRoutes.create, { body: { user_name, ...terms } });
    expect(await one(user_names[0])).toMatchObject({ code: 403, key: "player_blocked" });
    expect(await one(user_names[1])).toMatchObject({ code: 403, key: "player_excluded" });
    const many = (...names: (string | undefined)[]) =>
      app.call(extraTimesRoutes.grant, {
        body: { user_names: names.map((name) => name ?? ""), ...terms },
      });
    const [barred, out] = user_names;
    const twice = { key: "player_blocked", data: { blocked: [barred], excluded: [out] } };
    expect(await many(barred, out, barred?.toUpperCase())).toMatchObject(twice);
    expect(await many(out, "ghost")).toMatchObject({ code: 403, key: "player_excluded" });
  });

  test("unused, are taken back one by one, and the player view says so", async () => {
    const player = await makePlayer(t.db);
    const { player_key, user_name } = player;
    const { rounds_id } = await makeRound(t.db, { condition_name: "3" });
    await app.call(extraTimesRoutes.create, { body: { user_name, ...terms } });
    const { id } = await rowOf(t.db, "extra_time", { player_key });
    const takeBack = () => app.call(extraTimesRoutes.takeBack, { body: { id, reason: "发错了" } });
    const both = { id, batch_id: 1, reason: "发错了" };
    expect(await app.call(extraTimesRoutes.takeBack, { body: both })).toMatchObject({ code: 400 });
    expect(await takeBack()).toMatchObject({ code: 200, data: { taken_back: 1, used: 0 } });
    expect(await takeBack()).toMatchObject({ code: 404, key: "extra_time_not_found" });
    const [record] = await makeRecords(t.db, await makeRound(t.db), player, [{}]);
    const used_log_id = record?.log_id ?? 0;
    const used = await makeExtraTime(t.db, { player_key, used_log_id, used_rounds_id: rounds_id });
    const body = { id: used, reason: "发错了" };
    expect(await app.call(extraTimesRoutes.takeBack, { body })).toMatchObject({
      key: "extra_time_used",
      data: { taken_back: 0, used: 1 },
    });
    await t.db.deleteFrom("extra_time").where("id", "=", used).execute();
    const entry = { before: null, after: { ids: [id], used: 0, reason: "发错了" } };
    expect(await audits("take_back_extra_times")).toEqual([
      { ...entry, outcome: "done", object_id: `${id}` },
      { ...entry, outcome: "refused", object_id: `${used}`, after: { used: 1, reason: "发错了" } },
    ]);
    const why = await app.call(playerViewRoutes.explain, { body: { user_name, rounds_id } });
    expect(why.data).toMatchObject({
      remain: 0,
      extras: [{ id, use: "taken_back", taken_back: { by: "root-op", reason: "发错了" } }],
    });
    const list = (query: object) => app.read(extraTimesRoutes.list, { query });
    const row = { id, user_name, apply: 2, taken_back: { by: "root-op", reason: "发错了" } };
    expect(await list({ user_name, with_taken_back: 1 })).toMatchObject({
      content: [row],
      total: 1,
    });
    expect(await list({ user_name })).toEqual({ content: [], total: 0 });
    expect(await list({ with_taken_back: 1 })).toEqual(await list({}));
  });

  test(`of a batch of ${LONG} are taken back while players draw: used ones stay`, async () => {
    const { rounds_id } = await makeRound(t.db, { condition_name: "3" });
    const players = await t.sql<MadePlayer>`insert into player (player_id, user_name)
      select 'b-' || n, 'b-' || n from generate_series(1, ${LONG}::int) n
      returning player_key, player_id, user_name`;
    const user_names = players.map(({ user_name }) => user_name);
    const body = { user_names, ...terms };
    const batch_id = (await app.read(extraTimesRoutes.grant, { body })).batch_id ?? 0;
    const queue = drawQueue(t.db);
    const drawing = players.slice(0, LONG / 2).map((player) => draw(queue, rounds_id, player));
    await drawing[0];
    const done = await inTransaction(t.db, (tx) =>
      takeBackExtraTimes(tx, OPERATOR, { batch_id }, "发错了"),
    );
    const drawn = (await Promise.all(drawing)).filter((result) => "drawn" in result).length;
    expect(done).toEqual({ taken_back: LONG - drawn, used: drawn });
    const [act] = (await audits("take_back_extra_times")).slice(-1);
    expect(act).toMatchObject({ object_id: `batch ${batch_id}`, after: { used: drawn } });
    const query = { batch_id, size: 1 };
    const batch = { unused: 0, used: drawn, taken_back: LONG - drawn };
    const listed = (more: object) =>
      app.read(extraTimesRoutes.list, { query: { ...query, ...more } });
    expect(await listed({})).toMatchObject({ total: drawn, batch });
    expect(await listed({ with_taken_back: 1 })).toMatchObject({ total: LONG, batch });
    const rows = await t.sql<{ used: number; gone: number; both: number; counted: number }>`
      select (select count(*) from extra_time e join draw_record r on r.extra_time_id = e.id
          and r.id = e.used_log_id where e.batch_id = ${batch_id}) as used,
        (select count(*) from extra_time_taken_back where batch_id = ${batch_id}) as gone,
        (select count(*) from extra_time_taken_back b join extra_time e on e.id = b.id) as both,
        (select count(*) from extra_time)
          - (select n from rollup_total('extra_time', 0, 9e12::bigint, null, null)) as counted`;
    expect(rows).toEqual([{ used: drawn, gone: LONG - drawn, both: 0, counted: 0 }]);
  }, 120_000);
});
