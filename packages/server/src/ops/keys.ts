import { createKey, revokeKey, riskOfKey } from "#identity/change-key";
import { columns, namesOf } from "./command.ts";
import type { Call, Command, Report } from "./command.ts";
import { selectApiKeys } from "#identity/api-key-sql";
import { change, REASON } from "./change.ts";
import { apiKeyRoutes } from "@red/contract/identity/api-key";

async function create(call: Call): Promise<Report> {
  const db = await call.open("current");
  const secrets = await call.secrets(db);
  const name = call.value("name");
  const scopes = namesOf(call.value("scopes"));
  return await change(
    db,
    call,
    { route: apiKeyRoutes.create, body: { name, scopes } },
    async (tx, { actor }) => ({
      data: await createKey(tx, actor, secrets, { name, scopes }),
      risk: riskOfKey(scopes),
    }),
    (made) => ({
      json: made,
      lines: [`key:    ${made.key}`, `secret: ${made.secret}`, "the secret is shown this once"],
    }),
  );
}

async function list(call: Call): Promise<Report> {
  const keys = await selectApiKeys(await call.open("current"));
  const rows = keys.map((key) => [
    key.key,
    key.name,
    key.scopes.join(","),
    key.created_at.toISOString(),
    key.revoked_at?.toISOString() ?? "-",
  ]);
  return { json: keys, lines: columns(["key", "name", "scopes", "made", "revoked"], rows) };
}

async function revoke(call: Call): Promise<Report> {
  const key = call.value("key");
  await call.write((tx) => revokeKey(tx, call.actor, key));
  return { json: { key, revoked: true }, lines: [`key ${key} is revoked`] };
}

export const keyCommands: readonly Command[] = [
  {
    name: "keys create",
    summary: "make a key for a game platform; its secret is shown once",
    positional: "name",
    options: {
      name: { value: "NAME", help: "whose key it is", required: true },
      ...REASON,
      scopes: { value: "SCOPES", help: "some of ingest,draw,read,wallet", required: true },
    },
    run: create,
  },
  { name: "keys list", summary: "list the keys, revoked ones too", run: list },
  {
    name: "keys revoke",
    summary: "revoke a key at once",
    positional: "key",
    options: { key: { value: "KEY", help: "the key, rk_…", required: true } },
    run: revoke,
  },
];
