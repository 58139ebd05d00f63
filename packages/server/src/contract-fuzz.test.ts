/**
 * Random valid and invalid calls, generated from the served OpenAPI description, to the server that `npm
 * start` runs. No response may have a status of 500 or above, and each response must match the description.
 * `PROVE_N` and `PROVE_SEED` set number and seed; a failing call is printed.
 */
import { ensureSecretKey } from "#platform/config";
import { secretBox } from "#platform/secret-box";
import { ensureDefaultMessageCode } from "#rounds/save-lookup";
import { startBundle } from "#test/bundle-process";
import type { BundleProcess } from "#test/bundle-process";
import { callsOf, urlOf, withChanges } from "#test/contract-calls";
import type { DraftCall, Known } from "#test/contract-calls";
import {
  answerJudge,
  isPlatform,
  mediaTypeOf,
  operationFinder,
  operationsOf,
} from "#test/contract-openapi";
import type { JudgedAnswer, Operation } from "#test/contract-openapi";
import type { RawCall } from "#test/contract-send";
import { makeWorld } from "#test/contract-world";
import type { Parts, World } from "#test/contract-world";
import { everyWrite } from "#test/contract-writes";
import { makePrize, makeRecords } from "#test/factories";
import { useFaultWallet } from "#test/fault-wallet";
import { makeFolder } from "#test/folder";
import { closeConnections, sendOverHttp } from "#test/http-send";
import { boundOperator } from "#test/operator-factory";
import { newCallers, seedCallers, signedHeaders } from "#test/test-callers";
import { TEST_SETTINGS } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { formBody } from "#test/upload";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";

const CALLS = Number(process.env["PROVE_N"] ?? 150);
const SEED = Number(process.env["PROVE_SEED"] ?? Date.now() % 2 ** 31);

/** From this number of calls on, every operation must have succeeded at least DONE_AT_LEAST times. */
const ALL_DONE_FROM = 10_000;
const DONE_AT_LEAST = 10;

const t = useTestDb();
const wallet = useFaultWallet();
const callers = newCallers();
const folder = makeFolder(afterAll);
const writes = new Map(everyWrite().map((write) => [write.name, write]));

interface Running {
  readonly server: BundleProcess;
  readonly world: World;
  /** Values that reads may ask for, with ids by resource. */
  readonly known: Known;
}
let running: Running | null = null;

async function prepare(): Promise<Running> {
  // The server trusts one proxy for the address, so that sign-ins come from many addresses.
  const { url, key, secret } = wallet.access;
  const environment = { TRUST_PROXY: "1", WALLET_URL: url, WALLET_KEY: key, WALLET_SECRET: secret };
  const server = await startBundle(t.connection, folder, environment);
  const secrets = secretBox(ensureSecretKey(folder));
  await ensureDefaultMessageCode(t.db, TEST_SETTINGS.redCodeDefault);
  await seedCallers(t.db, secrets, callers);
  await boundOperator(t.db, secrets, "bound-op", new Date(Date.now() - 600_000));
  const world = await makeWorld(t.db, secrets);
  const { over, open, player, pool_name } = world;
  const [record] = await makeRecords(t.db, over, player, [{ state: "paid" }]);
  const rounds_id = over.rounds_id;
  const known = {
    activity_id: rounds_id,
    sheet_id: rounds_id,
    prize_id: await makePrize(t.db, { pool_id: over.pool_id }),
    record_id: record?.log_id ?? 0,
    rounds_id: open.rounds_id,
    request_id: "known",
    player_id: player.player_id,
    user_name: player.user_name,
    user_names: player.user_name,
    player_name: player.user_name,
    text: player.user_name,
    activity: open.rounds_id,
    pool_name,
    month: "2024-05",
  };
  return { server, world, known };
}

beforeAll(async () => {
  running = await prepare();
  const body = JSON.stringify({
    request_id: running.known["request_id"],
    rounds_id: running.known["rounds_id"],
    player_id: running.known["player_id"],
  });
  const url = "/open/v1/draws";
  const headers = signedHeaders(callers, "POST", url, body);
  const call = { method: "POST", url, headers, payload: Buffer.from(body) };
  await sendOverHttp(running.server.url, call);
});

afterAll(async () => {
  closeConnections();
  await running?.server.stop();
});

function callerOf(draft: DraftCall, token: string, url: string, payload: Buffer) {
  const { method, who } = draft;
  const signed = signedHeaders(callers, method, url, payload);
  const isSigned = isPlatform(draft.operation) !== (who === "other family");
  const right: Record<string, string> = isSigned ? signed : { token };
  switch (who) {
    case "right":
    case "other family":
      return right;
    case "nobody":
      return {};
    case "malformed":
      return isSigned ? { ...signed, "x-nonce": "short" } : { token: "x" };
    case "bad signature":
      return isSigned ? { ...signed, "x-signature": "0".repeat(64) } : right;
    default:
      return who satisfies never;
  }
}

