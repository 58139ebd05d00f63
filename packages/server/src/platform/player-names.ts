/**
 * Replaces names of players in stored texts with references, and references with names for readers (behaviour §3). So
 * after a rename an old text never names a later owner of the account, and erasing a player rewrites no text.
 */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db, Tx } from "#platform/db/connection";

/* Private Unicode characters. The contract rejects them in every input text (fields.ts). */
const OPEN = "\uE000";
const CLOSE = "\uE001";
const REFERENCE = /\uE000(\d+)(?:([iI])|\.(\d+))?\uE001/g;

/** Maximum length of a player id or account, in characters. */
const NAME_MAX = 64;
const LOOK_UP_MAX = 20_000;

/** Returns a reference that readers see as the current account of the player. */
export const accountRef = (player_key: number): string => `${OPEN}${player_key}${CLOSE}`;

/**
 * SQL form of `accountRef`; a null key gives null. With kind "i" readers see the player's id, with "I" they see the id
 * in the other letter case.
 */
export const sqlRef = (player_key: RawBuilder<unknown>, kind: "" | "i" | "I" = "") =>
  sql<string>`${sql.lit(OPEN)} || ${player_key} || ${sql.lit(kind + CLOSE)}`;

/** SQL: true if a text, or JSON as text, contains a reference to the player. */
export const refersTo = (text: RawBuilder<unknown>, player_key: number) =>
  sql<boolean>`${text} ~ ${`${OPEN}${player_key}[iI.${CLOSE}]`}`;

/**
 * Prevents an export from starting while a player is being erased, so each erasing deletes every export that may have
 * read the names. Callers take this lock after the lock of an operator's row.
 */
