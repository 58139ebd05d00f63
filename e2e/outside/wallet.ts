/**
 * The wallet of the acceptance run: pays into its own ledger, gives statements of it, and checks how it is called. It
 * refuses some first calls, and loses some answers after it has paid.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { dig, parsed, textAt } from "./json.ts";
import { cents } from "./money.ts";
import { signature } from "./signature.ts";
import type { Key } from "./signature.ts";

export interface Credit {
  readonly trans_sn: string;
  readonly player_id: string;
  readonly amount: string;
  /** RFC 3339. */
  readonly paid_at: string;
}

/** Every nth payout is refused at first, or paid without an answer. */
const REFUSE_EVERY = 37;
const LOSE_EVERY = 23;
const STATEMENT_PAGE = 500;

const FIELDS = [
  "trans_sn",
  "player_id",
  "user_name",
  "amount",
  "turnover",
  "red_code",
  "rounds_id",
  "created_at",
].sort();

function header(request: IncomingMessage, name: string): string {
  return String(request.headers[name] ?? "");
}

/** What is wrong with the signature of a call; null when it is right. */
function signatureFault(request: IncomingMessage, body: Buffer, wallet: Key, nonces: Set<string>) {
  const [timestamp, nonce] = [header(request, "x-timestamp"), header(request, "x-nonce")];
  const expected = signature(
    wallet.secret,
    timestamp,
    nonce,
    request.method ?? "",
    request.url ?? "",
    body,
  );
  if (header(request, "x-key") !== wallet.key) {
    return "another key";
  }
  if (header(request, "x-signature") !== expected) {
    return `wrong signature on ${request.method} ${request.url}`;
  }
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > 300) {
    return `timestamp ${timestamp}`;
  }
  if (nonce.length < 16 || nonce.length > 64 || nonces.has(nonce)) {
    return `nonce ${nonce} is malformed or used`;
  }
  nonces.add(nonce);
  return null;
}

export async function startWallet(key: Key, port: number) {
  const credits = new Map<string, Credit>();
  const refusedOnce = new Set<string>();
  const lost = new Set<string>();
  const faults: string[] = [];
  const nonces = new Set<string>();
  const closed = new Set<string>();
  let mode: "open" | "held" | "broken" = "open";
  let broken = 0;
  const held: (() => void)[] = [];
  let seen = 0;

  function reply(response: ServerResponse, status: number, body: object): void {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  function paid({ trans_sn, amount }: Credit) {
    return { status: "paid", trans_sn, amount, wallet_ref: `o-${trans_sn}` };
  }

  /** Payouts paid from `from` to before `to`; the cursor is the number of lines on earlier pages. */
  function statement(asked: URLSearchParams, response: ServerResponse): void {
    const instant = (name: string) => Date.parse(asked.get(name) ?? "");
    const start = Number(asked.get("cursor") ?? "0");
    const all = [...credits.values()].filter(
      ({ paid_at }) =>
        Date.parse(paid_at) >= instant("from") && Date.parse(paid_at) < instant("to"),
    );
    const payouts = all
      .slice(start, start + STATEMENT_PAGE)
      .map((credit) => ({ ...credit, wallet_ref: paid(credit).wallet_ref }));
    const end = start + payouts.length;
    reply(response, 200, { payouts, next: end < all.length ? String(end) : null });
  }

  function pay(request: IncomingMessage, body: unknown, response: ServerResponse): void {
    const [trans_sn, player_id] = [textAt(body, "trans_sn"), textAt(body, "player_id")];
    const amount = textAt(body, "amount");
    if (Object.keys(Object(body)).sort().join() !== FIELDS.join()) {
      faults.push(`fields ${Object.keys(Object(body)).join()}`);
    }
    if (header(request, "idempotency-key") !== trans_sn) {
      faults.push(`Idempotency-Key ${header(request, "idempotency-key")} for ${trans_sn}`);
    }
    if (cents(amount) <= 0n) {
      faults.push(`amount ${amount}`);
    }
    const known = credits.get(trans_sn);
    if (known !== undefined) {
      if (known.amount !== amount || known.player_id !== player_id) {
        faults.push(`${trans_sn} again with another amount or player`);
      }
      return reply(response, 200, paid(known));
    }
    if (closed.has(player_id)) {
      return reply(response, 200, { status: "refused", trans_sn, amount, reason: "账户已销户" });
    }
    if (!refusedOnce.has(trans_sn)) {
      seen += 1;
      if (seen % REFUSE_EVERY === 0) {
        refusedOnce.add(trans_sn);
        return reply(response, 200, { status: "refused", trans_sn, amount, reason: "账户冻结" });
      }
    }
    const credit = { trans_sn, player_id, amount, paid_at: new Date().toISOString() };
    credits.set(trans_sn, credit);
    if (seen % LOSE_EVERY === 0) {
      lost.add(trans_sn);
      return void response.destroy();
    }
    return reply(response, 200, paid(credit));
  }

  function answer(request: IncomingMessage, body: Buffer, response: ServerResponse): void {
    if (mode === "broken") {
      broken += 1;
      return reply(response, 500, { error: "out of order" });
    }
    const fault = signatureFault(request, body, key, nonces);
    if (fault !== null) {
      faults.push(fault);
      return reply(response, 401, { code: "signature_invalid" });
    }
    const asked = /^\/payouts\/([\w-]+)$/.exec(request.url ?? "")?.[1];
    if (request.method === "GET" && asked !== undefined) {
      const credit = credits.get(asked);
      return credit === undefined ? reply(response, 404, {}) : reply(response, 200, paid(credit));
    }
    const { pathname, searchParams } = new URL(request.url ?? "", "http://wallet.invalid");
    if (request.method === "GET" && pathname === "/payouts") {
      return statement(searchParams, response);
    }
    if (request.method === "POST" && request.url === "/payouts") {
      return pay(request, parsed(body.toString("utf8")), response);
    }
    faults.push(`unknown call ${request.method} ${request.url}`);
    return reply(response, 404, {});
  }

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    const judge = () => {
      try {
        answer(request, Buffer.concat(chunks), response);
      } catch (error) {
        faults.push(String(error));
        reply(response, 400, {});
      }
    };
    request.on("end", () => (mode === "held" ? void held.push(judge) : judge()));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const bound = Number(dig(server.address(), "port"));
  return {
    url: `http://127.0.0.1:${bound}`,
    /** One per payout, by `trans_sn`. */
    credits: credits as ReadonlyMap<string, Credit>,
    lost: lost as ReadonlySet<string>,
    /** Violated rules of the wallet call. */
    faults: faults as readonly string[],
    /** Players with closed accounts: every payout to them is refused. */
    closed,
    /** Calls answered 500. */
    broken: () => broken,
    hold: () => {
      mode = "held";
    },
    /** Answers everything, including held calls. */
    open: () => {
      mode = "open";
      held.splice(0).forEach((judge) => judge());
    },
    /** Listens again after `stop` and answers 500 to everything. */
    breakDown: async () => {
      mode = "broken";
      server.listen(bound, "127.0.0.1");
      await once(server, "listening");
    },
    /** Refuses every connection. */
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

export type Wallet = Awaited<ReturnType<typeof startWallet>>;
