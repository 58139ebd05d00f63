import type { Pool } from "@red/contract/pool";
import type { Prize } from "@red/contract/prize";
import { usePageSearch } from "#lib/search.ts";
import { ImportDialog } from "./import-dialog.tsx";
import { PoolDialog } from "./pool-dialog.tsx";
import { PrizeDialog } from "./prize-dialog.tsx";
import { PRIZE_SEARCH, NO_DIALOG } from "./prize-search.ts";
import type { OpenPool } from "./prize-search.ts";
import { StockDialog } from "./stock-dialog.tsx";

interface PrizeDialogsProps {
  pool: Pool;
  rows: readonly Prize[];
  onOpenPool: OpenPool;
}

export function PrizeDialogs({ pool, rows, onOpenPool }: PrizeDialogsProps) {
  const [search, setSearch] = usePageSearch(PRIZE_SEARCH);
  const rowOf = (id: string | undefined) => rows.find((row) => String(row.id) === id);
  const edited = Number(search.edit);
  const restocked = rowOf(search.stock);
  const close = () => setSearch(NO_DIALOG, { replace: true });
  return (
    <>
      {search.new !== undefined && (
        <PrizeDialog pool_name={pool.pool_name} id={null} onClose={close} />
      )}
      {search.import !== undefined && <ImportDialog pool_name={pool.pool_name} onClose={close} />}
      {Number.isSafeInteger(edited) && edited > 0 && (
        <PrizeDialog pool_name={pool.pool_name} id={edited} onClose={close} />
      )}
      {restocked !== undefined && (
        <StockDialog key={restocked.id} prize={restocked} prizes={rows} onClose={close} />
      )}
      {(search.task === "rename" || search.task === "copy") && (
        <PoolDialog
          key={`${search.task}${pool.id}`}
          pool={pool}
          task={search.task}
          onClose={close}
          onDone={(id) => onOpenPool(id, { pool: search.pool })}
        />
      )}
    </>
  );
}
