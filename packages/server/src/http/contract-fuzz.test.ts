/**
 * Calls made from the served OpenAPI description, right and wrong ones, of both families. None may be answered
 * by a status from 500 on, and every answer must be one that the description allows.
 *
 * `PROVE_N` and `PROVE_SEED` set how many and which; a failing call is printed as a line of curl.
 */
import { bodyWithKnown, urlWithKnown } from "#test/contract-arbitraries";
import { callsOf } from "#test/contract-calls";
import type { DraftCall } from "#test/contract-calls";
import { newKnowledge, refreshKnowledge } from "#test/contract-knowledge";
import type { Knowledge } from "#test/contract-knowledge";
import { answerJudge, isPlatform, operationFinder, operationsOf } from "#test/contract-openapi";
import { curlOf, sendRaw } from "#test/contract-send";
import type { RawCall } from "#test/contract-send";
import type { Operation } from "#test/contract-openapi";
import { makeStage, openSession } from "#test/contract-stage";
import { boundOperator, PASSWORD } from "#test/operator-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import fc from "fast-check";
import type { LightMyRequestResponse } from "fastify";
import { expect, test } from "vitest";

const CALLS = Number(process.env["PROVE_N"] ?? 1500);
const SEED = Number(process.env["PROVE_SEED"] ?? Date.now() % 2 ** 31);

/** From so many calls on, every operation must have been carried out at least once. */
const ALL_DONE_FROM = 10_000;
const OPERATOR = "fuzz-op";

const t = useTestDb();
const a = useTestApp(t);

/** Operators' tokens by what they open. */
interface Tokens {
  right: string;
  readonly powerless: string;
}

function operatorHeaders(who: DraftCall["who"], tokens: Tokens): Record<string, string> {
  switch (who) {
    case "right":
    case "bad signature":
    case "old timestamp":
      return { token: tokens.right };
    case "powerless":
      return { token: tokens.powerless };
    case "malformed":
      return { token: "x" };
    case "nobody":
      return {};
    case "other family":
      return a.sign("GET", "/", "");
    default:
      return who satisfies never;
  }
}

function platformHeaders(
  draft: DraftCall,
  url: string,
  payload: Buffer,
  tokens: Tokens,
): Record<string, string> {
  const signed = a.sign(draft.method, url, payload);
  switch (draft.who) {
    case "right":
      return signed;
    case "bad signature":
      return { ...signed, "x-signature": "0".repeat(64) };
    case "old timestamp":
      return { ...signed, "x-timestamp": "1700000000" };
    case "malformed":
      return { ...signed, "x-nonce": "short" };
    case "other family":
    case "powerless":
      return { token: tokens.right };
    case "nobody":
      return {};
    default:
      return draft.who satisfies never;
  }
}

function rawCall(draft: DraftCall, knowledge: Knowledge, tokens: Tokens): RawCall {
  const url = urlWithKnown(draft.url, knowledge);
  const { body } = draft;
  const payload =
    typeof body === "string"
      ? Buffer.from(bodyWithKnown(body, knowledge))
      : body && Buffer.from(body);
  const caller = isPlatform(draft.operation)
    ? platformHeaders(draft, url, payload ?? Buffer.alloc(0), tokens)
    : operatorHeaders(draft.who, tokens);
  // Those of the caller come first: a signature's content type gives way to the drafted one.
  const headers = { ...caller, ...draft.headers };
  return { method: draft.method, url, headers, payload, address: `192.0.2.${draft.address}` };
}

/** How each operation was answered: HTTP status and, where there is one, the code. */
type Tally = Map<string, number>;

/** Did the operation do what it is there for? */
const DONE = / (?:200 (?:200|0|402|407|done)|201 done)$/;

function kindOf(answer: LightMyRequestResponse): string {
  const isJson = /json\b/.test(String(answer.headers["content-type"])) && answer.body !== "";
  const { code = "done" } = isJson ? answer.json<{ code?: number | string }>() : {};
  return `${answer.statusCode} ${code}`;
}

function neverDone(operations: readonly Operation[], tally: Tally): string[] {
  const done = new Set(
    [...tally.keys()].filter((kind) => DONE.test(kind)).map((kind) => kind.split(" ", 1)[0]),
  );
  return operations.map((one) => one.operationId).filter((name) => !done.has(name));
}

/** The property of one drafted call; it reads the database anew now and then. */
function propertyOf(operations: readonly Operation[], tokens: Tokens, tally: Tally) {
  const reached = operationFinder(operations);
  const judge = answerJudge();
  const fixed = { username: [OPERATOR], password: [PASSWORD], token: [a.token] };
  const knowledge = newKnowledge(fixed);
  let sent = 0;
  return fc.asyncProperty(fc.oneof(...operations.map(callsOf)), async (draft) => {
    if (sent % 50 === 0) {
      await refreshKnowledge(t.db, knowledge, sent);
      // Nobody guesses the code that starts again.
      await t.db.deleteFrom("stop_switch").execute();
    }
    sent += 1;
    const call = rawCall(draft, knowledge, tokens);
    const answer = await sendRaw(a, call);
    const one = reached(call.method, call.url);
    const fault = judge(one, answer);
    if (fault !== null) {
      throw new Error(`${draft.operation.operationId}: ${fault}\n${curlOf(call)}`);
    }
    const kind = `${one?.operationId ?? "nothing"} ${kindOf(answer)}`;
    tally.set(kind, (tally.get(kind) ?? 0) + 1);
    if (one?.operationId === "session.logout" && draft.who === "right") {
      tokens.right = await openSession(t.db, "root-op");
    }
  });
}

function report(tally: Tally, calls: number, seconds: number): void {
  const done = [...tally].filter(([kind]) => DONE.test(kind)).map(([, count]) => count);
  const figures = {
    seed: SEED,
    calls,
    done: done.reduce((sum, count) => sum + count, 0),
    kinds_of_answers: tally.size,
    seconds: Math.round(seconds),
    rss_mb: Math.round(process.memoryUsage.rss() / 2 ** 20),
  };
  process.stdout.write(`${JSON.stringify(figures)}\n`);
}

test(
  `${CALLS} calls made from the served description, seed ${SEED}: no 5xx, nothing off the schema`,
  async () => {
    const { powerless } = await makeStage(t.db);
    await boundOperator(t.db, a.services.secrets, OPERATOR, new Date(Date.now() - 600_000));
    const served = await a.app.inject({ method: "GET", url: "/red/docs/json" });
    const operations = operationsOf(served.json());
    const tally: Tally = new Map();
    const property = propertyOf(operations, { right: a.token, powerless }, tally);
    const begun = Date.now();
    const outcome = await fc.check(property, {
      numRuns: CALLS,
      seed: SEED,
      endOnFailure: true,
    });
    report(tally, outcome.numRuns, (Date.now() - begun) / 1000);
    expect(outcome.errorInstance, `seed ${SEED}, call ${outcome.numRuns}`).toBeNull();
    expect(outcome.numRuns).toBe(CALLS);
    // With so many calls each operation has been carried out, or the calls made for it are no good.
    expect(CALLS < ALL_DONE_FROM ? [] : neverDone(operations, tally)).toEqual([]);
  },
  60 * 60_000,
);
