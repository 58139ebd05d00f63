import { Form } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { poolRoutes } from "@red/contract/pools/pool";
import type { Pool } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import type { Prize } from "@red/contract/pools/prize";
import { useAct } from "#forms/act.ts";
import { FieldItem } from "#forms/field-item.tsx";
import { FormDialog } from "#forms/form-dialog.tsx";
import type { Close } from "#forms/saving.tsx";
import { TextItem } from "#forms/text-item.tsx";
import { changeBy } from "#lib/api.ts";
import { usePageSearch } from "#lib/search.ts";
import { DIALOG_WIDTH } from "#ui/dialog.tsx";
import { DigitsInput } from "#ui/digits-input.tsx";
import { grouped } from "#ui/format.ts";
import { PoolGrid } from "./pool-grid.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { PoolVersions } from "./pool-versions.tsx";
import { PrizeDialog } from "./prize-dialog.tsx";
import { SavePrizeText, StockEffect } from "./prize-effect.tsx";
import { NO_DIALOG, PRIZE_SEARCH } from "./prize-search.ts";
import type { OpenPool } from "./prize-search.ts";
import { PRIZE_LISTS } from "./prize-lists.ts";

interface PoolDialogProps {
  pool: Pool;
  task: "rename" | "copy";
  onClose: () => void;
  onDone: (id: number) => void;
}

/** Asks for a name, then renames the pool or copies it with full stock (behaviour §3). */
function PoolDialog({ pool, task, onClose, onDone }: PoolDialogProps) {
  const { t } = useTranslation(["prize", "contract", "ui"]);
  const { send } = useAct(...PRIZE_LISTS);
  const [form] = Form.useForm<{ pool_name: string }>();
  const { id } = pool;
  const suggested =
    task === "copy" ? t("pool_copy_name", { name: pool.pool_name }) : pool.pool_name;
  const initial = useMemo(() => ({ pool_name: suggested }), [suggested]);

  const save = async ({ pool_name }: { pool_name: string }, close: Close) => {
    const input = { params: { id }, body: { pool_name } };
    // A rename returns no data.
    const saved = await send(changeBy(poolRoutes[task], input));
    close(() => onDone(saved?.id ?? id));
  };

  return (
    <FormDialog<{ pool_name: string }>
      title={t(task === "copy" ? "copy_pool" : "rename_pool")}
      width={DIALOG_WIDTH.small}
      form={form}
      initial={initial}
      draftKey={`pool:${task}:${id}`}
      okText={t("ui:save")}
      failedText={t(task === "copy" ? "contract:add_failed" : "contract:save_failed")}
      onSubmit={save}
      onClose={onClose}
    >
      <TextItem name="pool_name" label={t("pool_name")} missing={t("contract:enter_pool_name")} />
    </FormDialog>
  );
}

const EMPTY = {};

interface StockDialogProps {
  prize: Prize;
  prizes: readonly Prize[];
  onClose: () => void;
}

/** Adds pieces to the total of a prize. This also works while a round runs (behaviour §3). */
function StockDialog({ prize, prizes, onClose }: StockDialogProps) {
  const { t } = useTranslation(["prize", "contract"]);
  const { send } = useAct(...PRIZE_LISTS);
  const [form] = Form.useForm<{ add: string }>();
  const { id, award_name: name, award_total, drawn, remaining } = prize;

  const changeOf = ({ add }: { add: string }) =>
    changeBy(prizeRoutes.addStock, { params: { id }, body: { add } });

  return (
    <FormDialog<{ add: string }>
      title={t("stock")}
      width={DIALOG_WIDTH.small}
      form={form}
      initial={EMPTY}
      draftKey={`prize:stock:${id}`}
      okText={t("stock_save")}
      failedText={t("contract:save_failed")}
      onSubmit={(values, close) => send(changeOf(values), { close })}
      changeOf={changeOf}
      onClose={onClose}
    >
      <p className="p-stock-now">
        {t("stock_now", {
          name,
          total: grouped(award_total),
          drawn: grouped(drawn),
          remaining: grouped(remaining),
        })}
      </p>
      <FieldItem
        name="add"
        rules={[{ required: true, pattern: /^0*[1-9]\d*$/, message: t("stock_rule") }]}
      >
        <DigitsInput maxLength={10} />
      </FieldItem>
      <StockEffect prize={prize} prizes={prizes} />
    </FormDialog>
  );
}

interface PrizeDialogsProps {
  pool: Pool;
  rows: readonly Prize[];
  onOpenPool: OpenPool;
}

export function PrizeDialogs({ pool, rows, onOpenPool }: PrizeDialogsProps) {
  const { t } = useTranslation("grid");
  const [search, setSearch] = usePageSearch(PRIZE_SEARCH);
  const rowOf = (id: string | undefined) => rows.find((row) => String(row.id) === id);
  const edited = Number(search.edit);
  const restocked = rowOf(search.stock);
  const close = () => setSearch(NO_DIALOG, { replace: true });
  const isNew = search.grid === "new";
  const { pool_name } = pool;
  return (
    <>
      {search.new !== undefined && <PrizeDialog pool_name={pool_name} id={null} onClose={close} />}
      {search.import !== undefined && <ImportDialog pool_name={pool_name} onClose={close} />}
      {Number.isSafeInteger(edited) && edited > 0 && (
        <PrizeDialog key={edited} pool_name={pool_name} id={edited} onClose={close} />
      )}
      {restocked !== undefined && (
        <StockDialog key={restocked.id} prize={restocked} prizes={rows} onClose={close} />
      )}
      {search.task === "versions" && (
        <PoolVersions key={pool.id} pool={pool} prizes={rows} onClose={close} />
      )}
      {search.grid !== undefined && (
        <PoolGrid
          id={isNew ? null : pool.id}
          name={isNew ? "" : pool_name}
          okText={isNew ? t("create") : <SavePrizeText pool_name={pool_name} />}
          onClose={close}
          onSaved={close}
        />
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
