/** Whoever may not see accounts and amounts finds none in any list or file; everybody else sees them whole. */
import { fillPath } from "@red/contract/route";
import type { Route } from "@red/contract/route";
import { openSession } from "#test/contract-world";
import { makeOperator, makePlayer, makeRecords, makeRound } from "#test/factories";
import { depositOf, feed } from "#test/ingest-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { ROUTES } from "@red/contract/routes";
import { expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);
const DAY = "2020-01-01 00:00:00";

test("a viewer's lists and files name no player and none of their money; support sees them", async () => {
  const player = await makePlayer(t.db, { player_id: "id-zhangsan-7", user_name: "zhangsan7" });
  const round = await makeRound(t.db);
  const { rounds_id } = round;
  await makeRecords(t.db, round, player, [{ state: "refused", award_price_cents: 432_109 }]);
  await feed(t.db, "deposits", [
    depositOf("id-zhangsan-7", {
      user_name: "zhangsan7",
      amount: "4321.09",
      created_at: new Date().toISOString(),
    }),
  ]);
  const reads: [Route, object, number?][] = [
    [ROUTES.record.list, { rounds_id }],
    [ROUTES.record.ids, { rounds_id }],
    [ROUTES.record.states, { rounds_id }],
    [ROUTES.record.exportFile, { rounds_id, format: "csv" }],
    [ROUTES.sheet.detail, {}, rounds_id],
    [ROUTES.sheet.exportFile, { format: "csv" }, rounds_id],
    [ROUTES.deposit.list, { user_name: "zhangsan7" }],
    [
      ROUTES.eventExport.exportFile,
      { kind: "deposit", format: "csv", start_time: DAY, end_time: "2030-01-01 00:00:00" },
    ],
    [ROUTES.playerView.head, { user_name: "zhangsan7" }],
    [ROUTES.find.find, { text: "zhangsan7" }],
    [ROUTES.watch.overview, {}],
  ];
  for (const role of ["viewer", "support"] as const) {
    await makeOperator(t.db, `mask-${role}`, { roles: [role] });
    const token = await openSession(t.db, `mask-${role}`);
    for (const [route, input, id = 0] of reads) {
      const isBody = route.body !== undefined;
      const answer = await a.app.inject({
        method: route.method,
        url: fillPath(route.path, { id }),
        headers: { token },
        ...(isBody ? { payload: input } : { query: input as Record<string, string> }),
      });
      const name = `${role} ${route.path} ${answer.body.slice(0, 300)}`;
      expect(answer.statusCode, name).toBe(200);
      expect(answer.body, name).not.toMatch(/"code":(?!200|0)/);
      // Prices and figures of a round may be seen, beside no account.
      const secret =
        route === ROUTES.watch.overview
          ? /"deposits":{"count":1,"amount":"4321.09"/
          : id === 0
            ? /zhangsan|4321\.09|4,321/
            : /zhangsan|z\*{3}7[^}\n]*4321/;
      const told = secret.test(answer.body.replaceAll("mask-", ""));
      expect(told, name).toBe(role === "support" && answer.body !== "");
    }
    const counts = [];
    for (const text of ["zhangsan", "ZHANGSAN7", "id-zhangsan-7"]) {
      const call = { method: "POST", url: ROUTES.find.find.path, headers: { token } } as const;
      const answer = await a.app.inject({ ...call, payload: { text } });
      counts.push(answer.body.split("player_id").length - 1);
    }
    expect(counts).toEqual(role === "support" ? [1, 1, 1] : [0, 1, 0]);
  }
});
