/** The values of the audit log in words (contract/audit-words.ts). */
import { downloadWord, fieldWord } from "@red/contract/audit-words";
import { catalogue } from "@red/contract/catalogue";
import { LOOKUP_TEXTS } from "@red/contract/lookup-texts";
import { PERMISSION_TEXTS } from "@red/contract/permissions";
import { WHO_WORDS } from "@red/contract/who-words";
import type { Language } from "@red/contract/texts";
import { STOP_TEXTS } from "#stops/stop-texts.ts";
import { APPROVAL_TEXTS } from "./approval-texts.ts";

type Words = Readonly<Record<string, string>>;

/** Fields whose codes stand in the look-up tables under another name. */
const LOOKUPS: Words = {
  rounds_status: "round",
  platforms: "platform",
  kind: "exclusion",
  our_state: "state",
  roles: "role",
  scopes: "scope",
};

const WHO = catalogue(WHO_WORDS);

/** `{ log_id: 7, state: "paid" }` as "Record 7 State paid"; a stop switch by its name, and why. */
function partsWord(field: string, parts: object, language: Language): string {
  const all = Object.entries(parts).filter(([key, one]) => one !== null && !key.startsWith("stop"));
  const words = all.map(([key, one]: [string, unknown]) => {
    const own = typeof one === "string" ? fieldWord(`${field} ${one}`, language) : null;
    const word = fieldWord(`${field} ${key}`, language) ?? fieldWord(key, language);
    return own ?? `${word ?? key} ${valueWord(key, one, language)}`;
  });
  return words.join(" ");
}

/** A value in words if it is a code; texts and numbers as they are. */
export function valueWord(field: string, value: unknown, language: Language): string {
  if (Array.isArray(value)) {
    return value
      .map((one) => valueWord(field, one, language))
      .join(language === "zh" ? "、" : ", ");
  }
  if (typeof value === "object" && value !== null) {
    return partsWord(field, value, language);
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const key = `${LOOKUPS[field] ?? field}_${text}`;
  const labels = {
    ...APPROVAL_TEXTS[language],
    ...LOOKUP_TEXTS[language],
    ...WHO[language],
  } as Words;
  const named = {
    setting: (STOP_TEXTS[language] as Words)[text],
    permission: (PERMISSION_TEXTS[language] as Words)[text],
    download: downloadWord(text, language),
    path: downloadWord(text, language),
  } as Readonly<Record<string, string | null | undefined>>;
  const yesNo = typeof value === "boolean" ? fieldWord(text, language) : null;
  return fieldWord(`${field} ${text}`, language) ?? labels[key] ?? named[field] ?? yesNo ?? text;
}
