import type { StockShown } from "@red/contract/player-page";

/** Settings of this installation that rules and handlers need; never read from the environment. */
export interface Settings {
  /** Business time zone, IANA name. */
  readonly timeZone: string;
  /** In-site message code that the activity form starts with. */
  readonly redCodeDefault: string;
  /** Does the database carry the demonstration mark? */
  readonly demo: boolean;
  /** Where payouts go; `none` leaves them in the queue (behaviour §6). */
  readonly wallet: "none" | "demo" | "configured";
  /** How long the wallet is trusted to remember a `trans_sn` (behaviour §6). */
  readonly walletRetentionDays: number;
  /** How platforms are told the stock of prizes. */
  readonly prizeStockShown: StockShown;
  /** May a download's address carry an access token, as clients of the older calls send it? */
  readonly tokenInAddress: boolean;
}
