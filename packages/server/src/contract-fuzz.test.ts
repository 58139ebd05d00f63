/**
 * Calls made from the served OpenAPI description, right and wrong ones, of every family, sent to the server
 * that `npm start` runs. None may be answered by a status from 500 on, and every answer must be one that the
 * description allows.
 *
 * `PROVE_N` and `PROVE_SEED` set how many and which; a failing call is printed as a line of curl.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fillPath } from "@red/contract/route";
import { ensureDefaultMessageCode } from "#rounds/save-lookup";
import { secretBox } from "#platform/secret-box";
import { ensureSecretKey } from "#platform/config";
import { startBundle } from "#test/bundle-process";
import type { BundleProcess } from "#test/bundle-process";
import { bodyWithKnown, urlWithKnown } from "#test/contract-arbitraries";
import { callsOf, changedBody } from "#test/contract-calls";
import type { DraftCall } from "#test/contract-calls";
import type { World } from "#test/contract-fixture";
import { everyWrite } from "#test/contract-fixtures";
import type { Write } from "#test/contract-fixtures";
import { newTally } from "#test/contract-fuzz-tally";
import type { Tally } from "#test/contract-fuzz-tally";
import { newKnowledge, refreshKnowledge } from "#test/contract-knowledge";
import type { Knowledge } from "#test/contract-knowledge";
import {
  answerJudge,
  isPlatform,
  mediaTypeOf,
  operationFinder,
  operationsOf,
} from "#test/contract-openapi";
import type { Judge, JudgedAnswer, Operation } from "#test/contract-openapi";
import { curlOf } from "#test/contract-send";
import type { RawCall } from "#test/contract-send";
import { makeStage, mendStage, openSession } from "#test/contract-stage";
import { useFaultWallet } from "#test/fault-wallet";
import { closeConnections, sendOverHttp } from "#test/http-send";
import { boundOperator, PASSWORD } from "#test/operator-factory";
import { newCallers, seedCallers, signedHeaders } from "#test/test-callers";
import { TEST_SETTINGS } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { formBody } from "#test/upload";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

const CALLS = Number(process.env["PROVE_N"] ?? 1500);
const SEED = Number(process.env["PROVE_SEED"] ?? Date.now() % 2 ** 31);

/** From so many calls on, every operation must have been carried out so many times. */
const ALL_DONE_FROM = 10_000;
const DONE_AT_LEAST = 20;
const OPERATOR = "bound-op";

const t = useTestDb();
const wallet = useFaultWallet();
const callers = newCallers();
const folder = mkdtempSync(path.join(tmpdir(), "red-fuzz-"));
let server: BundleProcess | null = null;
let world: World | null = null;
/** Every call that writes, by its name: for each a call is known that is taken. */
const writes = new Map<string, Write>(everyWrite().map((write) => [write.name, write]));

/** Operators' tokens by what they open. */
interface Tokens {
  right: string;
  powerless: string;
}
const tokens: Tokens = { right: callers.token, powerless: "" };

beforeAll(async () => {
  // The last proxy's word on where a call comes from is believed, so that sign-ins come from everywhere.
  const { url, key, secret } = wallet.access;
  const environment = { TRUST_PROXY: "1", WALLET_URL: url, WALLET_KEY: key, WALLET_SECRET: secret };
  server = await startBundle(t.connection, folder, environment);
  // Some payouts are refused, so that there is something to send again.
  await wallet.control({ mode: "refuse", every: 3 });
  const secrets = secretBox(ensureSecretKey(folder));
  await ensureDefaultMessageCode(t.db, TEST_SETTINGS.redCodeDefault);
  await seedCallers(t.db, secrets, callers);
  const stage = await makeStage(t.db);
  tokens.powerless = stage.powerless;
  world = { db: t.db, stage, app: { services: { secrets } } };
  await boundOperator(t.db, secrets, OPERATOR, new Date(Date.now() - 600_000));
});

afterAll(async () => {
  closeConnections();
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
});

function running(): BundleProcess {
  if (server === null) {
    throw new Error("the server runs inside tests only");
  }
  return server;
}

function staged(): World {
  if (world === null) {
    throw new Error("there is a world inside tests only");
  }
  return world;
}

function operatorHeaders(who: DraftCall["who"]): Record<string, string> {
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
      return signedHeaders(callers, "GET", "/", "");
    default:
      return who satisfies never;
  }
}

