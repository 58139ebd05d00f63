/** Writes of rounds, pools, prizes, groups, message codes and stop switches. */
import { freshCode, unused, writes } from "#test/contract-world";
import type { Fixture, World } from "#test/contract-world";
import { activityBody, prizeBody } from "#test/activity-factory";
import { insertedId, makePool, makePrize, makeRound } from "#test/factories";
import { operatorId } from "#test/operator-factory";

const activity = ({ pool_name }: World) =>
  activityBody({ pool_name, rounds_name: unused("round") });
const prize = (pool_name: string) => prizeBody({ pool_name, award_name: unused("prize") });

const savedActivity = async (world: World) => ({
  params: { id: world.paused.rounds_id },
  body: activity(world),
});

async function aPool({ db }: World) {
  const pool_name = unused("pool");
  return { pool_name, id: await makePool(db, { pool_name }) };
}

async function aPrize(world: World) {
  const { id: pool_id, pool_name } = await aPool(world);
  return { pool_name, params: { id: await makePrize(world.db, { pool_id }) } };
}

function stopping(name: string, ofPool: boolean): Fixture {
  return writes(`stop_${name} ${ofPool ? "pool" : "stop_switch"} before after`, async (world) => {
    await world.db.deleteFrom("stop_switch").execute();
    return { body: {}, ...(ofPool && { params: { id: world.over.pool_id } }) };
  });
}

function starting(name: string, ofPool: boolean): Fixture {
  return writes(`start_${name} ${ofPool ? "pool" : "stop_switch"} before after`, async (world) => {
    const { db, over, secrets } = world;
    const by = { stopped_by: "root-op", reason: null };
    await db.deleteFrom("stop_switch").execute();
    await db
      .insertInto("stop_switch")
      .values([
        { name: "draws", pool_id: null, ...by },
        { name: "payouts", pool_id: null, ...by },
        { name: "pool", pool_id: over.pool_id, ...by },
      ])
      .execute();
    const body = { code: await freshCode(db, secrets) };
    return { body, ...(ofPool && { params: { id: over.pool_id } }) };
  });
}

/** One prize, valid in every column. */
const prizeFile = async () => ({
  form: {
    filename: "prizes.csv",
    bytes: `奖品,奖品额度,权重,奖品总数,是否保底\n${unused("row")},8.88,10,5,否\n`,
    fields: { pool_name: unused("pool") },
  },
});

const created = writes("create_activity activity after", async (world) => ({
  body: { ...activity(world) },
}));
const deleted = async ({ db }: World) => {
  const { rounds_id } = await makeRound(db, { rounds_status: 0 });
  return { id: rounds_id };
};
const prizeCreated = writes("create_prize prize after", async () => ({
  body: { ...prize(unused("pool")) },
}));

