/**
 * Reads the wallet's statement page by page, from wallets whose responses are good, late or wrong
 * (platform-api "Call out").
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AppError } from "@red/contract/platform/errors";
import { expect, onTestFinished, test } from "vitest";
import type { StatementEntry } from "./reconciliation-sql.ts";
import { walletStatement } from "./wallet-statement.ts";

const SPAN = {
  from_at: new Date("2026-11-20T00:00:00.000Z"),
  to_at: new Date("2026-11-21T00:00:00.000Z"),
};
const line = (trans_sn: string, more: object = {}) => ({
  trans_sn,
  amount: "8.88",
  player_id: "p1",
  paid_at: "2026-11-20T20:00:01+08:00",
  ...more,
});
const page = (next: string | null | undefined, ...lines: object[]) => ({ payouts: lines, next });

/**
 * Reads from a wallet that sends the given responses in order: a body with status 200, or a status. 0
 * closes the connection.
 */
async function readFrom(answers: readonly (object | number)[]) {
  const asked: URLSearchParams[] = [];
  const server = createServer(({ url, headers, method }, response) => {
    const { pathname, searchParams } = new URL(url ?? "", "http://wallet");
    expect([method, pathname, headers["x-key"]]).toEqual(["GET", "/api/payouts", "wk"]);
    const answer = answers[asked.length] ?? 500;
    asked.push(searchParams);
    if (answer === 0) {
      response.destroy();
      return;
    }
    response.statusCode = typeof answer === "number" ? answer : 200;
    response.end(JSON.stringify(answer));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const access = { url: `http://127.0.0.1:${port}/api`, key: "wk", secret: "s" };
  const pages: (readonly StatementEntry[])[] = [];
  const read = async () => {
    for await (const entries of walletStatement(access, SPAN, new AbortController().signal)) {
      pages.push(entries);
    }
    return "read";
  };
  const end = await read().catch(({ key, values }: AppError) => [key, values["detail"]]);
  return { end, pages, asked };
}

test("asks for the span, then for each next page, and reads the entries", async () => {
  const { end, pages, asked } = await readFrom([
    page("a", line("1"), line("2", { amount: "0.01", wallet_ref: "w" })),
    page("b", line("3")),
    page(undefined),
  ]);
  const paid_at = new Date("2026-11-20T12:00:01Z");
  const entry = { amount_cents: 888, player_id: "p1", paid_at, wallet_ref: null };
  const [first, third] = ["1", "3"].map((trans_sn) => ({ ...entry, trans_sn }));
  const second = { ...entry, trans_sn: "2", amount_cents: 1, wallet_ref: "w" };
  expect({ end, pages }).toEqual({ end: "read", pages: [[first, second], [third], []] });
  const [from, to] = [SPAN.from_at.toISOString(), SPAN.to_at.toISOString()];
  expect(asked.map((one) => Object.fromEntries(one))).toEqual([
    { from, to },
    { from, to, cursor: "a" },
    { from, to, cursor: "b" },
  ]);
});

const BAD = "characters that are not allowed";
const unreadable = (detail: string) => ["statement_unreadable", detail];

test.each<[what: string, answers: (object | number)[], end: unknown, calls: number]>([
  ["two bad answers", [500, { odd: 1 }, page(null, line("1"))], "read", 3],
  ["three", [500, 500, 503, page(null)], unreadable("status 503"), 3],
  ["three cut off", [0, 0, 0], unreadable("connection ECONNRESET"), 3],
  ["three that are no statement", [{}, {}, {}], unreadable("not a statement"), 3],
  ["none offered", [404], ["statement_not_offered", undefined], 1],
  ["none on the next page", [page("a"), 404], unreadable("status 404"), 2],
  ["the same page again", [page("a"), page("a")], unreadable("next repeats itself"), 2],
  ["no amount", [page(null, line("9", { amount: "8.888" }))], unreadable("9: amount, paid_at"), 1],
  ["a mark", [page(null, line("9", { player_id: "\uE0007i\uE001" }))], unreadable(BAD), 1],
  ["one in a number", [page(null, line("\uE0007\uE001"))], unreadable(BAD), 1],
  ["one in another", [page(null, line("9", { wallet_ref: "\uE0007\uE001" }))], unreadable(BAD), 1],
  ["no time", [page(null, line("9", { paid_at: "today" }))], unreadable("9: amount, paid_at"), 1],
])("%s", async (_, answers, end, calls) => {
  const { end: heard, asked } = await readFrom(answers);
  expect([heard, asked.length]).toEqual([end, calls]);
});
