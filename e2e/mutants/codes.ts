/** Limits, defaults, presets, codes, measures and routes: which facts claim each of them. */
import type { Fact } from "../facts/fact.ts";
import type { Claim } from "./claims.ts";
import { literalsOf } from "./literal.ts";
import type { Literal } from "./literal.ts";

const CONTRACT = "packages/contract/src";

/** A constant, and the words by which the facts' file tells of it. */
interface Constant {
  readonly file: string;
  readonly name: string;
  readonly told: RegExp;
}

const CONSTANTS: readonly Constant[] = [
  {
    file: `${CONTRACT}/limits.ts`,
    name: "PAGE_SIZE_DEFAULT",
    told: /page size is 20|20 a page|20 rows/,
  },
  { file: `${CONTRACT}/limits.ts`, name: "PAGE_SIZES", told: /page size options/ },
  { file: `${CONTRACT}/limits.ts`, name: "TURNOVER_MIN", told: /a multiple, 1 to 10/ },
  { file: `${CONTRACT}/limits.ts`, name: "TURNOVER_MAX", told: /a multiple, 1 to 10/ },
  { file: `${CONTRACT}/limits.ts`, name: "DRAW_COUNT_MIN", told: /is 1 to 5 draws/ },
  { file: `${CONTRACT}/limits.ts`, name: "DRAW_COUNT_MAX", told: /is 1 to 5 draws/ },
  { file: `${CONTRACT}/limits.ts`, name: "UPLOAD_BYTES_MAX", told: /upload of 1 MB|one byte less/ },
  { file: `${CONTRACT}/limits.ts`, name: "UPLOAD_TYPES", told: /types that are offered/ },
  { file: `${CONTRACT}/limits.ts`, name: "MOBILE_BREAKPOINT", told: /992/ },
  { file: `${CONTRACT}/limits.ts`, name: "SIDEBAR_WIDTH", told: /drawer is 210 px/ },
  { file: `${CONTRACT}/limits.ts`, name: "LOGIN_DIALOG_WIDTH", told: /330 px/ },
  {
    file: `${CONTRACT}/limits.ts`,
    name: "THEME_COLOUR",
    told: /theme's default|as the page has it/,
  },
  {
    file: `${CONTRACT}/lookups.ts`,
    name: "PLATFORM_CODES",
    told: /^platforms 1234|^so in the activity data query$/,
  },
  { file: `${CONTRACT}/lookups.ts`, name: "CHANNEL_CODES", told: /^channels 1 to 9/ },
  { file: `${CONTRACT}/lookups.ts`, name: "CLIENT_CODES", told: /^clients 1 web/ },
  { file: `${CONTRACT}/lookups.ts`, name: "DEFAULT_TAG", told: /default tag/ },
];

/** Codes of a condition, and the field that shows their names. */
const CONDITION_CODES: Readonly<Record<string, readonly [field: string, label: string]>> = {
  bet: ["数据源", "投注"],
  deposit: ["数据源", "存款"],
  no_limit: ["数据源", "不限"],
  whitelist: ["数据源", "白名单"],
  cumulative: ["计算方式", "累计"],
  single: ["计算方式", "单笔"],
  once: ["是否叠加", "仅限一次"],
  repeatable: ["是否叠加", "可多次获得"],
};

function claimOf(literal: Literal, facts: readonly Fact[], after: string): Claim[] {
  return facts.length === 0 ? [] : [{ literal, facts, after }];
}

/** Another number, or another word, of the same look. */
function another(text: string): string {
  return /^[\d_]+$/.test(text)
    ? String(Number(text.replaceAll("_", "")) + 1)
    : `${text.slice(0, -1)}8`;
}

