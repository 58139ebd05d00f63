/**
 * The specification's facts as a table (spec-facts.tsv): what it says, how to provoke it, and what the answer
 * must hold literally. Typed from the specification; nothing of it is made from our code.
 *
 * Cells: section · fact · caller · method and address · body · what the answer holds. A placeholder in double
 * braces stands for a row that is made for the call; "same" before its name means the one made last. A body is
 * JSON, `@name {changes}` for a known body with changes (null leaves a field out), `@file name content` with `|`
 * between lines, `@file name N bytes`, or `@upload name` for a file of test/files. `#n` as the last cell means
 * that the list has n rows.
 */
import { readFileSync } from "node:fs";
import { TOKEN_COOKIE } from "@red/contract/session";
import type { TestApp } from "#test/test-app";
import { formBody, testFile } from "#test/upload";

export interface Fact {
  readonly section: string;
  readonly fact: string;
  readonly caller: string;
  readonly call: string;
  readonly body: string;
  readonly expected: string;
}

const CELLS = 6;

/** Every fact of the table. */
export function readFacts(): Fact[] {
  const file = readFileSync(new URL("./spec-facts.tsv", import.meta.url), "utf8");
  const [, ...lines] = file.trimEnd().split("\n");
  return lines.map((line) => {
    const cells = line.split("\t");
    const [section = "", fact = "", caller = "", call = "", body = "", expected = ""] = cells;
    if (cells.length !== CELLS || expected === "") {
      throw new Error(`a fact has six cells, and the last one says something: ${line}`);
    }
    return { section, fact, caller, call, body, expected };
  });
}

/** Makes what a placeholder stands for; what follows its first word is the argument. */
export type Maker = (argument: string) => Promise<string>;

const PLACEHOLDER = /\{\{([^{}]+)\}\}/g;

/** Fills placeholders, each made anew, and remembers the last of each. */
export function placeholders(makers: Readonly<Record<string, Maker>>) {
  const last = new Map<string, string>();
  const make = async (name: string): Promise<string> => {
    const same = last.get(name.replace(/^same /, ""));
    if (name.startsWith("same ") && same !== undefined) {
      return same;
    }
    const [first = ""] = name.split(" ", 1);
    const maker = makers[name] ?? makers[first];
    if (maker === undefined) {
      throw new Error(`nobody makes {{${name}}}`);
    }
    const made = await maker(name.slice(first.length + 1));
    last.set(name, made);
    return made;
  };
  const fillBy = async (text: string, valueOf: (name: string) => Promise<string>) => {
    let filled = text;
    for (const [whole, name = ""] of text.matchAll(PLACEHOLDER)) {
      filled = filled.replace(whole, await valueOf(name));
    }
    return filled;
  };
  return {
    fill: async (text: string) => await fillBy(text, make),
    /** With what was made last, as an answer repeats it. */
    repeat: async (text: string) =>
      await fillBy(text, async (name) => last.get(name) ?? (await make(name))),
  };
}

/** Bodies that are right as they are, by the name that the table gives them; made anew for each call. */
export type Bodies = Readonly<Record<string, () => object>>;

function changedBody(text: string, bodies: Bodies): string {
  const [, name = "", changes = ""] = /^@(\w+) ?(.*)$/s.exec(text) ?? [];
  const known = bodies[name];
  if (known === undefined) {
    throw new Error(`there is no body @${name}`);
  }
  const changed = { ...known(), ...(JSON.parse(changes === "" ? "{}" : changes) as object) };
  return JSON.stringify(
    Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== null)),
  );
}

async function fileBody(text: string, token: string | null) {
  const [, kind = "", filename = "", content = ""] =
    /^@(file|upload) (\S+) ?(.*)$/s.exec(text) ?? [];
  const size = /^(\d+) bytes$/.exec(content)?.[1];
  const typed = size === undefined ? content.replaceAll("|", "\n") : "x".repeat(Number(size));
  const bytes = kind === "upload" ? testFile(filename) : typed;
  const fields = { pool_name: "事实导入池", ...(token === null ? {} : { token }) };
  return await formBody({ bytes, filename, fields });
}

/** Who calls: an access token or none, and how it is shown. */
export interface Caller {
  readonly token: string;
  readonly by: "header" | "cookie" | "form" | "nothing";
  readonly language?: "en";
}

function headersOf({ token, by, language }: Caller): Record<string, string> {
  return {
    ...(by === "header" ? { token } : {}),
    ...(by === "cookie" ? { cookie: `${TOKEN_COOKIE}=${token}` } : {}),
    ...(language === undefined ? {} : { "accept-language": language }),
  };
}

interface Provoked {
  /** Headers and body as one text to look in. */
  readonly text: string;
  /** Rows of the list that was answered; -1 for no list. */
  readonly rows: number;
}

/** Sends a filled call. */
export async function provoke(
  a: TestApp,
  sent: { readonly call: string; readonly body: string; readonly caller: Caller },
  bodies: Bodies,
): Promise<Provoked> {
  const [method = "", ...rest] = sent.call.split(" ");
  const isFile = /^@(?:file|upload) /.test(sent.body);
  const { payload, headers } = isFile
    ? await fileBody(sent.body, sent.caller.by === "form" ? sent.caller.token : null)
    : {
        payload: sent.body.startsWith("@") ? changedBody(sent.body, bodies) : sent.body,
        headers: { "content-type": "application/json" },
      };
  const answer = await a.app.inject({
    // Typed by whoever wrote the table, as a method of HTTP.
    method: method as "DELETE" | "GET" | "POST" | "PUT",
    url: encodeURI(rest.join(" ")),
    headers: { ...headers, ...headersOf(sent.caller) },
    ...(method === "GET" ? {} : { payload }),
  });
  const text = `${JSON.stringify(answer.headers)}\n${answer.body}`;
  const isJson = String(answer.headers["content-type"]).includes("json");
  const data = isJson ? answer.json<{ data?: { content?: unknown[] } | null }>().data : null;
  return { text, rows: data?.content?.length ?? -1 };
}

/** Everything that a page of the console brings along, as one text. */
export async function consoleText(a: TestApp, address: string): Promise<string> {
  const seen = new Map<string, string>();
  const waiting = [address];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (!seen.has(next)) {
      const { body } = await a.app.inject({ method: "GET", url: next });
      seen.set(next, body);
      const names = body.match(/[\w-]+-[\w-]{8}\.(?:js|css)\b/g) ?? [];
      waiting.push(...names.map((name) => `/red/assets/${name}`));
    }
  }
  return [...seen.values()].join("\n");
}
