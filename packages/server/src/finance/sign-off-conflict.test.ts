/** An operator who acted in a round must not sign it while another operator can. */
import { monthRoutes } from "@red/contract/finance/month";
import { sheetRoutes } from "@red/contract/finance/sheet";
import { closeRecords, reissueRecords } from "#payouts/change-records";
import { insertAudit } from "#platform/audit";
import { inTransaction } from "#platform/db/connection";
import type { Tx } from "#platform/db/connection";
import { OPERATOR as ME } from "#test/activity-factory";
import { freshCode, makeEndedRound, openSession } from "#test/contract-world";
import { makeExtraTime, makeOperator, makePlayer, makeRecords } from "#test/factories";
import { changeRows, rowOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { beforeEach, expect, test } from "vitest";
import { mendBreaks } from "./mend-breaks.ts";
import { signOffConflict } from "./sign-off-conflict.ts";
import { reconcile } from "./reconcile.ts";

const FREE = { key: null, is_alone: false };
const ALONE = { key: null, is_alone: true };
const t = useTestDb();
const a = useTestApp(t);
let made = { rounds_id: 0, log_id: 0, player_key: 0, trans_sn: "" };

beforeEach(async () => {
  const round = await makeEndedRound(t.db);
  const player = await makePlayer(t.db);
  const [record] = await makeRecords(t.db, round, player, [{ state: "refused" }]);
  made = { ...made, ...round, ...player, ...record };
  await changeRows(t.db, "operator", {}, { disabled: true });
  await changeRows(t.db, "operator", { name: ME.name }, { disabled: false });
});

/** Makes another operator who may sign, with the given changes. */
async function another(values: Parameters<typeof makeOperator>[2] = {}): Promise<string> {
  const name = `other-${made.rounds_id}`;
  const signer = { roles: ["finance" as const], totp_secret: Buffer.alloc(40) };
  await makeOperator(t.db, name, { ...signer, ...values });
  return name;
}

const inTx = (act: (tx: Tx) => Promise<unknown>) => inTransaction(t.db, act);
const own = (name = ME.name, rounds_id = made.rounds_id) => signOffConflict(t.db, rounds_id, name);
const ACTS = {
  reissue: () => inTx((tx) => reissueRecords(tx, ME, [made.log_id], 3_600_000)),
  close: () => inTx((tx) => closeRecords(tx, ME, [made.log_id], "gone")),
  grant: async (granted_by = ME.name) => {
    const { player_key, log_id: used_log_id, rounds_id: used_rounds_id } = made;
    await makeExtraTime(t.db, { player_key, granted_by, used_log_id, used_rounds_id });
  },
  async repair() {
    const [from_at, to_at] = [new Date(Date.now() - 2 * 86_400_000), new Date()];
    const paid = { amount_cents: 999, player_id: "x", paid_at: from_at, wallet_ref: null };
    const pages = [[{ trans_sn: made.trans_sn, ...paid }]];
    await reconcile(t.db, ME, { from_at, to_at, file_name: null, pages });
    const { id } = await rowOf(t.db, "reconciliation_break", { rounds_id: made.rounds_id });
    await inTx((tx) => mendBreaks(tx, ME, [id], "accepted", "said so"));
  },
};

test.each(Object.entries(ACTS))(
  "%s: another operator must sign, if there is one",
  async (act, carryOut) => {
    expect(await own()).toEqual(FREE);
    await carryOut();
    expect(await own()).toEqual(ALONE);
    const other = await another();
    expect(await own()).toEqual({ key: `sheet_own_${act}`, is_alone: false });
    expect(await own(other)).toEqual(FREE);
    expect(await own(ME.name, (await makeEndedRound(t.db)).rounds_id)).toEqual(FREE);
    // If all possible signers acted in the round, each signer may sign, because otherwise nobody could.
    await ACTS.grant(other);
    expect([await own(), await own(other)]).toEqual([ALONE, ALONE]);
  },
);

test.each([
  ["adopted", ALONE],
  ["accepted", ALONE],
  ["resolved", FREE],
] as const)("who ended a difference has acted, unless it is %s", async (end_kind, expected) => {
  await ACTS.repair();
  await changeRows(t.db, "reconciliation_break", { rounds_id: made.rounds_id }, { end_kind });
  expect(await own()).toEqual(expected);
});

test("approving a re-issue or closing is an act too", async () => {
  const approver = { ...ME, name: await another(), request_id: ME.request_id };
  const approval = { action: "approve_change", object_type: "approval", object_id: 1 };
  await ACTS.reissue();
  await inTx((tx) => insertAudit(tx, { ...approver, request_id: "elsewhere" }, approval));
  expect(await own(approver.name)).toEqual(FREE);
  await inTx((tx) => insertAudit(tx, approver, approval));
  expect(await own(approver.name)).toEqual(ALONE);
  await makeOperator(t.db, `third-${made.rounds_id}`, { totp_secret: Buffer.alloc(40) });
  expect(await own(approver.name)).toEqual({ key: "sheet_own_reissue", is_alone: false });
});

test.each<[string, Parameters<typeof makeOperator>[2]]>([
  ["is disabled", { disabled: true }],
  ["may not sign", { roles: ["operations", "risk"] }],
  ["has no authenticator", { totp_secret: null }],
])("an operator who %s is nobody else", async (_, values) => {
  await ACTS.close();
  await another(values);
  expect(await own()).toEqual(ALONE);
});

test("the sheet refuses, and says when nobody else could sign", async () => {
  const params = { id: made.rounds_id };
  const sheet = () => a.read(sheetRoutes.detail, { params });
  const sign = async (hash: string) => {
    const code = await freshCode(t.db, a.services.secrets);
    return await a.call(sheetRoutes.sign, { params, body: { hash, note: "alone" }, code });
  };
  await ACTS.close();
  const { hash } = await sheet();
  const other = await another();
  const msg = "您在本场次中关闭过记录，需由他人签核";
  const { not_ready, end_time } = await sheet();
  expect(not_ready).toBe(msg);
  const { rounds } = await a.read(monthRoutes.detail, { query: { month: end_time.slice(0, 7) } });
  expect(rounds.find(({ rounds_id }) => rounds_id === params.id)?.not_ready).toBe(msg);
  expect(await sign(hash)).toMatchObject({ code: 409, msg });
  await changeRows(t.db, "operator", { name: other }, { disabled: true });
  expect(await sign(hash)).toMatchObject({ code: 200 });
  const signed = { signed_by: ME.name, is_alone: true, is_current: true, note: "alone" };
  expect(await sheet()).toMatchObject({ not_ready: null, sign_offs: [signed] });
  const url = `/gred/api/act/${made.rounds_id}/sheet/export?format=csv`;
  const file = await a.app.inject({ url, headers: { token: a.token } });
  const viewer = { disabled: false, roles: ["viewer" as const] };
  await changeRows(t.db, "operator", { name: other }, viewer);
  const headers = { token: await openSession(t.db, other) };
  expect(file.body).toContain("player-");
  expect((await a.app.inject({ url, headers })).body).not.toContain("player-");
  const name = encodeURIComponent(`活动对账表-${made.rounds_id}.csv`);
  expect(file.headers["content-disposition"]).toContain(name);
  expect(file.body).toContain("签核人在本场次中操作过，当时无他人可签");
});
