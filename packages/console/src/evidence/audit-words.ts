/** Translates the values of the audit log into words (contract/evidence/audit-words.ts). */
import { AUDIT_ACTS, AUDIT_TYPES } from "@red/contract/evidence/audit-acts";
import { APPROVAL_STATES, downloadWord, fieldWord } from "@red/contract/evidence/audit-words";
import { catalogue } from "@red/contract/platform/catalogue";
import { CODE_TEXTS } from "@red/contract/platform/code-texts";
import { PERMISSION_TEXTS } from "@red/contract/platform/permissions";
import { WHO_WORDS } from "@red/contract/platform/who-words";
import type { Language } from "@red/contract/platform/texts";
import { STOP_TEXTS } from "#stops/stop-texts.ts";

type Words = Readonly<Record<string, string>>;

/** Name of the code table for fields whose table has another name. */
const LOOKUPS: Words = {
  rounds_status: "round",
  platforms: "platform",
  kind: "exclusion",
  our_state: "state",
  payout_state: "state",
  award_status: "status",
  type: "platform",
  roles: "role",
  scopes: "scope",
};

const WHO = catalogue(WHO_WORDS);
const APPROVED = catalogue(APPROVAL_STATES);

/** Describes `{ log_id: 7, state: "paid" }` as "Record 7 State paid", and a stop switch by its name and reason. */
function partsWord(field: string, parts: object, language: Language): string {
  const all = Object.entries(parts).filter(([key, one]) => one !== null && !key.startsWith("stop"));
  const words = all.map(([key, one]: [string, unknown]) => {
    const own = typeof one === "string" ? fieldWord(`${field} ${one}`, language) : null;
    const word = fieldWord(`${field} ${key}`, language) ?? fieldWord(key, language);
    return own ?? `${word ?? key} ${valueWord(key, one, language)}`;
  });
  return words.join(" ");
}

/** Returns the word for a code, or null if the field has no such code. */
function codeWord(field: string, code: string, language: Language): string | null {
  const key = `${LOOKUPS[field] ?? field}_${code}`;
  const labels: Words = { ...APPROVED[language], ...CODE_TEXTS[language], ...WHO[language] };
  const named = {
    setting: (STOP_TEXTS[language] as Words)[code],
    permission: (PERMISSION_TEXTS[language] as Words)[code],
    download: downloadWord(code, language),
    path: downloadWord(code, language),
    action: AUDIT_ACTS.find(({ action }) => action === code)?.[language],
    extra_time: /^batch \d+$/.test(code)
      ? code.replace("batch", fieldWord("batch_id", language) ?? "")
      : null,
    object_type: AUDIT_TYPES.get(code)?.[language],
  } as Readonly<Record<string, string | null | undefined>>;
  return fieldWord(`${field} ${code}`, language) ?? labels[key] ?? named[field] ?? null;
}

/** Returns a code in words, or several codes separated by commas. Texts and numbers stay unchanged. */
export function valueWord(field: string, value: unknown, language: Language): string {
  const between = language === "zh" ? "、" : ", ";
  if (Array.isArray(value)) {
    return value.map((one) => valueWord(field, one, language)).join(between);
  }
  if (typeof value === "object" && value !== null) {
    return partsWord(field, value, language);
  }
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const yesNo = typeof value === "boolean" ? fieldWord(text, language) : null;
  const words = text.split(",").map((one) => codeWord(field, one, language));
  return words.includes(null) ? (yesNo ?? text) : words.join(between);
}
