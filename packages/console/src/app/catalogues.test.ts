import { FIELD_LABELS } from "@red/contract/pools/field-labels";
import { CODE_TEXTS } from "@red/contract/platform/code-texts";
import { text } from "@red/contract/platform/texts";
import i18next from "i18next";
import { describe, expect, it } from "vitest";
import { LOGIN_TEXTS } from "#identity/login-texts.ts";
import { SHEET_TEXTS } from "#finance/sheet-texts.ts";
import { chooseLanguage, tr } from "#lib/language.ts";
import type { LIB_TEXTS } from "#lib/lib-texts.ts";
import { STOP_TEXTS } from "#stops/stop-texts.ts";

type Texts = Record<"zh" | "en", Readonly<Record<string, string>>>;

const CATALOGUES: [string, Texts][] = [
  ["lookups", CODE_TEXTS],
  ["fields", FIELD_LABELS],
  ...Object.entries(
    import.meta.glob<Record<string, Texts>>("../**/*-texts.ts", { eager: true }),
  ).flatMap(([file, module]) =>
    Object.values(module).map((texts): [string, Texts] => [file, texts]),
  ),
];

/** Returns the key without the singular ending `_one`. */
function wholeOf(key: string, zh: object): string {
  const whole = key.replace(/_one$/, "");
  return whole in zh ? whole : key;
}

function placeholders(text: string | undefined): string[] {
  const names = [...(text ?? "").matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
  return [...new Set(names)].toSorted();
}

describe.each(CATALOGUES)("the texts of %s", (_, { zh, en }) => {
  it("have the same keys in both languages, and none is empty", () => {
    expect([...new Set(Object.keys(en).map((key) => wholeOf(key, zh)))]).toEqual(Object.keys(zh));
    expect([...Object.values(zh), ...Object.values(en)].filter((text) => text === "")).toEqual([]);
  });

  it("take the same values in both languages", () => {
    const differing = Object.keys(zh).filter(
      (key) => placeholders(zh[key]).join() !== placeholders(en[key]).join(),
    );
    expect(differing).toEqual([]);
  });

  it("have no Chinese in English", () => {
    const foreign = Object.values(en).filter((text) => /\p{Script=Han}/u.test(text));
    // The name of each language is written in that language.
    expect(foreign.filter((text) => text !== "中文")).toEqual([]);
  });
});

it("use the English singular for one", async () => {
  await chooseLanguage("en");
  const said = [0, 1, 2].map((count) => tr("ui:faults_found", { count }));
  await chooseLanguage("zh");
  expect(said).toEqual([
    "0 fields need a change",
    "One field needs a change",
    "2 fields need a change",
  ]);
  expect(tr("ui:faults_found", { count: 1 })).toBe("有 1 处需要修改");
});

it("have a singular wherever a number stands before what is counted", () => {
  const counted =
    /\{(?:count|entries|prizes|records|rounds)\} (?:running |more )?(?:\w+s|more are|of them were)\b/;
  const without = CATALOGUES.flatMap(([, { en }]) =>
    Object.keys(en).filter((key) => counted.test(en[key] ?? "") && !(`${key}_one` in en)),
  );
  // These two texts are only used with a count of two or more.
  expect(without).toEqual(["error_log_times", "find_pool"]);
});

it("do not compile without a text or without its values", () => {
  // @ts-expect-error -- a key that no catalogue has
  expect(tr("lib:no_such_text")).toBe("no_such_text");
  // @ts-expect-error -- the text needs a status
  expect(tr("lib:no_envelope")).toContain("{status}");
  // @ts-expect-error -- English lacks a key of the Chinese catalogue
  const incomplete: typeof LIB_TEXTS.en = { network_failed: "" };
  expect(Object.keys(incomplete)).toHaveLength(1);
});

it("follow the chosen language, and mark the document with it", async () => {
  await chooseLanguage("en");
  expect([i18next.t("app:log_out"), document.documentElement.lang]).toEqual(["Log out", "en"]);
  await chooseLanguage("zh");
  expect([i18next.t("app:log_out"), document.documentElement.lang]).toEqual(["退出登录", "zh-CN"]);
});

it.each(["zh", "en"] as const)("label a form's fields in %s as refusals do", (language) => {
  const { username, password } = LOGIN_TEXTS[language];
  expect(FIELD_LABELS[language]).toMatchObject({ username, password });
});

it("use one word for a payout in doubt, and for what is stopped", () => {
  for (const language of ["zh", "en"] as const) {
    expect(SHEET_TEXTS[language].unknown).toBe(CODE_TEXTS[language].state_unknown);
  }
  const stopped = text("stopped", "zh");
  const { toggle_off, banner_everything, banner_payouts } = STOP_TEXTS.zh;
  expect(stopped).toBe("已暂停");
  expect(toggle_off).toContain(stopped);
  expect(banner_everything).toMatch(/已(全部)?暂停/);
  expect(banner_payouts).toMatch(/已(全部)?暂停/);
});
