/** Prize page (spec §2): a tab for each pool, with the totals and prizes of the pool. */
import { DownOutlined, PlusOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import type { UseQueryResult } from "@tanstack/react-query";
import { Button } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { poolRoutes } from "@red/contract/pools/pool";
import type { Pool } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import { useAct } from "#forms/act.ts";
import { mayBeIn, useAddressed } from "#forms/addressed.ts";
import { useChangesEntry } from "#forms/changes-entry.ts";
import { LoadFailedDialog } from "#forms/load-failed-dialog.tsx";
import { StopToggle } from "#stops/stop-toggle.tsx";
import { changeBy } from "#lib/api.ts";
import { downloadFile } from "#lib/download.ts";
import { addTexts } from "#lib/language.ts";
import { lazyPart } from "#lib/lazy-part.tsx";
import type { LoadFailedProps } from "#lib/lazy-part.tsx";
import { queryOf } from "#lib/query.ts";
import { pagingOf, usePageChange, usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { ExportButton } from "#ui/export-button.tsx";
import { useList } from "#ui/list-state.ts";
import type { Paging } from "#ui/pager.tsx";
import { ListPanel } from "#ui/list-panel.tsx";
import { MenuButton } from "#ui/menu-button.tsx";
import { Page } from "#ui/page.tsx";
import { useToast } from "#ui/toast.tsx";
import { NEW_POOL_TAB, PoolTabs, PoolTotals } from "./pool-bar.tsx";
import { figuresOf, nextPoolName } from "./pool-math.ts";
import { usePrizeColumns } from "./prize-columns.tsx";
import { prizesOf } from "./prize-lists.ts";
import { PRIZE_SEARCH, NO_DIALOG, isDialogOpen } from "./prize-search.ts";
import type { OpenPool } from "./prize-search.ts";
import { PRIZE_TEXTS } from "./prize-texts.ts";
import { useRemovals } from "./removals.tsx";
import "./prize.css";

addTexts("prize", PRIZE_TEXTS);

function LostPrizeDialog(lost: LoadFailedProps) {
  const setSearch = usePageChange(PRIZE_SEARCH);
  return <LoadFailedDialog {...lost} onClose={() => setSearch(NO_DIALOG, { replace: true })} />;
}

const PrizeDialogs = lazyPart(
  async () => (await import("./prize-dialogs.tsx")).PrizeDialogs,
  LostPrizeDialog,
);

/**
 * A list with more prizes than this has pages, because the specification says both "paged" and "not paged" (spec §2).
 */
const UNPAGED_MAX = 200;

function usePools() {
  const [search, setSearch] = usePageSearch(PRIZE_SEARCH);
  const query = useQuery(queryOf(poolRoutes.list, {}));
  const pools = query.data?.content ?? [];
  const onNewTab = search.pool === NEW_POOL_TAB;
  const poolInAddress = pools.find(({ id }) => String(id) === search.pool);
  const pool = onNewTab ? undefined : (poolInAddress ?? pools[0]);
  const open: OpenPool = (id, late) =>
    setSearch(
      { pool: String(id), page: undefined, ...NO_DIALOG },
      late && { replace: true, where: late },
    );
  return { query, pools, pool, onNewTab, open };
}

/** Returns a function that adds "pool N" and opens its tab. If the call fails, the last tab stays open. */
function useAddPool(pools: readonly Pool[], open: OpenPool) {
  const { act } = useAct(poolRoutes.list);
  return async () => {
    open(NEW_POOL_TAB);
    const pool_name = nextPoolName(pools.map((pool) => pool.pool_name));
    const added = await act(changeBy(poolRoutes.create, { body: { pool_name } }));
    if (added.ok) {
      open(added.data.id, { pool: NEW_POOL_TAB });
    }
  };
}

/** Returns the prizes of the open pool, or the loading state of the pools while no pool is open. */
function usePrizes(pools: UseQueryResult, pool: Pool | undefined) {
  const list = useList({ ...prizesOf(pool?.pool_name ?? ""), enabled: pool !== undefined });
  if (pool !== undefined) {
    return list;
  }
  return {
    ...list,
    pending: pools.isFetching && !pools.isSuccess,
    failed: pools.isError && !pools.isFetching,
    fetching: pools.isFetching,
    retry: () => void pools.refetch(),
  };
}

export function PrizePage() {
  const { t } = useTranslation(["prize", "stop"]);
  const toast = useToast();
  const mayWrite = useMay("pool.write");
  const [search, setSearch] = usePageSearch(PRIZE_SEARCH);
  const { query, pools, pool, onNewTab, open } = usePools();
  const addPool = useAddPool(pools, open);
  const { removePool, removePrize } = useRemovals(() => open("", { pool: search.pool }));
  const { lastRows, ...list } = usePrizes(query, pool);
  const stocked = lastRows.find(({ id }) => String(id) === search.stock);
  const mayEdit = mayWrite && (search.stock === undefined || mayBeIn(list, stocked));
  useAddressed(isDialogOpen(search), mayEdit || search.task === "versions", () =>
    setSearch(NO_DIALOG, { replace: true }),
  );
  const figures = useMemo(() => figuresOf(list.rows), [list.rows]);
  const changes = useChangesEntry();
  const columns = usePrizeColumns(
    {
      edit: ({ id }) => setSearch({ edit: String(id) }),
      stock: ({ id }) => setSearch({ stock: String(id) }),
      remove: (prize) => void removePrize(prize, list.rows),
      changes: ({ id, award_name }) => changes("prize", id, award_name),
    },
    figures,
  );
  const ofPool = pool === undefined ? [] : changes("pool", pool.id, pool.pool_name);
  const { page } = pagingOf(search);
  const shown = list.rows.slice((page - 1) * UNPAGED_MAX, page * UNPAGED_MAX);
  /* Runs `act` on the open pool, or warns that no pool is open (spec §5). */
  const inPool = (act: (pool: Pool) => void) => {
    if (pool === undefined) {
      toast.warning(t(onNewTab ? "need_pool_tab" : "need_pool"));
    } else {
      act(pool);
    }
  };
  return (
    <Page title={t("title")} refresh={list.retry}>
      <PoolTabs
        pools={pools}
        activeKey={onNewTab ? NEW_POOL_TAB : ((pool && String(pool.id)) ?? null)}
        mayAdd={mayWrite && query.isSuccess}
        onOpen={open}
        onAdd={() => void addPool()}
      />
      <ListPanel
        id="prize"
        name={t("title")}
        tools={
          <>
            <Button
              type="primary"
              icon={<PlusOutlined aria-hidden="true" />}
              {...permissionProps(mayWrite)}
              onClick={() => inPool(() => setSearch({ new: "1" }))}
            >
              {t("add")}
            </Button>
            <Button
              {...permissionProps(mayWrite)}
              onClick={() => inPool(() => setSearch({ grid: "1" }))}
            >
              {t("grid")}
            </Button>
            <Button
              {...permissionProps(mayWrite)}
              onClick={() => inPool(() => setSearch({ import: "1" }))}
            >
              {t("bulk_import")}
            </Button>
            {pool === undefined ? (
              <Button onClick={() => inPool(() => undefined)}>{t("bulk_export")}</Button>
            ) : (
              <ExportButton
                label={t("bulk_export")}
                onExport={(format) =>
                  downloadFile(prizeRoutes.exportFile, { pool_name: pool.pool_name, format })
                }
              />
            )}
            <Button onClick={() => inPool(() => setSearch({ task: "versions" }))}>
              {t("versions")}
            </Button>
            {pool !== undefined && (
              <StopToggle
                // Each pool needs a new switch, so that the switch does not show a running call for another pool.
                key={pool.id}
                target={{ name: "pool", id: pool.id, pool_name: pool.pool_name }}
                text={t("stop:draws_of_pool")}
                label={t("stop:draws_of_pool_label", { name: pool.pool_name })}
              />
            )}
            {pool !== undefined && (
              <MenuButton
                disabled={!mayWrite && ofPool.length === 0}
                menu={{
                  items: [
                    ...ofPool.map(({ text, onClick }) => ({ key: text, label: text, onClick })),
                    ...(["rename", "copy"] as const).map((task) => ({
                      key: task,
                      disabled: !mayWrite,
                      label: t(`${task}_pool`),
                      onClick: () => setSearch({ task }),
                    })),
                    { type: "divider" },
                    {
                      key: "remove",
                      label: t("remove_pool"),
                      danger: true,
                      disabled: !mayWrite,
                      onClick: () => void removePool(pool),
                    },
                  ],
                }}
              >
                <Button
                  {...permissionProps(mayWrite)}
                  icon={<DownOutlined aria-hidden="true" />}
                  iconPlacement="end"
                >
                  {t("more")}
                </Button>
              </MenuButton>
            )}
          </>
        }
        summary={
          pool !== undefined && (
            <PoolTotals
              pool={pool}
              figures={figures}
              isKnown={!list.pending && !list.stale && !list.failed}
            />
          )
        }
        list={{ ...list, rows: shown }}
        {...(list.total > UNPAGED_MAX && {
          paging: {
            page,
            size: UNPAGED_MAX,
            sizes: [UNPAGED_MAX],
            total: list.total,
            onChange: ({ page: next }: Paging, correcting = false) =>
              setSearch({ page: String(next) }, { replace: correcting }),
          },
        })}
        label={t("list")}
        columns={columns}
        keyOf={(row) => row.id}
        nameOf={(row) => row.award_name}
        emptyAction={pool === undefined && !list.failed ? <p>{t("no_pool")}</p> : null}
      />
      {pool !== undefined && isDialogOpen(search) && (mayWrite || search.task === "versions") && (
        <PrizeDialogs pool={pool} rows={lastRows} onOpenPool={open} />
      )}
    </Page>
  );
}
