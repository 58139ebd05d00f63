/** The chosen language and the typed texts (behaviour §8). Each feature registers its texts when its chunk loads. */
import type { FIELD_LABELS } from "@red/contract/pools/field-labels";
import type { CODE_TEXTS } from "@red/contract/platform/code-texts";
import { LANGUAGES, TEXTS } from "@red/contract/platform/texts";
import type { Language } from "@red/contract/platform/texts";
import i18next from "i18next";
import { initReactI18next, useTranslation } from "react-i18next";
import { LIB_TEXTS } from "./lib-texts.ts";

declare module "i18next" {
  interface CustomTypeOptions {
    defaultNS: "lib";
    interpolationPrefix: "{";
    interpolationSuffix: "}";
    strictKeyChecks: true;
    strictInterpolationChecks: true;
  }
  interface ResourceNamespaceMap {
    contract: typeof TEXTS.zh;
    /** Labels of the look-up tables. The shell loads them. */
    lookups: (typeof CODE_TEXTS)["zh"];
    /** Names of fields, as used in error messages. The shell loads them. */
    fields: (typeof FIELD_LABELS)["zh"];
    lib: typeof LIB_TEXTS.zh;
  }
}

const STORAGE_KEY = "language";

function languageOf(value: string | null): Language {
  return LANGUAGES.find((language) => language === value) ?? "zh";
}

function storedLanguage(): Language {
  return languageOf(localStorage.getItem(STORAGE_KEY));
}

function markDocument(language: Language): void {
  document.documentElement.lang = language === "zh" ? "zh-CN" : "en";
}

void i18next.use(initReactI18next).init({
  lng: storedLanguage(),
  fallbackLng: "zh",
  supportedLngs: [...LANGUAGES],
  ns: [],
  defaultNS: "lib",
  initAsync: false,
  resources: {},
  // The texts of the contract use single braces. No escaping is needed, because React escapes.
  interpolation: { prefix: "{", suffix: "}", escapeValue: false },
  react: { useSuspense: false },
});

/** Registers the texts of a namespace. Call it once, when the module of the namespace loads. */
export function addTexts(
  namespace: string,
  catalogue: Readonly<Record<Language, Readonly<Record<string, string>>>>,
): void {
  for (const language of LANGUAGES) {
    i18next.addResourceBundle(language, namespace, catalogue[language]);
  }
}

addTexts("contract", TEXTS);
addTexts("lib", LIB_TEXTS);
markDocument(storedLanguage());

export function currentLanguage(): Language {
  return languageOf(i18next.language);
}

/** Returns the chosen language, for example to pick a table of texts. Renders again when the language changes. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return languageOf(i18n.language);
}

export const tr = i18next.t;

export async function chooseLanguage(language: Language): Promise<void> {
  localStorage.setItem(STORAGE_KEY, language);
  await i18next.changeLanguage(language);
  markDocument(language);
}