/** Returns the drafted body: a broken body, or a valid body with changes. */
async function bodyOf({ broken, changes }: DraftCall, { body, form }: Parts) {
  if (broken !== null) {
    return { payload: Buffer.from(broken), headers: {} };
  }
  if (form !== undefined) {
    return await formBody(form);
  }
  const json = JSON.stringify(withChanges(body ?? {}, changes));
  return { payload: Buffer.from(json), headers: {} };
}

/** Returns the newest job with a file. Erasing a player deletes such files. */
async function fileJob(): Promise<number> {
  const jobs = t.db
    .selectFrom("job")
    .where("kind", "=", "export")
    .where("ended_at", "is not", null);
  const newest = await jobs.select("id").orderBy("id", "desc").limit(1).executeTakeFirst();
  return newest?.id ?? 1;
}

async function callOf(draft: DraftCall, { world, known }: Running): Promise<RawCall> {
  const { method, path: template, operationId } = draft.operation;
  const fixture = writes.get(`${method} ${template}`)?.fixture;
  const [noun = ""] = operationId.split(".");
  const id = noun === "job" ? await fileJob() : (known[`${noun}_id`] ?? 1);
  const asked = { params: { ...known, id }, body: draft.asked };
  const parts = (await fixture?.valid(world)) ?? asked;
  const token = (await fixture?.token?.(world)) ?? callers.token;
  const url = urlOf(draft, parts.params ?? {});
  const hasBody = draft.operation.requestBody !== undefined || draft.broken !== null;
  const { payload, headers } = hasBody
    ? await bodyOf(draft, parts)
    : { payload: Buffer.alloc(0), headers: {} };
  return {
    method: draft.method,
    url,
    // The drafted content type overrides the content type of the signature.
    headers: { ...callerOf(draft, token, url, payload), ...draft.headers, ...headers },
    payload: hasBody ? payload : null,
    address: `192.0.2.${draft.address}`,
  };
}

/** Returns copies of a response with an extra, a missing or a mistyped field. */
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

function isDone({ status, bytes }: JudgedAnswer): boolean {
  const code = /^\{"code":(\d+),/.exec(bytes.subarray(0, 20).toString("utf8"))?.[1] ?? "200";
  return status < 300 && ["0", "200", "402", "407"].includes(code);
}

test(
  `${CALLS} calls made from the served description, seed ${SEED}: no 5xx, nothing off the schema`,
  async () => {
    if (running === null) {
      throw new Error("the server did not start");
    }
    const stage = running;
    const served = await fetch(`${stage.server.url}/red/docs/json`);
    const operations = operationsOf(await served.json()).filter(
      (one) => !one.path.endsWith("stream"),
    );
    const reached = operationFinder(operations);
    const judge = answerJudge();
    const done = new Map(operations.map(({ operationId }) => [operationId, 0]));
    /** The last JSON response of each operation, used to test the judge. */
    const kept = new Map<Operation, JudgedAnswer>();
    const drafts = fc.oneof(...operations.map((one) => callsOf(one, stage.known)));
    const property = fc.asyncProperty(drafts, async (draft) => {
      if (draft.operation.operationId.startsWith("draw.")) {
        await t.db.deleteFrom("stop_switch").execute();
      }
      const call = await callOf(draft, stage);
      const answer = await sendOverHttp(stage.server.url, call);
      const one = reached(call.method, call.url);
      const fault = judge(one, answer);
      if (fault !== null) {
        const sent = JSON.stringify({ ...call, payload: call.payload?.toString("utf8") });
        throw new Error(`${draft.operation.operationId}: ${fault}\n${sent}`);
      }
      if (one !== null && isDone(answer)) {
        done.set(one.operationId, (done.get(one.operationId) ?? 0) + 1);
      }
      if (one !== null && mediaTypeOf(answer).endsWith("json") && answer.bytes.length > 0) {
        kept.set(one, answer);
      }
    });
    const outcome = await fc.check(property, { numRuns: CALLS, seed: SEED, endOnFailure: true });
    process.stdout.write(`${JSON.stringify({ seed: SEED, done: Object.fromEntries(done) })}\n`);
    expect(outcome.errorInstance, `seed ${SEED}, call ${outcome.numRuns}`).toBeNull();
    expect(outcome.numRuns).toBe(CALLS);
    // After this many calls each operation should have succeeded.
    const wanted = CALLS < ALL_DONE_FROM ? 0 : DONE_AT_LEAST;
    expect([...done].filter(([, times]) => times < wanted)).toEqual([]);
    // The description must be narrow enough to reject wrong responses.
    const passed = [...kept].flatMap(([one, answer]) =>
      falsified(answer)
        .filter((wrong) => judge(one, wrong) === null)
        .map((wrong) => `${one.operationId}: ${wrong.bytes.toString("utf8").slice(0, 300)}`),
    );
    expect(passed).toEqual([]);
  },
  6 * 60 * 60_000,
);
