/**
 * The end of the month: every round ties out against the wallet's statement, finance gets its files and signs, and the
 * database is backed up and restored.
 */
import { claim, claimEqual } from "../claims.ts";
import type { Round } from "../context.ts";
import { shown } from "../context.ts";
import { dig, listAt, numberAt, textAt } from "../json.ts";
import { sumOf } from "../money.ts";
import { operatorCall, operatorOf } from "../operator.ts";
import { csvRows, sheetFigures, xlsxRows } from "../workbook.ts";
import { roundOf, tieOut } from "./books.ts";
import type { Figure, Week } from "./books.ts";
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

async function download({ base, token }: Week, path: string): Promise<Buffer> {
  const response = await fetch(`${base}${path}`, { headers: { token } });
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || type.includes("json")) {
    throw new Error(`${path} → ${response.status} ${type}`);
  }
  return Buffer.from(await response.arrayBuffer());
}

async function compareFiles(week: Week, round: Round): Promise<void> {
  const { rows } = await week.operator.book(round.id);
  const path = `/gred/api/record/export?rounds_id=${round.id}&format=`;
  const csv = csvRows(await download(week, `${path}csv`));
  const xlsx = xlsxRows(await download(week, `${path}xlsx`));
  claimEqual(`"${round.name}": both files have the same cells`, xlsx, csv);
  const [labels = [], ...lines] = csv;
  const places = Object.keys(COLUMNS).map((label) => labels.indexOf(label));
  const cells = lines.map((line) => places.map((place) => line[place]));
  const listed = rows.map((row) => Object.values(COLUMNS).map((field) => written(dig(row, field))));
  claimEqual(`"${round.name}": the file has the rows of the list`, cells, listed);
}

type Totals = Awaited<ReturnType<typeof tieOut>>;

/** The parts of a round's sheet that the week checks. */
async function readSheet({ operator }: Week, { id }: Round) {
  const sheet = await operator.data("GET", `/gred/api/act/${id}/sheet`, null);
  const figure = (...at: readonly string[]) => ({
    count: numberAt(sheet, ...at, "count"),
    amount: textAt(sheet, ...at, "amount"),
  });
  return {
    drawn: figure("drawn"),
    paid: figure("lines", "paid"),
    pending: figure("lines", "pending"),
    unknown: figure("lines", "unknown"),
    refused: figure("lines", "refused"),
    closed: figure("lines", "closed"),
    delivered: figure("lines", "delivered"),
    difference: figure("difference"),
    listed: figure("wallet", "listed"),
    wallet_difference: figure("wallet", "difference"),
    agrees: dig(sheet, "wallet", "covered") === true && dig(sheet, "wallet", "open_breaks") === 0,
    signed_by: listAt(sheet, "sign_offs")
      .filter((sign) => dig(sign, "is_current") === true)
      .map((sign) => textAt(sign, "signed_by")),
  };
}

type Sheet = Awaited<ReturnType<typeof readSheet>>;

/** Claims that a round's sheet equals its records, and the statement what is paid. */
async function compareSheet(week: Week, round: Round, totals: Totals): Promise<Sheet> {
  const { paid, pending, unknown, refused, closed, delivered, waiting } = totals;
  const add = (...figures: readonly Figure[]) => ({
    count: figures.reduce((sum, { count }) => sum + count, 0),
    amount: sumOf(figures.map(({ amount }) => amount)),
  });
  const sheet = await readSheet(week, round);
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
  const file = sheetFigures(
    await download(week, `/gred/api/act/${round.id}/sheet/export?format=xlsx`),
  );
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

async function signSheet({ authenticator, operator }: Week, { id }: Round): Promise<void> {
  const hash = textAt(await operator.data("GET", `/gred/api/act/${id}/sheet`, null), "hash");
  const code = await authenticator.code();
  await operator.data("POST", `/gred/api/act/${id}/sheet/sign`, { hash }, code);
}

/** A restored database has no sessions. */
async function signInAgain(week: Week): Promise<void> {
  const { admin, authenticator, base } = week;
  const credentials = { ...admin, pid: "2", code: await authenticator.code() };
  const answer = await operatorCall(base, "POST", "/oauth/login", credentials);
  week.token = textAt(answer.data, "access_token");
  week.operator = operatorOf(base, week.token);
}

export async function closeMonth(week: Week): Promise<void> {
  const { operator, wallet } = week;
  const totals = await tieOutAll(week);
  const compared = await operator.data("POST", "/gred/api/reconciliation", spanOf(week));
  claimEqual("the wallet's statement has no differences", dig(compared, "breaks"), 0);
  const sheets = new Map<Round, Sheet>();
  for (const [round, of] of totals) {
    sheets.set(round, await compareSheet(week, round, of));
    await compareFiles(week, round);
  }
  const records = await operator.records(null);
  const drawn = [...week.heard.values()].reduce((sum, round) => sum + round.size, 0);
  claimEqual("there is no record beside those of the week", records.length, drawn);

  const last = roundOf(week, LAST_WEEK);
  await signSheet(week, last);
  const { username } = week.admin;
  sheets.set(last, { ...(await readSheet(week, last)), signed_by: [username] });

  await week.restore();
  await signInAgain(week);
  for (const [round, sheet] of sheets) {
    const again = await readSheet(week, round);
    claimEqual(`after the restore the sheet of "${round.name}" is the same`, again, sheet);
    await tieOut(week, round);
  }
  claimEqual("the wallet was called as agreed", wallet.faults.slice(0, 5), []);
  const verified = await week.redctl("verify");
  claim("redctl verify finds every invariant held", verified.code === 0, verified);
}
