/**
 * What the operator of the week does, whichever way: by the documented calls (by-calls.ts), or on the
 * screens (e2e/stories/week-screens). The days are told once, and each deed ends when its answer was seen.
 */
import type { Round, Window } from "../context.ts";
import type { Prize, RoundWish } from "../setup.ts";
import type { Player } from "./books.ts";

/** Last week's round for tonight: what the copy has in place of its own. */
export interface Tonight {
  readonly rounds_name: string;
  readonly pool_name: string;
  readonly condition_times: number;
  readonly start_time: string;
  readonly end_time: string;
}

/** Why a player has as many draws as there are. */
export interface Chances {
  readonly total: number;
  readonly already: number;
  readonly remain: number;
  /** By the number of the deposit: "counted", or why it is not. */
  readonly deposits: Readonly<Record<string, string>>;
}

/** The wallet in trouble. */
export interface Trouble {
  /** `HH:mm:ss` on the business clocks. */
  readonly since: string;
  readonly count: number;
  readonly amount: string;
}

export interface Grant {
  readonly user_names: readonly string[];
  readonly tag: string;
  readonly expire_time: string;
}

export interface Granted {
  readonly granted: number;
  readonly unknown: readonly string[];
  readonly doubled: readonly string[];
}

/** A record, as it is pointed at. */
export interface Pointed {
  readonly log_id: number;
  readonly rounds_id: number;
  readonly user_name: string;
}

export interface Figure {
  readonly count: number;
  readonly amount: string;
}

/** The sheet of a round, as far as the week reads it. */
export interface Sheet {
  readonly drawn: Figure;
  readonly paid: Figure;
  readonly pending: Figure;
  readonly unknown: Figure;
  readonly refused: Figure;
  readonly closed: Figure;
  readonly delivered: Figure;
  readonly difference: Figure;
  /** What the wallet's statement lists, and what is paid less that. */
  readonly listed: Figure;
  readonly wallet_difference: Figure;
  /** Nothing is off, within the sheet or against the statement. */
  readonly agrees: boolean;
  /** Names of those who have signed what it says now. */
  readonly signed_by: readonly string[];
}

export interface Hands {
  /** For the first time by binding an authenticator; answers the session's access token. */
  signIn(): Promise<string>;
  makePool(pool_name: string, prizes: readonly Prize[]): Promise<void>;
  makeRound(window: Window, wish: RoundWish): Promise<Round>;
  /** Copies a round with its pool; answers the id of the copy. */
  copyRound(source: number, tonight: Tonight): Promise<number>;
  mendPrice(pool_name: string, award_name: string, award_price: string): Promise<void>;
  /** Raises totals, by the prize's name. */
  addStock(pool_name: string, added: Readonly<Record<string, number>>): Promise<void>;
  readChances(player: Player, round: Round): Promise<Chances>;
  /** Is the player told to be blocked? */
  readBlocked(player: Player): Promise<boolean>;
  /** What is said of the wallet now; null: nothing. */
  readTrouble(): Promise<Trouble | null>;
  reissue(record: Pointed): Promise<void>;
  /** Sends everything again that the wallet has refused in a round. */
  reissueRefused(round: Round): Promise<void>;
  close(record: Pointed, reason: string): Promise<void>;
  grant(list: Grant): Promise<Granted>;
  /** Is one click away from it; what is answered does it. */
  stopEverything(): Promise<() => Promise<void>>;
  /** Tries a wrong code before the right one; answers what was said of the wrong one. */
  startEverything(): Promise<string>;
  /** Marks every physical prize of a round as handed over; answers how many. */
  deliver(round: Round, note: string): Promise<number>;
  /** Compares with the wallet's statement of this time; answers the open differences. */
  compareWithWallet(from: string, to: string): Promise<number>;
  readSheet(round: Round): Promise<Sheet>;
  exportRecords(round: Round, format: "xlsx" | "csv"): Promise<Buffer>;
  /** As an Excel file. */
  exportSheet(round: Round): Promise<Buffer>;
  signSheet(round: Round): Promise<void>;
}
