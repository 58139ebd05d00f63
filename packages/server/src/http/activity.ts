/** Calls about activities and their groups. */
import type { activityRoutes } from "@red/contract/activity";
import { AppError } from "@red/contract/errors";
import { createActivity } from "#actions/create-activity";
import { deleteActivity } from "#actions/delete-activity";
import { pauseActivity } from "#actions/pause-activity";
import { roundProof } from "#actions/round-proof";
import { updateActivity } from "#actions/update-activity";
import { selectActivities, selectActivity, selectIsActivity, toActivity } from "#db/activity";
import { selectTags } from "#db/activity-tag";
import type { Handlers } from "#http/handlers";
import { requireSameId } from "#http/path-id";

export const activityHandlers: Handlers<typeof activityRoutes> = {
  async list({ db, query, services }) {
    const { timeZone } = services.settings;
    const { rows, total } = await selectActivities(db, query, timeZone);
    return { data: { content: rows.map((row) => toActivity(row, timeZone)), total } };
  },

  async detail({ db, params, services }) {
    const row = await selectActivity(db, params.id);
    if (row === null) {
      throw new AppError("activity_not_found");
    }
    return { data: toActivity(row, services.settings.timeZone) };
  },

  async create({ tx, actor, body, services }) {
    const id = await createActivity(tx, actor, body, services.settings.timeZone);
    return { data: { id }, msg: "added" };
  },

  async update({ tx, actor, params, body, services, language }) {
    requireSameId(params.id, { id: body.id, act_id: body.act_id }, language);
    const version = await updateActivity(tx, actor, params.id, body, services.settings.timeZone);
    return { data: { version }, msg: "saved" };
  },

  async pause({ tx, actor, params, body, language }) {
    requireSameId(params.id, { id: body.id }, language);
    await pauseActivity(tx, actor, params.id, body.rounds_status);
    return { data: null, msg: body.rounds_status === 0 ? "paused" : "resumed" };
  },

  async remove({ tx, actor, params, services }) {
    await deleteActivity(tx, actor, params.id, services.settings.timeZone);
    return { data: null, msg: "deleted" };
  },

  async proof({ db, params }) {
    if (!(await selectIsActivity(db, params.id))) {
      throw new AppError("activity_not_found");
    }
    return {
      filename: `proof-${params.id}.jsonl`,
      type: "application/jsonl; charset=utf-8",
      content: roundProof(db, params.id),
    };
  },

  async tags({ db }) {
    const tags = await selectTags(db);
    return { data: { tags: Object.fromEntries(tags.map(({ tag, label }) => [tag, label])) } };
  },
};
