/**
 * The outcome of a payout in the demonstration: a fixed function of its number. A number always has the same outcome, and
 * every outcome that operators can see occurs.
 */
import { createHash } from "node:crypto";
import { WELL } from "./modes.ts";
import type { Control } from "./modes.ts";

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

function passingRefusal(pick: number): Control {
  const reason = PASSING_REASONS[pick % PASSING_REASONS.length] ?? PASSING_REASONS[0];
  return { ...WELL, mode: "refuse", reason };
}

function paidAfter(ms: number): Control {
  return { ...WELL, mode: "late", seconds: ms / 1_000 };
}

/** The outcome of a call for `transSn` that was refused `refusals` times before. */
export function outcomeOf(transSn: string, refusals: number): Control {
  const first = dice(transSn);
  const luck = luckOf(first.luck);
  if (luck === "refusedForGood") {
    return { ...WELL, mode: "refuse", reason: LASTING_REASON };
  }
  if (refusals > 0) {
    // A refusal is not remembered: sent again, the payout is judged again (platform-api).
    const second = dice(`${transSn}:${refusals}`);
    return second.luck < REFUSED_AGAIN
      ? passingRefusal(second.pick)
      : paidAfter(20 + second.spread * 120);
  }
  switch (luck) {
    case "refusedForNow":
      return passingRefusal(first.pick);
    case "slow":
      return paidAfter(800 + first.spread * 3_200);
    case "verySlow":
      return paidAfter(25_000);
    case "processingByCallback":
    case "processingThenRefused": {
      const settle = luck === "processingByCallback" ? "paid" : "refused";
      return { ...WELL, mode: "processing", settle, seconds: 3 + first.spread * 17 };
    }
    case "processingByQuery":
      return { ...WELL, mode: "processing", by: "query", seconds: 5 + first.spread * 10 };
    case "paidThen500":
      return { ...WELL, mode: "pay_then_500" };
    case "paid":
      return paidAfter(10 + first.spread * 60);
    default:
      return luck satisfies never;
  }
}

/** The players of `redctl wallet-check` have fixed outcomes, because its checks expect them. */
const EXAMINERS: Readonly<Record<string, Control>> = {
  "wallet-check": paidAfter(10),
  "wallet-check-refused": { ...WELL, mode: "refuse", reason: LASTING_REASON },
};

/** The outcome of this call; for players of the check always the same. */
export function outcomeOfCall(transSn: string, player_id: string, refusals: number): Control {
  return EXAMINERS[player_id] ?? outcomeOf(transSn, refusals);
}