export const ROUND_WRITES: Readonly<Record<string, Fixture>> = {
  "POST /gred/api/act": created,
  "POST /red/act/add": created,
  "PUT /gred/api/act/update/{id}": writes("update_activity activity before after", savedActivity),
  "POST /red/act/modify": writes("update_activity activity before after", async (world) => {
    const { params, body } = await savedActivity(world);
    return { body: { ...body, ...params } };
  }),
  "PUT /gred/api/act/pause/{id}": writes("pause_activity activity before after", async (world) => ({
    params: { id: (await makeRound(world.db)).rounds_id },
    body: { rounds_status: 0 },
  })),
  "POST /gred/api/act/{id}/copy": writes("copy_activity activity after", async (world) => ({
    params: { id: world.paused.rounds_id },
    body: { start_date: "2026-11-27", rounds_name: unused("copy"), pool_name: unused("copy") },
  })),
  "DELETE /gred/api/act/{id}": writes("delete_activity activity before", async (world) => ({
    params: await deleted(world),
  })),
  "POST /red/act/delete": writes("delete_activity activity before", async (world) => ({
    body: await deleted(world),
  })),
  "POST /gred/api/pool": writes("create_pool pool after", async () => ({
    body: { pool_name: unused("pool") },
  })),
  "POST /gred/api/pool/save": writes("save_pool pool before after", async (world) => {
    const { pool_name: _, ...row } = prize("");
    return { body: { pool_name: (await aPool(world)).pool_name, rows: [row] } };
  }),
  "POST /gred/api/pool/{id}/restore": writes("restore_pool pool before after", async ({ db }) => {
    const { pool_id } = await makeRound(db, { rounds_status: 0 });
    await db.insertInto("pool_version").values({ pool_id, version: 1, prizes: "[]" }).execute();
    return { params: { id: pool_id }, body: { version: 1 } };
  }),
  "PUT /gred/api/setting/{key}": writes("save_setting setting before after", async (world) => {
    const { db, secrets } = world;
    // Saving the present values changes nothing.
    await db.deleteFrom("setting").where("key", "=", "guard_sum").execute();
    const code = await freshCode(db, secrets);
    return { params: { key: "guard_sum" }, body: { value: "12345", code } };
  }),
  "PUT /gred/api/pool/{id}": writes("rename_pool pool before after", async (world) => ({
    params: { id: (await aPool(world)).id },
    body: { pool_name: unused("pool") },
  })),
  "DELETE /gred/api/pool/{id}": writes("delete_pool pool before", async (world) => ({
    params: { id: (await aPool(world)).id },
  })),
  "POST /gred/api/pool/{id}/copy": writes("copy_pool pool after", async (world) => ({
    params: { id: (await aPool(world)).id },
    body: { pool_name: unused("copy") },
  })),
  "POST /gred/api/prize": prizeCreated,
  "POST /red/award/add": prizeCreated,
  "PUT /gred/api/prize/{id}": writes("update_prize prize before after", async (world) => {
    const { params, pool_name } = await aPrize(world);
    return { params, body: { ...prize(pool_name) } };
  }),
  "POST /red/award/modify": writes("update_prize prize before after", async (world) => {
    const { params, pool_name } = await aPrize(world);
    return { body: { ...prize(pool_name), ...params } };
  }),
  "PUT /gred/api/prize/{id}/stock": writes("add_stock prize before after", async (world) => ({
    params: (await aPrize(world)).params,
    body: { add: 5 },
  })),
  "DELETE /gred/api/prize/{id}": writes("delete_prize prize before", async (world) => ({
    params: (await aPrize(world)).params,
  })),
  "POST /red/award/delete": writes("delete_prize prize before", async (world) => ({
    body: (await aPrize(world)).params,
  })),
  "POST /gred/api/prize/import": writes("import_prizes pool before after", prizeFile),
  "POST /gred/api/prize/import/preview": { valid: prizeFile, trace: { none: "only a look" } },
  "POST /gred/api/view": writes("create_saved_view saved_view after", async () => ({
    body: { page: "record", view_name: unused("view"), search: "?award_status=2" },
  })),
  "DELETE /gred/api/view/{id}": writes("delete_saved_view saved_view before", async ({ db }) => {
    const operator_id = await operatorId(db, "root-op");
    const view = { page: "record", view_name: unused("view"), search: "?award_status=2" };
    const id = await insertedId(db.insertInto("saved_view").values({ operator_id, ...view }));
    return { params: { id } };
  }),
  "POST /gred/api/tag": writes("create_tag tag after", async () => ({
    body: { tag: unused("tag"), label: "组" },
  })),
  "PUT /gred/api/tag/{tag}": writes("rename_tag tag before after", async () => ({
    params: { tag: "dragon" },
    body: { label: unused("label") },
  })),
  "POST /gred/api/redcode": writes("create_message_code message_code after", async () => ({
    body: { red_code: unused("CODE"), label: "信" },
  })),
  "PUT /gred/api/redcode/{red_code}": writes(
    "rename_message_code message_code before after",
    async ({ db }) => {
      const red_code = unused("STAGE");
      await db.insertInto("message_code").values({ red_code, label: "before" }).execute();
      return { params: { red_code }, body: { label: "after" } };
    },
  ),
  ...Object.fromEntries(
    ["draws", "payouts", "everything"].flatMap((name) => [
      [`PUT /gred/api/stop/${name}`, stopping(name, false)],
      [`PUT /gred/api/stop/${name}/start`, starting(name, false)],
    ]),
  ),
  "PUT /gred/api/stop/pool/{id}": stopping("pool", true),
  "PUT /gred/api/stop/pool/{id}/start": starting("pool", true),
};
