import { PRESETS } from "@red/contract/platform/codes";
import type { PresetKey } from "@red/contract/platform/codes";
import { formatCentsShort } from "@red/contract/platform/money";
import { LANGUAGES } from "@red/contract/platform/texts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ruleText, workedExample } from "./rule-text.ts";
import type { RuleTextRound } from "./rule-text.ts";
import { presetRound } from "./test-rules.ts";

/**
 * The text before the draw time, and its two examples. Bets and deposits have the same text where the values are equal.
 */
type Texts = Readonly<Partial<Record<PresetKey, readonly [string, string, string]>>>;

function textsOf(table: Texts, key: PresetKey): readonly string[] {
  const ofDeposits = table[key.replace("_bet_", "_deposit_") as PresetKey] ?? [];
  const toBets = (text: string) => text.replaceAll("存款", "投注").replaceAll("deposit", "bet");
  return table[key] ?? ofDeposits.map(toBets);
}

const ZH: Texts = {
  cumulative_deposit_full: [
    "玩家在 2026-11-20 00:00:00 至 2026-11-20 23:59:59 的有效存款合计每满 120，获得 1 次抽奖，可重复获得",
    "累计存款 300 → 2 次",
    "累计存款 119.99 → 0 次",
  ],
  cumulative_deposit_reach: [
    "玩家在 2026-11-20 00:00:00 至 2026-11-20 23:59:59 的有效存款合计达到 500，获得 3 次抽奖，仅限一次",
    "累计存款 500 → 3 次",
    "累计存款 1000 → 3 次",
  ],
  single_deposit_full: [
    "玩家在 2026-11-20 00:00:00 至 2026-11-20 23:59:59 的单笔有效存款每满 50，获得 1 次抽奖，各笔分开计算，可重复获得",
    "一笔存款 125 → 2 次",
    "两笔存款各 49.99 → 0 次",
  ],
  single_deposit_reach: [
    "玩家在 2026-11-20 00:00:00 至 2026-11-20 23:59:59 有一笔有效存款达到 200，获得 5 次抽奖，仅限一次",
    "两笔存款各 200 → 5 次",
    "两笔存款各 199.99 → 0 次",
  ],
  cumulative_bet_reach: [
    "玩家在 2026-11-20 00:00:00 至 2026-11-20 23:59:59 的有效投注合计达到 150，获得 3 次抽奖，仅限一次",
    "累计投注 150 → 3 次",
    "累计投注 300 → 3 次",
  ],
  no_limit: [
    "所有玩家无需存款或投注，每人 1 次抽奖",
    "没有额外次数 → 1 次",
    "额外次数 1 个 → 2 次",
  ],
  whitelist: [
    "仅限获得额外次数的玩家参加，每个额外次数可抽奖一次",
    "没有额外次数 → 0 次",
    "额外次数 1 个 → 1 次",
  ],
};

const EN: Texts = {
  cumulative_deposit_full: [
    "A player earns 1 draw for every full 120 of all valid deposits from 2026-11-20 00:00:00 to 2026-11-20 23:59:59 together, any number of times",
    "deposits of 300 in total → 2 draws",
    "deposits of 119.99 in total → 0 draws",
  ],
  cumulative_deposit_reach: [
    "A player earns 3 draws once all valid deposits from 2026-11-20 00:00:00 to 2026-11-20 23:59:59 together reach 500, one time only",
    "deposits of 500 in total → 3 draws",
    "deposits of 1000 in total → 3 draws",
  ],
  single_deposit_full: [
    "A player earns 1 draw for every full 50 of a single valid deposit from 2026-11-20 00:00:00 to 2026-11-20 23:59:59, each deposit counted by itself, any number of times",
    "one deposit of 125 → 2 draws",
    "two deposits of 49.99 each → 0 draws",
  ],
  single_deposit_reach: [
    "A player earns 5 draws once a single valid deposit from 2026-11-20 00:00:00 to 2026-11-20 23:59:59 reaches 200, one time only",
    "two deposits of 200 each → 5 draws",
    "two deposits of 199.99 each → 0 draws",
  ],
  cumulative_bet_reach: [
    "A player earns 3 draws once all valid bets from 2026-11-20 00:00:00 to 2026-11-20 23:59:59 together reach 150, one time only",
    "bets of 150 in total → 3 draws",
    "bets of 300 in total → 3 draws",
  ],
  no_limit: [
    "Every player has 1 draw, no deposit or bet needed",
    "no extra draw granted → 1 draw",
    "1 extra draw granted → 2 draws",
  ],
  whitelist: [
    "Only players who were granted extra draws take part, one draw for each",
    "no extra draw granted → 0 draws",
    "1 extra draw granted → 1 draw",
  ],
};

describe.each(PRESETS.map(({ key }) => key))("preset %s", (key) => {
  const round = presetRound(key);
  const [zh, ...zhExamples] = textsOf(ZH, key);
  const [en, ...enExamples] = textsOf(EN, key);

  test("has a sentence and examples in both languages", () => {
    expect(ruleText(round, "zh")).toBe(
      `${zh}；抽奖时间 2026-11-21 20:00:00 至 2026-11-21 22:00:00；奖金须完成 3 倍流水。`,
    );
    expect(ruleText(round, "en")).toBe(
      `${en}; draws run from 2026-11-21 20:00:00 to 2026-11-21 22:00:00; prize money carries 3× turnover.`,
    );
    expect(workedExample(round, "zh").slice(0, 2)).toEqual(zhExamples);
    expect(workedExample(round, "en").slice(0, 2)).toEqual(enExamples);
  });

  test("names the group whose extra times count exactly once", () => {
    const named = { ...round, tag_label: "周末红包" };
    expect(ruleText(named, "zh").split("「周末红包」组别")).toHaveLength(2);
    expect(ruleText(named, "en").split("group “周末红包”")).toHaveLength(2);
  });
});

