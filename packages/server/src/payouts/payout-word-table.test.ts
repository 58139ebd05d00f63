/**
 * The wallet's later words against every state of a payout (behaviour §6): true, contradicting, late, about another
 * amount, and forged. Who has not the wallet's key moves no payout, and a refusal undoes no payment.
 */
import type { PayoutState } from "@red/contract/lookups";
import type { Method, Route } from "@red/contract/route";
import { ROUTES } from "@red/contract/routes";
import type { Scope } from "@red/contract/permissions";
import { SIGNING_HEADERS } from "@red/contract/signing";
import { insertApiKey } from "#identity/api-key-sql";
import { inTransaction } from "#platform/connection";
import type { MadeRecord } from "#test/factories";
import { payoutOf } from "#test/payout-factory";
import { expectRow, makeInState } from "#test/payout-table";
import type { PayoutEvent, PayoutRow } from "#test/payout-table";
import { useTestApp } from "#test/test-app";
import { signedHeaders } from "#test/test-callers";
import { useTestDb } from "#test/test-db";
import { expect, it } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

const PAID = { status: "paid", amount: "8.88", wallet_ref: "W1" };
const REFUSED = { status: "refused", amount: "8.88", reason: "account frozen" };

function pathOf({ trans_sn }: MadeRecord): string {
  return `/open/v1/payouts/${trans_sn}/result`;
}

function callback(word: object): PayoutEvent {
  return async (made) => (await app.open("POST", pathOf(made), word)).statusCode;
}

/** A later word whose headers somebody made who does not have the wallet's key, or used them before. */
function forged(
  spoil: (
    headers: Record<string, string>,
    made: MadeRecord,
  ) => Promise<Record<string, string>> | Record<string, string>,
): PayoutEvent {
  return async (made) => {
    const payload = JSON.stringify(PAID);
    const headers = await spoil(app.sign("POST", pathOf(made), payload), made);
    const answer = await app.app.inject({ method: "POST", url: pathOf(made), headers, payload });
    return `${answer.statusCode} ${answer.json<{ code: string }>().code}`;
  };
}

const MONEY = ["queued", "sending", "unknown", "check", "paid", "refused", "closed"] as const;

/** The same told for every payout of money that stays as it is. */
function stays(told: number | string, ...states: readonly PayoutState[]): PayoutRow["cells"] {
  return Object.fromEntries(states.map((state) => [state, [state, told]]));
}

const ALL_PAID: PayoutRow["cells"] = {
  queued: ["paid", 200],
  sending: ["paid", 200],
  unknown: ["paid", 200],
  check: ["paid", 200],
  paid: ["paid", 200],
  // Asked of the wallet first.
  refused: ["unknown", 200],
  closed: ["unknown", 200],
};