function platformHeaders(draft: DraftCall, url: string, payload: Buffer): Record<string, string> {
  const signed = signedHeaders(callers, draft.method, url, payload);
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

/** A call that is known to be taken, as it is or with some of its body changed. */
async function knownCall(draft: DraftCall, { fixture, route }: Write): Promise<RawCall> {
  const { params = {}, body, form } = await fixture.valid(staged());
  const url = fillPath(route.path, params);
  const changes = draft.known?.changes ?? [];
  const json = {
    payload: body === undefined ? null : Buffer.from(changedBody(body, changes)),
    headers: { "content-type": "application/json" },
  };
  const { payload, headers } = form === undefined ? json : await formBody(form);
  const caller = isPlatform(draft.operation)
    ? signedHeaders(callers, route.method, url, payload ?? Buffer.alloc(0))
    : { token: (await fixture.token?.(staged())) ?? tokens.right };
  const address = `192.0.2.${draft.address}`;
  return { method: route.method, url, headers: { ...caller, ...headers }, payload, address };
}

async function callOf(draft: DraftCall, knowledge: Knowledge): Promise<RawCall> {
  const { method, path: template } = draft.operation;
  const write = writes.get(`${method} ${template}`);
  if (draft.known === null || write === undefined) {
    return rawCall(draft, knowledge);
  }
  // Made-up calls may have taken a name that the fixture gives its rows.
  return await knownCall(draft, write).catch(() => rawCall(draft, knowledge));
}

function rawCall(draft: DraftCall, knowledge: Knowledge): RawCall {
  const url = urlWithKnown(draft.url, knowledge);
  const { body } = draft;
  const payload =
    typeof body === "string"
      ? Buffer.from(bodyWithKnown(body, knowledge))
      : body && Buffer.from(body);
  const caller = isPlatform(draft.operation)
    ? platformHeaders(draft, url, payload ?? Buffer.alloc(0))
    : operatorHeaders(draft.who);
  // Those of the caller come first: a signature's content type gives way to the drafted one.
  const headers = { ...caller, ...draft.headers };
  return { method: draft.method, url, headers, payload, address: `192.0.2.${draft.address}` };
}

/** What the run is watched by, call after call. */
interface Watch {
  readonly tally: Tally;
  readonly judge: Judge;
  /** The last JSON answer of each operation, for the judge to be judged by. */
  readonly kept: Map<Operation, JudgedAnswer>;
}

/** The property of one drafted call; it reads the database anew now and then. */
function propertyOf(operations: readonly Operation[], { tally, judge, kept }: Watch) {
  const reached = operationFinder(operations);
  const fixed = { username: [OPERATOR], password: [PASSWORD] };
  const knowledge = newKnowledge(fixed);
  let sent = 0;
  return fc.asyncProperty(fc.oneof(...operations.map(callsOf)), async (draft) => {
    if (sent % 50 === 0) {
      await mendStage(t.db, staged().stage);
      await refreshKnowledge(t.db, knowledge, sent);
      knowledge.set("token", [tokens.right]);
    }
    sent += 1;
    if (draft.operation.operationId.startsWith("draw.") && sent % 4 !== 0) {
      await t.db.deleteFrom("stop_switch").execute();
    }
    const call = await callOf(draft, knowledge);
    const answer = await sendOverHttp(running().url, call);
    const one = reached(call.method, call.url);
    const fault = judge(one, answer);
    if (fault !== null) {
      throw new Error(`${draft.operation.operationId}: ${fault}\n${curlOf(call)}`);
    }
    tally.add(one, answer);
    if (one !== null && mediaTypeOf(answer).endsWith("json") && answer.bytes.length > 0) {
      kept.set(one, answer);
    }
    if (call.headers["token"] === tokens.right && one?.operationId === "session.logout") {
      tokens.right = await openSession(t.db, "root-op");
    }
  });
}

function report(tally: Tally, calls: number, seconds: number): void {
  const figures = {
    seed: SEED,
    calls,
    done: tally.done,
    seconds: Math.round(seconds),
    server_mb: Math.round(running().memory()),
  };
  process.stdout.write(`${tally.lines().join("\n")}\n${JSON.stringify(figures)}\n`);
}

/** The answer with a field more, a field less, or a field of another type. */
function falsified(answer: JudgedAnswer): JudgedAnswer[] {
  const body = JSON.parse(answer.bytes.toString("utf8")) as Readonly<Record<string, unknown>>;
  const [first = ""] = Object.keys(body);
  const changed = [
    { ...body, [first]: undefined },
    { ...body, [first]: { not: "this" } },
    ...("code" in body && "data" in body ? [{ ...body, unheard: 1 }] : []),
  ];
  return changed.map((one) => ({ ...answer, bytes: Buffer.from(JSON.stringify(one)) }));
}

test(
  `${CALLS} calls made from the served description, seed ${SEED}: no 5xx, nothing off the schema`,
  async () => {
    const served = await fetch(`${running().url}/red/docs/json`);
    const operations = operationsOf(await served.json());
    const watch: Watch = { tally: newTally(operations), judge: answerJudge(), kept: new Map() };
    const begun = Date.now();
    const outcome = await fc.check(propertyOf(operations, watch), {
      numRuns: CALLS,
      seed: SEED,
      endOnFailure: true,
    });
    report(watch.tally, outcome.numRuns, (Date.now() - begun) / 1000);
    expect(outcome.errorInstance, `seed ${SEED}, call ${outcome.numRuns}`).toBeNull();
    expect(outcome.numRuns).toBe(CALLS);
    // With so many calls each operation has been carried out, or the calls made for it are no good.
    const wanted = CALLS < ALL_DONE_FROM ? 0 : DONE_AT_LEAST;
    expect(watch.tally.reachedLess(wanted)).toEqual([]);
    expect(watch.tally.doneLess(wanted)).toEqual([]);
    // The description is narrow enough to tell a wrong answer from a right one.
    const passed = [...watch.kept].flatMap(([one, answer]) =>
      falsified(answer)
        .filter((wrong) => watch.judge(one, wrong) === null)
        .map((wrong) => `${one.operationId}: ${wrong.bytes.toString("utf8").slice(0, 300)}`),
    );
    expect(passed).toEqual([]);
  },
  6 * 60 * 60_000,
);
