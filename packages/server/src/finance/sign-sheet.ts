/** Reads the sheet of a round, and signs it with a one-time code (behaviour §6, §9). */
import { formatDateTime } from "@red/contract/platform/datetime";
import { AppError, found } from "@red/contract/platform/errors";
import type { ErrorKey } from "@red/contract/platform/errors";
import { STATE_FACTS } from "@red/contract/platform/codes";
import type { Sheet, SheetFigures } from "@red/contract/finance/sheet";
import { signOffConflict } from "./sign-off-conflict.ts";
import { notReady, sheetFigures, sheetHash, sheetStatement } from "./round-sheet.ts";
import { lockActivity } from "#rounds/activity-sql";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Db, Tx } from "#platform/db/connection";
import type { Costed } from "#platform/handlers";
import { neverHeld } from "@red/engine/risk";
import {
  insertSignOff,
  selectSheetCounts,
  selectSheetRound,
  selectWalletSide,
} from "./sheet-sql.ts";

export interface ReadSheet {
  readonly figures: SheetFigures;
  readonly statement: Sheet["statement"];
  readonly hash: string;
  readonly not_ready: ErrorKey | null;
}

/** Returns the current sheet, also of a deleted round. Throws `activity_not_found`. */
export async function readSheet(db: Db, rounds_id: number, timeZone: string): Promise<ReadSheet> {
  const round = found(await selectSheetRound(db, rounds_id), "activity_not_found");
  const counts = await selectSheetCounts(db, rounds_id);
  const wallet = await selectWalletSide(db, rounds_id);
  const figures = sheetFigures(
    {
      rounds_id,
      rounds_name: round.rounds_name,
      start_time: formatDateTime(round.start_time, timeZone),
      end_time: formatDateTime(round.end_time, timeZone),
    },
    counts,
    wallet,
  );
  const moving = counts
    .filter(({ state }) => state !== null && STATE_FACTS[state].isMoving)
    .reduce((sum, { count }) => sum + count, 0);
  const not_ready = notReady(figures, moving, round.is_over);
  const statement = sheetStatement(wallet, timeZone);
  return { figures, statement, hash: sheetHash(figures), not_ready };
}

interface SheetSignature {
  readonly rounds_id: number;
  /** Hash of the figures that the signer saw. */
  readonly hash: string;
  readonly note: string | null;
}

interface ReadySheet {
  readonly signature: SheetSignature;
  readonly figures: SheetFigures;
  readonly is_alone: boolean;
}

/**
 * Locks a round that is over and returns its figures. Throws `activity_not_found`, `sheet_changed` if the
 * figures changed since the operator saw them, and the reasons of `notReady` and `signOffConflict`.
 */
async function lockReadySheet(
  tx: Tx,
  { rounds_id, hash }: SheetSignature,
  name: string,
  timeZone: string,
): Promise<Pick<ReadySheet, "figures" | "is_alone">> {
  const round = await selectSheetRound(tx, rounds_id);
  if (round !== null && !round.is_over) {
    // A running round is not locked, because its draws would wait. The check runs again under the lock.
    throw new AppError("sheet_round_runs");
  }
  await lockActivity(tx, rounds_id);
  const sheet = await readSheet(tx, rounds_id, timeZone);
  if (sheet.hash !== hash) {
    throw new AppError("sheet_changed");
  }
  const { key, is_alone } = await signOffConflict(tx, rounds_id, name);
  const reason = sheet.not_ready ?? key;
  if (reason !== null) {
    throw new AppError(reason);
  }
  return { figures: sheet.figures, is_alone };
}

interface SheetsSigned {
  readonly signed: number;
  readonly refused: readonly { readonly rounds_id: number; readonly key: ErrorKey }[];
}

/**
 * Signs the sheets whose figures are still those that the operator saw; `refused` lists the other sheets.
 * Locks the rounds in id order. If no sheet can be signed, throws the reason of the first sheet.
 */
export async function signSheets(
  tx: Tx,
  actor: Actor,
  sheets: readonly SheetSignature[],
  timeZone: string,
): Promise<Costed<SheetsSigned>> {
  const ready: ReadySheet[] = [];
  const refused: { rounds_id: number; key: ErrorKey }[] = [];
  const wanted = new Map(sheets.map((one) => [one.rounds_id, one]));
  for (const [rounds_id, signature] of [...wanted].toSorted(([a], [b]) => a - b)) {
    try {
      ready.push({ signature, ...(await lockReadySheet(tx, signature, actor.name, timeZone)) });
    } catch (error) {
      if (!(error instanceof AppError)) {
        throw error;
      }
      refused.push({ rounds_id, key: error.key });
    }
  }
  const [first] = refused;
  if (ready.length === 0 && first !== undefined) {
    throw new AppError(first.key);
  }
  for (const { signature, figures, is_alone } of ready) {
    const { rounds_id, hash, note } = signature;
    await insertSignOff(tx, rounds_id, { signed_by: actor.name, hash, figures, note, is_alone });
    await insertAudit(tx, actor, {
      action: "sign_sheet",
      object_type: "activity",
      object_id: rounds_id,
      after: { hash, note, is_alone, drawn: figures.drawn, lines: figures.lines },
    });
  }
  const risk = neverHeld("figures are right; a sheet has its own second person");
  return { data: { signed: ready.length, refused }, risk };
}
