import { screen } from "@testing-library/react";
import { beforeAll, expect, it } from "vitest";
import type { Exclusion } from "@red/contract/players/exclusion";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import { LiftDialog } from "./lift-dialog.tsx";
import { renderApp } from "#test/app.tsx";
import { HEAD } from "#test/fixtures.ts";
import { serve, signIn } from "#test/server.ts";

beforeAll(() => signIn("player.read", "player.exclude"));

const RISK: Exclusion = {
  id: 1,
  user_name: "anna",
  kind: "risk",
  reason: "多账号",
  source: "operator",
  until: null,
  made_by: "op",
  made_at: "2026-11-20 20:00:00",
  lifted_by: null,
  lifted_at: null,
  lift_reason: null,
  in_force: true,
};
const QUEUED = {
  payout_state: "queued" as const,
  count: 2,
  amount: "1017.54",
  since: null,
  reasons: [],
  other_reasons: { count: 0, amount: "0.00" },
};
const RELEASED = "解除后将发放暂缓的 2 笔，共 1,017.54。";

it.each<[string, readonly Exclusion[], boolean]>([
  ["says which payouts it lets go", [RISK], true],
  [
    "counts those that another exclusion leaves alone",
    [RISK, { ...RISK, id: 2, kind: "self" }],
    true,
  ],
  [
    "says nothing while another exclusion holds them",
    [RISK, { ...RISK, id: 2, kind: "staff" }],
    false,
  ],
])("%s", async (_name, exclusions, isSaid) => {
  const head = { ...HEAD, exclusions: [...exclusions], payouts: [QUEUED] };
  const asked = serve(playerViewRoutes.head, head);
  renderApp(<LiftDialog exclusion={RISK} onClose={() => undefined} />);
  await expect.poll(() => asked.length).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(screen.queryByText(RELEASED) !== null).toBe(isSaid);
});
