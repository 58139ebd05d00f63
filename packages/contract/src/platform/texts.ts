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
export function filled(template: string, values: TextValues, language: Language): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const { [name]: value = whole } = values;
    return typeof value === "object" ? value[language] : String(value);
  });
}

export function text(key: TextKey, language: Language = "zh", values: TextValues = {}): string {
  return filled(CATALOGUES[language][key], values, language);
}

/** Is this a key of the catalogues? Schemas carry keys instead of sentences. */
export function isTextKey(key: string): key is TextKey {
  return key in TEXTS_ZH;
}

/** English when `Accept-Language` names it first, else Chinese, the default (behaviour §8). */
export function languageOf(acceptLanguage: string | undefined): Language {
  return acceptLanguage?.trim().toLowerCase().startsWith("en") === true ? "en" : "zh";
}
