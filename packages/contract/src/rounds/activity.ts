/** An activity, also called round, is one period in which players draw (spec §2, §3, §5; behaviour §3, §11). */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import {
  amount,
  byId,
  code,
  countOrNone,
  date,
  dateTime,
  filterText,
  id,
  lastSave,
  name,
  none,
  numberCode,
  paging,
  ruleOver,
  timeOfDay,
  trimmedText,
  wholeNumber,
} from "#platform/fields";
import {
  DRAW_COUNT_MAX,
  DRAW_COUNT_MIN,
  DRAWS_LIMIT_MAX,
  LOOKUP_SIZE,
  NAME_LENGTH_MAX,
  RED_CODE_LENGTH_MAX,
  TURNOVER_MAX,
  TURNOVER_MIN,
} from "#platform/limits";
import { PLATFORM_CODES } from "#platform/codes";
import { houseMoney, plain, playerAmount } from "#platform/marks";
import { operator, route } from "#platform/route";
import type { TextKey } from "#platform/texts";

export const activity = z.object({
  id: z.int(),
  act_id: z.int(),
  version: z.int(),
  rounds_name: plain(),
  tag: plain(),
  red_code: plain(),
  pool_name: plain(),
  condition_name: z.enum(["0", "1", "2", "3"]),
  condition_formula: z.enum(["0", "1", "3"]),
  condition_type: z.enum(["0", "1", "2"]),
  condition_value: houseMoney(),
  condition_times: z
    .int()
    .register(z.globalRegistry, { minimum: DRAW_COUNT_MIN, maximum: DRAW_COUNT_MAX }),
  turnover: z.int().register(z.globalRegistry, { minimum: TURNOVER_MIN, maximum: TURNOVER_MAX }),
  achieve_start_time: plain(),
  achieve_end_time: plain(),
  start_time: plain(),
  end_time: plain(),
  rounds_status: z.literal([0, 1]),
  /** Maximum number of draws of one player in the round; null means no limit. */
  draws_max: z.nullable(z.int()),
  /** Maximum number of draws of one player on the business day, in all rounds together; null means no limit. */
  day_draws_max: z.nullable(z.int()),
  /** Only bets on these platforms count; null means all platforms. */
  platforms: z.nullable(z.array(z.literal(PLATFORM_CODES))),
});
export type Activity = z.output<typeof activity>;

/** Conditions of a pool that block every draw from it, whatever the state of the round. */
export const POOL_GATES = ["pool_stopped", "sold_out"] as const;
export type PoolGate = (typeof POOL_GATES)[number];

export const listedActivity = z.extend(activity, { pool_gate: z.nullable(z.enum(POOL_GATES)) });
export type ListedActivity = z.output<typeof listedActivity>;

/** Rules without limit and whitelist rules send formula and type as empty, null or "0" (behaviour §11). */
function formulaOrNone<const T extends readonly [string, ...string[]]>(
  values: T,
  missing: TextKey,
) {
  const empty = z.pipe(
    z.union([z.literal(""), z.literal("0"), z.literal(0), z.null()]),
    z.transform(() => "0" as const),
  );
  return z._default(z.union([empty, code(values)], { error: missing }), "0");
}

/** A list of platforms without repeats. An empty list, or a list of all platforms, is parsed to null. */
function platforms() {
  const some = z.pipe(
    z.array(numberCode(PLATFORM_CODES)),
    z.transform((codes) => {
      const named = PLATFORM_CODES.filter((one) => codes.includes(one));
      return named.length === 0 || named.length === PLATFORM_CODES.length ? null : named;
    }),
  );
  return z._default(z.union([none, some], { error: "not_in_set" }), null);
}

