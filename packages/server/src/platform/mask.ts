/** Hides players' accounts, and what they deposited and bet, from operators who may not see them (behaviour §9). */
import type { Route } from "@red/contract/route";
import type { Caller } from "./handlers.ts";

/** With the wallet's texts, which may name the player. */
const ACCOUNTS: ReadonlySet<string> = new Set(
  "user_name user_names player_id our_player_id their_player_id request answer".split(" "),
);

/** Of answers about players. Prizes are the house's own money. */
const AMOUNTS: ReadonlySet<string> = new Set(
  `amount sum crossed missing depositTotal betlogTotal validBetAmount vaildAmount
   totalPrice1 totalPrice2 totalPrice3`.split(/\s+/),
);

export const HIDDEN = "***";

/** First and last letter of an account, so that rows of one player look alike. */
function hiddenAccount(value: unknown): unknown {
  if (typeof value === "string") {
    return value.length > 3 ? `${value.slice(0, 1)}${HIDDEN}${value.slice(-1)}` : HIDDEN;
  }
  return Array.isArray(value) ? value.map(hiddenAccount) : value;
}

/** Masks any answer of a route, or rows of its file, for its caller. */
export function maskFor(route: Route, { operator }: Caller): <T>(answer: T) => T {
  const sees = (name: "account.see" | "amount.see") => operator?.permissions.includes(name) ?? true;
  const seesAccounts = sees("account.see");
  const seesAmounts =
    sees("amount.see") || route.auth.by !== "operator" || route.auth.permission !== "player.read";
  const masked = (value: unknown): unknown => {
    if (Array.isArray(value)) {
      return value.map(masked);
    }
    if (typeof value !== "object" || value === null || value instanceof Date) {
      return value;
    }
    const entries = Object.entries(value).map(([key, one]) => {
      if (!seesAccounts && ACCOUNTS.has(key)) {
        return [key, hiddenAccount(one)];
      }
      const isAmount = !seesAmounts && AMOUNTS.has(key) && typeof one === "string";
      return [key, isAmount ? HIDDEN : masked(one)];
    });
    return Object.fromEntries(entries);
  };
  // The mask keeps the form of what it masks.
  return (answer) => (seesAccounts && seesAmounts ? answer : (masked(answer) as typeof answer));
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
