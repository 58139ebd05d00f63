/**
 * Stop switches for all draws, all payouts, both, or the draws from one pool (behaviour §5, §6). To stop
 * takes one call; to start again takes the operator's one-time code.
 */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import { id, keptNote } from "#platform/fields";
import { plain, words } from "#platform/marks";
import { operator, route, unattended } from "#platform/route";
import type { Permitted } from "#platform/route";

/** The switches; "everything" in a call means draws and payouts. */
export const STOP_NAMES = ["draws", "payouts", "pool"] as const;
export type StopName = (typeof STOP_NAMES)[number];

export const stop = z.object({
  name: z.enum(STOP_NAMES),
  /** Set only for the switch "pool". */
  pool_id: z.nullable(z.int()),
  pool_name: z.nullable(plain()),
  stopped_at: plain(),
  stopped_by: plain(),
  reason: z.nullable(words()),
});
export type Stop = z.output<typeof stop>;

const stopBody = z.strictObject({
  reason: keptNote(),
});

const byPool = z.object({ id: id() });
const STOPS = { none: "stopping is never held up" } as const;

function stopAll(what: string, summary: string) {
  return route({
    call: `PUT /gred/api/stop/${what}`,
    summary,
    ...operator("stop.use", "write", STOPS),
    body: stopBody,
  });
}

function startAll(what: string, permitted: Permitted, summary: string) {
  return route({
    call: `PUT /gred/api/stop/${what}/start`,
    summary,
    ...operator(permitted, "write", "code"),
  });
}

export const stopSwitchRoutes = {
  list: route({
    call: "GET /gred/api/stop",
    summary: "What is stopped now: since when, by whom, and why",
    ...unattended("signed_in", "read"),
    data: listOf(stop),
  }),
  stopDraws: stopAll("draws", "Stop all draws; none commits after the answer"),
  startDraws: startAll("draws", "activity.write", "Let draws go on"),
  stopPayouts: stopAll(
    "payouts",
    "Send no more payouts; calls in flight end, and what is unclear is still asked about",
  ),
  startPayouts: startAll("payouts", "record.pay", "Let payouts go on"),
  stopEverything: stopAll("everything", "Stop all draws and all payouts at once"),
  startEverything: startAll(
    "everything",
    ["activity.write", "record.pay"],
    "Let draws and payouts go on",
  ),
  stopPool: route({
    call: "PUT /gred/api/stop/pool/{id}",
    summary: "Stop the draws from one pool, whatever rounds use it; none commits after the answer",
    ...operator("stop.use", "write", STOPS),
    params: byPool,
    body: stopBody,
  }),
  startPool: route({
    call: "PUT /gred/api/stop/pool/{id}/start",
    summary: "Let the draws from a pool go on",
    ...operator("activity.write", "write", "code"),
    params: byPool,
  }),
};
