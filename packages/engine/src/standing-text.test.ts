import type { KnownThen, Standing } from "@red/contract/chances/explanation";
import type { Language } from "@red/contract/platform/texts";
import { expect, it } from "vitest";
import { standingText } from "./standing-text.ts";

const STANDING: Standing = {
  rounds_id: 41,
  rounds_name: "周末红包",
  tag: "weekend",
  start_time: "2026-11-20 20:00:00",
  end_time: "2026-11-20 22:00:00",
  achieve_start_time: "2026-11-20 00:00:00",
  achieve_end_time: "2026-11-20 23:59:59",
  source: "deposit",
  condition_name: "2",
  cumulative: true,
  repeatable: true,
  condition_value: "1200",
  condition_times: 1,
  total: 0,
  already: 0,
  remain: 0,
  limited_by: null,
  draws_max: null,
  day_draws_max: null,
  gates: [],
  exclusion: null,
  reason: "no_rows",
  count: 0,
  amount: null,
  at: null,
  side: null,
  missing: null,
};

function sentence(
  change: Partial<Standing>,
  since: string | null = null,
  language: Language = "zh",
) {
  return standingText({ ...STANDING, ...change }, since, language);
}

const left = { reason: "left", total: 3, already: 1, remain: 2 } as const;

it.each<[string, Partial<Standing>, string]>([
  ["can draw", left, "可以抽奖：还剩 2 次（共 3 次，已抽 1 次）。"],
  [
    "draws left that cannot be used",
    { ...left, gates: ["draws_stopped", "pool_stopped", "paused", "sold_out"] },
    "全部抽奖已暂停；这个奖池的抽奖已暂停；活动已暂停；奖品已抽完；还有 2 次没抽（共 3 次，已抽 1 次）。",
  ],
  [
    "draws kept back by the limit of the day, with those drawn elsewhere",
    { ...left, total: 2, already: 0, limited_by: "day_draws_max", day_draws_max: 3 },
    "可以抽奖：还剩 2 次（共 2 次，已抽 0 次）；当天在各活动合计已抽 1 次，抽满 3 次后不能再抽本活动，多得的当天不能抽。",
  ],
  [
    "all used, and what is missing",
    { reason: "all_used", total: 2, already: 2, missing: "1150.00" },
    "2 次都已抽完；存款再有 1,150.00 可得 1 次。",
  ],
  [
    "over: nothing can be earned any more",
    { gates: ["ended"], reason: "all_used", total: 2, already: 2, missing: "1150.00" },
    "活动已于 2026-11-20 22:00:00 结束；2 次都已抽完。",
  ],
  [
    "excluded for a time",
    { ...left, gates: ["excluded"], exclusion: { kind: "risk", until: "2026-12-01 00:00:00" } },
    "玩家在排除名单中（风控，到 2026-12-01 00:00:00）；还有 2 次没抽（共 3 次，已抽 1 次）。",
  ],
  [
    "excluded without end",
    { ...left, gates: ["excluded"], exclusion: { kind: "self", until: null } },
    "玩家在排除名单中（自我排除，永久）；还有 2 次没抽（共 3 次，已抽 1 次）。",
  ],
  [
    "not started",
    { gates: ["not_started"], ...left },
    "活动还没开始（2026-11-20 20:00:00 开始）；还有 2 次没抽（共 3 次，已抽 1 次）。",
  ],
  [
    "limited in the round",
    { reason: "draws_max", total: 5, already: 5, draws_max: 5 },
    "已抽 5 次，达到本活动每人上限 5 次。",
  ],
  [
    "limited on the day",
    { reason: "day_draws_max", day_draws_max: 10 },
    "当天在各活动合计已抽满 10 次，当天不能再抽本活动。",
  ],
  [
    "other platforms",
    { source: "bet", reason: "other_platform", count: 2, amount: "300.00" },
    "条件时间内的 2 笔投注（合计 300.00）都在其他平台，不计入。",
  ],
  [
    "taken back",
    { reason: "taken_back", total: 1, already: 2 },
    "已抽 2 次，多于现在应有的 1 次（有存款冲正、投注作废，或规则改过）。",
  ],
  [
    "taken back, and what gives a draw again",
    { reason: "taken_back", total: 0, already: 3, condition_times: 2, missing: "2400.00" },
    "已抽 3 次，多于现在应有的 0 次（有存款冲正、投注作废，或规则改过）；存款再有 2,400.00 可得 1 次。",
  ],
  ["whitelist", { source: null, reason: "no_extra" }, "白名单活动，玩家没有可用的额外次数。"],
  [
    "sum too low",
    { reason: "sum_below", amount: "1000.00", missing: "200.00" },
    "条件时间内存款合计 1,000.00，不到 1,200；存款再有 200.00 可得 1 次。",
  ],
  [
    "rows too small",
    {
      source: "bet",
      cumulative: false,
      reason: "largest_below",
      amount: "30.00",
      missing: "1200.00",
    },
    "条件时间内最大的一笔投注 30.00，不到 1,200（按单笔计算）；再有一笔 1,200.00 的投注可得 1 次。",
  ],
  [
    "all reversed",
    { reason: "all_cancelled", count: 2, amount: "300.00" },
    "条件时间内的 2 笔存款（合计 300.00）都已冲正，不计入。",
  ],
  [
    "before the window",
    { reason: "outside_window", amount: "5.00", at: "2026-11-19 23:59:59", side: "before_window" },
    "条件时间内没有存款；最近一笔 5.00 在 2026-11-19 23:59:59，早于条件时间，不计入。",
  ],
  [
    "after the window",
    { reason: "outside_window", amount: "5.00", at: "2026-11-21 00:00:00", side: "after_window" },
    "条件时间内没有存款；最近一笔 5.00 在 2026-11-21 00:00:00，晚于条件时间，不计入。",
  ],
  [
    "the other kind",
    { reason: "other_kind", count: 3, amount: "70.00" },
    "条件时间内没有存款；有 3 笔投注（合计 70.00），这个活动不按投注计算。",
  ],
  ["nothing", {}, "玩家没有存款。"],
])("says in words: %s", (_name, change, text) => {
  expect(sentence(change)).toBe(text);
});