describe("a rule's sentence", () => {
  const round = { ...presetRound("no_limit"), pool_name: "周末池", condition_times: 2 };

  test("names the pool when it is given", () => {
    expect(ruleText(round, "zh")).toBe(
      "所有玩家无需存款或投注，每人 2 次抽奖；抽奖时间 2026-11-21 20:00:00 至 2026-11-21 22:00:00，奖池「周末池」；奖金须完成 3 倍流水。",
    );
    expect(ruleText(round, "en")).toBe(
      "Every player has 2 draws, no deposit or bet needed; draws from pool “周末池” run from 2026-11-21 20:00:00 to 2026-11-21 22:00:00; prize money carries 3× turnover.",
    );
  });

  test("says which extra times count too, or alone", () => {
    const tag_label = "周末红包";
    const counted = { ...presetRound("single_bet_full"), tag_label };
    expect(ruleText(counted, "zh")).toBe(
      "玩家在 2026-11-20 00:00:00 至 2026-11-20 23:59:59 的单笔有效投注每满 50，获得 1 次抽奖，各笔分开计算，可重复获得，另加「周末红包」组别的额外次数；抽奖时间 2026-11-21 20:00:00 至 2026-11-21 22:00:00；奖金须完成 3 倍流水。",
    );
    expect(ruleText({ ...presetRound("whitelist"), tag_label }, "zh")).toBe(
      "仅限获得「周末红包」组别额外次数的玩家参加，每个额外次数可抽奖一次；抽奖时间 2026-11-21 20:00:00 至 2026-11-21 22:00:00；奖金须完成 3 倍流水。",
    );
    expect(ruleText({ ...presetRound("no_limit"), tag_label }, "en")).toBe(
      "Every player has 1 draw, no deposit or bet needed, plus the extra draws granted in group “周末红包”; draws run from 2026-11-21 20:00:00 to 2026-11-21 22:00:00; prize money carries 3× turnover.",
    );
  });

  test("writes cents only if the value has any", () => {
    const withCents = { ...presetRound("cumulative_deposit_full"), condition_value_cents: 12_050 };
    expect(ruleText(withCents, "zh")).toContain("合计每满 120.50，");
    expect(ruleText(withCents, "en")).toContain("every full 120.50 of");
  });

  test("is refused for a rule that cannot be saved", () => {
    const broken = { ...presetRound("cumulative_deposit_full"), condition_value_cents: 0 };
    expect(() => ruleText(broken, "zh")).toThrow(RangeError);
    expect(() => workedExample(broken, "en")).toThrow(RangeError);
  });
});

describe("the examples", () => {
  const counted = PRESETS.filter(({ condition_formula }) => condition_formula !== "0");
  const value = fc.integer({ min: 1, max: 999_999_999_999 });
  const times = fc.integer({ min: 1, max: 5 });

  test("follow the rule for any value and draw count, and name the value met once", () => {
    fc.assert(
      fc.property(fc.constantFrom(...counted), value, times, (preset, cents, draws) => {
        const { key } = preset;
        const numbers = { condition_value_cents: cents, condition_times: draws };
        const rule = { ...presetRound(key), ...numbers };
        const first = key.endsWith("_full") ? 2 * draws : draws;
        const second = key.endsWith("_reach") && key.startsWith("cumulative") ? first : 0;
        for (const language of LANGUAGES) {
          const lines = workedExample(rule, language);
          const counts = lines.map((line) => Number(/→ (\d+) (?:次|draws?)$/u.exec(line)?.[1]));
          expect(counts).toEqual([first, second, first + 1]);
        }
        if (key.endsWith("_reach")) {
          expect(workedExample(rule, "zh")[0]).toContain(` ${formatCentsShort(cents)} →`);
        }
      }),
    );
  });
});

describe("limits and platforms", () => {
  const bets: RuleTextRound = {
    ...presetRound("cumulative_bet_full"),
    platforms: [1234, 2234],
    draws_max: 5,
    day_draws_max: 10,
  };

  test("stand in the sentence", () => {
    expect(ruleText(bets, "zh")).toBe(
      "玩家在 2026-11-20 00:00:00 至 2026-11-20 23:59:59 的有效投注（仅限真人、体育）合计每满 120，获得 1 次抽奖，可重复获得；每位玩家本活动最多 5 次，每天在各活动合计抽满 10 次后，当天不能再抽本活动；抽奖时间 2026-11-21 20:00:00 至 2026-11-21 22:00:00；奖金须完成 3 倍流水。",
    );
    expect(ruleText(bets, "en")).toContain(
      "of all valid bets on Live games, Sports from 2026-11-20 00:00:00 to 2026-11-20 23:59:59 together, any number of times; each player gets at most 5 draws in this activity and no further draw here that day once the day's draws in all activities together reach 10; draws run",
    );
  });

  test("bound the examples", () => {
    const limits = { draws_max: 2, day_draws_max: null };
    expect(workedExample({ ...bets, ...limits }, "zh")[2]).toBe(
      "累计投注 300，另有额外次数 1 个 → 2 次",
    );
    expect(workedExample(bets, "zh")).toEqual([
      "累计投注 300 → 2 次",
      "累计投注 119.99 → 0 次",
      "累计投注 300，另有额外次数 4 个 → 5 次",
    ]);
    expect(workedExample({ ...presetRound("whitelist"), ...limits }, "en")).toEqual([
      "no extra draw granted → 0 draws",
      "3 extra draws granted → 2 draws",
    ]);
  });
});
