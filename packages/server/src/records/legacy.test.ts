import { activityRoutes } from "@red/contract/rounds/activity";
import { legacyRoutes } from "@red/contract/records/legacy";
import { prizeRoutes } from "@red/contract/pools/prize";
import { recordRoutes } from "@red/contract/records/record";
import { activityBody, prizeBody } from "#test/activity-factory";
import { cellsOf, download, openWindow, ticketFor } from "#test/downloads";
import { makePlayer, makeRecord, makeRecords, makeRound } from "#test/factories";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { describe, expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);
const pool_name = "周末池";

function idOf(answer: { readonly data: unknown }): number {
  return (answer.data as { id: number }).id;
}

describe("prizes and activities", () => {
  test("are added, listed, modified and deleted by the id of the body", async () => {
    const body = prizeBody({ pool_name });
    const added = await app.call(legacyRoutes.awardAdd, { body });
    expect(added).toMatchObject({ code: 200, msg: "添加成功" });
    const prize = idOf(added);
    const query = { pool_name };
    expect(await app.call(legacyRoutes.awardList, { query })).toEqual(
      await app.call(prizeRoutes.list, { query }),
    );
    expect(
      await app.call(legacyRoutes.awardModify, { body: { ...body, id: prize, weight: 9 } }),
    ).toEqual({ code: 200, msg: "修改成功", data: { version: 2 } });
    expect((await app.call(legacyRoutes.awardList, { query })).data).toMatchObject({
      content: [{ id: prize, weight: 9 }],
    });

    const form = activityBody({ pool_name });
    const made = await app.call(legacyRoutes.actAdd, { body: { ...form, rounds_status: 1 } });
    const round = idOf(made);
    expect(made).toMatchObject({ code: 200, msg: "添加成功" });
    const change = { ...form, id: round, rounds_name: "周末红包B" };
    expect(await app.call(legacyRoutes.actModify, { body: { ...change, version: 1 } })).toEqual({
      code: 200,
      msg: "修改成功",
      data: { version: 2 },
    });
    expect(
      await app.call(legacyRoutes.actModify, { body: { ...change, version: 1 } }),
    ).toMatchObject({ code: 409 });
    const day = { start_date: "2026-11-20" };
    const listed = await app.call(legacyRoutes.actList, { query: day });
    expect(listed).toEqual(await app.call(activityRoutes.list, { query: day }));
    expect(listed.data).toMatchObject({ content: [{ id: round, rounds_name: "周末红包B" }] });

    const deleted = { code: 200, msg: "删除成功", data: null };
    expect(await app.call(legacyRoutes.actDelete, { body: { id: round } })).toEqual(deleted);
    expect(await app.call(legacyRoutes.awardDelete, { body: { id: prize } })).toEqual(deleted);
    expect(await app.call(legacyRoutes.actDelete, { body: { id: round } })).toMatchObject({
      code: 404,
    });
    expect(await app.call(legacyRoutes.awardDelete, { body: { id: prize } })).toMatchObject({
      code: 404,
    });
  });
});

describe("records", () => {
  test("are found by the filters in the body, empty ones ignored", async () => {
    const round = await makeRound(t.db);
    const player = await makePlayer(t.db);
    await makeRecords(t.db, round, player, [{ state: "refused" }, { state: "paid" }]);
    const filters = { rounds_id: round.rounds_id, award_status: 2 } as const;
    const empty = { user_name: "", award_name: null } as object;
    const found = await app.call(legacyRoutes.recordList, { body: { ...filters, ...empty } });
    expect(found).toEqual(await app.call(recordRoutes.list, { query: filters }));
    expect(found.data).toMatchObject({ total: 1, sums: [{ award_status: 2, count: 1 }] });
  });

  test("are re-issued, whatever the ids are called", async () => {
    for (const bodyOf of [(id: number) => ({ id }), (id: number) => ({ log: `${id},77` })]) {
      const { log_id } = await makeRecord(t.db, { state: "refused" });
      const body = bodyOf(log_id) as { id: number };
      expect(await app.call(legacyRoutes.addBonus, { body })).toMatchObject({
        code: 200,
        msg: "补发成功",
        data: { reissued: 1 },
      });
      expect(await app.call(legacyRoutes.addBonus, { body })).toMatchObject({ code: 409 });
    }
  });

  test("are exported, by a ticket for this address", async () => {
    const round = await makeRound(t.db);
    const player = await makePlayer(t.db);
    await makeRecords(t.db, round, player, [{}, {}]);
    const filters = { rounds_id: round.rounds_id };
    expect(cellsOf(await download(app, legacyRoutes.recordExport, filters))).toEqual(
      cellsOf(await download(app, recordRoutes.exportFile, filters)),
    );
    const newer = await ticketFor(app, recordRoutes.exportFile, filters);
    const response = await openWindow(app, legacyRoutes.recordExport, filters, newer);
    expect(response.json()).toMatchObject({ code: 403 });
  });
});