it("starts with the block, and since when if that is known", () => {
  const blocked: Partial<Standing> = { ...left, gates: ["blocked"] };
  const rest = "还有 2 次没抽（共 3 次，已抽 1 次）。";
  expect(sentence(blocked)).toBe(`玩家已被禁止抽奖；${rest}`);
  expect(sentence(blocked, "2026-11-20 10:00:00")).toBe(
    `玩家自 2026-11-20 10:00:00 起被禁止抽奖；${rest}`,
  );
});

it("does not say of a past time that the player could draw when it is not known", () => {
  const then = (unknown: KnownThen["unknown"]) =>
    standingText({ ...STANDING, ...left, known: { as_of: "", unknown } }, null, "zh");
  expect(then(["arrival"])).toMatch(/^可以抽奖/);
  expect(then(["blocked"])).toBe("还有 2 次没抽（共 3 次，已抽 1 次）。");
  expect(then(["arrival", "sold_out"])).toBe("还有 2 次没抽（共 3 次，已抽 1 次）。");
});

it("says it in English too", () => {
  const inEnglish = (change: Partial<Standing>) => sentence(change, null, "en");
  expect(inEnglish({ reason: "sum_below", amount: "80.00", missing: "40.00" })).toBe(
    "Deposits in the condition window come to 80.00, below 1,200; 40.00 more in deposits give 1.",
  );
  const used: Partial<Standing> = { reason: "all_used", total: 3, already: 3 };
  expect(inEnglish(used)).toBe("All 3 draws are used.");
  expect(inEnglish({ ...used, total: 1, already: 1 })).toBe("The only draw is used.");
  expect(inEnglish({ ...used, gates: ["paused"] })).toBe(
    "The activity is paused; all 3 draws are used.",
  );
});
