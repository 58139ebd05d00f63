/** Part 5: every money record is paid once, whatever happened before. */
import { setTimeout as sleep } from "node:timers/promises";
import { claim, claimEqual } from "./claims.ts";
import type { Signed } from "./context.ts";
import { dig } from "./json.ts";
import { sumOf } from "./money.ts";
import type { RecordRow } from "./operator.ts";

const SETTLE_MS = 240_000;

/** Waits until no money record is pending; answers all records. */
export async function settled({ operator }: Signed): Promise<RecordRow[]> {
  const giveUp = Date.now() + SETTLE_MS;
  for (;;) {
    const records = await operator.records(null);
    const open = records.filter((row) => row.award_price !== "0.00" && row.award_status === 0);
    if (open.length === 0 || Date.now() > giveUp) {
      claim("every payout comes to its end", open.length === 0, open.slice(0, 3));
      return records;
    }
    await sleep(1_000);
  }
}

async function reissue({ operator, wallet }: Signed, records: readonly RecordRow[]): Promise<void> {
  const refused = records.filter((row) => row.award_status === 2);
  const expected = [...wallet.refusedOnce].filter((number) => !wallet.credits.has(number)).sort();
  claim("the wallet refused some payouts", expected.length > 0);
  claimEqual(
    "refused payouts are failed, and only they",
    refused.map((row) => row.trans_sn).sort(),
    expected,
  );
  const paid = records.find((row) => row.award_status === 1);
  const log_ids = refused.map((row) => row.log_id);
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => operator.call("POST", "/gred/api/record/reissue", { log_ids })),
  );
  const taken = answers.reduce((all, { data }) => all + Number(dig(data, "reissued") ?? 0), 0);
  claimEqual("five re-issues of them at once take each once", taken, log_ids.length);
  const wrong = await operator.call("POST", "/gred/api/record/reissue", {
    log_ids: [paid?.log_id],
  });
  claimEqual("a paid record is not re-issued", [wrong.code, dig(wrong.data, "reissued")], [409, 0]);
}

export async function tieOut(context: Signed): Promise<void> {
  const { wallet } = context;
  await reissue(context, await settled(context));
  const records = await settled(context);
  const money = records.filter((row) => row.award_price !== "0.00");
  const states = new Set(money.map((row) => `${row.award_status} ${row.payout_state}`));
  claimEqual("every money record is paid", [...states], ["1 paid"]);
  const physical = records.filter((row) => row.award_price === "0.00");
  const waiting = new Set(physical.map((row) => `${row.award_status} ${row.payout_state}`));
  claimEqual("every physical prize waits for delivery", [...waiting], ["0 waiting_delivery"]);

  const off = money.filter((row) => {
    const credit = wallet.credits.get(row.trans_sn);
    return credit?.player_id !== row.player_id || credit.amount !== row.award_price;
  });
  claimEqual("every money record has its credit, with its player and amount", off.length, 0);
  claimEqual("the wallet has one credit per money record", wallet.credits.size, money.length);
  claimEqual(
    "the sums are equal",
    sumOf([...wallet.credits.values()].map((credit) => credit.amount)),
    sumOf(money.map((row) => row.award_price)),
  );
  claim("some answers of the wallet got lost after it had paid", wallet.lost.size > 0);
  claimEqual("the wallet was called as agreed", wallet.faults.slice(0, 5), []);
}
