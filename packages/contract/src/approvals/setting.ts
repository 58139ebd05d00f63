/** Settings that operators change while the installation runs (docs/operations.md). */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import { amount, externalId, trimmedText } from "#platform/fields";
import { plain } from "#platform/marks";
import { parseCents } from "#platform/money";
import { operator, route } from "#platform/route";

/**
 * How each kind writes its value: money is decimal text, bool is `on` or `off`, band (a threshold) is decimal
 * text or `off`.
 */
export const SETTINGS = {
  /** A change whose risk is above this threshold needs a code. */
  guard_sum: { kind: "band", default: "10000.00" },
  /** Whether programs need these proofs too, not only the console. */
  guard_programs: { kind: "bool", default: "off" },
  /** A change whose risk reaches this threshold needs a reason (behaviour §16). */
  band_reason: { kind: "band", default: "off" },
  /** A change whose risk reaches this threshold needs a second person. */
  band_second: { kind: "band", default: "off" },
  /** The value of one physical prize in a risk, because physical prizes have no price. */
  goods_value: { kind: "money", default: "5000.00" },
} as const;
export type SettingKey = keyof typeof SETTINGS;
export const SETTING_KEYS = Object.keys(SETTINGS) as [SettingKey, ...SettingKey[]];

/** The settings that are risk thresholds. */
export const BAND_KEYS = ["guard_sum", "band_reason", "band_second"] as const;
export type BandKey = (typeof BAND_KEYS)[number];
/** Number of days over which the server counts how often a threshold would have asked for its proof. */
export const ASKED_DAYS = 28;

export const setting = z.object({
  key: z.enum(SETTING_KEYS),
  kind: z.enum(["money", "bool", "band"]),
  value: plain(),
  default: plain(),
  changed_by: z.nullable(plain()),
  /** The previous value; null if the setting was never changed. */
  changed_from: z.nullable(plain()),
  changed_at: z.nullable(plain()),
});
export type Setting = z.output<typeof setting>;

/** Returns true if fewer changes need a proof with `to` than with `from`. Returns false for an invalid value. */
export function weakensGuard(key: SettingKey, from: string, to: string): boolean {
  const [was, is] = [parseCents(from), parseCents(to)];
  if (key === "goods_value") {
    // Lower and higher values both weaken: removed physical prizes with a higher value could hide more
    // expensive cash prizes.
    return is !== null && is !== was;
  }
  return SETTINGS[key].kind === "bool" || is === null
    ? from !== "off" && to === "off"
    : was !== null && is > was;
}

export const settingRoutes = {
  list: route({
    call: "GET /gred/api/setting",
    summary: "All settings: value, default, and who changed it last",
    ...operator("setting.manage", "read"),
    data: listOf(setting),
  }),
  asked: route({
    call: "GET /gred/api/setting/asked",
    summary: "How often a sum of the ladder would have asked within 28 days",
    ...operator("setting.manage", "read"),
    query: z.object({
      key: z.enum(BAND_KEYS, { error: "not_in_set" }),
      value: z.union([z.literal("off"), amount("required")], { error: "not_an_amount" }),
    }),
    data: z.object({ times: z.int() }),
  }),
  save: route({
    call: "PUT /gred/api/setting/{key}",
    summary: "Change a setting; it holds from the next call on. To weaken the guard takes a code",
    ...operator("setting.manage", "write", "risk"),
    params: z.object({ key: externalId() }),
    body: z.strictObject({ value: trimmedText("enter_setting_value", 64) }),
    data: z.object({ value: plain() }),
  }),
};
