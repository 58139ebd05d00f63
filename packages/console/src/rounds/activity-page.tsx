import { PlusOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { activityRoutes } from "@red/contract/rounds/activity";
import type { Activity } from "@red/contract/rounds/activity";
import { LOOKUP_SIZE } from "@red/contract/platform/limits";
import { ROUND_ACTIVE, ROUND_PAUSED } from "@red/contract/platform/codes";
import { prizeRoutes } from "@red/contract/pools/prize";
import { stopSwitchRoutes } from "@red/contract/stops/stop-switch";
import { useAct } from "#forms/act.ts";
import { useAddressed } from "#forms/addressed.ts";
import { useChangesEntry } from "#forms/changes-entry.ts";
import { FilterPage } from "#forms/filter-page.tsx";
import { LoadFailedDialog } from "#forms/load-failed-dialog.tsx";
import { call, changeBy, settled } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import { lazyPart } from "#lib/lazy-part.tsx";
import { listQueryOf, queryClient } from "#lib/query.ts";
import { useListSearch, usePageChange, usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { useOnPage } from "#lib/use-on-page.ts";
import { figuresOf } from "#pools/pool-math.ts";
import { permissionProps } from "#lib/permission-props.ts";
import { useConfirm } from "#ui/confirm.tsx";
import { useList } from "#ui/list-state.ts";
import { selectField } from "#ui/query-field.tsx";
import type { QueryField } from "#ui/query-field.tsx";
import { useActivityColumns } from "./activity-columns.tsx";
import { editedQuery, useTags } from "./activity-query.ts";
import { startWarnings } from "./activity-state.ts";
import { ACTIVITY_SEARCH } from "./search.ts";
import { ACTIVITY_TEXTS } from "./activity-texts.ts";

addTexts("activity", ACTIVITY_TEXTS);

interface ChangedNoticeProps {
  activity: Activity;
  isShown: boolean;
  onFind: () => void;
  onDismiss: () => void;
}

function scrollToMarked(): void {
  document.querySelector(".k-marked")?.scrollIntoView({ block: "center", behavior: "smooth" });
}

/**
 * Names the activity that was just switched. The list goes back to page 1 (spec §4), which may not contain this
 * activity (behaviour §9).
 */
function ChangedNotice({ activity, isShown, onFind, onDismiss }: ChangedNoticeProps) {
  const { t } = useTranslation(["activity", "fields"]);
  const { id, rounds_name, rounds_status } = activity;
  return (
    <div className="k-notice">
      <span>
        {t(rounds_status === ROUND_ACTIVE ? "just_resumed" : "just_paused")}
        {t("changed_activity", { name: rounds_name, id })}
      </span>
      <Button type="link" size="small" onClick={isShown ? scrollToMarked : onFind}>
        {t("find")}
      </Button>
      <Button type="link" size="small" onClick={onDismiss}>
        {t("dismiss")}
      </Button>
    </div>
  );
}

/**
 * Returns warnings before a resume. If the data cannot be loaded there are no warnings, because the server decides
 * anyway.
 */
async function resumeWarnings({ pool_name }: Activity) {
  const query = { pool_name, page: 1, size: LOOKUP_SIZE };
  const quiet = { background: true };
  const [prizes, stops] = await Promise.all([
    settled(call(prizeRoutes.list, { query }, quiet)),
    settled(call(stopSwitchRoutes.list, {}, quiet)),
  ]);
  const level = prizes.ok ? figuresOf(prizes.data.content).level : "fine";
  return startWarnings(pool_name, level, stops.ok ? stops.data.content : []);
}

/** This dialog is loaded on demand, because most visits only read the list. */
const ActivityDialog = lazyPart(
  async () => (await import("./activity-dialog.tsx")).ActivityDialog,
  LoadFailedDialog,
);

/**
 * Shows the dialog that the address names. This component reads the address itself, so that the list does not render
 * again.
 */
function Dialogs() {
  const [mode, setSearch] = usePageSearch(ACTIVITY_SEARCH.others);
  const mayWrite = useMay("activity.write");
  const isNamed = Object.keys(mode).length > 0;
  const close = () =>
    setSearch({ new: undefined, edit: undefined, copy: undefined }, { replace: true });
  useAddressed(isNamed, mayWrite, close);
  return isNamed && mayWrite && <ActivityDialog mode={mode} onClose={close} />;
}

function useFields(): readonly QueryField[] {
  const { t } = useTranslation(["activity", "fields"]);
  const { options, loading } = useTags();
  return [
    { kind: "date", name: "start_date", label: t("start_date") },
    { kind: "text", name: "rounds_name", label: t("fields:rounds_name") },
    { kind: "select", name: "tag", label: t("fields:tag"), options, loading },
    selectField("rounds_status", t("rounds_status"), [ROUND_ACTIVE, ROUND_PAUSED], (status) =>
      t(status === ROUND_ACTIVE ? "on" : "off"),
    ),
  ];
}

/**
 * Pauses or resumes with one click. `startOver` then loads page 1, size 20, also if the server rejected the call
 * (spec §4).
 */
function useToggle(startOver: () => void, onDone: (activity: Activity) => void) {
  const { t } = useTranslation("activity");
  const { act } = useAct(activityRoutes.list);
  const confirm = useConfirm();
  const isOnPage = useOnPage();
  const [toggling, setToggling] = useState<ReadonlySet<number>>(new Set());
  const isConfirmed = async (activity: Activity) => {
    const warnings = await resumeWarnings(activity);
    return (
      warnings.length === 0 ||
      // If the operator has left the page, do not ask and do not resume.
      (isOnPage() &&
        (await confirm({
          title: t("resume_title", { name: activity.rounds_name }),
          content: warnings.map((key) => t(key, { name: activity.pool_name })).join(" "),
          okText: t("resume_ok"),
        })))
    );
  };
  const toggle = async (activity: Activity) => {
    const wasOn = activity.rounds_status === ROUND_ACTIVE;
    const rounds_status: Activity["rounds_status"] = wasOn ? ROUND_PAUSED : ROUND_ACTIVE;
    const { id } = activity;
    const end = () => setToggling((ids) => new Set([...ids].filter((each) => each !== id)));
    setToggling((ids) => new Set([...ids, id]));
    if (!wasOn && !(await isConfirmed(activity))) {
      end();
      return;
    }
    const body = { id, rounds_status } as const;
    const done = () => {
      onDone({ ...activity, rounds_status });
      startOver();
    };
    const toggled = await act(changeBy(activityRoutes.pause, { params: { id }, body }), { done });
    if (!toggled.ok) {
      startOver();
    }
    end();
  };
  return { toggling, toggle };
}

function useRemove() {
  const { t } = useTranslation("activity");
  const confirm = useConfirm();
  const { act } = useAct(activityRoutes.list);
  return async ({ id, rounds_name }: Activity) => {
    const agreed = await confirm({
      title: t("remove_confirm"),
      content: t("remove_content", { name: rounds_name }),
      danger: true,
    });
    if (agreed) {
      await act(changeBy(activityRoutes.remove, { params: { id } }));
    }
  };
}

export function ActivityPage() {
  const { t } = useTranslation(["activity", "fields"]);
  const mayWrite = useMay("activity.write");
  const address = useListSearch(ACTIVITY_SEARCH);
  const open = usePageChange(ACTIVITY_SEARCH.others);
  const list = useList(
    listQueryOf(activityRoutes.list, { query: { ...address.filter, ...address.paging } }),
  );
  const fields = useFields();
  const [changed, setChanged] = useState<Activity | null>(null);
  const { toggle, toggling } = useToggle(address.startOver, setChanged);
  const remove = useRemove();
  const changes = useChangesEntry();
  const columns = useActivityColumns({
    toggling,
    toggle: (activity) => void toggle(activity),
    edit: ({ id }) => {
      // Start loading while the dialog renders.
      void queryClient.prefetchQuery(editedQuery(id));
      open({ edit: String(id) });
    },
    copy: ({ id }) => open({ copy: String(id) }),
    remove: (activity) => void remove(activity),
    changes: ({ id, rounds_name }) => changes("activity", id, rounds_name),
  });
  const add = (
    <Button
      type="primary"
      icon={<PlusOutlined aria-hidden="true" />}
      {...permissionProps(mayWrite)}
      onClick={() => open({ new: "1" })}
    >
      {t("add")}
    </Button>
  );
  return (
    <FilterPage
      id="activity"
      title={t("title")}
      address={address}
      fields={fields}
      filterLabel={t("filter")}
      schema={activityRoutes.list.query}
      tools={add}
      summary={
        changed !== null && (
          <ChangedNotice
            activity={changed}
            isShown={list.rows.some(({ id }) => id === changed.id)}
            onFind={() => {
              const { rounds_name, start_time } = changed;
              const found = { start_date: start_time.slice(0, 10), rounds_name };
              address.query({ ...found, tag: undefined, rounds_status: undefined }, list.retry);
            }}
            onDismiss={() => setChanged(null)}
          />
        )
      }
      list={list}
      label={t("list")}
      columns={columns}
      keyOf={(row) => row.id}
      nameOf={(row) => row.rounds_name}
      emptyAction={add}
      markedKey={changed?.id ?? null}
    >
      <Dialogs />
    </FilterPage>
  );
}
