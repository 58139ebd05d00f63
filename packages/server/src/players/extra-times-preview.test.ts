/** Recent grants of the group in the preview of a grant (behaviour §3). */
import { formatDateTime } from "@red/contract/datetime";
import { extraTimesRoutes } from "@red/contract/extra-times";
import type { Data, Input } from "@red/contract/route";
import { makePlayer, makeRecords, makeRound } from "#test/factories";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeEach, expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

const EXPIRY = "2099-12-31 23:59:59";
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

beforeEach(async () => {
  await t.db.deleteFrom("extra_time").execute();
});

type Previewed = Input<typeof extraTimesRoutes.preview>["body"];

async function preview(body: Previewed) {
  const answer = await app.call(extraTimesRoutes.preview, { body });
  expect(answer).toMatchObject({ code: 200 });
  // Typed by the called route.
  return answer.data as Data<typeof extraTimesRoutes.preview>;
}

async function before(user_names: string[], tag: string) {
  return (await preview({ user_names, tag })).granted_before;
}

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
    const usual = { tag: "weekend", granted_by: "someone", expire_time: new Date("2099-01-01") };
    await t.db
      .insertInto("extra_time")
      .values({ ...usual, ...row, player_key, created_at })
      .execute();
  }
}

test("lists who had one of the group within a day, and the newest with its operator", async () => {
  await playerWho("Again_A", { ago: 5 * 60 * MINUTE }, { ago: DAY - 5 * MINUTE });
  await playerWho("Again_B", { ago: 60 * MINUTE, granted_by: "colleague" });
  await playerWho("Again_C", { ago: 90 * MINUTE });
  await playerWho("Again_D");
  const names = ["again_d", "AGAIN_C", "again_b", "ghost", "again_c", "Again_a"];
  const newest = await t.db
    .selectFrom("extra_time")
    .select("created_at")
    .where("granted_by", "=", "colleague")
    .executeTakeFirstOrThrow();
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
  expect(await before([...names, "other_d"], "weekend")).toMatchObject({ user_names: ["other_d"] });
});

test("counts used and expired ones, and ignores an unknown group", async () => {
  const round = await makeRound(t.db, {});
  const drawer = await makePlayer(t.db);
  const [record] = await makeRecords(t.db, round, drawer, [{}]);
  const use = { used_log_id: record?.log_id ?? 0, used_rounds_id: round.rounds_id };
  await playerWho("Spent_A", { ago: 60 * MINUTE, ...use });
  await playerWho("Spent_B", { ago: 60 * MINUTE, expire_time: new Date(Date.now() - MINUTE) });
  const names = ["spent_a", "spent_b"];
  expect(await before(names, "weekend")).toMatchObject({ user_names: names });
  expect(await before(names, "moon")).toBeNull();
});

test("leaves out an account whose own expiry has passed", async () => {
  await playerWho("Past_A", { ago: MINUTE });
  const list = { user_names: ["past_a"], tag: "weekend" };
  expect(await preview({ ...list, expire_times: ["2020-01-01 00:00:00"] })).toMatchObject({
    granted: 0,
    expired: ["past_a"],
    granted_before: null,
  });
});

test("needs a group, forbids nothing, and does not change the plan", async () => {
  await playerWho("Plan_A");
  const list = { user_names: ["plan_a"] };
  const first = await preview({ ...list, tag: "weekend" });
  expect(first.granted_before).toBeNull();
  const body = { ...list, tag: "weekend", expire_time: EXPIRY, plan: first.plan };
  expect(await app.call(extraTimesRoutes.grant, { body })).toMatchObject({ code: 200 });
  const second = await preview({ ...list, tag: "weekend" });
  expect(second).toMatchObject({
    granted: 1,
    plan: first.plan,
    granted_before: { user_names: ["plan_a"], granted_by: "root-op" },
  });
  expect(await preview(list)).toEqual({ ...second, granted_before: null });
  expect(await app.call(extraTimesRoutes.grant, { body })).toMatchObject({
    code: 200,
    data: { granted: 1 },
  });
  expect(await t.db.selectFrom("extra_time").select("id").execute()).toHaveLength(2);
});
