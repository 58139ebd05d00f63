/** Reads the sheet of a round, and signs it with a one-time code (behaviour §6, §9). */
import { formatDateTime } from "@red/contract/datetime";
import { AppError } from "@red/contract/errors";
import type { ErrorKey } from "@red/contract/errors";
import { STATE_FACTS } from "@red/contract/lookups";
import type { Sheet, SheetFigures } from "@red/contract/sheet";
import { notReady, sheetFigures, sheetHash, sheetStatement } from "./round-sheet.ts";
import { lockActivity } from "#rounds/activity-sql";
import { insertAudit } from "#platform/audit";
import type { Actor } from "#platform/audit";
import type { Db, Tx } from "#platform/connection";
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

/** The current sheet, also of a deleted round. Throws activity_not_found. */
export async function readSheet(db: Db, rounds_id: number, timeZone: string): Promise<ReadSheet> {
  const round = await selectSheetRound(db, rounds_id);
  if (round === null) {
    throw new AppError("activity_not_found");
  }
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

export interface SheetSignature {
  readonly rounds_id: number;
  /** Hash of the figures that the signer has seen. */
  readonly hash: string;
  readonly note: string | null;
}

/**
 * Locks a round that is over, and answers its figures. Throws activity_not_found, sheet_changed when the figures have
 * changed since they were shown, and the reason of `notReady`.
 */
export async function lockReadySheet(
  tx: Tx,
  { rounds_id, hash }: SheetSignature,
  timeZone: string,
): Promise<SheetFigures> {
  const round = await selectSheetRound(tx, rounds_id);
  if (round !== null && !round.is_over) {
    // Checked again under the lock; a running round is not locked, because its draws would wait.
    throw new AppError("sheet_round_runs");
  }
  await lockActivity(tx, rounds_id);
  const sheet = await readSheet(tx, rounds_id, timeZone);
  if (sheet.hash !== hash) {
    throw new AppError("sheet_changed");
  }
  if (sheet.not_ready !== null) {
    throw new AppError(sheet.not_ready);
  }
  return sheet.figures;
}

/** Stores the signature of the locked round with its audit row. */
export async function storeSignature(
  tx: Tx,
  actor: Actor,
  { rounds_id, hash, note }: SheetSignature,
  signed_by: string,
  figures: SheetFigures,
): Promise<void> {
  await insertSignOff(tx, rounds_id, { signed_by, hash, figures, note });
  await insertAudit(tx, actor, {
    action: "sign_sheet",
    object_type: "activity",
    object_id: rounds_id,
    after: { hash, note, drawn: figures.drawn, lines: figures.lines },
  });
}
