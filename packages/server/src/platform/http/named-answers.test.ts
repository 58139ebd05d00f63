/** No reader sees a stored reference: responses, files, streams and redctl show the names of players instead. */
import { ROUTES } from "@red/contract/routes";
import { insertAudit } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import { cellsOf, download } from "#test/downloads";
import { openSession } from "#test/contract-world";
import { makeOperator, makePlayer, makeRound } from "#test/factories";
import { configOf, redctl } from "#test/redctl";
import { changeRows } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { afterAll, beforeAll, expect, test } from "vitest";
import { accountRef, referText } from "#platform/player-names";

const t = useTestDb();
const a = useTestApp(t);
const NAME = 'ann "7" 张三';
/** A reference that readers see as the account. */
let ref = "";
let rounds_id = 0;

beforeAll(async () => {
  const { player_key } = await makePlayer(t.db, { user_name: NAME });
  ref = accountRef(player_key);
  ({ rounds_id } = await makeRound(t.db));
  await t.sql`insert into stop_switch (name, stopped_by, reason)
    values ('payouts', 'root-op', ${await referText(t.db, `因${NAME}暂停`)})`;
  await t.sql`update activity set rounds_name = ${ref} where id = ${rounds_id}`;
  const by = { kind: "operator", name: "root-op", request_id: null, address: null } as const;
  const entry = { action: "exclude_players", object_type: "exclusion", after: { unknown: [ref] } };
  await inTransaction(t.db, (tx) => insertAudit(tx, { ...by, reason: `${ref} asked` }, entry));
});

afterAll(() => {
  // An aborted fetch leaves a connection without a request. The server does not see this connection as idle.
  a.app.server.closeAllConnections();
});

test("answers have the names", async () => {
  const [stop] = (await a.read(ROUTES.stopSwitch.list, {})).content;
  expect(stop?.reason).toBe(`因${NAME}暂停`);
});

test("an operator hears whom a typed text names", async () => {
  const text = `${NAME.toUpperCase()}与nobody，${NAME}`;
  const { user_names } = await a.read(ROUTES.playerView.named, { body: { text } });
  expect(user_names).toEqual([NAME]);
});

test("who sees no accounts hears of whole accounts alone, of now", async () => {
  const { player_key } = await makePlayer(t.db, { player_id: "zoe77-1", user_name: "old-zoe" });
  await changeRows(t.db, "player", { player_key }, { user_name: "Zoe78" });
  await makePlayer(t.db, { user_name: "zoe77" });
  await makeOperator(t.db, "viewer", { roles: ["viewer"] });
  const token = await openSession(t.db, "viewer");
  const named = async (text: string, headers = {}) =>
    (await a.read(ROUTES.playerView.named, { body: { text } }, headers)).user_names;
  const texts = ["zoe77-1", "of old-zoe", "zoe78 and zoe77", "zoe7"];
  const all = await Promise.all(texts.map((text) => named(text)));
  expect(all).toEqual([["Zoe78"], ["Zoe78"], ["Zoe78", "zoe77"], []]);
  const few = await Promise.all(texts.map((text) => named(text, { token })));
  expect(few).toEqual([["z***7"], [], ["Z***8", "z***7"], []]);
});

test("so do files: JSON in a cell stays JSON", async () => {
  const filters = { action: "exclude_players", format: "csv" };
  const [, row = []] = cellsOf(await download(a, ROUTES.audit.exportFile, filters));
  expect(row).toContain(`${NAME} asked`);
  expect(row.map(String)).toContain(JSON.stringify({ unknown: [NAME] }));
});

test("so do streams", async () => {
  const base = await a.app.listen({ port: 0, host: "127.0.0.1" });
  const gone = new AbortController();
  const url = `${base}${ROUTES.watch.stream.path}?topics=board:${rounds_id}`;
  const { body } = await fetch(url, { headers: { token: a.token }, signal: gone.signal });
  let sent = "";
  for await (const part of body ?? []) {
    sent += Buffer.from(part as Uint8Array).toString();
    if (sent.includes("data: ")) {
      break;
    }
  }
  gone.abort();
  expect(sent).toContain(`"rounds_name":${JSON.stringify(NAME)}`);
});

test("so does redctl", async () => {
  await t.sql`update api_key set name = ${ref} where key = ${a.key}`;
  const { out } = await redctl(() => configOf(t), "keys list --json");
  expect(JSON.stringify(JSON.parse(out))).toContain(JSON.stringify(NAME));
});
