/** After any operator call, the remaining rows name players only by references (behaviour §3). */
import { REASON_HEADER } from "@red/contract/identity/session";
import { isSigned } from "#test/contract-routes";
import { makeWorld, setBand } from "#test/contract-world";
import type { Parts, World } from "#test/contract-world";
import { everyWrite, isTaken, sendWrite } from "#test/contract-writes";
import { boundOperator } from "#test/operator-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);

const MARK = "marked-";
const WHY = `因${MARK}1申诉，见${MARK}ID1`;

let world: World;

beforeAll(async () => {
  const made = await makeWorld(t.db, a.services.secrets);
  world = { ...made, player: { ...made.player, user_name: `${MARK}1`, player_id: `${MARK}ID1` } };
  await named({});
  await boundOperator(t.db, a.services.secrets, "bound-op", new Date(Date.now() - 600_000));
});

/** Gives all players names that a search can find, and uses these names in the call. */
async function named(parts: Parts): Promise<Parts> {
  const players = await t.sql<{ player_key: number; user_name: string }>`
    select player_key, user_name from player where erased_at is null`;
  let body = JSON.stringify(parts.body ?? null)
    .replaceAll(/"(reason|note)":"[^"]*"/g, `"$1":"${WHY}"`)
    .replaceAll(/"view_name":"([^"]*)"/g, `"view_name":"${MARK}1 $1"`)
    .replaceAll('"query":{', `"query":{"user_name":"${MARK}1",`);
  for (const { player_key, user_name } of players) {
    body = body.replaceAll(`"${user_name}"`, `"${MARK.toUpperCase()}${player_key}"`);
  }
  await t.sql`update player set user_name = ${MARK} || player_key, player_id = ${`${MARK}ID`} || player_key
    where erased_at is null`;
  const form = parts.form && { ...parts.form, filename: `${MARK}1.csv` };
  return {
    ...parts,
    ...(form && { form }),
    body: (JSON.parse(body) ?? {}) as NonNullable<Parts["body"]>,
  };
}

async function tablesNaming(): Promise<string[]> {
  const tables = await t.sql<{ name: string }>`
    select c.oid::regclass::text as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and not c.relispartition`;
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const rows = await t.sql`
        select from ${sql.raw(name)} x where strpos(lower(row_to_json(x)::text), ${MARK}) > 0 limit 1`;
      return rows.length > 0 ? [name] : [];
    }),
  );
  return found.flat().toSorted();
}

test.each(["off", "0.00"])("with the second person %s, no row keeps a name", async (band) => {
  for (const write of everyWrite().filter(({ route }) => !isSigned(route))) {
    await setBand(t.db, "off");
    await t.db.deleteFrom("stop_switch").execute();
    const parts = await named(await write.fixture.valid(world));
    await setBand(t.db, band);
    const why = { [REASON_HEADER]: encodeURIComponent(WHY) };
    const answer = await sendWrite(a, world, write, parts, why);
    const { code } = answer.json<{ code: number }>();
    expect(code === 202 || isTaken(write, answer), `${write.name} ${answer.body}`).toBe(true);
  }
  await t.db.deleteFrom("job").where("kind", "=", "export").execute();
  // Saved views are deleted with the player, like exports.
  expect(await tablesNaming()).toEqual(["player", "saved_view"]);
  const [told] = await t.sql<{ count: number }>`
    select count(*) as count from audit_log where by_key and row_to_json(audit_log)::text like ${"%\uE000%"}`;
  expect(told?.count).toBeGreaterThan(40);
});
