import type { activityRoutes, overlapAsked } from "@red/contract/rounds/activity";
import { parseDateTime } from "@red/contract/platform/datetime";
import { found } from "@red/contract/platform/errors";
import { formatCents } from "@red/contract/platform/money";
import { neverHeld, noRisk } from "@red/engine/risk";
import {
  copyActivity,
  createActivity,
  deleteActivity,
  pauseActivity,
  updateActivity,
} from "./change-activity.ts";
import { selectActivities, selectActivity, selectLargest, toActivity } from "./activity-sql.ts";
import { selectRoundSave } from "#pools/last-save-sql";
import { selectLookups } from "./lookup-sql.ts";
import { selectOverlaps } from "./overlap-sql.ts";
import type { ComparedRound } from "./overlap-sql.ts";
import { requireSameId } from "#platform/handlers";
import type { Handlers } from "#platform/handlers";
import type * as z from "zod/mini";

/** The round being edited. A field that is still empty matches no other round. */
function comparedRoundOf(body: z.output<typeof overlapAsked>, timeZone: string): ComparedRound {
  const ms = (text: string) => parseDateTime(text, timeZone)?.getTime() ?? Number.NaN;
  return {
    id: body.id ?? 0,
    pool_name: body.pool_name ?? "",
    tag: body.tag ?? "",
    condition_name: body.condition_name ?? "0",
    platforms: body.platforms,
    achieve_start_ms: ms(body.achieve_start_time),
    achieve_end_ms: ms(body.achieve_end_time),
    start_ms: ms(body.start_time),
    end_ms: ms(body.end_time),
  };
}

export const activityHandlers: Handlers<typeof activityRoutes> = {
  async list({ db, query, services }) {
    const { timeZone } = services.settings;
    const { rows, total } = await selectActivities(db, query, timeZone);
    const content = rows.map((row) => ({ ...toActivity(row, timeZone), pool_gate: row.pool_gate }));
    return { data: { content, total } };
  },

  async detail({ db, params, services }) {
    const row = found(await selectActivity(db, params.id), "activity_not_found");
    return { data: toActivity(row, services.settings.timeZone) };
  },

  async lastSave({ db, params, services }) {
    return { data: await selectRoundSave(db, params.id, services.settings.timeZone) };
  },

  async create({ tx, actor, body, services }) {
    const { timeZone } = services.settings;
    return { ...(await createActivity(tx, actor, body, timeZone)), msg: "added" };
  },

  async update({ tx, actor, params, body, language, services }) {
    requireSameId(params.id, { id: body.id, act_id: body.act_id }, language);
    const { timeZone } = services.settings;
    return { ...(await updateActivity(tx, actor, params.id, body, timeZone)), msg: "saved" };
  },

  async pause({ tx, actor, params, body, language }) {
    requireSameId(params.id, { id: body.id }, language);
    await pauseActivity(tx, actor, params.id, body.rounds_status);
    return body.rounds_status === 0
      ? { data: null, msg: "paused", risk: neverHeld("stopping is never held up") }
      : { data: null, msg: "resumed", risk: noRisk("it goes on as it was") };
  },

  async overlap({ db, body, services }) {
    const { timeZone } = services.settings;
    const content = await selectOverlaps(db, comparedRoundOf(body, timeZone), timeZone);
    return { data: { content, total: content.length } };
  },

  async largest({ db, query }) {
    const cents = await selectLargest(db, query.source);
    return { data: { amount: cents === null ? null : formatCents(cents) } };
  },

  async copy({ tx, actor, params, body, services }) {
    const { timeZone } = services.settings;
    return { ...(await copyActivity(tx, actor, params.id, body, timeZone)), msg: "added" };
  },

  async remove({ tx, actor, params, services }) {
    const { timeZone } = services.settings;
    return { ...(await deleteActivity(tx, actor, params.id, timeZone)), msg: "deleted" };
  },

  async tags({ db }) {
    const tags = await selectLookups(db, "tag");
    return { data: { tags: Object.fromEntries(tags.map(({ tag, label }) => [tag, label])) } };
  },
};
