/** Looks up a text in the chosen language and fills its placeholders. */
import type { TextValues } from "./errors.ts";
import { TEXTS_EN } from "./texts-en.ts";
import { TEXTS_ZH } from "./texts-zh.ts";
import type { TextKey } from "./texts-zh.ts";

export const LANGUAGES = ["zh", "en"] as const;
export type Language = (typeof LANGUAGES)[number];

const CATALOGUES: Readonly<Record<Language, Readonly<Record<TextKey, string>>>> = {
  zh: TEXTS_ZH,
  en: TEXTS_EN,
};

/** A placeholder without a value stays unchanged. */
export function filled(template: string, values: TextValues): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    name in values ? String(values[name]) : whole,
  );
}

export function text(key: TextKey, language: Language = "zh", values: TextValues = {}): string {
  return filled(CATALOGUES[language][key], values);
}

/** Is this a key of the catalogues? Schemas carry keys instead of sentences. */
export function isTextKey(key: string): key is TextKey {
  return key in TEXTS_ZH;
}

/** English when `Accept-Language` names it first, else Chinese, the default (behaviour §8). */
export function languageOf(acceptLanguage: string | undefined): Language {
  return acceptLanguage?.trim().toLowerCase().startsWith("en") === true ? "en" : "zh";
}

/** A text in Chinese and in English. */
export type Words = readonly [zh: string, en: string];

/** The catalogue of each language from a table with both. */
export function catalogues<const W extends Readonly<Record<string, Words>>>(table: W) {
  const column = (at: 0 | 1) =>
    Object.fromEntries(Object.entries(table).map(([key, words]) => [key, words[at]]));
  // Both have the keys of the table.
  return { zh: column(0), en: column(1) } as {
    readonly zh: { readonly [K in keyof W]: W[K][0] };
    readonly en: { readonly [K in keyof W]: string };
  };
}
