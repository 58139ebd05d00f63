/** Lists the versions of a pool with their changes. A restored version becomes the newest version (behaviour §3). */
import { useQuery } from "@tanstack/react-query";
import { Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { PAGE_SIZE_DEFAULT as size } from "@red/contract/platform/limits";
import { poolRoutes } from "@red/contract/pools/pool";
import type { Pool, PoolVersion } from "@red/contract/pools/pool";
import type { Prize } from "@red/contract/pools/prize";
import { useAct } from "#forms/act.ts";
import { useSaving } from "#forms/saving.tsx";
import { Valued } from "#forms/valued.tsx";
import { changeBy } from "#lib/api.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { listQueryOf } from "#lib/query.ts";
import { useMay } from "#lib/session.ts";
import { DIALOG_WIDTH, LargeDialog } from "#ui/dialog.tsx";
import { grouped, NOTHING } from "#ui/format.ts";
import { NotLoaded } from "#ui/not-loaded.tsx";
import { Pager } from "#ui/pager.tsx";
import { PRIZE_LISTS } from "./prize-lists.ts";

/** Returns one line per changed prize. A line has old and new values if the version before is loaded too. */
function useLines() {
  const { t } = useTranslation(["prize", "fields", "ui"]);
  return ({ changes, prizes }: PoolVersion, former: PoolVersion | undefined) =>
    changes.map(({ change, award_name: name, fields }) => {
      const after = prizes.find((prize) => prize.award_name === name);
      const before = former?.prizes.find(({ id }) => id === after?.id);
      const words = fields.map((field) => {
        const [was, is] = [before, after].map((prize) => {
          const value = prize?.[field] ?? "";
          const yesNo = t(value === 1 ? "ui:yes" : "ui:no");
          return field === "floors" ? yesNo : typeof value === "number" ? grouped(value) : value;
        });
        const label = t(`fields:${field}`);
        return before ? `${label} ${was} → ${is}` : label;
      });
      return `${t(`version_${change}`, { name })}${words.join(t("ui:list_comma"))}`;
    });
}

type Values = PoolVersion["prizes"][number];

/** Returns whether the pool now has this prize with the same values. */
function isAsNow(prize: Values, now: readonly Values[]): boolean {
  const same = now.find(({ id }) => id === prize.id);
  const fields = Object.keys(prize) as (keyof Values)[];
  return same !== undefined && fields.every((field) => same[field] === prize[field]);
}

interface PoolVersionsProps {
  pool: Pool;
  /** The current prizes of the pool. */
  prizes: readonly Values[];
  onClose: () => void;
}

export function PoolVersions({ pool, prizes, onClose }: PoolVersionsProps) {
  const { t } = useTranslation(["prize", "ui"]);
  const { act } = useAct(...PRIZE_LISTS);
  const mayWrite = useMay("pool.write");
  const { busy, run, ask, close, leave } = useSaving(onClose);
  const linesOf = useLines();
  const [page, setPage] = useState(1);
  const params = { id: pool.id };
  const list = useQuery(listQueryOf(poolRoutes.versions, { params, query: { page, size } }));
  const { content = [], total = 0 } = list.data ?? {};
  const named = (some: readonly Pick<Prize, "award_name">[]) =>
    some.map(({ award_name: name }) => t("effect_round", { name })).join(t("ui:list_comma"));
  const lost = (version: PoolVersion) =>
    named(prizes.filter(({ id }) => version.prizes.every((prize) => prize.id !== id)));
  const changedBy = (version: PoolVersion) =>
    named(version.prizes.filter((prize) => !isAsNow(prize, prizes)));
  /** Returns the text key of the button: "restore", or the reason why this version cannot be restored. */
  const labelOf = (row: PoolVersion) => {
    if (row.version === total) {
      return "version_current";
    }
    // A restore to an empty pool would leave the rounds of the pool without prizes at once.
    if (row.prizes.length === 0) {
      return "version_empty";
    }
    return lost(row) + changedBy(row) === "" ? "version_same" : "version_restore";
  };
  const changeOf = ({ version }: PoolVersion) =>
    changeBy(poolRoutes.restore, { params, body: { version, current: total } });
  const restore = async (row: PoolVersion) => {
    const { version } = row;
    const lose = lost(row);
    const changed = changedBy(row);
    const isAgreed = await ask({
      title: t("version_ask", { version, pool: pool.pool_name }),
      content: (
        <>
          {lose !== "" && <p className="k-negative">{t("version_deletes", { names: lose })}</p>}
          {changed !== "" && <p>{t("version_changes", { names: changed })}</p>}
          <Valued change={changeOf(row)} />
        </>
      ),
      okText: t("version_ok"),
      danger: lose !== "",
    });
    if (isAgreed) {
      const text = (next: { version: number }) =>
        t("version_restored", { version, next: next.version });
      await run(() => act(changeOf(row), { text, close }));
    }
  };
  const of = `${t("versions")} · ${pool.pool_name}`;
  const { table: width } = DIALOG_WIDTH;
  return (
    <LargeDialog title={of} width={width} onCancel={() => void leave()} footer={null}>
      {!list.isSuccess && <NotLoaded query={list} />}
      <ul className="k-cards">
        {content.map((row, at) => (
          <li key={row.version} className="k-card">
            <div className="k-card-head">
              <span className="k-card-title">
                {`#${row.version} `}
                {t("ui:merged_by", { by: row.saved_by ?? NOTHING, at: row.saved_at })}
              </span>
              <Button
                {...permissionProps(
                  mayWrite,
                  busy || list.isFetching || labelOf(row) !== "version_restore",
                )}
                onClick={() => void restore(row)}
              >
                {t(labelOf(row))}
              </Button>
            </div>
            {linesOf(row, content[at + 1]).map((line) => (
              <div key={line}>{line}</div>
            ))}
            {labelOf(row) === "version_restore" && lost(row) !== "" && (
              <div className="k-negative">{t("version_deletes", { names: lost(row) })}</div>
            )}
          </li>
        ))}
      </ul>
      {total > size && (
        <Pager {...{ of, page, size, sizes: [size], total }} onChange={(to) => setPage(to.page)} />
      )}
    </LargeDialog>
  );
}
