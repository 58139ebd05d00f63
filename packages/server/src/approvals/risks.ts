/** What the acts of a transaction may cost, noted while they run. */
import type { Tx } from "#platform/connection";

export interface Risk {
  /** Whole cents. */
  readonly risk_cents: number;
}

const NOTED = new WeakMap<Tx, Risk[]>();

/** The list to which the acts of the transaction add, each kind of act its own kind of risk; null while nobody asks. */
export function notedRisks<R extends Risk>(tx: Tx): R[] | null {
  return (NOTED.get(tx) as R[] | undefined) ?? null;
}

/** Starts an empty list. */
export function noteRisks<R extends Risk>(tx: Tx): R[] {
  const risks: R[] = [];
  NOTED.set(tx, risks);
  return risks;
}

export function sumOfRisks(risks: readonly Risk[]): number {
  return risks.reduce((sum, { risk_cents }) => sum + risk_cents, 0);
}
