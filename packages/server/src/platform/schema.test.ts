import { createHash } from "node:crypto";
import { readFile, readdir } from "node:fs/promises";
import { migrate, readSchemaState, schemaFault } from "./migrate.ts";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();

interface Stored {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly is_null: boolean }[];
}

/** Tables of migrations, without partitions and the list of migrations. */
async function selectTables(): Promise<Stored[]> {
  return await t.sql<Stored>`
    select t.relname as name,
      (select json_agg(json_build_object('name', c.attname, 'is_null', not c.attnotnull))
        from pg_attribute c
        where c.attrelid = t.oid and c.attnum > 0 and not c.attisdropped) as columns
    from pg_class t
    where t.relnamespace = 'public'::regnamespace and t.relkind in ('r', 'p')
      and not t.relispartition and t.relname not like 'schema_migration%'`;
}

test("migrating creates the functions again, whatever they had become", async () => {
  await t.sql`create or replace function payouts_stopped() returns boolean
    language sql as 'select true'`;
  expect(await migrate(t.db)).toEqual([]);
  const rows = await t.sql`select payouts_stopped() as stopped`;
  expect(rows).toEqual([{ stopped: false }]);
});

test("an older program leaves a newer schema as it is, or says that it is too old", async () => {
  await t.sql`insert into schema_migration values ('9998-newer', '')`;
  await t.sql`create or replace function payouts_stopped() returns boolean
    language sql as 'select null::boolean'`;
  expect(await migrate(t.db)).toEqual([]);
  expect(await t.sql`select payouts_stopped() as stopped`).toEqual([{ stopped: null }]);
  expect(schemaFault(await readSchemaState(t.db))).toBeNull();
  await t.sql`comment on table schema_migration is '9998-newer'`;
  await expect(migrate(t.db)).rejects.toThrow("too old for the database, which needs 9998-newer");
  await t.sql`delete from schema_migration where name = '9998-newer'`;
  await t.sql`comment on table schema_migration is null`;
  await t.sql`comment on table installation is '1000.0.0'`;
  await migrate(t.db);
  expect(await t.sql`select payouts_stopped() as stopped`).toEqual([{ stopped: null }]);
});

test("the row types name the columns of every table, and which of them may be null", async () => {
  const files = ["schema.ts", "schema-others.ts"];
  const texts = files.map((file) => readFile(new URL(file, import.meta.url), "utf8"));
  const source = (await Promise.all(texts)).join("\n");
  const typed = new Map(
    [...source.matchAll(/^ {2}(\w+): \{\n(.*?)^ {2}\};/gms)].map(([, table, body = ""]) => [
      table,
      [...body.matchAll(/^ {4}(\w+): ([^;]+);/gm)]
        .map(([, column, of = ""]) => `${column}${/\bnull\b/.test(of) ? "?" : ""}`)
        .toSorted(),
    ]),
  );
  for (const [, table, of] of source.matchAll(/^ {2}(\w+): Database\["(\w+)"\];/gm)) {
    typed.set(table, typed.get(of) ?? []);
  }
  const stored = (await selectTables()).map(({ name, columns }) => [
    name,
    columns.map((column) => `${column.name}${column.is_null ? "?" : ""}`).toSorted(),
  ]);
  expect(Object.fromEntries(typed)).toEqual(Object.fromEntries(stored));
});

const FOLDER = new URL("./migrations/", import.meta.url);

