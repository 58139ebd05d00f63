/** Routes for the rounds of a month (behaviour §6). */
import type { MonthRound } from "@red/contract/finance/month";
import type { monthRoutes } from "@red/contract/finance/month";
import { sheet } from "@red/contract/finance/sheet";
import { text } from "@red/contract/platform/texts";
import { workbookDownload } from "#platform/http/download";
import { signedIn } from "#platform/handlers";
import type { Handlers } from "#platform/handlers";
import { maskBy } from "#platform/mask";
import { signOffConflict } from "./sign-off-conflict.ts";
import { monthBefore, readMonth, totalOf } from "./month.ts";
import { inOneView } from "#platform/db/connection";
import { monthTables } from "./month-file.ts";
import { selectMonthsEnded } from "./sheet-sql.ts";
import { signSheets } from "./sign-sheet.ts";

export const monthHandlers: Handlers<typeof monthRoutes> = {
  async detail({ db, query, services, language, operator }) {
    const { timeZone } = services.settings;
    return await inOneView(db, async (view) => {
      const months = await selectMonthsEnded(view, timeZone);
      const [latest] = months;
      const opened = months.find(({ is_signed }) => !is_signed) ?? latest;
      const month = query.month ?? opened?.month ?? monthBefore(new Date(), timeZone);
      const sheets = await readMonth(view, month, timeZone, language);
      const rounds: MonthRound[] = [];
      for (const { prizes: _prizes, ...round } of sheets) {
        const { key } = await signOffConflict(view, round.rounds_id, signedIn(operator).name);
        rounds.push({ ...round, not_ready: round.not_ready ?? (key && text(key, language)) });
      }
      const with_rounds = months.map((one) => one.month);
      return { data: { month, with_rounds, rounds, total: totalOf(rounds) } };
    });
  },

  async sign({ tx, actor, body, services, language }) {
    const sheets = body.sheets.map((one) => ({ ...one, note: null }));
    const { data, risk } = await signSheets(tx, actor, sheets, services.settings.timeZone);
    const refused = data.refused.map(({ rounds_id, key }) => ({
      rounds_id,
      msg: text(key, language),
    }));
    return { data: { signed: data.signed, refused }, msg: "signed", risk };
  },

  async exportFile({ db, query, services, ...caller }) {
    const mask = maskBy(sheet.shape.exceptions.shape.content, caller);
    const tables = monthTables(db, query.month, services.settings.timeZone, mask);
    return workbookDownload(`活动月度对账-${query.month}`, tables);
  },
};