function constantClaims(root: string, facts: readonly Fact[]): Claim[] {
  return CONSTANTS.flatMap(({ file, name, told }) => {
    const [declared] = literalsOf(root, file, new RegExp(`^export const ${name} = (.*);$`));
    if (declared === undefined) {
      throw new Error(`${file} has no ${name}`);
    }
    const its = facts.filter(({ fact }) => told.test(fact));
    const { line, column, text } = declared;
    return [...text.matchAll(/[\w#]+/g)]
      .filter(({ 0: token }) => !/^(?:as|const)$/.test(token))
      .flatMap(({ 0: token, index }) =>
        claimOf({ file, line, column: column + index, text: token }, its, another(token)),
      );
  });
}

/** The five columns of a preset in lookups.ts, and the field that each is shown in. */
const PRESET =
  /^ {2}preset\("(?<key>\w+)", "(?<formula>\d)", "(?<type>\d)", "(?<name>\d)", "(?<value>\d+)", (?<times>\d)\),$/d;
const PRESET_FIELDS: Readonly<
  Record<string, readonly [field: string, other: (old: string) => string]>
> = {
  formula: ["计算方式", (old) => (old === "1" ? "3" : "1")],
  type: ["是否叠加", (old) => (old === "1" ? "2" : "1")],
  name: ["数据源", (old) => (old === "1" ? "2" : "1")],
  value: ["条件值", (old) => String(Number(old) + 1)],
  times: ["可抽取次数", (old) => String((Number(old) % 5) + 1)],
};

function presetClaims(root: string, facts: readonly Fact[]): Claim[] {
  const file = `${CONTRACT}/lookups.ts`;
  return literalsOf(root, file, /^ {2}preset\(.*$/).flatMap(({ line, text }) => {
    const match = PRESET.exec(`  ${text.trim()}`);
    const key = match?.groups?.["key"] ?? "";
    const labels = literalsOf(
      root,
      `${CONTRACT}/lookup-texts.ts`,
      new RegExp(`preset_${key}: "(.*)"`),
    );
    const state = `preset ${labels[0]?.text ?? ""}`;
    return Object.entries(PRESET_FIELDS).flatMap(([name, [field, other]]) => {
      const [column = 0] = match?.indices?.groups?.[name] ?? [];
      const old = match?.groups?.[name] ?? "";
      const its = facts.filter((fact) => fact.state === state && fact.target === field);
      return claimOf({ file, line, column, text: old }, its, other(old));
    });
  });
}

function conditionCodeClaims(root: string, facts: readonly Fact[]): Claim[] {
  const file = `${CONTRACT}/lookups.ts`;
  const lines = literalsOf(root, file, /^export const CONDITION_\w+ = .*$/);
  return lines.flatMap(({ line, text }) =>
    [...text.matchAll(/(\w+): "(\d)"/g)].flatMap(
      ({ 0: whole, 1: name = "", 2: code = "", index }) => {
        const [field, label] = CONDITION_CODES[name] ?? [];
        const its = facts.filter(
          ({ kind, target, expected }) =>
            kind === "chosen" && target === field && expected === label,
        );
        const column = index + whole.length - 2;
        return claimOf({ file, line, column, text: code }, its, "7");
      },
    ),
  );
}

/** A route, by the facts that say where an address leads. */
function routeClaims(root: string, facts: readonly Fact[]): Claim[] {
  const file = "packages/console/src/app/router.tsx";
  const leads = facts.filter(({ kind }) => kind === "leads" || kind === "address");
  return literalsOf(root, file, /^ {2}path: "(\/[\w-]+)",$/).flatMap((literal) => {
    const its = leads.filter(({ expected }) => expected.split("?", 1)[0]?.endsWith(literal.text));
    return claimOf(literal, its, `${literal.text}s`);
  });
}

/** The sidebar's width as the styles have it. */
function measureClaims(root: string, facts: readonly Fact[]): Claim[] {
  const file = "packages/console/src/app/shell.css";
  const its = facts.filter(({ kind, target }) => kind === "width" && target === "complementary");
  return literalsOf(root, file, /^\s*--sidebar: (\d+)px;$/).flatMap((literal) =>
    claimOf(
      literal,
      its.filter(({ expected }) => expected === literal.text),
      another(literal.text),
    ),
  );
}

/** Limits, defaults, presets, codes, measures and routes that facts claim. */
export function codeClaims(root: string, facts: readonly Fact[]): Claim[] {
  return [constantClaims, presetClaims, conditionCodeClaims, routeClaims, measureClaims].flatMap(
    (claims) => claims(root, facts),
  );
}
