import {
  CheckCircleOutlined,
  ClockCircleOutlined,
  ExclamationCircleOutlined,
  PauseCircleOutlined,
  PlayCircleOutlined,
} from "@ant-design/icons";
import { Link } from "@tanstack/react-router";
import { Switch } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Activity, ListedActivity } from "@red/contract/rounds/activity";
import { ROUND_ACTIVE } from "@red/contract/platform/codes";
import { useStops } from "#stops/stops.ts";
import { useClock } from "#lib/clock.ts";
import { useMay } from "#lib/session.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { Money, Name, Span, Status } from "#ui/cells.tsx";
import { momentColumn } from "#ui/columns.tsx";
import type { Tone } from "#ui/cells.tsx";
import { grouped } from "#ui/format.ts";
import type { Column } from "#ui/list-table.ts";
import { RowActions } from "#ui/row-actions.tsx";
import type { RowAction } from "#ui/row-actions.tsx";
import { isOpen, presetOf, stateOf } from "./activity-state.ts";
import type { ActivityState } from "./activity-state.ts";

const CHIPS: Record<ActivityState, { tone: Tone; icon: ReactNode }> = {
  waiting: { tone: "neutral", icon: <ClockCircleOutlined aria-hidden="true" /> },
  running: { tone: "success", icon: <PlayCircleOutlined aria-hidden="true" /> },
  ended: { tone: "neutral", icon: <CheckCircleOutlined aria-hidden="true" /> },
  paused: { tone: "warning", icon: <PauseCircleOutlined aria-hidden="true" /> },
};

function IdCell({ id }: { id: number }) {
  const { t } = useTranslation("activity");
  if (!useMay("record.read")) {
    return <span className="k-num">{id}</span>;
  }
  const search = { rounds_id: String(id) };
  return (
    <Link to="/activity_manage/sheet" search={search} className="k-num" title={t("to_sheet")}>
      {id}
    </Link>
  );
}

/** Marks a round whose draws are stopped, because the stop banner may be scrolled out of view. */
export function NameCell({ activity, isStopped }: { activity: Activity; isStopped: boolean }) {
  const { t } = useTranslation(["activity", "fields"]);
  const state = useClock((now) => stateOf(activity, now));
  const isHeld = isStopped && (state === "running" || state === "waiting");
  return (
    <div className="k-two-lines">
      <Link to="/overview/$id" params={{ id: String(activity.id) }}>
        <Name value={activity.rounds_name} />
      </Link>
      <Status {...CHIPS[isHeld ? "paused" : state]}>
        {t(isHeld ? `chip_${state}_stopped` : `chip_${state}`)}
      </Status>
    </div>
  );
}

/** Shows the pool and, until the round is over, why players cannot draw from the pool. */
function PoolCell({ activity }: { activity: ListedActivity }) {
  const { t } = useTranslation(["activity", "fields"]);
  const { pool_name, pool_gate } = activity;
  const isOver = useClock((now) => stateOf(activity, now) === "ended");
  return (
    <div className="k-two-lines">
      <Name value={pool_name} />
      {pool_gate !== null && !isOver && (
        <Status tone="warning" icon={<ExclamationCircleOutlined aria-hidden="true" />}>
          {t(pool_gate)}
        </Status>
      )}
    </div>
  );
}

function ConditionCell({ activity }: { activity: Activity }) {
  const { t } = useTranslation(["activity", "lookups", "ui"]);
  const preset = presetOf(activity);
  const { draws_max, day_draws_max, platforms } = activity;
  const named = platforms?.map((code) => t(`lookups:platform_${code}`)).join(t("ui:list_comma"));
  return (
    <>
      {/* A condition without a preset shows its code. */}
      {preset === undefined ? activity.condition_name : t(`lookups:preset_${preset.key}`)}
      {draws_max !== null && <div>{t("limit_draws_max", { max: grouped(draws_max) })}</div>}
      {day_draws_max !== null && (
        <div>{t("limit_day_draws_max", { max: grouped(day_draws_max) })}</div>
      )}
      {named !== undefined && <div>{t("limit_platforms", { platforms: named })}</div>}
    </>
  );
}

interface ActivityActions extends Record<
  "toggle" | "edit" | "copy" | "remove",
  (activity: Activity) => void
> {
  toggling: ReadonlySet<number>;
  changes: (activity: Activity) => readonly RowAction[];
}

export function useActivityColumns(actions: ActivityActions): readonly Column<ListedActivity>[] {
  const { t } = useTranslation(["activity", "fields", "ui"]);
  const mayWrite = useMay("activity.write");
  const isStopped = (useStops() ?? []).some(({ name }) => name === "draws");
  return [
    {
      key: "id",
      title: t("id"),
      width: 56,
      fixed: "start",
      render: ({ id }) => <IdCell id={id} />,
    },
    {
      key: "rounds_name",
      title: t("fields:rounds_name"),
      width: 98,
      fixed: "start",
      rowHeader: true,
      render: (activity) => <NameCell activity={activity} isStopped={isStopped} />,
    },
    momentColumn("start_time", t("fields:start_time"), 90),
    momentColumn("end_time", t("fields:end_time"), 90),
    {
      key: "pool_name",
      title: t("fields:pool_name"),
      width: 74,
      render: (activity) => <PoolCell activity={activity} />,
    },
    {
      key: "condition",
      title: t("condition"),
      width: 106,
      render: (activity) => <ConditionCell activity={activity} />,
    },
    {
      key: "condition_value",
      title: t("fields:condition_value"),
      width: 70,
      align: "right",
      render: (row) => <Money value={isOpen(row.condition_name) ? "0" : row.condition_value} />,
    },
    {
      key: "window",
      title: t("window"),
      width: 140,
      render: (row) => <Span start={row.achieve_start_time} end={row.achieve_end_time} />,
    },
    {
      key: "rounds_status",
      title: t("rounds_status"),
      width: 60,
      align: "center",
      // The pause switch must stay in view, so the columns after it are fixed too.
      fixed: "end",
      render: (activity) => (
        <Switch
          size="small"
          checked={activity.rounds_status === ROUND_ACTIVE}
          loading={actions.toggling.has(activity.id)}
          {...permissionProps(mayWrite)}
          aria-label={t("switch_label", { name: activity.rounds_name })}
          onChange={() => actions.toggle(activity)}
        />
      ),
    },
    {
      key: "red_code",
      title: t("red_code_column"),
      width: 84,
      fixed: "end",
      render: (row) => <Name value={row.red_code} />,
    },
    {
      key: "actions",
      title: t("ui:actions"),
      width: 152,
      fixed: "end",
      actions: true,
      render: (activity) => (
        <RowActions
          actions={[
            ...(["edit", "copy", "remove"] as const).map((act) => ({
              text: t(act),
              label: t(`${act}_label`, { name: activity.rounds_name }),
              ...permissionProps(mayWrite),
              danger: act === "remove",
              onClick: () => actions[act](activity),
            })),
            ...actions.changes(activity),
          ]}
        />
      ),
    },
  ];
}