/** The fields are in the order in which the specification checks them (spec §5). */
const formShape = {
  rounds_name: name("enter_rounds_name", NAME_LENGTH_MAX),
  tag: trimmedText("enter_tag", NAME_LENGTH_MAX),
  red_code: name("enter_red_code", RED_CODE_LENGTH_MAX),
  pool_name: trimmedText("choose_pool", NAME_LENGTH_MAX),
  condition_name: code(["0", "1", "2", "3"], "choose_condition"),
  condition_formula: formulaOrNone(["1", "3"], "choose_condition"),
  condition_value: amount("enter_condition_value"),
  condition_times: wholeNumber(DRAW_COUNT_MIN, DRAW_COUNT_MAX, "choose_condition_times"),
  condition_type: formulaOrNone(["1", "2"], "choose_condition_type"),
  turnover: wholeNumber(TURNOVER_MIN, TURNOVER_MAX, "choose_turnover"),
  achieve_start_time: dateTime("choose_date_time"),
  achieve_end_time: dateTime("choose_date_time"),
  start_time: dateTime("choose_date_time"),
  end_time: dateTime("choose_date_time"),
  draws_max: countOrNone(DRAWS_LIMIT_MAX),
  day_draws_max: countOrNone(DRAWS_LIMIT_MAX),
  platforms: platforms(),
};

type FormValues = z.output<z.ZodMiniObject<typeof formShape>>;

const isOpen = (form: FormValues) => form.condition_name === "0" || form.condition_name === "3";

const FIELD_ORDER: readonly PropertyKey[] = Object.keys(formShape);

/** Returns the position of the error's field in the form. Errors without a field come last. */
function placeOf(issue: { readonly path?: readonly PropertyKey[] | undefined }): number {
  const place = FIELD_ORDER.indexOf(issue.path?.[0] ?? "");
  return place < 0 ? FIELD_ORDER.length : place;
}

/** Rules over several fields. Texts `yyyy-MM-dd HH:mm:ss` sort like their instants. */
function formRules<T extends FormValues>() {
  return [
    ruleOver<T>(
      "choose_condition",
      ["condition_name", "condition_formula"],
      (form) => isOpen(form) || form.condition_formula !== "0",
    ),
    // Reports this field together with the other missing fields, even while `condition_name` is missing.
    ruleOver<T>(
      "choose_condition_type",
      ["condition_type"],
      (form) => isOpen(form) || form.condition_type !== "0",
    ),
    // behaviour §4: with a value of 0, deposits or bets would earn endless draws.
    ruleOver<T>(
      "condition_value_positive",
      ["condition_name", "condition_value"],
      (form) => isOpen(form) || form.condition_value > 0,
    ),
    ruleOver<T>(
      "platforms_bets_only",
      ["condition_name", "platforms"],
      (form) => form.platforms === null || form.condition_name === "1",
    ),
    ruleOver<T>(
      "end_after_start",
      ["achieve_start_time", "achieve_end_time"],
      (form) => form.achieve_start_time <= form.achieve_end_time,
    ),
    ruleOver<T>(
      "end_after_start",
      ["start_time", "end_time"],
      (form) => form.start_time <= form.end_time,
    ),
    // These rules run after the fields, so sorting puts their errors into field order.
    z.check<T>(({ issues }) => void issues.sort((a, b) => placeOf(a) - placeOf(b)), {
      when: () => true,
    }),
  ] as const;
}

/** Body of create. A new activity is always active (spec §4). */
export const activityCreate = z
  .strictObject({
    ...formShape,
    rounds_status: z.optional(numberCode([1], "status_on_create", "status_on_create")),
  })
  .check(...formRules());

/** Body of update, without the status. A stale `version` returns 409. */
export const activityUpdate = z
  .strictObject({
    ...formShape,
    id: z.optional(id()),
    act_id: z.optional(id()),
    version: z.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER)),
  })
  .check(...formRules());

export const activityFilter = z.object({
  start_date: z.optional(date()),
  rounds_name: z.optional(filterText()),
  tag: z.optional(filterText()),
  pool_name: z.optional(filterText()),
  rounds_status: z.optional(numberCode([0, 1])),
  ...paging(LOOKUP_SIZE),
});

/** What two rounds can share at the same time; engine/src/overlap.ts finds it. */
export const SHARED_THINGS = ["pool", "tag", "deposits", "bets"] as const;
export type SharedThing = (typeof SHARED_THINGS)[number];

