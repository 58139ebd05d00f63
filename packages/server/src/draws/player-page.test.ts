/**
 * What the page of a platform shows its player. `npm run prove -- voice` compares the explanations of 2,000 players
 * with the console; the suite compares four. `PROVE_N` and `PROVE_SEED` set number and seed.
 */
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { PAYOUT_STATES, PRESETS, STATE_FACTS } from "@red/contract/platform/codes";
import { formatCents, parseCents } from "@red/contract/platform/money";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import type { playerPageRoutes, StockShown } from "@red/contract/draws/player-page";
import type { Data } from "@red/contract/platform/route";
import { LANGUAGES } from "@red/contract/platform/texts";
import { standingText } from "@red/engine/standing-text";
import { buildApp } from "#app";
import {
  makeExtraTime,
  makePlayer,
  makePool,
  makePrize,
  makeRecords,
  makeRound,
} from "#test/factories";
import type { MadeRound } from "#test/factories";
import { eventOf, feed, fresh, takeBack } from "#test/ingest-factory";
import { changeRows } from "#test/rows";
import { TEST_SETTINGS, useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";

const PLAYERS = Number(process.env["PROVE_N"] ?? 4);
const SEED = Number(process.env["PROVE_SEED"] ?? 1);
const HOUR = 3_600_000;

const t = useTestDb();
const app = useTestApp(t);

type Page = typeof playerPageRoutes;

/** Sends a signed request in English. In tests the server checks the body against the contract. */
async function get<T>(url: string, server = app.app) {
  const headers = { ...app.sign("GET", url, ""), "accept-language": "en" };
  const { statusCode, headers: sent, json } = await server.inject({ method: "GET", url, headers });
  return { status: statusCode, headers: sent, body: json<T>() };
}

async function codeOf(url: string) {
  const { status, body } = await get<{ code: string }>(url);
  return [status, body.code];
}

describe("the prizes of a round", () => {
  async function makeStock() {
    const pool_id = await makePool(t.db);
    const { rounds_id, prize_id } = await makeRound(t.db, { pool_id });
    const prize = (award_name: string, weight: number, award_total: number, drawn: number) =>
      makePrize(t.db, { pool_id, award_name, weight, award_total, drawn });
    await t.db.deleteFrom("prize").where("id", "=", prize_id).execute();
    await prize("many", 1, 1_000, 100);
    await prize("few", 1, 1_000, 901);
    await prize("gone", 4, 5, 5);
    await makePrize(t.db, { pool_id, weight: 9, deleted_at: new Date() });
    return { pool_id, url: `/open/v1/rounds/${rounds_id}/prizes` };
  }

  const shownBy = async (url: string, prizeStockShown: StockShown) => {
    const settings = { ...TEST_SETTINGS, prizeStockShown };
    const other = await buildApp({ ...app.deps, services: { ...app.services, settings } });
    onTestFinished(() => other.close());
    return (await get<Data<Page["prizes"]>>(url, other)).body.prizes;
  };

  test("have the odds in force, and stock in words", async () => {
    const { pool_id, url } = await makeStock();
    const { body, headers } = await get<Data<Page["prizes"]>>(url);
    const one = { award_price: "8.88", type: "virtual", prize_id: expect.any(Number) };
    expect(body.prizes).toEqual([
      {
        ...one,
        award_name: "many",
        probability: "0.5",
        stock: "plenty",
        stock_text: "Plenty left",
      },
      { ...one, award_name: "few", probability: "0.5", stock: "few", stock_text: "Few left" },
      { ...one, award_name: "gone", probability: "0", stock: "none", stock_text: "None left" },
    ]);
    expect([headers["cache-control"], headers["vary"]]).toEqual([
      "private, max-age=5",
      "accept-language",
    ]);
    // A guaranteed physical prize takes over the share of the prizes that are empty.
    await makePrize(t.db, { pool_id, award_price_cents: 0, weight: 2, floors: true });
    const { prizes } = (await get<Data<Page["prizes"]>>(url)).body;
    expect(prizes.map(({ probability }) => probability)).toEqual(["0.125", "0.125", "0", "0.75"]);
    expect(prizes[3]).toMatchObject({ type: "physical", award_price: "0.00" });
  });

  test("show stock as a number or not at all where the installation says so", async () => {
    const { url } = await makeStock();
    const exact = await shownBy(url, "exact");
    expect(exact.map(({ remaining }) => remaining)).toEqual([900, 99, 0]);
    expect(Object.keys(exact[0] ?? {})).not.toContain("stock");
    const [none] = await shownBy(url, "none");
    expect(none).not.toHaveProperty("stock");
    expect(none).not.toHaveProperty("remaining");
  });

  test("are none in an empty pool, and not found without a round", async () => {
    const { rounds_id, prize_id } = await makeRound(t.db);
    await t.db.deleteFrom("prize").where("id", "=", prize_id).execute();
    expect((await get(`/open/v1/rounds/${rounds_id}/prizes`)).body).toEqual({ prizes: [] });
    expect(await codeOf("/open/v1/rounds/9999999999/prizes")).toEqual([404, "round_not_found"]);
  });
});

test("chances in several rounds are those of the single call, in order, with a code for a round that there is not", async () => {
  const two = await makeRound(t.db, { condition_times: 2 });
  const four = await makeRound(t.db, { condition_times: 4 });
  const { player_id } = await makePlayer(t.db);
  const of = (ids: string) => `/open/v1/chances?player_id=${player_id}&rounds_ids=${ids}`;
  const ids = [four.rounds_id, 999_999, two.rounds_id, four.rounds_id];
  const { body } = await get<Data<Page["chances"]>>(of(ids.join(",")));
  const single = async (id: number) => ({
    rounds_id: id,
    ...(await get<object>(`/open/v1/rounds/${id}/chances?player_id=${player_id}`)).body,
  });
  const first = await single(four.rounds_id);
  expect(first).toMatchObject({ total: 4, remain: 4 });
  expect(body.chances).toEqual([
    first,
    { rounds_id: 999_999, code: "round_not_found" },
    await single(two.rounds_id),
    first,
  ]);
  const many = Array(51).fill("1").join();
  for (const wrong of ["", "1,", "0", "1,x", "1.5", String(2 ** 53), many]) {
    expect(await codeOf(of(wrong)), wrong).toEqual([400, "bad_input"]);
  }
  const nobody = `/open/v1/chances?player_id=nobody&rounds_ids=`;
  expect(await codeOf(`${nobody}${two.rounds_id}`)).toEqual([404, "player_not_found"]);
  expect(await codeOf(`${nobody}999999`)).toEqual([404, "player_not_found"]);
});

describe("the draws of a player", () => {
  test("come newest first in pages, with request ids of the asking key alone", async () => {
    const round = await makeRound(t.db, { condition_times: 5 });
    const other = await makeRound(t.db, { rounds_name: "another" });
    const player = await makePlayer(t.db, { player_id: "p 1/中" });
    const url = `/open/v1/players/${encodeURIComponent(player.player_id)}/draws`;
    for (const request_id of ["r-1", "r-2", "r-3"]) {
      const draw = { request_id, rounds_id: round.rounds_id, player_id: player.player_id };
      expect((await app.open("POST", "/open/v1/draws", draw)).statusCode).toBe(201);
    }
    await makeRecords(t.db, other, player, [{ state: "refused", created_at: new Date(1.6e12) }]);
    await makeRecords(t.db, other, await makePlayer(t.db), [{}]);
    await changeRows(t.db, "draw_request", { request_id: "r-2" }, { key: "rk_x" });
    const all = (await get<Data<Page["draws"]>>(url)).body;
    expect(all.next).toBe(null);
    expect(all.draws.map((draw) => [draw.request_id, draw.rounds_name, draw.payout_text])).toEqual([
      ["r-3", expect.stringMatching(/^round/), "On its way"],
      [null, expect.stringMatching(/^round/), "On its way"],
      ["r-1", expect.stringMatching(/^round/), "On its way"],
      [null, "another", "Could not be paid"],
    ]);
    const found = (await get<object>("/open/v1/draws/r-3")).body;
    expect(all.draws[0]).toMatchObject(found);
    const paged = [];
    for (let before: number | null | undefined; before !== null;) {
      const more = before === undefined ? "" : `&before=${before}`;
      const page = (await get<Data<Page["draws"]>>(`${url}?limit=2${more}`)).body;
      expect(page.draws).toHaveLength(2);
      paged.push(...page.draws);
      before = page.next;
    }
    expect(paged).toEqual(all.draws);
    const ofOther = (await get<Data<Page["draws"]>>(`${url}?rounds_id=${other.rounds_id}`)).body;
    expect(ofOther.draws).toEqual(all.draws.slice(3));
    expect((await get(`${url}?rounds_id=9999999999`)).body).toEqual({ draws: [], next: null });
    expect(await codeOf(`${url}?limit=101`)).toEqual([400, "bad_input"]);
    expect(await codeOf("/open/v1/players/nobody/draws")).toEqual([404, "player_not_found"]);
  });

  test("say of each payout what a player needs", async () => {
    const [round, player] = [await makeRound(t.db), await makePlayer(t.db)];
    const now = Date.now();
    const states = PAYOUT_STATES.map((state, at) => {
      const award_price_cents = STATE_FACTS[state].isPhysical ? 0 : 888;
      return { state, award_price_cents, created_at: new Date(now - at) };
    });
    await makeRecords(t.db, round, player, states);
    const answer = await app.open("GET", `/open/v1/players/${player.player_id}/draws`);
    const said = answer
      .json<Data<Page["draws"]>>()
      .draws.map(({ award_status, payout_text }) => `${award_status} ${payout_text}`);
    const money = ["0 派发中", "0 派发中", "0 派发中", "0 派发中"];
    const done = ["1 已到账", "1 已发货", "2 派发失败", "2 派发失败"];
    expect(said).toEqual([...money, "0 待发货", ...done]);
  });
});

describe("an explanation", () => {
  const amounts = [1, 4_999, 5_000, 11_999, 12_000, 15_000, 20_000, 50_000, 999_999];
  const person = fc.record({
    blocked: fc.boolean(),
    hasExtra: fc.boolean(),
    draws: fc.array(fc.record({ draw_no: fc.constant(1) }), { maxLength: 1 }),
    rows: fc.array(
      fc.record({
        kind: fc.constantFrom("deposits", "bets"),
        cents: fc.constantFrom(...amounts),
        hours: fc.constantFrom(-30, -20, -6, -5, -1),
        isGone: fc.boolean(),
      }),
      { maxLength: 4 },
    ),
  });
  type Person = typeof person extends fc.Arbitrary<infer P> ? P : never;

  const at = (hours: number) => new Date(Date.now() + hours * HOUR);

  /** Creates a round for each preset. Some rounds are paused, over, sold out or past their window. */
  async function makePresetRounds() {
    const rounds: MadeRound[] = [];
    for (const [index, { value, times, ...preset }] of PRESETS.entries()) {
      const { condition_name, condition_formula, condition_type } = preset;
      const round = await makeRound(t.db, {
        condition_name,
        condition_formula,
        condition_type,
        condition_times: times,
        condition_value_cents: parseCents(value) ?? 0,
        achieve_end_time: at(index % 3 === 1 ? -3 : 3),
        end_time: at(index === 4 ? -0.5 : 5),
        rounds_status: index === 3 ? 0 : 1,
      });
      rounds.push(round);
    }
    const [first] = rounds;
    const gone = rounds[2]?.prize_id ?? 0;
    await t.db.updateTable("prize").set({ award_total: 0 }).where("id", "=", gone).execute();
    return { rounds, first: first ?? (await makeRound(t.db)) };
  }

  async function makePerson({ blocked, hasExtra, draws, rows }: Person, round: MadeRound) {
    const player_id = fresh("voice");
    const blocked_at = blocked ? new Date() : null;
    const player = await makePlayer(t.db, {
      player_id,
      user_name: `${player_id}-name`,
      blocked,
      blocked_at,
    });
    for (const { kind, cents, hours, isGone } of rows) {
      const row = eventOf(kind, player_id, formatCents(cents), at(hours).toISOString());
      await feed(t.db, kind, [row]);
      await takeBack(t.db, isGone ? [row] : []);
    }
    if (hasExtra) {
      await makeExtraTime(t.db, { player_key: player.player_key, expire_time: at(2) });
    }
    await makeRecords(t.db, round, player, draws);
    return player;
  }

  /** Removes times, because platforms get them in another format. */
  const withoutTimes = (value: object) =>
    JSON.stringify(value).replaceAll(/"\d{4}-\d\d-\d\d[ T][^"]*"/g, '"time"');

  test("is the console's, in both languages, for every preset", async () => {
    const { rounds, first } = await makePresetRounds();
    const said = new Set<string>();
    for (const one of fc.sample(person, { numRuns: PLAYERS, seed: SEED })) {
      const { player_id, user_name } = await makePerson(one, first);
      const asked = { query: { user_name } };
      const head = await app.read(playerViewRoutes.head, asked);
      for (const { rounds_id } of rounds) {
        const body = { user_name, rounds_id };
        const shown = await app.read(playerViewRoutes.explain, { body });
        const url = `/open/v1/rounds/${rounds_id}/explanation?player_id=${player_id}`;
        const { text, rule_text, ...open } = (await get<Data<Page["explanation"]>>(url)).body;
        for (const language of LANGUAGES) {
          expect(text[language]).toBe(standingText(shown, head.blocked_since, language));
        }
        const same = { ...shown, rule_text: undefined };
        expect(withoutTimes(open)).toBe(withoutTimes(same));
        expect(rule_text.zh).toBe(shown.rule_text);
        said.add(text.en.replaceAll(/[\d.,:-]+/g, "#"));
      }
    }
    process.stdout.write(`${PLAYERS} players, seed ${SEED}: ${said.size} different sentences\n`);
    expect(said.size).toBeGreaterThan(10);
  }, 7_200_000);

  test("tells when a draw was taken back, not by whom or why", async () => {
    const { rounds_id } = await makeRound(t.db);
    const { player_id, player_key } = await makePlayer(t.db);
    const id = await makeExtraTime(t.db, { player_key });
    await app.call(extraTimesRoutes.takeBack, { body: { id, reason: "发错了" } });
    const url = `/open/v1/rounds/${rounds_id}/explanation?player_id=${player_id}`;
    const { body } = await get<Data<Page["explanation"]>>(url);
    expect(body.extras).toMatchObject([{ id, use: "taken_back" }]);
    expect(body.extras[0]?.taken_back).toEqual({ at: expect.stringContaining("+08:00") });
  });

  test("has its times in RFC 3339, and its refusals", async () => {
    const { rounds_id } = await makeRound(t.db);
    const { player_id } = await makePlayer(t.db);
    const url = `/open/v1/rounds/${rounds_id}/explanation?player_id=`;
    const { body } = await get<Data<Page["explanation"]>>(`${url}${player_id}`);
    expect(body.start_time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+08:00$/);
    expect(body.rule_text).toEqual({
      zh: expect.stringContaining("每人 1 次抽奖"),
      en: expect.stringContaining("Every player has 1 draw"),
    });
    expect(await codeOf(`${url}nobody`)).toEqual([404, "player_not_found"]);
    const nowhere = `/open/v1/rounds/999999/explanation?player_id=${player_id}`;
    expect(await codeOf(nowhere)).toEqual([404, "round_not_found"]);
  });
});
