/**
 * The end of the month: every round ties out against the wallet's statement, finance gets its files and signs, and the
 * database is backed up and restored.
 */
import { claim, claimEqual } from "../claims.ts";
import type { Round } from "../context.ts";
import { shown } from "../context.ts";
import { dig } from "../json.ts";
import { sumOf } from "../money.ts";
import { csvRows, sheetFigures, xlsxRows } from "../workbook.ts";
import { bookOf, roundOf, signInAgain, tieOut } from "./books.ts";
import type { Week } from "./books.ts";
import type { Figure, Sheet } from "./hands.ts";
import { LAST_WEEK } from "./monday.ts";

const DAY_MS = 86_400_000;
const NOTHING: Figure = { count: 0, amount: "0.00" };

const COLUMNS = {
  记录ID: "log_id",
  活动ID: "rounds_id",
  玩家ID: "player_id",
  账号: "user_name",
  奖品: "award_name",
  面额: "award_price",
  抽奖时间: "created_at",
  失败原因: "fail_reason",
  备注: "note",
  流水号: "trans_sn",
  钱包单号: "wallet_ref",
} as const;

/** A field of the list as written in the file. */
function written(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

async function compareFiles(week: Week, round: Round): Promise<void> {
  const { rows } = await bookOf(week.operator, round.id);
  const csv = csvRows(await week.hands.exportRecords(round, "csv"));
  const xlsx = xlsxRows(await week.hands.exportRecords(round, "xlsx"));
  claimEqual(`"${round.name}": both files have the same cells`, xlsx, csv);
  const [labels = [], ...lines] = csv;
  const places = Object.keys(COLUMNS).map((label) => labels.indexOf(label));
  const cells = lines.map((line) => places.map((place) => line[place]));
  const listed = rows.map((row) => Object.values(COLUMNS).map((field) => written(dig(row, field))));
  claimEqual(`"${round.name}": the file has the rows of the list`, cells, listed);
}

type Totals = Awaited<ReturnType<typeof tieOut>>;

/** Claims that a round's sheet equals its records, and the statement what is paid. */
async function compareSheet({ hands }: Week, round: Round, totals: Totals): Promise<Sheet> {
  const { paid, pending, unknown, refused, closed, delivered, waiting } = totals;
  const add = (...figures: readonly Figure[]) => ({
    count: figures.reduce((sum, { count }) => sum + count, 0),
    amount: sumOf(figures.map(({ amount }) => amount)),
  });
  const sheet = await hands.readSheet(round);
  claimEqual(`the sheet of "${round.name}" ties out to 0.00`, sheet, {
    drawn: add(...Object.values(totals)),
    paid,
    pending: add(pending, waiting),
    unknown,
    refused,
    closed,
    delivered,
    difference: NOTHING,
    listed: paid,
    wallet_difference: NOTHING,
    agrees: true,
    signed_by: [],
  });
  const file = sheetFigures(await hands.exportSheet(round));
  claimEqual(
    `the file of the sheet of "${round.name}" says the same`,
    ["已抽出", "已到账", "差额", "对账单", "已到账与对账单之差"].map((label) => file.get(label)),
    [sheet.drawn, paid, NOTHING, paid, NOTHING],
  );
  return sheet;
}

/** Ties out every round; answers its totals, and claims that every possible heading occurred. */
async function tieOutAll(week: Week): Promise<Map<Round, Totals>> {
  const all = new Map<Round, Totals>();
  for (const round of week.rounds) {
    all.set(round, await tieOut(week, round));
  }
  const headings = [...all.values()].flatMap((totals) =>
    Object.entries(totals).flatMap(([heading, { count }]) => (count > 0 ? [heading] : [])),
  );
  claimEqual(
    "nothing is pending or unknown, and every other heading was seen",
    [...new Set(headings)].toSorted(),
    ["closed", "delivered", "paid", "refused", "waiting"],
  );
  const paid = sumOf([...all.values()].map((totals) => totals.paid.amount));
  const ledger = sumOf([...week.wallet.credits.values()].map(({ amount }) => amount));
  claimEqual("all rounds together are the wallet's ledger, to 0.00", paid, ledger);
  return all;
}

/** From the first day of the week to the day after the last, in local time. */
function spanOf({ window }: Week): { readonly from: string; readonly to: string } {
  return { from: window.start, to: shown(Date.now() + DAY_MS) };
}

export async function closeMonth(week: Week): Promise<void> {
  const { hands, operator, wallet } = week;
  const totals = await tieOutAll(week);
  const { from, to } = spanOf(week);
  claimEqual(
    "the wallet's statement has no differences",
    await hands.compareWithWallet(from, to),
    0,
  );
  const sheets = new Map<Round, Sheet>();
  for (const [round, of] of totals) {
    sheets.set(round, await compareSheet(week, round, of));
    await compareFiles(week, round);
  }
  const records = await operator.records(null);
  const drawn = [...week.heard.values()].reduce((sum, round) => sum + round.size, 0);
  claimEqual("there is no record beside those of the week", records.length, drawn);

  const last = roundOf(week, LAST_WEEK);
  await hands.signSheet(last);
  const { username } = week.admin;
  sheets.set(last, { ...(await hands.readSheet(last)), signed_by: [username] });

  await week.restore();
  await signInAgain(week);
  for (const [round, sheet] of sheets) {
    const again = await hands.readSheet(round);
    claimEqual(`after the restore the sheet of "${round.name}" is the same`, again, sheet);
    await tieOut(week, round);
  }
  claimEqual("the wallet was called as agreed", wallet.faults.slice(0, 5), []);
  const verified = await week.redctl("verify");
  claim("redctl verify finds every invariant held", verified.code === 0, verified);
}