export async function lockExports(tx: Tx, by: "export" | "erasing"): Promise<void> {
  const lock = sql.raw(by === "export" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock");
  await sql`select ${lock}(hashtext('exports of names'))`.execute(tx);
}

/** Letters of scripts that write no spaces between words. */
const UNSPACED = ["Han", "Hira", "Kana", "Bopo", "Hang", "Thai", "Laoo", "Khmr", "Mymr"]
  .map((script) => `\\p{scx=${script}}`)
  .join("");
/**
 * Matches a run of letters and digits, or one other character with its combining marks: whitespace, punctuation, an
 * invisible character or a letter of UNSPACED.
 */
const TOKEN = new RegExp(
  `[^${UNSPACED}\\p{P}\\p{S}\\p{Z}\\p{C}\\p{DI}]+|[^][\\p{M}\\u1160-\\u11ff]*`,
  "gu",
);
const isBlank = (token: string | undefined) => token === undefined || token.trim() === "";

/** Removes invisible characters and normalizes width and form (NFKC). */
const plainOf = (text: string) => text.replaceAll(/[\p{Cf}\p{DI}]/gu, "").normalize("NFKC");

interface Token {
  readonly written: string;
  readonly plain: string;
}

/** Splits a text at the places where a name may begin or end. */
function tokensOf(text: string): Token[] {
  const tokens = text.replaceAll(/[\uE000\uE001]/g, "").match(TOKEN) ?? [];
  return tokens.map((written) => ({ written, plain: plainOf(written) }));
}

/**
 * Returns every possible name that begins at token `from`, longest first, as written and in plain form. Each comes with
 * the index of the token after the name.
 */
function namesFrom(tokens: readonly Token[], from: number): [name: string, next: number][] {
  const names: [string, number][] = [];
  let [name, plainName] = ["", ""];
  for (let at = from; at < tokens.length && !isBlank(tokens[from]?.written); at += 1) {
    const { written = "", plain = "" } = tokens[at] ?? {};
    name += written;
    plainName += plain;
    if (plainName.length > NAME_MAX) {
      break;
    }
    // An invisible character before or after a name is not part of the name, so it stays in the text.
    if (plainName !== name && !isBlank(plain) && !isBlank(tokens[from]?.plain)) {
      names.unshift([plainName, at + 1]);
    }
    if (!isBlank(written)) {
      names.unshift([name, at + 1]);
    }
  }
  return names;
}

interface Named {
  readonly name: string;
  readonly player_key: number;
  readonly kind: "account" | "id" | "former";
  readonly no: number;
}

const RANK = { account: 0, id: 1, former: 2 } as const;

/**
 * Finds the player who has each name now, or had the name last. If several players match, `own` players win, then
 * accounts, then ids, then former names.
 */
async function lookUp(
  db: Db,
  names: readonly string[],
  own: readonly number[],
): Promise<Map<string, Named>> {
  const found = new Map<string, Named>();
  const rankOf = ({ player_key, kind }: Named) => (own.includes(player_key) ? -3 : 0) + RANK[kind];
  for (let at = 0; at < names.length; at += LOOK_UP_MAX) {
    const { rows } = await sql<Named>`
      select x.name, y.player_key, y.kind, y.no
      from unnest(${names.slice(at, at + LOOK_UP_MAX)}::text[]) x (name)
      cross join lateral (
        select player_key, 'account' as kind, name_no as no, null::timestamptz as to_at
        from player where user_name_key = lower(x.name) and erased_at is null
        union all
        select player_key, 'id', 0, null from player where player_id = x.name and erased_at is null
        union all
        select player_key, 'former', no, to_at from former_name where user_name_key = lower(x.name)
      ) y
      order by y.to_at desc nulls first`.execute(db);
    for (const row of rows) {
      const known = found.get(row.name);
      if (known === undefined || rankOf(row) < rankOf(known)) {
        found.set(row.name, row);
      }
    }
  }
  return found;
}

const refOf = ({ player_key, kind, no }: Named) =>
  `${OPEN}${player_key}${kind === "id" ? "i" : `.${no}`}${CLOSE}`;

type Instead = (named: Named, written: string) => string;

/**
 * Replaces each name for which `isMeant` is true; the longest name wins. If two players share a name, a player in `own`
 * wins.
 */
async function eachName(
  db: Db,
  texts: readonly string[],
  own: readonly number[],
  instead: Instead,
  isMeant: (named: Named) => boolean = () => true,
): Promise<string[]> {
  const split = texts.map(tokensOf);
  const names = new Set<string>();
  for (const tokens of split) {
    tokens.forEach((_, at) => namesFrom(tokens, at).forEach(([name]) => names.add(name)));
  }
  const all = await lookUp(db, [...names], own);
  const found = new Map([...all].filter(([, named]) => isMeant(named)));
  const replaced = (tokens: readonly Token[]) => {
    let text = "";
    for (let at = 0; at < tokens.length;) {
      const [name = "", next = at + 1] =
        namesFrom(tokens, at).find(([one]) => found.has(one)) ?? [];
      const written = tokens
        .slice(at, next)
        .map((token) => token.written)
        .join("");
      const known = found.get(name);
      text += known === undefined ? written : instead(known, written);
      at = next;
    }
    return text;
  };
  return split.map(replaced);
}

/**
 * Replaces player ids, accounts and former accounts in typed texts with references, before the texts are stored; the
 * longest name wins. `own` are the players whom the texts are about: they win if two players share a name.
 */
export async function referTexts(
  db: Db,
  texts: readonly string[],
  own: readonly number[] = [],
): Promise<string[]> {
  return await eachName(db, texts, own, refOf);
}

/**
 * Replaces the names of one player with `instead`, in texts that were stored without references. Names of other players
 * and existing references stay.
 */
export async function cutTexts(
  db: Db,
  texts: readonly string[],
  player_key: number,
  instead: string,
): Promise<string[]> {
  const parts = texts.map((text) => text.split(/(\uE000[^\uE000\uE001]*\uE001)/));
  // Every second part is a reference.
  const typed = parts.map((all) => all.filter((_, at) => at % 2 === 0));
  const cut = await eachName(db, typed.flat(), [player_key], (named, written) =>
    named.player_key === player_key ? instead : written,
  );
  return parts.map((all) =>
    all.map((part, at) => (at % 2 === 0 ? (cut.shift() ?? "") : part)).join(""),
  );
}

/** True if the name is unlikely to mean anything else, such as a word, a time or a number. */
const isUnlike = (name: string) => name.length >= 6 && /\d/.test(name);

/**
 * True if a text may name the player who has one of these names: `referTexts` would find a name there, or the text
 * contains a name that is unlikely to mean anything else. With `isKept` only the second case counts, because
 * `referTexts` has already replaced the names that it finds.
 */
export function mayName(text: string, names: readonly string[], isKept = false): boolean {
  const small = (one: string) => plainOf(one).toLowerCase();
  const typed = text.replaceAll(REFERENCE, " ");
  const sought = new Set(names.map(small));
  const tokens = isKept ? [] : tokensOf(typed);
  return (
    [...sought].some((name) => isUnlike(name) && small(typed).includes(name)) ||
    tokens.some((_, at) => namesFrom(tokens, at).some(([name]) => sought.has(small(name))))
  );
}

/* Invisible characters that occur beside letters. */
const UNSEEN =
  "\u00AD\u034F\u061C\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\u{E0000}-\u{E0FFF}";

/**
 * SQL: true if a text or JSON contains one of these names anywhere; `mayName` then checks more exactly. Texts with
 * `isKept` are not normalized, because no invisible character hides a name in them.
 */
export function holdsName(
  text: RawBuilder<unknown>,
  names: readonly string[],
  isKept: RawBuilder<boolean> = sql`false`,
) {
  const forms = names.map(plainOf).flatMap((name) => [name, JSON.stringify(name).slice(1, -1)]);
  const patterns = forms.map((form) => `%${form.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
  return sql<boolean>`lower(case when ${isKept} or octet_length(${text}) = length(${text}) then ${text}
    else normalize(regexp_replace(${text}, ${sql.lit(`[${UNSEEN}]`)}, '', 'g'), nfkc) end)
    like any (array(select lower(one) from unnest(${patterns}::text[]) one))`;
}

/**
 * Replaces accounts of players with references, before the accounts are stored. Readers then see the current accounts.
 */
export async function referAccounts(db: Db, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select coalesce(${sqlRef(sql`p.player_key`)}, x.name) as text
    from unnest(${names}::text[]) with ordinality x (name, at)
    left join player p on p.user_name_key = lower(x.name) order by x.at`.execute(db);
  return rows.map(({ text }) => text);
}

/**
 * Returns lists of accounts in their stored form: references for players, and only the number of accounts that belong
 * to nobody.
 */
export async function keptLists(db: Db, lists: Readonly<Record<string, readonly string[]>>) {
  const nobodys = new Set<string>();
  const kept: Record<string, string[]> = {};
  for (const [field, names] of Object.entries(lists)) {
    const refs = await referAccounts(db, names);
    kept[field] = refs.filter((ref, at) => ref !== names[at]);
    names.forEach((name, at) => name === refs[at] && nobodys.add(name));
  }
  return { ...kept, unknown: nobodys.size };
}

/** Like `referTexts`, for one text. Null stays null. */
export async function referText<T extends string | null>(
  db: Db,
  text: T,
  own: readonly number[] = [],
): Promise<T> {
  // A string gives a string, and null gives null.
  return text === null ? text : ((await referTexts(db, [text], own))[0] as T);
}

/**
 * Returns the players whom a text names, in text order. With `byAccount` only current accounts count, even within a
 * longer name: such a caller may not learn which ids and former accounts exist.
 */
export async function playersNamed(db: Db, text: string, byAccount: boolean): Promise<number[]> {
  const isMeant = ({ kind }: Named) => !byAccount || kind === "account";
  return playersIn((await eachName(db, [text], [], refOf, isMeant)).join());
}

/** Returns the players to whom a stored text refers. */
export function playersIn(text: string): number[] {
  return [...new Set([...text.matchAll(REFERENCE)].map(([, key]) => Number(key)))];
}

type Replace = (text: string) => string;

/** True for arrays and plain objects. Dates and bytes contain no texts to replace. */
const isTree = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype);

function referring(value: unknown, found: string[] = []): string[] {
  if (typeof value === "string") {
    void (value.includes(OPEN) && found.push(value));
  } else if (isTree(value)) {
    for (const one of Object.values(value)) {
      referring(one, found);
    }
  }
  return found;
}

function eachText(value: unknown, replace: Replace): unknown {
  if (typeof value === "string") {
    return value.includes(OPEN) ? replace(value) : value;
  }
  if (!isTree(value)) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map((one) => eachText(one, replace));
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, eachText(one, replace)]),
  );
}

