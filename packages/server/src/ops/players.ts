/** Erases a player from the command line (behaviour §3). */
import { erasePlayer } from "#evidence/erase-player";
import { inTransaction } from "#platform/connection";
import type { Command } from "./command.ts";

export const playerCommands: readonly Command[] = [
  {
    name: "players erase",
    summary: "erase a player's id and account everywhere but in backups; cannot be undone",
    positional: "account",
    options: {
      account: { value: "ACCOUNT", help: "the player's account", required: true },
      yes: { help: "really erase" },
    },
    run: async (call) => {
      if (!call.has("yes")) {
        throw new Error("this cannot be undone: add --yes to erase the player");
      }
      const db = await call.open("current");
      const account = call.value("account");
      const erased = await inTransaction(db, (tx) => erasePlayer(tx, call.actor, account));
      return { json: erased, lines: [`erased; draws and payouts stay, under ${erased.player_id}`] };
    },
  },
];
