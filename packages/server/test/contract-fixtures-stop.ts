/** Fixtures of the stop switches. */
import { trace } from "#test/contract-fixture";
import type { Fixture, World } from "#test/contract-fixture";
import { few } from "#test/contract-cases";
import { knownId } from "#test/contract-kinds-number";
import { freeText, passing } from "#test/contract-kinds-text";
import { freshCode } from "#test/contract-fixtures-sheet";

const NO_POOL = { against: "pool_not_found", code: 404 } as const;
const SPARE = ({ stage }: World) => ({ id: stage.spare.pool_id });

async function startAll({ db }: World): Promise<void> {
  await db.deleteFrom("stop_switch").execute();
}

async function stopAll(world: World): Promise<void> {
  await startAll(world);
  const by = { stopped_by: "root-op", reason: null };
  await world.db
    .insertInto("stop_switch")
    .values([
      { name: "draws", pool_id: null, ...by },
      { name: "payouts", pool_id: null, ...by },
      { name: "pool", pool_id: world.stage.spare.pool_id, ...by },
    ])
    .execute();
}

async function keptReason({ db }: World): Promise<Record<string, unknown>> {
  const row = await db.selectFrom("stop_switch").select("reason").executeTakeFirst();
  return { ...row };
}

function stopping(name: string, ofPool: boolean): Fixture {
  return {
    async valid(world) {
      await startAll(world);
      return { body: {}, ...(ofPool && { params: SPARE(world) }) };
    },
    fields: () => ({ reason: freeText(200, { isNullGood: true, isEmptyNull: true }) }),
    ...(ofPool && { params: () => ({ id: knownId(NO_POOL) }) }),
    kept: keptReason,
    trace: trace(`stop_${name}`, ofPool ? "pool" : "stop_switch", "before", "after"),
  };
}

function starting(name: string, ofPool: boolean): Fixture {
  return {
    async valid(world) {
      await stopAll(world);
      const body = { code: await freshCode(world) };
      return { body, ...(ofPool && { params: SPARE(world) }) };
    },
    fields: () => ({ code: few(passing()) }),
    ...(ofPool && { params: () => ({ id: knownId(NO_POOL) }) }),
    // A text that is no right code is asked for again.
    taken: [200, 402],
    trace: trace(`start_${name}`, ofPool ? "pool" : "stop_switch", "before", "after"),
  };
}

/** Fixtures of the stop switches by method and path. */
export const STOP_FIXTURES: Readonly<Record<string, Fixture>> = {
  ...Object.fromEntries(
    ["draws", "payouts", "everything"].flatMap((name) => [
      [`PUT /gred/api/stop/${name}`, stopping(name, false)],
      [`PUT /gred/api/stop/${name}/start`, starting(name, false)],
    ]),
  ),
  "PUT /gred/api/stop/pool/{id}": stopping("pool", true),
  "PUT /gred/api/stop/pool/{id}/start": starting("pool", true),
};
