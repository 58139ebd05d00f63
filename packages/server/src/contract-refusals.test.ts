/**
 * The matrix of refusals: every call that writes, every field, every odd value. What is refused is refused by
 * name and in the catalogue's words, never as a defect, and leaves every row of every table as it was; what
 * is taken is kept exactly.
 */
import { INGEST_AT_ONCE_MAX } from "@red/contract/limits";
import { hashOfAll } from "#test/contract-hash";
import type { AppWorld } from "#test/contract-fixture";
import { everyWrite, missingFixtures } from "#test/contract-fixtures";
import type { Write } from "#test/contract-fixtures";
import { freeNames, makeStage } from "#test/contract-stage";
import { partsWith, RIGHT, sendTry, triesOf, unknownFields } from "#test/contract-tries";
import type { Try } from "#test/contract-tries";
import { refusalFault, takingFault } from "#test/contract-verdicts";
import { boundOperator } from "#test/operator-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";

/** Fewer cases than this would mean that the matrix lost a part of itself. */
const CASES_MIN = 1_500;
/** Refusals that are under way at a time: as many as may feed. */
const AT_ONCE = INGEST_AT_ONCE_MAX;

const t = useTestDb();
const a = useTestApp(t);

let world: AppWorld;
const counts = { refused: 0, taken: 0 };

beforeAll(async () => {
  world = { db: t.db, app: a, stage: await makeStage(t.db) };
  await boundOperator(t.db, a.services.secrets, "bound-op", new Date(Date.now() - 600_000));
});

beforeEach(() => freeNames(t.db, world.stage));

function isRefusal({ one }: Try): boolean {
  return "refuse" in one.expect || "against" in one.expect;
}

function nameOf({ place, field, one }: Try): string {
  return `${place === "address" ? "address " : ""}${field} = ${one.label}`;
}

/** Sends refusals, some at a time; answers what is wrong with each that is not as it must be. */
async function faultsOfRefusals(write: Write, tries: readonly Try[]): Promise<string[]> {
  const parts = await write.fixture.valid(world);
  const withAudit = write.fixture.rows === undefined;
  const before = await hashOfAll(t.db, withAudit);
  const faults: string[] = [];
  for (let at = 0; at < tries.length; at += AT_ONCE) {
    const chunk = tries.slice(at, at + AT_ONCE);
    const found = await Promise.all(
      chunk.map(async (one) => {
        const fault = refusalFault(write, one, await sendTry(world, write, parts, one));
        return fault === null ? [] : [`${nameOf(one)}: ${fault}`];
      }),
    );
    faults.push(...found.flat());
  }
  if ((await hashOfAll(t.db, withAudit)) !== before) {
    faults.push(...(await changesOf(write, tries)));
  }
  return faults;
}

/** Names the refusals that change something, by sending them again one after the other. */
async function changesOf(write: Write, tries: readonly Try[]): Promise<string[]> {
  const parts = await write.fixture.valid(world);
  const withAudit = write.fixture.rows === undefined;
  const faults: string[] = [];
  let before = await hashOfAll(t.db, withAudit);
  for (const one of tries) {
    await sendTry(world, write, parts, one);
    const after = await hashOfAll(t.db, withAudit);
    if (after !== before) {
      faults.push(`${nameOf(one)}: it was refused and has changed something`);
    }
    before = after;
  }
  return faults.length > 0 ? faults : ["a refusal has changed something, and does not do it again"];
}

async function faultsOfTaking(write: Write, tries: readonly Try[]): Promise<string[]> {
  const faults: string[] = [];
  for (const one of tries) {
    const parts = await write.fixture.valid(world);
    const answer = await sendTry(world, write, parts, one);
    const sent = partsWith(write.fixture, parts, one);
    const fault = await takingFault(world, write, sent, one, answer);
    if (fault !== null) {
      faults.push(`${nameOf(one)}: ${fault}`);
    }
  }
  return faults;
}

test("every call that writes has a fixture, and every fixture a call", () => {
  expect(missingFixtures()).toEqual([]);
});

const writes = everyWrite().filter(({ route }) => route.access !== "upload");

describe.each(writes)("$name", (write) => {
  test("has every field in the table of expectations, and no other", () => {
    expect(unknownFields(world, write)).toEqual([]);
  });

  test("refuses by name and changes nothing", async () => {
    const tries = triesOf(world, write).filter(isRefusal);
    counts.refused += tries.length;
    expect(await faultsOfRefusals(write, tries)).toEqual([]);
  });

  test("keeps exactly what it takes", async () => {
    const tries = [RIGHT, ...triesOf(world, write).filter((one) => !isRefusal(one))];
    counts.taken += tries.length;
    expect(await faultsOfTaking(write, tries)).toEqual([]);
  });
});

afterAll(() => {
  process.stdout.write(`refusal matrix: ${JSON.stringify(counts)}\n`);
});

test("the matrix is whole", () => {
  expect(counts.refused + counts.taken).toBeGreaterThanOrEqual(CASES_MIN);
});
