/** Fixtures of activities, groups and preset message codes. */
import type { TextKey } from "@red/contract/texts-zh";
import { selectActivity, toActivity } from "#rounds/activity-sql";
import { idIn, idOf, repeatedId, trace, unused } from "#test/contract-fixture";
import type { Fixture, Parts, World } from "#test/contract-fixture";
import { amount, code, knownId, whole } from "#test/contract-kinds-number";
import { date, dateTime } from "#test/contract-kinds-other";
import { key, knownName, name, trimmedText } from "#test/contract-kinds-text";
import type { Kind, Words } from "#test/contract-cases";
import { makeRound } from "#test/factories";
import { TEST_SETTINGS } from "#test/test-app";

const NO_ACTIVITY = { against: "activity_not_found", code: 404 } as const;
const NO_POOL = { against: "pool_not_found", code: 404 } as const;
const STALE = { against: "stale_version", code: 409 } as const;

const ACTIVITY_TIMES = {
  achieve_start_time: "2026-11-20 00:00:00",
  achieve_end_time: "2026-11-20 23:59:59",
  start_time: "2026-11-20 20:00:00",
  end_time: "2026-11-20 22:00:00",
};

function activityBody(world: World): Record<string, unknown> {
  return {
    rounds_name: unused("round"),
    tag: "weekend",
    red_code: "RED_PACKET",
    pool_name: world.stage.idle_pool,
    condition_name: "2",
    condition_formula: "1",
    condition_type: "2",
    condition_value: "120",
    condition_times: 1,
    turnover: 3,
    ...ACTIVITY_TIMES,
  };
}

/** With a condition, "no limit" and "whitelist" are wrong beside its value. */
const CONDITIONS = code({ values: [1, 2], missing: "choose_condition" }, (kept) => ({
  kept: String(kept),
})).map((one) =>
  ["0", "3", '"0"', '"3"', "-0"].includes(one.json ?? "") ||
  (one.json?.startsWith("0.000") ?? false)
    ? { ...one, expect: { against: "condition_value_not_zero", code: 400 } as const }
    : one,
);

/** Formula and type: "0" and nothing mean that there is no condition, which is wrong beside one. */
function partOfCondition(values: readonly number[], missing: TextKey): Kind {
  return code({ values }, (kept) => ({ kept: String(kept) })).map((one) =>
    "refuse" in one.expect ? { ...one, expect: { refuse: missing } } : one,
  );
}

function activityFields(): Record<string, Kind> {
  const at = (good: string[]) => dateTime("choose_date_time", good);
  return {
    rounds_name: name({ max: 64, missing: "enter_rounds_name" }),
    tag: knownName({ max: 64, missing: "enter_tag" }, { against: "tag_unknown", code: 400 }),
    red_code: name({ max: 64, missing: "enter_red_code" }),
    pool_name: knownName({ max: 64, missing: "choose_pool" }, NO_POOL),
    condition_name: CONDITIONS,
    condition_formula: partOfCondition([1, 3], "choose_condition"),
    condition_type: partOfCondition([1, 2], "choose_condition_type"),
    condition_value: amount({ min: "0.00", missing: "enter_condition_value" }, (kept) =>
      kept === "0.00"
        ? { refuse: "condition_value_positive" }
        : { kept: kept.replace(/\.00$/, "") },
    ),
    condition_times: whole({ min: 1, max: 5, missing: "choose_condition_times" }),
    turnover: whole({ min: 1, max: 10, missing: "choose_turnover" }),
    achieve_start_time: at(["2026-11-20 23:59:59", "1970-01-02 00:00:00", "2024-02-29 00:00:00"]),
    achieve_end_time: at(["2026-11-20 00:00:00", "9998-12-31 23:59:59", "2028-02-29 12:00:00"]),
    start_time: at(["2026-11-20 22:00:00", "2000-02-29 00:00:00"]),
    end_time: at(["2026-11-20 20:00:00", "2400-02-29 23:59:59"]),
  };
}

async function keptActivity(world: World, id: number): Promise<Record<string, unknown>> {
  const row = await selectActivity(world.db, id);
  return row === null ? {} : { ...toActivity(row, TEST_SETTINGS.timeZone) };
}

/** A name that is derived when it is left out. */
function optionalName(missing: TextKey): Kind {
  return name({ max: 64, missing }).map((one) =>
    one.json === null || one.json === "null" ? { ...one, expect: {} } : one,
  );
}

/** Pausing what is paused leaves no trace: the state wanted changes from call to call. */
let flips = 0;

