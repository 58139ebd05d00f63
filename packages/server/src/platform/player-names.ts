/**
 * Players in stored texts (behaviour §3). A row that outlives a player names them by a reference, and whoever reads it gets
 * the name put in. So a rename leaves a later owner of the account alone, and erasing a player rewrites no text.
 */
import { sql } from "kysely";
import type { RawBuilder } from "kysely";
import type { Db, Tx } from "#platform/db/connection";

/* Private characters, which the contract refuses in every text (fields.ts). */
const OPEN = "\uE000";
const CLOSE = "\uE001";
const REFERENCE = /\uE000(\d+)(?:([iI])|\.(\d+))?\uE001/g;

/** The longest id or account, in characters. */
const NAME_MAX = 64;
/** Names looked up at a time. */
const LOOK_UP_MAX = 20_000;

/** Reads as the player's account of now. */
export const accountRef = (player_key: number): string => `${OPEN}${player_key}${CLOSE}`;

/** SQL: as `accountRef`, or as a reference that reads as the player's id, with "I" in other capitals; null for none. */
export const sqlRef = (player_key: RawBuilder<unknown>, kind: "" | "i" | "I" = "") =>
  sql<string>`${sql.lit(OPEN)} || ${player_key} || ${sql.lit(kind + CLOSE)}`;

/** SQL: whether a text, or JSON as text, refers to the player. */
export const refersTo = (text: RawBuilder<unknown>, player_key: number) =>
  sql<boolean>`${text} ~ ${`${OPEN}${player_key}[iI.${CLOSE}]`}`;

/**
 * Parts erasings and the beginnings of exports, so that each erasing deletes every export that may have read the names.
 * Taken after the lock of an operator's row.
 */
export async function lockExports(tx: Tx, by: "export" | "erasing"): Promise<void> {
  const lock = sql.raw(by === "export" ? "pg_advisory_xact_lock_shared" : "pg_advisory_xact_lock");
  await sql`select ${lock}(hashtext('exports of names'))`.execute(tx);
}

/** Letters of scripts that set no blanks between words. */
const UNSPACED = ["Han", "Hira", "Kana", "Bopo", "Hang", "Thai", "Laoo", "Khmr", "Mymr"]
  .map((script) => `\\p{scx=${script}}`)
  .join("");
/**
 * A run of letters and digits, or one blank, punctuation mark, invisible character or letter of such a script, with what
 * combines with it.
 */
const TOKEN = new RegExp(
  `[^${UNSPACED}\\p{P}\\p{S}\\p{Z}\\p{C}\\p{DI}]+|[^][\\p{M}\\u1160-\\u11ff]*`,
  "gu",
);
const isBlank = (token: string | undefined) => token === undefined || token.trim() === "";

/** Without invisible characters, and in the usual width and form. */
const plainOf = (text: string) => text.replaceAll(/[\p{Cf}\p{DI}]/gu, "").normalize("NFKC");

interface Token {
  readonly written: string;
  readonly plain: string;
}

/** Where names may begin and end in a text. */
function tokensOf(text: string): Token[] {
  const tokens = text.replaceAll(/[\uE000\uE001]/g, "").match(TOKEN) ?? [];
  return tokens.map((written) => ({ written, plain: plainOf(written) }));
}

/** What may be a name from token `from` on, as written or plain, the longest first, with the place after it. */
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
    // An invisible character beside a name stays where it is.
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

/** Who has, or had last, each of these names, by the name as written. `own` come first, then accounts, ids, former names. */
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

/** What stands instead of a name that was found. */
type Instead = (named: Named, written: string) => string;

/** Each name in texts that is meant replaced, the longest first; `own` are preferred where two share a name. */
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
 * Texts as people typed them, to be stored: each id, account or former account of a player that stands in one, between
 * blanks, punctuation, invisible characters and letters of scripts without blanks, in any capitals and width, becomes a
 * reference; the longest counts. `own` are the players that the texts are about: a name that two players share is theirs.
 */
