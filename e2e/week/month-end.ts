/** The end of the month: every round ties out, and finance gets its file. */
import { claim, claimEqual } from "../outside/claims.ts";
import type { Round } from "../outside/context.ts";
import { dig } from "../outside/json.ts";
import { decimal, cents, sumOf } from "../outside/money.ts";
import { bookOf, tieOut } from "./books.ts";
import type { Heading, Week } from "./books.ts";
import { csvRows, xlsxRows } from "./sheet.ts";

/** The columns of the file that are compared with the list, by their labels. */
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

/** A field of the list as the file writes it. */
function written(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

async function download(week: Week, round: Round, format: "xlsx" | "csv"): Promise<Buffer> {
  const path = `/gred/api/record/export?rounds_id=${round.id}&format=${format}`;
  const response = await fetch(`${week.base}${path}`, { headers: { token: week.token } });
  const type = response.headers.get("content-type") ?? "";
  if (!response.ok || type.includes("json")) {
    throw new Error(`${path} → ${response.status} ${type}`);
  }
  return Buffer.from(await response.arrayBuffer());
}

async function compareFiles(week: Week, round: Round): Promise<void> {
  const { rows } = await bookOf(week.operator, round.id);
  const csv = csvRows(await download(week, round, "csv"));
  const xlsx = xlsxRows(await download(week, round, "xlsx"));
  claimEqual(`"${round.name}": both files have the same cells`, xlsx, csv);
  const [labels = [], ...lines] = csv;
  const places = Object.keys(COLUMNS).map((label) => labels.indexOf(label));
  const told = lines.map((line) => places.map((place) => line[place]));
  const listed = rows.map((row) => Object.values(COLUMNS).map((field) => written(dig(row, field))));
  claimEqual(`"${round.name}": the file has the rows of the list`, told, listed);
}

export async function closeMonth(week: Week): Promise<void> {
  const { wallet, operator } = week;
  const seen = new Set<Heading>();
  let paid = 0n;
  for (const round of week.rounds) {
    const totals = await tieOut(week, round);
    paid += cents(totals.paid.amount);
    for (const heading of [
      "paid",
      "pending",
      "unknown",
      "refused",
      "closed",
      "delivered",
      "waiting",
    ] as const) {
      if (totals[heading].count > 0) {
        seen.add(heading);
      }
    }
    await compareFiles(week, round);
  }
  const open = [...seen].sort();
  claimEqual("nothing is pending or unknown, and every other heading was seen", open, [
    "closed",
    "delivered",
    "paid",
    "refused",
    "waiting",
  ]);
  const ledger = sumOf([...wallet.credits.values()].map(({ amount }) => amount));
  claimEqual("all rounds together are the wallet's ledger, to 0.00", decimal(paid), ledger);
  const records = await operator.records(null);
  const drawn = [...week.heard.values()].reduce((sum, round) => sum + round.size, 0);
  claimEqual("there is no record beside those of the week", records.length, drawn);
  claimEqual("the wallet was called as agreed", wallet.faults.slice(0, 5), []);
  const verified = await week.redctl("verify");
  claim("redctl verify finds every invariant held", verified.code === 0, verified);
}