/** Migrations never change, or databases would differ. Add a line here for each new one. */
const SHA256: Readonly<Record<string, string>> = {
  "0001-promotion.sql": "f59ab8d308f8c4890e60f1b0eec9bb9c38af6e4f5656c9edaa1c2d7ab2094bb9",
  "0002-draw.sql": "e7b0a2922bdc33ffda99236e27a434569f14fe5197200347c94c648099cbf09f",
  "0003-payout-request.sql": "f3f92b938e8370095eb643dfffe4f0a20a4cd8b7a40c0a355d62ca35bd74ef95",
  "0004-ticket.sql": "c37d7d6ad0d3965604ac245a92ffce81832deb1fa31471e5f0975ee343435321",
  "0005-message-code.sql": "c1119d80c39df0a76b09f927d216e13a603a671ba4fa63fee1b78460ca6007bc",
  "0006-bet-platform.sql": "d5136cd7511e189c2ef455d92d0c936b1b9972f34202b91d12393407474cd681",
  "0007-prize-version.sql": "3f9724e2dfe12a6a01126c149e9152043e011de8b06dfae000a2c7d22bcacb03",
  "0008-draw-holds-players.sql": "4b992281fc3a807c23affca8ab5db128d5640f5aac6c042c1c0ca54321a84c47",
  "0009-stop-switch.sql": "b13943b5d75feedcb9d89892c3a54125fb311eaf7a2c65f1dbd9bb4cedd41594",
  "0011-payout-check.sql": "d79a647fdbca6430ea2ac844a3fc9567e19921ab2f98f54024da7c147858bcfe",
  "0012-wallet-health.sql": "ea43607be30a78399ed11ac77bf49f08342460f28536f8505eee428d6a352374",
  "0013-seal.sql": "027dd507066e7eb50033fd176131c7352253bba5acfbb23c6b8d37f7f5d21ff6",
  "0014-player-view.sql": "1e8c78a28728edf0c0c577c07724c418834be65ae1f6115f23bb83d26aaba33f",
  "0015-reconciliation.sql": "2fa5eef8f0bdb16bcdf3c36c8e401aa8b7cd5991cdf9a8462c36f0581258e948",
  "0016-sheet.sql": "211aeddba46f8428b9193afd04f309c54b5ecf9803ac852d6f1ce3ac7e1339a9",
  "0017-one-reconciliation.sql": "caa6a0e00986bd1721209a86b1f8c006690247266f40a48c898626f97a027f27",
  "0018-wallet-word.sql": "70370ace8890870b128fac1c2362f3c67e7d92d989412703337e2bc939c69066",
  "0019-draw-path.sql": "cf3b59dda4621abfeab49b59162847289af59d63074e4181728d141751373d0f",
  "0020-rollup.sql": "9ae7834e88f77123d0e086121c2ae7b841af4c6014e76749b2647338b1646a9d",
  "0021-event-chunk.sql": "5be91f668686cfd501f925411e6cd54b46dea9be3cd8723dc9919dcf4a9144ce",
  "0023-room.sql": "5af2b4b57ed3b8bec9401f557281bbeaa974e1a93c377d758d9ed3149a92b02f",
  "0024-record-rollup.sql": "ab62299c739f98d27fb4607bc5ced88cc9722ec040f80a22cf56301b8744ab1a",
  "0025-rollup-of-all.sql": "f89b312e011b9602696067c2db5340124cc693a5e14d3af44a7822b561a46216",
  "0028-smaller-event-chunks.sql":
    "faff7a08c3e7a98ea5d4f2d63c2da959fb902f24c890e72f036d37314cf69050",
  "0029-draw-version.sql": "9c3a22bcb42d8f89eb721a93921d25ca0b5f72aab6f4085b8caa02689803d9b0",
  "0030-payout-names.sql": "dd4786c8350d10c5bb35352f3eec10d228cb252aa16231a0e18addbd303af042",
  "0031-draws-shared.sql": "61ddc57d0b52e103f59038467df504eeeb7a55b0c7f239b7916a83fea814c6fb",
  "0034-exclusion.sql": "7f37fe85189f1630bc33fd29f4f15e0b6a2378262227c4517ead162e07c98105",
  "0036-seal-tree.sql": "5c4711b16edad164d2ff3e6aaadcb403728f66907e134983f01c501b5b1bb8df",
  "0037-request-of-draw.sql": "786f738f9c0cf2fb28c6514768394ee38302a7c000463a4940aaf74975d9e7ed",
  "0038-erase-player.sql": "eebde3db1356eed10b57edb8b1835e6c6475ff9403715fdd5615e319916e930f",
  "0039-limits.sql": "cc516aa73f82821263633350913a8b066462e9a72455c85c059145ba375f0b02",
  "0040-arrival.sql": "a4df4908d06e28010cb7c96ab762f1bb11c171530859d8c220d72ffa31469d0c",
  "0042-webhook.sql": "1906ba5a1a3e11a1932667ae3003fb4a1040008d2189368f8469aa7705c3c2d4",
  "0043-draws-of-day.sql": "6b18dc7888a0ff224bf59b729ba4fcc040a8ed6d452d05e368ad4ca7c8f5c73a",
  "0046-taken-back.sql": "d239c8de4ace837c2f54e139e27f37911c766b947311ef038c34af9bbc5ab85d",
  "0047-webhook-answer.sql": "066e2457c2cbb94c399b155744d4d790fe61324437966630f22f1e266f2bb7fc",
  "0051-job.sql": "93218fe7779a6a51bad7c691519688fdd2f4daba351faa7a38b50260ffc71dbb",
  "0054-saved-view.sql": "276b9eccedfd1e112982bd194c5b8bf5529ed35d4e5d4897c5c6d9191bd55336",
  "0055-watch.sql": "16f5791678928ab1cf527a597d43cc3d4979c5206368f4920f2b9497ff574da7",
  "0056-setting.sql": "520b01ff7d7e684caf613494c4f39a9b07e2e3687761e66da26e48b0528368c0",
  "0057-pool-saver.sql": "a11259826e8ab67cc5b3481869ec88635fb52aa27a8d206e55df5d7547d4a2f8",
  "0058-payout-rollup.sql": "6cf64243d92c3129e050f9b0cbd289e5d395b7f91f6f91fbffa432e47da7536a",
  "0059-roles.sql": "d8344c8b1d2e33d95949fab9c6663788ce94199f470119064466477fa2d16cb8",
  "0060-operators.sql": "303a666415db0bea5047ffceb64a6b0a077073348f1989999490f367a7aba7a2",
  "0061-audit-list.sql": "bb433d97badf1d349821b5971455637b41ac2f307c583248bba1968af01226e0",
  "0062-approvals.sql": "536ae5674d31c87aa02d0440777fa6cc6e30aa5248470a8bb6a993c7304220e1",
  "0065-former-name.sql": "f78cd0b8dd19889f59a8e821222883f78b853e5f01ffbce3c8e997d3df1cd7b6",
  "0069-named-by-key.sql": "efd95801648dd04dcd55c73e2af227bc6da95607059f1525c15af9534683a71f",
  "0070-nonce.sql": "9273278c975d9c9a22f2a57c3c392e013ea7cbc93ad38d8004f3dc9209d07971",
  "0071-sign-ins.sql": "db2b34a962fa8a708ba2719234fef7d23708893b030e239879c37f1fdca606d8",
  "0072-ladder.sql": "cd694f7fb39507b09ed17dc03d1b2e16b4eb5a03fbcc64bd676e1b6c702a89cb",
  "0073-risked.sql": "cacae84362cfc9bb405d833d69edf51ffc01b1248180c53f120f9bd64e86663f",
};

test("no migration is changed or removed, and a new one comes last", async () => {
  const files = (await readdir(FOLDER)).toSorted();
  const hashes = files.map(async (file) => {
    const text = await readFile(new URL(file, FOLDER));
    return [file, createHash("sha256").update(text).digest("hex")] as const;
  });
  expect(Object.fromEntries(await Promise.all(hashes))).toEqual(SHA256);
  expect(Object.keys(SHA256)).toEqual(files);
});
