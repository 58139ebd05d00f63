/**
 * What one process has heard of the wallet and not told the others yet. While the wallet is well there is
 * nothing to tell, and no answer costs a write.
 */
import { noteWallet } from "./note-wallet.ts";
import type { WalletNote, WalletPatience } from "./wallet-rules.ts";
import { inTransaction } from "#platform/connection";
import type { Db } from "#platform/connection";

export interface WalletWatch {
  /** Notes one answer. */
  note(note: WalletNote): void;
  /** Says whether anybody knows of a trouble: then good answers are worth telling too. */
  learn(isTroubled: boolean): void;
  /** Tells all that was noted; whoever calls the wallet next sees it. Rejects when the database does. */
  flush(): Promise<void>;
}

export function watchWallet(options: {
  readonly db: Db;
  readonly wallet: string;
  readonly patience: WalletPatience;
}): WalletWatch {
  const { db, wallet, patience } = options;
  let notes: readonly WalletNote[] = [];
  let isTroubled = true;

  return {
    note(note) {
      const isBad = note.word.kind === "unclear" || note.retryAfterMs !== null;
      if (isBad || isTroubled || notes.length > 0) {
        notes = [...notes, note];
      }
    },
    learn(known) {
      isTroubled = known;
    },
    async flush() {
      const told = notes;
      if (told.length === 0) {
        return;
      }
      notes = [];
      try {
        await inTransaction(db, (tx) => noteWallet(tx, wallet, told, patience));
      } catch (fault) {
        notes = [...told, ...notes];
        throw fault;
      }
    },
  };
}
