/** The operators of `mixed` and `crowd`, who turn pages and export a round over HTTP; `lists` signs one in. */
import { createHash, randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Role } from "../packages/contract/src/platform/permissions.ts";
import { insertOperator } from "../packages/server/src/identity/operator-sql.ts";
import { insertSession } from "../packages/server/src/identity/session-sql.ts";
import { inTransaction } from "../packages/server/src/platform/db/connection.ts";
import type { Db } from "../packages/server/src/platform/db/connection.ts";
import { say } from "./report.ts";

const OPERATORS = 20;
const TURN_MS = 5_000;

/** Access tokens of signed-in operators, by default administrators. */
export async function signIn(db: Db, role: Role = "admin", length = OPERATORS): Promise<string[]> {
  const tokens = Array.from({ length }, () => randomBytes(32).toString("base64url"));
  for (const [at, token] of tokens.entries()) {
    await inTransaction(db, async (tx) => {
      const made = { name: `${role}${at}`, roles: [role], password_hash: "none" };
      const id = await insertOperator(tx, made);
      await insertSession(tx, {
        token_hash: createHash("sha256").update(token).digest(),
        operator_id: id ?? 0,
      });
    });
  }
  return tokens;
}

/** Runs `act` at a steady pace until `until`; a slow run delays the next. */
export async function steadily(
  first: number,
  everyMs: number,
  until: number,
  act: (turn: number, due: number) => Promise<void>,
): Promise<void> {
  for (let [turn, due] = [0, first]; due < until; turn += 1, due += everyMs) {
    await sleep(Math.max(0, due - performance.now()));
    await act(turn, due);
  }
}

const LISTS = ["record/list", "userInfo/betlog", "userInfo/deposit"];

/** Every operator goes from page to page of a list, each of another one; milliseconds of each page. */
export async function turnPages(port: number, tokens: readonly string[], forMs: number) {
  const begun = performance.now();
  const times: number[] = [];
  const turns = tokens.map(async (token, at) => {
    const [list = "", offset] = [LISTS[at % LISTS.length], (at * TURN_MS) / OPERATORS];
    await steadily(begun + offset, TURN_MS, begun + forMs, async (turn, due) => {
      const paging = { page: String((turn % 50) + 1), size: "20" };
      const url = `http://127.0.0.1:${port}/gred/api/${list}`;
      const headers = { token, "content-type": "application/json" };
      const answer = list.startsWith("record")
        ? await fetch(`${url}?${new URLSearchParams(paging).toString()}`, { headers })
        : await fetch(url, { headers, method: "POST", body: JSON.stringify(paging) });
      const text = await answer.text();
      times.push(performance.now() - due);
      if (!text.startsWith('{"code":200,')) {
        throw new Error(`${list} answered ${text.slice(0, 300)}`);
      }
    });
  });
  await Promise.all(turns);
  return times;
}

/** Downloads the earlier round as the console does; throws unless the workbook came whole. */
export async function exportRound(
  port: number,
  token: string,
  round: number,
  records: number,
): Promise<void> {
  const url = `http://127.0.0.1:${port}/gred/api/record/export?rounds_id=${round}`;
  const { status, body } = await fetch(url, { headers: { token } });
  let [bytes, tail] = [0, Buffer.alloc(0)];
  for await (const part of body ?? []) {
    bytes += part.length;
    tail = Buffer.concat([tail, part]).subarray(-22);
  }
  // A zip ends with its directory's record.
  if (status !== 200 || bytes < records || !tail.toString("latin1").startsWith("PK\u0005\u0006")) {
    throw new Error(`the export answered ${status} with ${bytes} bytes`);
  }
  say(`exported ${records} records, ${(bytes / 1e6).toFixed(1)} MB`);
}
