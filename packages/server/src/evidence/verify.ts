/** Checks the invariants of the database (behaviour §3 to §6) on one snapshot, read-only. */
import { verifyChances } from "./verify-chances.ts";
import { selectUncheckedRounds } from "./verify-chances-sql.ts";
import { selectWrongChunk } from "./verify-chunks-sql.ts";
import { verifyDraws } from "./verify-draws.ts";
import { findFalseErasure } from "./verify-erasures.ts";
import type { SealedList } from "./seal-sql.ts";
import { verifySeals } from "./verify-seals.ts";
import type { KnownEnd } from "./verify-seals.ts";
import { findUnsavedRule } from "./verify-versions.ts";
import { selectUnmatchedVersion, selectUnsavedPrize } from "./verify-versions-sql.ts";
import type { Db } from "#platform/db/connection";
import type { Database } from "#platform/db/schema";
import {
  selectMiscodedPayout,
  selectMiscountedAttempts,
  selectMismatchedPayout,
  selectMisplacedPayout,
  selectUnfoundedState,
} from "./verify-payouts-sql.ts";
import {
  selectDanglingRecord,
  selectDoubleLogId,
  selectDoubleTransSn,
  selectMisnumberedDraw,
  selectMistimedLogId,
  selectMisusedExtraTime,
  selectRecordWithoutRequest,
  selectStrayRequest,
  selectUnmarkedExtraTime,
} from "./verify-records-sql.ts";
import { ROLLED_UP } from "#platform/rollups/rollup-sql";
import { countRows, inSnapshot } from "#platform/db/snapshot";
import type { Offence } from "#platform/db/snapshot";
import { selectMiscountedRollup } from "./verify-rollups-sql.ts";
import {
  selectFalselyExhausted,
  selectMiscountedPrize,
  selectOverdrawnPrize,
  selectOverdrawnVersion,
} from "./verify-stock-sql.ts";

/** The known ends of each chain. */
export type Anchors = Readonly<Partial<Record<SealedList, readonly KnownEnd[]>>>;

type Search = (snapshot: Db, anchors: Anchors) => Promise<Offence | null>;

interface Invariant {
  readonly name: string;
  /** Tables whose rows are counted as checked. */
  readonly tables: readonly (keyof Database)[];
  /** Returns rounds whose rows were detached. The searches leave these rounds out. */
  readonly unchecked?: (snapshot: Db) => Promise<number[]>;
  /** The searches run one after another until one of them finds an offence. */
  readonly searches: readonly Search[];
}

/**
 * The checks, with causes before effects. For example, a missing rule version is reported before the draws that
 * depend on it.
 */
const INVARIANTS: readonly Invariant[] = [
  {
    name: "versions of pools and rules (§3)",
    tables: ["pool_version", "activity_rule"],
    searches: [
      selectUnmatchedVersion("pool_version"),
      selectUnmatchedVersion("activity_rule"),
      selectUnsavedPrize,
      findUnsavedRule,
    ],
  },
  {
    name: "what records refer to (§3)",
    tables: ["draw_record"],
    searches: [selectDanglingRecord],
  },
  {
    name: "double numbers (§3, §5)",
    tables: ["draw_record", "payout"],
    searches: [selectMisnumberedDraw, selectDoubleLogId, selectMistimedLogId, selectDoubleTransSn],
  },
  {
    name: "stock against records (§5)",
    tables: ["prize", "draw_record"],
    searches: [
      selectMiscountedPrize,
      selectOverdrawnPrize,
      selectOverdrawnVersion,
      selectFalselyExhausted,
    ],
  },
  {
    name: "draws derived again (§5)",
    tables: ["draw_record"],
    searches: [verifyDraws],
  },
  {
    name: "requests against records (§5)",
    tables: ["draw_request", "draw_record"],
    searches: [selectStrayRequest, selectRecordWithoutRequest],
  },
  {
    name: "extra times against records (§4)",
    tables: ["extra_time", "draw_record"],
    searches: [selectUnmarkedExtraTime, selectMisusedExtraTime],
  },
  {
    name: "chances against raw deposits and bets (§4)",
    tables: ["draw_record", "deposit", "bet", "event_chunk"],
    unchecked: selectUncheckedRounds,
    searches: [verifyChances, selectWrongChunk],
  },
  {
    name: "rollups against their lists (§11)",
    tables: ROLLED_UP,
    searches: [selectMiscountedRollup],
  },
  {
    name: "payout amounts against records (§6)",
    tables: ["draw_record", "payout"],
    searches: [selectMismatchedPayout, selectMiscodedPayout],
  },
  {
    name: "payout states against attempts (§6)",
    tables: ["payout", "payout_attempt"],
    searches: [selectMisplacedPayout, selectUnfoundedState, selectMiscountedAttempts],
  },
  {
    name: "seals of records (§5)",
    tables: ["seal", "draw_record"],
    searches: [(snapshot, { draw_record = [] }) => verifySeals(snapshot, draw_record)],
  },
  {
    name: "seals of the audit log (§9)",
    tables: ["audit_seal", "audit_log"],
    searches: [(snapshot, { audit_log = [] }) => verifySeals(snapshot, audit_log, "audit_log")],
  },
  {
    name: "erased players (§3)",
    tables: ["player", "former_name", "audit_log"],
    searches: [findFalseErasure],
  },
];

export interface Check {
  readonly name: string;
  readonly checked: number;
  /** Rounds that could not be checked, because their rows were detached. */
  readonly unchecked: readonly number[];
  readonly offence: Offence | null;
}

export interface Verification {
  readonly ok: boolean;
  readonly checks: readonly Check[];
}

async function check(
  snapshot: Db,
  { name, tables, searches, unchecked: selectUnchecked }: Invariant,
  anchors: Anchors,
): Promise<Check> {
  let checked = 0;
  for (const table of tables) {
    checked += await countRows(snapshot, table);
  }
  const unchecked = (await selectUnchecked?.(snapshot)) ?? [];
  for (const search of searches) {
    const offence = await search(snapshot, anchors);
    if (offence !== null) {
      return { name, checked, unchecked, offence };
    }
  }
  return { name, checked, unchecked, offence: null };
}

/** Runs every check on one snapshot, even after one check has failed. */
export async function verifySnapshot(
  snapshot: Db,
  onCheck: (check: Check) => void = () => {},
  anchors: Anchors = {},
): Promise<Verification> {
  const checks: Check[] = [];
  for (const invariant of INVARIANTS) {
    const done = await check(snapshot, invariant, anchors);
    checks.push(done);
    onCheck(done);
  }
  return { ok: checks.every((one) => one.offence === null), checks };
}

/**
 * Checks the current database on one snapshot beside a running server, and reports each check to `onCheck`. It
 * needs memory for some thousand rows, and disk space in the database to sort the largest table. Read `anchors`
 * before this call, because blocks sealed after that are checked too. Not covered, because the rows do not
 * contain it: what the wallet did with a payout (see reconciliation), whether the hashed request body was the
 * real body, whether a chance existed at the moment of its draw, and in which order prizes ran out.
 */
export async function verify(
  db: Db,
  onCheck: (check: Check) => void = () => {},
  anchors: Anchors = {},
): Promise<Verification> {
  return await inSnapshot(db, (snapshot) => verifySnapshot(snapshot, onCheck, anchors));
}
