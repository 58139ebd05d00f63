import { formatDateTime } from "@red/contract/platform/datetime";
import type { Exclusion, exclusionRoutes } from "@red/contract/players/exclusion";
import { UPLOAD_TYPES } from "@red/contract/platform/limits";
import { bytesAsNamed } from "#platform/files";
import type { Handlers } from "#platform/handlers";
import { excludePlayers, liftExclusion, previewExclusions } from "./exclude-players.ts";
import { readExclusions } from "./exclusion-file.ts";
import { selectExclusions } from "./exclusion-sql.ts";
import type { ExclusionRow } from "./exclusion-sql.ts";
import { selectClock } from "./extra-time-sql.ts";

export function toExclusion(row: ExclusionRow, timeZone: string): Exclusion {
  const { player_key: _, until, made_at, lifted_at, ...rest } = row;
  const timeOf = (at: Date | null) => (at === null ? null : formatDateTime(at, timeZone));
  return {
    ...rest,
    until: timeOf(until),
    made_at: formatDateTime(made_at, timeZone),
    lifted_at: timeOf(lifted_at),
  };
}

export const exclusionHandlers: Handlers<typeof exclusionRoutes> = {
  async list({ db, query, services }) {
    const { rows, total } = await selectExclusions(db, query);
    const { timeZone } = services.settings;
    return { data: { content: rows.map((row) => toExclusion(row, timeZone)), total } };
  },

  async preview({ db, body, services, language }) {
    const { timeZone } = services.settings;
    return { data: await previewExclusions(db, body.rows, { timeZone, language }) };
  },

  async file({ db, file, services, language }) {
    const { timeZone } = services.settings;
    const bytes = bytesAsNamed(file, UPLOAD_TYPES);
    return { data: await readExclusions(bytes, await selectClock(db), { timeZone, language }) };
  },

  async create({ tx, actor, body, services, language }) {
    const { timeZone } = services.settings;
    const reading = { timeZone, language };
    const data = await excludePlayers(tx, actor, body.rows, body.source, reading);
    return data.excluded > 0
      ? { data, msg: "excluded" }
      : { data, msg: "exclusions_none", refused: "exclusions_none" };
  },

  async lift({ tx, actor, params, body }) {
    return { ...(await liftExclusion(tx, actor, params.id, body.reason)), msg: "lifted" };
  },
};
