/** A figure before and after a change of prizes. */
import type { PoolFigures } from "#rounds/pool-math.ts";
import { grouped } from "#ui/format.ts";

/** Both where they differ; the second alone where there was none before. */
export function Change({ before, after }: { before: string | null; after: string }) {
  return before === null || before === after ? <>{after}</> : <>{`${before} → ${after}`}</>;
}

/** What all that is left may cost; beyond what a number of cents can say, a dash. */
export function largest({ exposure }: PoolFigures): string {
  return exposure === null ? "—" : grouped(exposure);
}