/** Fixtures of activities by method and path. */
export const ACTIVITY_FIXTURES: Readonly<Record<string, Fixture>> = {
  "POST /gred/api/act": {
    valid: async (world) => ({ body: activityBody(world) }),
    fields: () => ({
      ...activityFields(),
      rounds_status: code({
        values: [1],
        missing: "status_on_create",
        other: "status_on_create",
        isOptional: true,
      }),
    }),
    kept: async (world, _sent, data) => await keptActivity(world, idIn(data)),
    trace: trace("create_activity", "activity", "after"),
  },
  "PUT /gred/api/act/update/{id}": {
    valid: async (world) => ({
      params: { id: world.stage.paused.rounds_id },
      body: activityBody(world),
    }),
    fields: ({ stage }) => ({
      ...activityFields(),
      id: repeatedId(stage.paused.rounds_id),
      act_id: repeatedId(stage.paused.rounds_id),
      // The activity of the stage is at a version that is none of the odd numbers.
      version: whole({ min: 1, max: Number.MAX_SAFE_INTEGER, isOptional: true }, () => STALE),
    }),
    params: () => ({ id: knownId(NO_ACTIVITY) }),
    kept: async (world, sent) => await keptActivity(world, idOf(sent)),
    trace: trace("update_activity", "activity", "before", "after"),
  },
  "PUT /gred/api/act/pause/{id}": {
    valid: async ({ stage }) => ({
      params: { id: stage.over.rounds_id },
      body: { rounds_status: (flips += 1) % 2 === 0 ? 1 : 0 },
    }),
    fields: ({ stage }) => ({
      id: repeatedId(stage.over.rounds_id),
      rounds_status: code({ values: [0, 1] }),
    }),
    params: () => ({ id: knownId(NO_ACTIVITY) }),
    kept: async (world, sent) => await keptActivity(world, idOf(sent)),
    trace: trace("pause_activity", "activity", "before", "after"),
  },
  "POST /gred/api/act/{id}/copy": {
    valid: async (world) => {
      const { db, stage } = world;
      // A round and a pool of their own: every copy adds one of both.
      const { rounds_id } = await makeRound(db, {
        pool_id: stage.spare.pool_id,
        rounds_name: unused("copied"),
      });
      return { params: { id: rounds_id }, body: { start_date: "2026-11-27" } };
    },
    fields: () => ({
      start_date: date("choose_copy_date", [
        "2026-11-27",
        "1970-01-03",
        "2028-02-29",
        "9998-12-29",
      ]),
      pool_name: optionalName("enter_pool_name"),
      rounds_name: optionalName("enter_rounds_name"),
    }),
    params: () => ({ id: knownId(NO_ACTIVITY) }),
    kept: async (world, _sent, data) => {
      const kept = await keptActivity(world, idIn(data));
      return { ...kept, start_date: String(kept["start_time"]).slice(0, 10) };
    },
    trace: trace("copy_activity", "activity", "after"),
  },
  "DELETE /gred/api/act/{id}": {
    valid: async ({ db }) => {
      const { rounds_id } = await makeRound(db, { rounds_name: unused("round"), rounds_status: 0 });
      return { params: { id: rounds_id } };
    },
    params: () => ({ id: knownId(NO_ACTIVITY) }),
    trace: trace("delete_activity", "activity", "before"),
  },
};

const TAG: Words = { max: 64, missing: "enter_tag" };
const RED_CODE: Words = { max: 64, missing: "enter_red_code" };
const TAG_KEY = /^[A-Za-z0-9_-]+$/;
const CODE_KEY = /^[A-Za-z0-9_.:-]+$/;
const LABEL = name({ max: 64, missing: "enter_label" });

async function keptLabel({ db }: World, tag: unknown): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom("activity_tag")
    .selectAll()
    .where("tag", "=", String(tag))
    .executeTakeFirst();
  return { ...row };
}

async function keptCode({ db }: World, red_code: unknown): Promise<Record<string, unknown>> {
  const row = await db
    .selectFrom("message_code")
    .selectAll()
    .where("red_code", "=", String(red_code))
    .executeTakeFirst();
  return { ...row };
}

/** The key as it is stored: trimmed. */
function sentKey(sent: Parts, field: string): string {
  return String(sent.body?.[field]).trim();
}

/** Fixtures of activity groups and preset message codes by method and path. */
export const TAG_FIXTURES: Readonly<Record<string, Fixture>> = {
  "POST /gred/api/tag": {
    valid: async () => ({ body: { tag: unused("tag"), label: "组" } }),
    fields: () => ({ tag: key(TAG, TAG_KEY), label: LABEL }),
    kept: async (world, sent) => await keptLabel(world, sentKey(sent, "tag")),
    trace: trace("create_tag", "tag", "after"),
  },
  "PUT /gred/api/tag/{tag}": {
    valid: async () => ({ params: { tag: "dragon" }, body: { label: unused("label") } }),
    fields: () => ({ label: LABEL }),
    params: () => ({ tag: trimmedText(TAG, () => ({ against: "tag_not_found", code: 404 })) }),
    kept: async (world) => await keptLabel(world, "dragon"),
    trace: trace("rename_tag", "tag", "before", "after"),
  },
  "POST /gred/api/redcode": {
    valid: async () => ({ body: { red_code: unused("CODE"), label: "信" } }),
    fields: () => ({ red_code: key(RED_CODE, CODE_KEY), label: LABEL }),
    kept: async (world, sent) => await keptCode(world, sentKey(sent, "red_code")),
    trace: trace("create_message_code", "message_code", "after"),
  },
  "PUT /gred/api/redcode/{red_code}": {
    valid: async ({ db }) => {
      const red_code = "STAGE";
      await db
        .insertInto("message_code")
        .values({ red_code, label: "before" })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      return { params: { red_code }, body: { label: unused("label") } };
    },
    fields: () => ({ label: LABEL }),
    params: () => ({
      red_code: trimmedText(RED_CODE, () => ({ against: "red_code_not_found", code: 404 })),
    }),
    kept: async (world) => await keptCode(world, "STAGE"),
    trace: trace("rename_message_code", "message_code", "before", "after"),
  },
};
