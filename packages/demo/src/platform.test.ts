import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { drawRequest, drawRoutes } from "@red/contract/draws/draw";
import { betRow, depositRow, ingestRoutes, playerRow } from "@red/contract/events/ingest";
import { describe, expect, it } from "vitest";
import { startEntry, startSystem } from "./entry-process.ts";

const ROUND = {
  rounds_id: 7,
  rounds_name: "r",
  tag: "weekend",
  start_time: "2026-01-01T00:00:00Z",
  end_time: "2027-01-01T00:00:00Z",
  rule_text: "",
};

function answerTo(path: string, body: unknown): object {
  const draw = { log_id: 1, trans_sn: "t", rounds_id: 7, award_name: "a", award_price: "1.00" };
  const drawn = { ...draw, type: "virtual", created_at: "2026-01-01T00:00:00Z" };
  if (path === drawRoutes.batch.path) {
    const { draws } = drawRoutes.batch.body.parse(body);
    return { results: draws.map(() => ({ ...drawn, status: 201 })) };
  }
  if (path === drawRoutes.draw.path) {
    return drawn;
  }
  if (path.startsWith("/open/v1/rounds/")) {
    return { total: 3, already: 1, remain: 2, limited_by: null, next: null };
  }
  return path.startsWith("/open/v1/rounds")
    ? { rounds: [ROUND] }
    : { accepted: 1, updated: 0, duplicates: 0, rejected: [] };
}

/** `down` makes every single draw meet an outage. */
async function startDrawing() {
  const state = { down: false };
  const system = await startSystem(({ path, body }) =>
    state.down && path === drawRoutes.draw.path
      ? { status: 503, body: {} }
      : { status: 200, body: answerTo(path, body) },
  );
  return { ...system, state };
}

async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; !holds(); waited += 50) {
    if (waited > 20_000) {
      throw new Error("it never came to hold");
    }
    await sleep(50);
  }
}

describe("demo platform", () => {
  it("sends rows, draws, survives an outage, and does nothing when killed", async () => {
    const system = await startDrawing();
    const { told: seen, state } = system;
    const platform = startEntry(new URL("platform.ts", import.meta.url), { BASE_URL: system.url });
    const of = (path: string) => seen.filter((one) => one.path === path);
    const drawn = () => of(drawRoutes.draw.path);
    await until(() => drawn().length >= 4 && of(drawRoutes.batch.path).length > 0);

    expect(seen.map((one) => one.fault).filter((fault) => fault !== null)).toEqual([]);
    const { players } = ingestRoutes.players.body.parse(of(ingestRoutes.players.path)[0]?.body);
    expect(players.map((row) => playerRow.parse(row).user_name)).toHaveLength(60);
    const { deposits } = ingestRoutes.deposits.body.parse(of(ingestRoutes.deposits.path)[0]?.body);
    const { bets } = ingestRoutes.bets.body.parse(of(ingestRoutes.bets.path)[0]?.body);
    for (const row of [
      ...deposits.map((d) => depositRow.parse(d)),
      ...bets.map((b) => betRow.parse(b)),
    ]) {
      expect(Math.abs(Date.now() - row.created_at.getTime())).toBeLessThan(60_000);
    }

    state.down = true;
    const ids = () => drawn().map((one) => drawRequest.parse(one.body).request_id);
    const repeated = () => new Set(ids()).size < ids().length;
    await until(repeated);
    const before = seen.length;
    state.down = false;
    await until(() => seen.length > before + 10);
    expect(seen.every((one) => one.fault === null)).toBe(true);

    platform.kill("SIGKILL");
    await once(platform, "exit");
    await sleep(50);
    const count = seen.length;
    await sleep(1_500);
    expect(seen.length).toBe(count);
    system.server.close();
  }, 60_000);

  it.each(["SIGTERM", "end of its parent"])(
    "ends on %s, also while the system is down",
    async (how) => {
      const system = await startDrawing();
      const platform = startEntry(new URL("platform.ts", import.meta.url), {
        BASE_URL: system.url,
      });
      await until(() => system.told.length > 0);
      system.server.close();
      system.server.closeAllConnections();
      await sleep(300);
      expect(platform.exitCode).toBeNull();
      if (how === "SIGTERM") {
        platform.kill("SIGTERM");
      } else {
        platform.stdin.end();
      }
      const [code]: unknown[] = await once(platform, "exit");
      expect(code).toBe(0);
    },
  );
});
