/** Writes about operators, their own accounts, and keys of platforms. */
import { newSeed, seedPurpose } from "#identity/authenticator";
import { createKey, rotateKey } from "#identity/change-key";
import { hashPassword } from "#identity/password";
import { inTransaction } from "#platform/db/connection";
import { freshCode, openSession, unused, writes } from "#test/contract-world";
import type { Fixture, Parts, World } from "#test/contract-world";
import { makeOperator } from "#test/factories";
import { codeAt, operatorId, PASSWORD, TEST_ACTOR } from "#test/operator-factory";
import { changeRows, rowOf } from "#test/rows";

type Prepare = (world: World) => Promise<Parts>;

/** A write that also asks for the code. */
const coded = (trace: string, prepare: Prepare = async () => ({})): Fixture =>
  writes(trace, async (world) => {
    const { body, ...parts } = await prepare(world);
    return { ...parts, body: { code: await freshCode(world.db, world.secrets), ...body } };
  });

/** A new operator. */
const other = async ({ db }: World, values?: Parameters<typeof makeOperator>[2]) => ({
  params: { id: await makeOperator(db, unused("other"), values) },
});

/** A new key. */
async function key({ db, secrets }: World) {
  const given = { name: unused("key"), scopes: ["read"] };
  const made = await inTransaction(db, (tx) => createKey(tx, TEST_ACTOR, secrets, given));
  return { params: { key: made.key } };
}

/** Makes a waiting change of another operator and returns its id. */
async function waiting({ db }: World): Promise<number> {
  const values = {
    call: "PUT /gred/api/stop/draws/start",
    input: JSON.stringify({ params: {}, body: {}, fields: {}, filename: null }),
    maker_id: await makeOperator(db, unused("maker")),
    made_by: "maker",
    expires_at: new Date(Date.now() + 60_000),
    reason: "r",
    risk_cents: 0,
    plan: "[]",
  };
  const insert = db.insertInto("approval").values(values).returning("id");
  return (await insert.executeTakeFirstOrThrow()).id;
}

export const PEOPLE_WRITES: Readonly<Record<string, Fixture>> = {
  "POST /gred/api/operator": coded("create_operator operator after", async () => ({
    body: { name: unused("new"), roles: ["support"] },
  })),
  "PUT /gred/api/operator/{id}/roles": coded(
    "change_roles operator before after",
    async (world) => ({
      ...(await other(world)),
      body: { roles: ["finance"] },
    }),
  ),
  "PUT /gred/api/operator/{id}/disable": writes("disable_operator operator before after", other),
  "PUT /gred/api/operator/{id}/enable": coded("enable_operator operator before after", (world) =>
    other(world, { disabled: true }),
  ),
  "PUT /gred/api/operator/{id}/password": coded("reset_password operator after", other),
  "PUT /gred/api/operator/{id}/authenticator": coded("reset_totp operator before after", other),
  "PUT /gred/api/operator/{id}/session/end": writes(
    "end_sessions operator after",
    async (world) => {
      const { params } = await other(world);
      const { name } = await rowOf(world.db, "operator", params);
      await openSession(world.db, name);
      const session = await rowOf(world.db, "session", { operator_id: params.id });
      return { params, body: { session_id: session.id } };
    },
  ),
  "PUT /gred/api/own/password": coded("change_password operator after", async ({ db }) => {
    const password_hash = await hashPassword(PASSWORD, "root-op");
    await changeRows(db, "operator", { name: "root-op" }, { password_hash });
    return { body: { current: PASSWORD, password: `${PASSWORD} new` } };
  }),
  "POST /gred/api/own/authenticator": coded("show_seed operator"),
  "PUT /gred/api/own/authenticator": coded("bind_authenticator operator after", async (world) => {
    const [seed, id] = [newSeed(), await operatorId(world.db, "root-op")];
    const totp_pending = world.secrets.seal(seedPurpose(id), seed);
    await changeRows(world.db, "operator", { id }, { totp_pending });
    return { body: { code: codeAt(seed, new Date()) } };
  }),
  "POST /gred/api/own/recovery": coded("renew_recovery_codes operator"),
  // The run differs from the plan and is rolled back; only the row of the decision stays.
  "PUT /gred/api/approval/approve": coded("approve_change approval after", async (world) => ({
    body: { ids: [await waiting(world)] },
  })),
  "PUT /gred/api/approval/{id}/refuse": writes("refuse_change approval after", async (world) => ({
    params: { id: await waiting(world) },
    body: { reason: "no" },
  })),
  "PUT /gred/api/own/session/end": writes("end_sessions operator after", async () => ({
    body: {},
  })),
  "POST /gred/api/key": coded("create_key api_key after", async () => ({
    body: { name: unused("key"), scopes: ["read"] },
  })),
  "PUT /gred/api/key/{key}/rotate": coded("rotate_key api_key", key),
  "PUT /gred/api/key/{key}/retire": coded("retire_secret api_key", async (world) => {
    const { params } = await key(world);
    await inTransaction(world.db, (tx) => rotateKey(tx, TEST_ACTOR, world.secrets, params.key));
    return { params };
  }),
  "PUT /gred/api/key/{key}/revoke": coded("revoke_key api_key", key),
};
