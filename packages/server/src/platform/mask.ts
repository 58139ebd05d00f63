/** Hides players' accounts, and what they deposited, bet and won, from operators who may not see them (behaviour §9). */
import { HIDDEN } from "@red/contract/money";
import type { Route } from "@red/contract/route";
import { numberCell } from "#tables/output-table";
import type { Cell } from "#tables/output-table";
import type { Caller } from "./handlers.ts";

/** With the wallet's texts, which may name the player. */
const ACCOUNTS: ReadonlySet<string> = new Set(
  "user_name user_names player_id our_player_id their_player_id request answer".split(" "),
);

const AMOUNTS: ReadonlySet<string> = new Set(
  `amount sum crossed missing depositTotal betlogTotal validBetAmount vaildAmount award_price cents
   our_amount their_amount totalPrice1 totalPrice2 totalPrice3`.split(/\s+/),
);

/** Sums of these on the overview. */
const SUMS_OF_PLAYERS: ReadonlySet<string> = new Set(["deposits", "bets", "breaks"]);

/** Lists of what players won; their sums may be of one player, or of one record. */
const WON = /^\/gred\/api\/(?:record\/|reconciliation\/breaks)/;

/** First and last letter of an account, so that rows of one player look alike. */
function hiddenAccount(value: unknown): unknown {
  if (typeof value === "string") {
    return value.length > 3 ? `${value.slice(0, 1)}${HIDDEN}${value.slice(-1)}` : HIDDEN;
  }
  return Array.isArray(value) ? value.map(hiddenAccount) : value;
}

/** The mask for a caller who may see everything. */
export const unmasked = <T>(answer: T): T => answer;

/**
 * Masks any answer of a route, or rows of its file, for its caller. Amounts are a player's in answers about players
 * and beside an account; prices of prizes and figures of rounds are the house's own.
 */
export function maskFor({ auth, path }: Route, { operator }: Caller): <T>(answer: T) => T {
  const sees = (name: "account.see" | "amount.see") => operator?.permissions.includes(name) ?? true;
  const seesAccounts = sees("account.see");
  const seesAmounts = sees("amount.see");
  const isOfPlayers =
    (auth.by === "operator" && auth.permission === "player.read") || WON.test(path);
  const masked = (value: unknown, isSum = false): unknown => {
    if (Array.isArray(value)) {
      return value.map((one) => masked(one));
    }
    if (typeof value !== "object" || value === null || value instanceof Date) {
      return value;
    }
    const namesPlayer = isOfPlayers || isSum || Object.keys(value).some((key) => ACCOUNTS.has(key));
    const entries = Object.entries(value).map(([key, one]) => {
      if (!seesAccounts && ACCOUNTS.has(key)) {
        return [key, hiddenAccount(one)];
      }
      const isAmount = namesPlayer && AMOUNTS.has(key) && typeof one === "string";
      return [key, isAmount && !seesAmounts ? HIDDEN : masked(one, SUMS_OF_PLAYERS.has(key))];
    });
    return Object.fromEntries(entries);
  };
  // The mask keeps the form of what it masks.
  return seesAccounts && seesAmounts ? unmasked : (answer) => masked(answer) as typeof answer;
}

/** What the caller may see of a player's name inside a text. */
export function nameFor({ operator }: Caller): (name: string) => string {
  const sees = operator?.permissions.includes("account.see") ?? true;
  return (name) => (sees ? name : String(hiddenAccount(name)));
}

export async function* maskedPages<T>(
  pages: AsyncIterable<T>,
  ...whose: Parameters<typeof maskFor>
): AsyncGenerator<T> {
  const mask = maskFor(...whose);
  for await (const page of pages) {
    yield mask(page);
  }
}

/** A number in a file, unless its reader may not see it. */
export const amountCell = (amount: string): Cell =>
  amount === HIDDEN ? HIDDEN : numberCell(amount);