/** The fields of an edited round that the overlap check reads. */
export const overlapAsked = z.object({
  /** The round being edited, so that the check does not compare it with itself. */
  id: z.optional(id()),
  tag: z.optional(filterText()),
  pool_name: z.optional(filterText()),
  condition_name: z.optional(code(["0", "1", "2", "3"])),
  achieve_start_time: dateTime("choose_date_time"),
  achieve_end_time: dateTime("choose_date_time"),
  start_time: dateTime("choose_date_time"),
  end_time: dateTime("choose_date_time"),
  platforms: platforms(),
});

export const overlap = z.object({
  id: z.int(),
  rounds_name: plain(),
  start_time: plain(),
  end_time: plain(),
  rounds_status: z.literal([0, 1]),
  shares: z.array(z.enum(SHARED_THINGS)),
});
export type Overlap = z.output<typeof overlap>;

/** Target of a copy. If the name is missing, the server makes an unused name. */
export const activityCopy = z.strictObject({
  start_date: date("choose_copy_date"),
  pool_name: z.optional(z.nullable(name("enter_pool_name", NAME_LENGTH_MAX))),
  rounds_name: z.optional(z.nullable(name("enter_rounds_name", NAME_LENGTH_MAX))),
  /** Hours that replace the hours of the original. */
  start_hour: z.optional(timeOfDay()),
  end_hour: z.optional(timeOfDay()),
});

export const activityRoutes = {
  list: route({
    call: "GET /gred/api/act/list",
    summary: "Activities, newest start first, each with what keeps draws from its pool away",
    ...operator("activity.read", "read"),
    query: activityFilter,
    data: listOf(listedActivity),
  }),
  detail: route({
    call: "GET /gred/api/act/{id}/edit",
    summary: "One activity, for its form",
    ...operator("activity.read", "read"),
    params: byId,
    data: activity,
  }),
  lastSave: route({
    call: "GET /gred/api/act/{id}/saved",
    summary: "Who saved the activity last, and when",
    ...operator("activity.read", "read"),
    params: byId,
    data: lastSave,
  }),
  create: route({
    call: "POST /gred/api/act",
    summary: "Add an activity; it is active at once",
    ...operator("activity.write", "write", "risk"),
    body: activityCreate,
    data: z.object({ id: z.int() }),
  }),
  update: route({
    call: "PUT /gred/api/act/update/{id}",
    summary: "Save an activity; each save makes a new version of its rule",
    ...operator("activity.write", "write", "risk"),
    params: byId,
    body: activityUpdate,
    data: z.object({ version: z.int() }),
  }),
  pause: route({
    call: "PUT /gred/api/act/pause/{id}",
    summary: "Pause (0) or resume (1) an activity; repeating it is harmless",
    ...operator("activity.write", "write", "risk"),
    params: byId,
    body: z.strictObject({ id: z.optional(id()), rounds_status: numberCode([0, 1]) }),
  }),
  overlap: route({
    call: "POST /gred/api/act/overlap",
    summary: "Rounds that share the pool, the group, or deposits or bets with this one at one time",
    ...operator("activity.read", "read"),
    body: overlapAsked,
    data: listOf(overlap),
  }),
  largest: route({
    call: "GET /gred/api/act/largest",
    summary: "The largest deposit or bet of the last seven days, to judge a rule by",
    ...operator("activity.read", "read"),
    query: z.object({ source: z.enum(["deposit", "bet"]) }),
    data: z.object({ amount: z.nullable(playerAmount()) }),
  }),
  copy: route({
    call: "POST /gred/api/act/{id}/copy",
    summary: "Copy a round to another day, with a copy of its pool whose stock is full",
    ...operator(["activity.write", "pool.write"], "write", "risk"),
    params: byId,
    body: activityCopy,
    data: z.object({
      id: z.int(),
      rounds_name: plain(),
      pool_id: z.int(),
      pool_name: plain(),
    }),
  }),
  remove: route({
    call: "DELETE /gred/api/act/{id}",
    summary: "Delete an activity that is not running; its records stay",
    ...operator("activity.write", "write", "risk"),
    params: byId,
  }),
  tags: route({
    call: "GET /gred/api/extratimes/tags",
    summary: "Activity groups, key to label",
    ...operator("activity.read", "read"),
    data: z.object({ tags: z.record(z.string(), plain()) }),
  }),
};