const ROWS: readonly PayoutRow[] = [
  { name: "later word: paid", event: callback(PAID), cells: ALL_PAID, otherwise: 404 },
  {
    name: "later word: paid, after several sendings",
    event: callback(PAID),
    before: { sent: 3 },
    cells: ALL_PAID,
    otherwise: 404,
  },
  {
    name: "later word: paid, after a re-issue that is not sent yet",
    event: callback(PAID),
    before: { isReissued: true },
    cells: { ...ALL_PAID, queued: ["queued", 200] },
    otherwise: 404,
  },
  {
    name: "later word: refused",
    event: callback(REFUSED),
    cells: {
      queued: ["refused", 200],
      sending: ["refused", 200],
      unknown: ["refused", 200],
      check: ["refused", 200],
      ...stays(200, "paid", "refused", "closed"),
    },
    otherwise: 404,
  },
  {
    name: "later word: refused, after several sendings",
    event: callback(REFUSED),
    before: { sent: 2 },
    cells: {
      unknown: ["unknown", 200],
      check: ["unknown", 200],
      ...stays(200, "queued", "sending", "paid", "refused", "closed"),
    },
    otherwise: 404,
  },
  {
    name: "later word: refused, after a re-issue that is not sent yet",
    event: callback(REFUSED),
    before: { isReissued: true },
    cells: {
      unknown: ["unknown", 200],
      check: ["unknown", 200],
      ...stays(200, "queued", "sending", "paid", "refused", "closed"),
    },
    otherwise: 404,
  },
  {
    name: "later word on what was never sent: paid",
    event: callback(PAID),
    before: { sent: 0 },
    cells: {},
    otherwise: 404,
  },
  {
    name: "later word on what was never sent: refused",
    event: callback(REFUSED),
    before: { sent: 0 },
    cells: {},
    otherwise: 404,
  },
  {
    name: "later word: paid, of another amount",
    event: callback({ ...PAID, amount: "8.89" }),
    cells: stays(409, ...MONEY),
    otherwise: 404,
  },
  {
    name: "later word: refused, of another amount",
    event: callback({ ...REFUSED, amount: "0.00" }),
    cells: stays(409, ...MONEY),
    otherwise: 404,
  },
  {
    name: "later word: of no known kind",
    event: callback({ ...PAID, status: "processing" }),
    cells: {},
    otherwise: 400,
  },
  {
    name: "later word on a number that there is not",
    event: (made) => callback(PAID)({ ...made, trans_sn: `${made.trans_sn}0` }),
    cells: {},
    otherwise: 404,
  },
  {
    name: "forged: a signature of nobody",
    event: forged((headers) => ({ ...headers, [SIGNING_HEADERS.signature]: "0".repeat(64) })),
    cells: {},
    otherwise: "401 signature_invalid",
  },
  {
    name: "forged: signed for another payout",
    event: forged(() => app.sign("POST", "/open/v1/payouts/another/result", JSON.stringify(PAID))),
    cells: {},
    otherwise: "401 signature_invalid",
  },
  {
    name: "forged: signed for another word",
    event: forged((_headers, made) => app.sign("POST", pathOf(made), JSON.stringify(REFUSED))),
    cells: {},
    otherwise: "401 signature_invalid",
  },
  {
    name: "forged: the headers of a call that was made before",
    event: forged(async (headers, made) => {
      // Whoever listened has seen a call that was refused for its amount, and sends it again.
      const payload = JSON.stringify({ ...PAID, amount: "9.99" });
      const used = app.sign("POST", pathOf(made), payload);
      await app.app.inject({ method: "POST", url: pathOf(made), headers: used, payload });
      const nonce = used[SIGNING_HEADERS.nonce] ?? "";
      return { ...headers, [SIGNING_HEADERS.nonce]: nonce };
    }),
    cells: {},
    otherwise: "401 signature_invalid",
  },
  {
    name: "forged: a time long ago",
    event: forged((headers) => ({ ...headers, [SIGNING_HEADERS.timestamp]: "1700000000" })),
    cells: {},
    otherwise: "401 timestamp_out_of_range",
  },
  {
    name: "forged: a key of nobody",
    event: forged((headers) => ({ ...headers, [SIGNING_HEADERS.key]: "rk_nobody" })),
    cells: {},
    otherwise: "401 key_unknown",
  },
];

it.each(ROWS)("$name", async (row) => {
  await expectRow(t.db, row);
});

/** What a key of these scopes is answered, by status and code. */
async function answersTo(scopes: readonly Scope[], calls: readonly (readonly [Method, string])[]) {
  const key = `rk_${scopes.join("_")}`;
  const secret = "a secret of a key that may do only some of it";
  const sealed = app.services.secrets.seal(`api_key:${key}`, secret);
  await inTransaction(t.db, (tx) =>
    insertApiKey(tx, { key, name: key, secret: sealed, scopes: [...scopes] }),
  );
  const answers: string[] = [];
  for (const [method, url] of calls) {
    const payload = method === "GET" ? "" : JSON.stringify(PAID);
    const headers = signedHeaders({ token: "", key, secret }, method, url, payload);
    const answer = await app.app.inject({ method, url, headers, payload });
    answers.push(`${answer.statusCode} ${answer.json<{ code?: string }>().code ?? ""}`);
  }
  return new Set(answers);
}

it("takes a later word only from a key with the scope wallet, which opens nothing else", async () => {
  const made = await makeInState(t.db, "unknown");
  const word = [["POST", pathOf(made)]] as const;
  expect(await answersTo(["ingest", "draw", "read"], word)).toEqual(new Set(["403 scope_missing"]));
  expect((await payoutOf(t.db, made)).state).toBe("unknown");
  const routes: readonly Route[] = Object.values(ROUTES).flatMap((noun) => Object.values(noun));
  const others = routes.filter(({ auth }) => auth.by === "key" && auth.scope !== "wallet");
  expect(others.length).toBeGreaterThan(8);
  expect(
    await answersTo(
      ["wallet"],
      others.map(({ method, path }) => [method, path.replaceAll(/[{}]/g, "")]),
    ),
  ).toEqual(new Set(["403 scope_missing"]));
});

it("takes a later word once, however often the same call comes", async () => {
  const made = await makeInState(t.db, "unknown");
  const payload = JSON.stringify(PAID);
  const headers = app.sign("POST", pathOf(made), payload);
  const send = () => app.app.inject({ method: "POST", url: pathOf(made), headers, payload });
  expect((await send()).statusCode).toBe(200);
  const { attempts } = await payoutOf(t.db, made);
  expect((await send()).statusCode).toBe(401);
  expect(await payoutOf(t.db, made)).toMatchObject({ state: "paid", attempts });
});
