/** The operator of the week on the screens: every deed is done by clicks and keys, and read from what is shown. */
import type { Hands } from "../../outside/week/hands.ts";
import type { Desk } from "./desk.ts";
import { grant } from "./extra-times.ts";
import { compareWithWallet, exportSheet, readSheet, signSheet } from "./finance.ts";
import { readBlocked, readChances } from "./players.ts";
import { addStock, makePool, mendPrice } from "./pools.ts";
import { close, deliver, exportRecords, reissue, reissueRefused } from "./records.ts";
import { copyRound, makeRound } from "./rounds.ts";
import { signIn } from "./sign-in.ts";
import { readTrouble, startEverything, stopEverything } from "./switches.ts";

export function handsByScreens(desk: Desk): Hands {
  return {
    signIn: async () => await signIn(desk),
    makePool: async (pool_name, prizes) => await makePool(desk, pool_name, prizes),
    makeRound: async (window, wish) => await makeRound(desk, window, wish),
    copyRound: async (_source, tonight) => await copyRound(desk, tonight),
    mendPrice: async (pool_name, award_name, award_price) =>
      await mendPrice(desk, pool_name, award_name, award_price),
    addStock: async (pool_name, added) => await addStock(desk, pool_name, added),
    readChances: async (player, { name }) => await readChances(desk, player, name),
    readBlocked: async (player) => await readBlocked(desk, player),
    readTrouble: async () => await readTrouble(desk),
    reissue: async (record) => await reissue(desk, record),
    reissueRefused: async ({ id }) => await reissueRefused(desk, id),
    close: async (record, reason) => await close(desk, record, reason),
    grant: async (list) => await grant(desk, list),
    stopEverything: async () => await stopEverything(desk),
    startEverything: async () => await startEverything(desk),
    deliver: async ({ id }, note) => await deliver(desk, id, note),
    compareWithWallet: async (from, to) => await compareWithWallet(desk, from, to),
    readSheet: async ({ id }) => await readSheet(desk, id),
    exportRecords: async ({ id }, format) => await exportRecords(desk, id, format),
    exportSheet: async ({ id }) => await exportSheet(desk, id),
    signSheet: async ({ id }) => await signSheet(desk, id),
  };
}
