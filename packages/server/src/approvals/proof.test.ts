/** The types force every change to declare its proof and its risk (behaviour §16). */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { operator, route } from "@red/contract/platform/route";
import { noRisk } from "@red/engine/risk";
import type { Risk } from "@red/engine/risk";
import type { Handler } from "#platform/handlers";
import { everyRoute } from "#test/contract-routes";
import { expect, test } from "vitest";

const SRC = path.resolve(import.meta.dirname, "..");

test("a change without a proof, an act without its risk, and a risk made by hand do not compile", () => {
  const risky = {
    call: "PUT /risky",
    summary: "",
    ...operator("pool.write", "write", "risk"),
  } as const;
  const made = route(risky);
  const by = { by: "operator", permission: "pool.write" } as const;
  // @ts-expect-error A change says what it takes.
  operator("pool.write", "write");
  // @ts-expect-error A reading takes nothing.
  operator("pool.read", "read", "risk");
  // @ts-expect-error A change that is not made by `operator` says it too.
  route({ call: "PUT /risky", summary: "", auth: by, access: "write" });
  // @ts-expect-error An act says what it may cost.
  const forgetful: Handler<typeof made> = async () => Promise.resolve({ data: null });
  // @ts-expect-error Only the functions of the engine make a risk.
  const own: Risk = { cents: 0, pools: [], code: "by_sum", others: "by_sum" };
  const whole: Handler<typeof made> = async () => Promise.resolve({ data: null, risk: noRisk("") });
  expect([made.proof, own.cents, forgetful === whole]).toEqual(["risk", 0, false]);
});

test("only readings have no proof", () => {
  for (const { name, route } of everyRoute()) {
    const isReading = /^(?:read|download|stream)$/.test(route.access);
    expect([name, route.proof === null]).toEqual([name, isReading]);
  }
});

test("the list of changes without a proof is complete, with reasons", () => {
  const free = everyRoute().flatMap(({ name, route: { auth, proof } }) =>
    auth.by === "key" || proof === null || typeof proof === "string"
      ? []
      : [`${name}: ${proof.none}`],
  );
  expect(free.toSorted()).toMatchInlineSnapshot(`
    [
      "DELETE /gred/api/view/{id}: the operator's own views",
      "POST /gred/api/exclusion/file: changes nothing",
      "POST /gred/api/exclusion: stopping is never held up",
      "POST /gred/api/extratimes/accounts: changes nothing",
      "POST /gred/api/job/export: the operator's own file",
      "POST /gred/api/logout: the operator's own session",
      "POST /gred/api/prize/import/preview: changes nothing",
      "POST /gred/api/reconciliation/upload: what it finds is mended by a call that takes a proof",
      "POST /gred/api/reconciliation: what it finds is mended by a call that takes a proof",
      "POST /gred/api/ticket: the operator's own file",
      "POST /gred/api/view: the operator's own views",
      "POST /oauth/login: it signs in",
      "PUT /gred/api/approval/{id}/refuse: nothing happens but that it does not",
      "PUT /gred/api/job/seen: the operator's own list",
      "PUT /gred/api/key/{key}/revoke: takes access away",
      "PUT /gred/api/operator/{id}/disable: takes access away",
      "PUT /gred/api/operator/{id}/session/end: takes access away",
      "PUT /gred/api/own/authenticator: its own code proves it",
      "PUT /gred/api/own/session/end: ends the operator's own sessions",
      "PUT /gred/api/stop/draws: stopping is never held up",
      "PUT /gred/api/stop/everything: stopping is never held up",
      "PUT /gred/api/stop/payouts: stopping is never held up",
      "PUT /gred/api/stop/pool/{id}: stopping is never held up",
    ]
  `);
});

// Mutation testing rewrites the sources, so this test would not find the reasons.
const isMutated = process.env["STRYKER_MUTATOR_WORKER"] !== undefined;
test.skipIf(isMutated)("the list of acts without a risk is complete, with reasons", () => {
  const files = readdirSync(SRC, { recursive: true, encoding: "utf8" });
  const found = files
    .filter((file) => /(?<!\.test)\.ts$/.test(file))
    .flatMap((file) => {
      const text = readFileSync(path.join(SRC, file), "utf8");
      const whys = text.matchAll(/\b(noRisk|neverHeld|aboveAnySum)\(\s*"([^"]+)"/g);
      return [...whys].map(([, maker, why]) => `${file}: ${maker}, ${why}`);
    });
  expect(found.toSorted()).toMatchInlineSnapshot(`
    [
      "approvals/change-setting.ts: aboveAnySum, less is asked of others",
      "approvals/change-setting.ts: noRisk, the ladder is no weaker",
      "evidence/erase-player.ts: noRisk, names cost nothing",
      "finance/reconciliation-routes.ts: noRisk, it says how a difference ended",
      "finance/sign-sheet.ts: neverHeld, figures are right; a sheet has its own second person",
      "identity/api-key-routes.ts: neverHeld, takes access away",
      "identity/change-key.ts: aboveAnySum, it can earn and draw",
      "identity/change-key.ts: noRisk, it neither ingests nor draws",
      "identity/change-operator.ts: aboveAnySum, gives access",
      "identity/operator-routes.ts: neverHeld, the operator's own account",
      "payouts/change-records.ts: noRisk, nothing is paid",
      "payouts/payout-routes.ts: noRisk, nothing is paid",
      "payouts/payout-routes.ts: noRisk, the wallet is asked, and pays nothing",
      "payouts/payout-routes.ts: noRisk, what was drawn was handed over",
      "players/exclude-players.ts: aboveAnySum, one's own exclusion, before its term",
      "players/exclude-players.ts: noRisk, a pause",
      "players/extra-times-routes.ts: noRisk, fewer draws",
      "players/grant-extra-times.ts: noRisk, nobody is granted one",
      "pools/pool-routes.ts: noRisk, a name",
      "pools/pool-routes.ts: noRisk, no round uses the pool",
      "records/job-routes.ts: noRisk, a file",
      "rounds/activity-routes.ts: neverHeld, stopping is never held up",
      "rounds/activity-routes.ts: noRisk, it goes on as it was",
      "rounds/tag-routes.ts: noRisk, a name",
      "stops/stop-switches.ts: noRisk, it goes on as it was",
      "webhooks/webhook-routes.ts: noRisk, messages cost nothing",
    ]
  `);
});
