/**
 * The demo wallet's outcome for a payout: a fixed function of its number, so that a number always gets the
 * same outcome and every outcome that operators may see occurs.
 */
import { createHash } from "node:crypto";
import type { PayoutCall } from "@red/contract/payout";

export type Outcome =
  | { readonly kind: "pay"; readonly answerAfterMs: number }
  | { readonly kind: "pay_then_500" }
  | { readonly kind: "refuse"; readonly reason: string }
  | {
      readonly kind: "processing";
      /** Its result once it is due. */
      readonly settle: "paid" | "refused";
      readonly reason: string | null;
      /** `callback`: a callback is sent when it is due; `query`: a query settles it. */
      readonly by: "callback" | "query";
      readonly dueAfterMs: number;
    };

const PASSING_REASONS = [
  "account frozen",
  "account under review",
  "daily credit limit reached",
  "wallet being migrated",
] as const;
const LASTING_REASON = "account closed";

/** Per mille of first calls, in order; the rest is paid at once. */
const SHARES = {
  refusedForNow: 40,
  refusedForGood: 5,
  slow: 40,
  verySlow: 5,
  processingByCallback: 20,
  processingThenRefused: 5,
  processingByQuery: 15,
  paidThen500: 5,
} as const;
type Luck = keyof typeof SHARES | "paid";

/** Per mille of re-issues after a temporary refusal that are refused again. */
const REFUSED_AGAIN = 120;

/** Three numbers from a text, always the same: two of 0 … 999 and one of 0 … 1. */
function dice(text: string) {
  const digest = createHash("sha256").update(text).digest();
  return {
    luck: digest.readUInt32BE(0) % 1000,
    pick: digest.readUInt32BE(4) % 1000,
    spread: digest.readUInt32BE(8) / 2 ** 32,
  };
}

function luckOf(roll: number): Luck {
  let below = 0;
  for (const [luck, share] of Object.entries(SHARES)) {
    below += share;
    if (roll < below) {
      // Object.entries widens the keys of the table to string.
      return luck as Luck;
    }
  }
  return "paid";
}

function passingRefusal(pick: number): Outcome {
  const reason = PASSING_REASONS[pick % PASSING_REASONS.length] ?? PASSING_REASONS[0];
  return { kind: "refuse", reason };
}

/** The outcome of a call for `transSn` that was refused `refusals` times before. */
export function outcomeOf(transSn: string, refusals: number): Outcome {
  const first = dice(transSn);
  const luck = luckOf(first.luck);
  if (luck === "refusedForGood") {
    return { kind: "refuse", reason: LASTING_REASON };
  }
  if (refusals > 0) {
    // A refusal is not remembered: sent again, the payout is judged again (platform-api).
    const second = dice(`${transSn}:${refusals}`);
    return second.luck < REFUSED_AGAIN
      ? passingRefusal(second.pick)
      : { kind: "pay", answerAfterMs: 20 + second.spread * 120 };
  }
  switch (luck) {
    case "refusedForNow":
      return passingRefusal(first.pick);
    case "slow":
      return { kind: "pay", answerAfterMs: 800 + first.spread * 3_200 };
    case "verySlow":
      return { kind: "pay", answerAfterMs: 25_000 };
    case "processingByCallback":
    case "processingThenRefused":
      return {
        kind: "processing",
        settle: luck === "processingByCallback" ? "paid" : "refused",
        reason: luck === "processingByCallback" ? null : PASSING_REASONS[0],
        by: "callback",
        dueAfterMs: 3_000 + first.spread * 17_000,
      };
    case "processingByQuery":
      return {
        kind: "processing",
        settle: "paid",
        reason: null,
        by: "query",
        dueAfterMs: 5_000 + first.spread * 10_000,
      };
    case "paidThen500":
      return { kind: "pay_then_500" };
    case "paid":
      return { kind: "pay", answerAfterMs: 10 + first.spread * 60 };
    default:
      return luck satisfies never;
  }
}

/** Players of `redctl wallet-check`, with fixed outcomes: random ones would prove nothing. */
const EXAMINERS: Readonly<Record<string, Outcome>> = {
  "wallet-check": { kind: "pay", answerAfterMs: 10 },
  "wallet-check-refused": { kind: "refuse", reason: LASTING_REASON },
};

/** The outcome of this call; for players of the check always the same. */
export function outcomeOfCall(
  { trans_sn, player_id }: Pick<PayoutCall, "trans_sn" | "player_id">,
  refusals: number,
): Outcome {
  return EXAMINERS[player_id] ?? outcomeOf(trans_sn, refusals);
}