interface Span {
  readonly player_key: number;
  readonly no: number | null;
  readonly player_id: string;
  readonly user_name: string;
}

/**
 * Replaces references in all texts of `value` with the current names, or with the names as typed. For an erased player
 * only a name without meaning is left.
 */
export async function withNames<T>(db: Db, value: T): Promise<T> {
  const keys = new Set(referring(value).flatMap(playersIn));
  if (keys.size === 0) {
    return value;
  }
  const { rows } = await sql<Span>`
    select player_key, null as no, player_id, user_name from player where player_key = any(${[...keys]}::bigint[])
    union all
    select player_key, no, '', user_name from former_name where player_key = any(${[...keys]}::bigint[])`.execute(
    db,
  );
  const spans = new Map(rows.map((row) => [`${row.player_key}.${row.no ?? ""}`, row]));
  const nameOf = (_: string, key: string, id: string | undefined, no: string | undefined) => {
    const now = spans.get(`${key}.`);
    const { user_name = "" } = spans.get(`${key}.${no ?? ""}`) ?? now ?? {};
    const { player_id = "" } = now ?? {};
    const capitals = player_id.toUpperCase();
    const other = capitals === player_id ? player_id.toLowerCase() : capitals;
    return id === undefined ? user_name : id === "i" ? player_id : other;
  };
  // Only texts are replaced, by texts, so the type stays the same.
  return eachText(value, (text) => text.replaceAll(REFERENCE, nameOf)) as T;
}