export async function referTexts(
  db: Db,
  texts: readonly string[],
  own: readonly number[] = [],
): Promise<string[]> {
  return await eachName(db, texts, own, refOf);
}

/**
 * Texts about one player that were stored without references: where they name the player as `referTexts` finds it,
 * `instead` stands from now on. Other names and references stay.
 */
export async function cutTexts(
  db: Db,
  texts: readonly string[],
  player_key: number,
  instead: string,
): Promise<string[]> {
  const parts = texts.map((text) => text.split(/(\uE000[^\uE000\uE001]*\uE001)/));
  // Every second one is a reference.
  const typed = parts.map((all) => all.filter((_, at) => at % 2 === 0));
  const cut = await eachName(db, typed.flat(), [player_key], (named, written) =>
    named.player_key === player_key ? instead : written,
  );
  return parts.map((all) =>
    all.map((part, at) => (at % 2 === 0 ? (cut.shift() ?? "") : part)).join(""),
  );
}

/** A name that is no word, time or number of something else. */
const isUnlike = (name: string) => name.length >= 6 && /\d/.test(name);

/**
 * Whether a text may mean who has one of these names: one stands in it as `referTexts` finds names, or one that is
 * unlike anything else stands anywhere. `isKept`: the text was stored by `referTexts`, so that only the latter may.
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

/* Of invisible characters those that are used beside letters. */
const UNSEEN =
  "\u00AD\u034F\u061C\u115F\u1160\u180B-\u180F\u200B-\u200F\u202A-\u202E\u2060-\u206F\u3164\uFE00-\uFE0F\uFEFF\uFFA0\u{E0000}-\u{E0FFF}";

/** SQL: whether a text or JSON holds one of these names anywhere; `mayName` tells more. In kept ones none is disguised. */
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

/** Accounts, to be stored: those of players become references that read as the accounts of now. */
export async function referAccounts(db: Db, names: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select coalesce(${sqlRef(sql`p.player_key`)}, x.name) as text
    from unnest(${names}::text[]) with ordinality x (name, at)
    left join player p on p.user_name_key = lower(x.name) order by x.at`.execute(db);
  return rows.map(({ text }) => text);
}

/** Lists of accounts as they are kept: players by reference, and accounts that are nobody's by their number alone. */
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

/** As `referTexts` for one text; null stays. */
export async function referText<T extends string | null>(
  db: Db,
  text: T,
  own: readonly number[] = [],
): Promise<T> {
  // A string stays one, null stays null.
  return text === null ? text : ((await referTexts(db, [text], own))[0] as T);
}

/**
 * The players whom a text names, in its order; `byAccount`: only by their accounts of now, whatever longer name stands there,
 * for whoever may not learn which ids and former accounts there are.
 */
export async function playersNamed(db: Db, text: string, byAccount: boolean): Promise<number[]> {
  const isMeant = ({ kind }: Named) => !byAccount || kind === "account";
  return playersIn((await eachName(db, [text], [], refOf, isMeant)).join());
}

/** The players whom a stored text refers to. */
export function playersIn(text: string): number[] {
  return [...new Set([...text.matchAll(REFERENCE)].map(([, key]) => Number(key)))];
}

type Replace = (text: string) => string;

/** Is it gone through? Dates and bytes are not. */
const isTree = (value: unknown): value is object =>
  Array.isArray(value) ||
  (typeof value === "object" &&
    value !== null &&
    Object.getPrototypeOf(value) === Object.prototype);

/** The texts in a value that refer to players: few, of a page of thousands. */
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

/** Every text in a value that refers to players, replaced. */
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
 * Puts the names of now, or those that were typed, in for references, wherever texts stand in `value`. Of an erased
 * player only the name without meaning is left.
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
  // The value keeps its form: only texts are replaced, by texts.
  return eachText(value, (text) => text.replaceAll(REFERENCE, nameOf)) as T;
}
