/** Adds, edits or copies an activity (spec §2, §5), as the address says. */
import { useQuery } from "@tanstack/react-query";
import { Form } from "antd";
import type { FormInstance } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { activityRoutes } from "@red/contract/rounds/activity";
import type { Activity } from "@red/contract/rounds/activity";
import {
  CONDITION_FORMULAS,
  CONDITION_NAMES,
  CONDITION_TYPES,
  ROUND_ACTIVE,
} from "@red/contract/platform/codes";
import { FIELD_LABELS } from "@red/contract/pools/field-labels";
import { poolRoutes } from "@red/contract/pools/pool";
import { useAct } from "#forms/act.ts";
import { checked } from "#forms/check.ts";
import { FormDialog } from "#forms/form-dialog.tsx";
import type { FormWords } from "#forms/conflict-notice.tsx";
import { call, changeBy } from "#lib/api.ts";
import { useClock } from "#lib/clock.ts";
import { currentLanguage } from "#lib/language.ts";
import { queryOf } from "#lib/query.ts";
import { useUser } from "#lib/session.ts";
import { PoolGrid } from "#pools/pool-grid.tsx";
import { nextPoolName } from "#pools/pool-math.ts";
import { DIALOG_WIDTH } from "#ui/dialog.tsx";
import { useOpened } from "#ui/opened.tsx";
import { ActivityForm } from "./activity-form.tsx";
import { editedQuery } from "./activity-query.ts";
import { bodyOf, newValues, saveEffect, timeText, valuesOf } from "./activity-values.ts";
import type { ActivityValues, SaveEffect } from "./activity-values.ts";
import { CopyDialog } from "./copy-dialog.tsx";
import { LivePreview } from "./rule-preview.tsx";

/** A new activity starts; a running one only changes. */
function saveKey(kind: Exclude<SaveEffect["kind"], "later">, isNew: boolean) {
  if (kind === "plain") {
    return "save";
  }
  return kind === "now" && isNew ? "save_start" : (`save_${kind}` as const);
}

interface SaveTextProps {
  form: FormInstance<ActivityValues>;
  source: Activity | null;
  /** What the form will hold, until it is rendered. */
  initial: ActivityValues | undefined;
}

function SaveText({ form, source, initial }: SaveTextProps) {
  const { t } = useTranslation(["activity", "fields"]);
  const entered = Form.useWatch(
    ({ start_time, end_time }: ActivityValues) => ({ start_time, end_time }),
    form,
  );
  // An emptied field holds null.
  const times = {
    start_time: timeText(
      entered.start_time === undefined ? initial?.start_time : entered.start_time,
    ),
    end_time: timeText(entered.end_time === undefined ? initial?.end_time : entered.end_time),
  };
  return useClock((now) => {
    const effect = saveEffect(times, now, source?.rounds_status ?? ROUND_ACTIVE);
    return effect.kind === "later"
      ? t("save_later", { time: effect.at })
      : t(saveKey(effect.kind, source === null));
  });
}

function useActivityWords(): FormWords {
  const { t } = useTranslation("activity");
  const tags = useQuery(queryOf(activityRoutes.tags, {}));
  return {
    labels: {
      ...FIELD_LABELS[currentLanguage()],
      start_time: t("activity_start_time"),
      end_time: t("activity_end_time"),
    },
    choices: {
      tag: tags.data?.tags ?? {},
      condition_name: {
        [CONDITION_NAMES.deposit]: t("source_deposit"),
        [CONDITION_NAMES.bet]: t("source_bet"),
        [CONDITION_NAMES.no_limit]: t("source_no_limit"),
        [CONDITION_NAMES.whitelist]: t("source_whitelist"),
      },
      condition_formula: {
        [CONDITION_FORMULAS.cumulative]: t("formula_cumulative"),
        [CONDITION_FORMULAS.single]: t("formula_single"),
      },
      condition_type: {
        [CONDITION_TYPES.repeatable]: t("type_repeatable"),
        [CONDITION_TYPES.once]: t("type_once"),
      },
    },
  };
}

interface Mode {
  readonly new?: string;
  readonly edit?: string;
  readonly copy?: string;
}

interface ActivityDialogProps {
  mode: Mode;
  onClose: () => void;
}

export function ActivityDialog({ mode, onClose }: ActivityDialogProps) {
  if (mode.new !== undefined) {
    return <NewActivity onClose={onClose} />;
  }
  const id = Number(mode.edit ?? mode.copy);
  if (!Number.isSafeInteger(id) || id < 1) {
    return null;
  }
  // A new dialog and form for each activity.
  return mode.edit === undefined ? (
    <CopyDialog key={id} id={id} onClose={onClose} />
  ) : (
    <ExistingActivity key={id} id={id} onClose={onClose} />
  );
}

function NewActivity({ onClose }: { onClose: () => void }) {
  const { red_code_default } = useUser();
  const initial = useMemo(() => newValues(red_code_default), [red_code_default]);
  return (
    <ActivityEditor source={null} initial={initial} draftKey="activity:new" onClose={onClose} />
  );
}

function ExistingActivity({ id, onClose }: { id: number; onClose: () => void }) {
  const query = useQuery({
    ...editedQuery(id),
    refetchOnMount: "always",
    // A newer version must not replace the operator's edits unless asked to.
    refetchOnReconnect: false,
  });
  const source = query.data;
  const initial = useMemo(() => source && valuesOf(source), [source]);
  if (query.isLoadingError) {
    return null;
  }
  const draftKey = `activity:edit:${id}:${source?.version ?? 0}`;
  return (
    <ActivityEditor
      source={source ?? null}
      initial={initial}
      draftKey={draftKey}
      titleKey="edit_title"
      onClose={onClose}
      onReload={() => void query.refetch()}
    />
  );
}

interface ActivityEditorProps {
  source: Activity | null;
  initial: ActivityValues | undefined;
  draftKey: string;
  titleKey?: "add" | "edit_title";
  onClose: () => void;
  onReload?: () => void;
}

function ActivityEditor(props: ActivityEditorProps) {
  const { source, initial, draftKey, titleKey = "add", onClose, onReload } = props;
  const { t } = useTranslation(["activity", "fields", "contract", "grid"]);
  const { send } = useAct(activityRoutes.list);
  // What changes with every entry watches the form itself, so that the other fields do not render again.
  const [form] = Form.useForm<ActivityValues>();
  const words = useActivityWords();
  const pools = useQuery(queryOf(poolRoutes.list, {})).data?.content ?? [];
  const addsPool = useOpened<true>();

  const changeOf = (entered: ActivityValues) => {
    const body = bodyOf(entered);
    if (source === null) {
      return changeBy(activityRoutes.create, { body: { ...body, rounds_status: ROUND_ACTIVE } });
    }
    const { id, act_id, version } = source;
    const update = { params: { id }, body: { ...body, id, act_id, version } };
    return changeBy(activityRoutes.update, update);
  };

  return (
    <>
      <FormDialog<ActivityValues>
        title={t(titleKey)}
        width={DIALOG_WIDTH.editor}
        form={form}
        initial={initial as Record<string, unknown> | undefined}
        draftKey={draftKey}
        okText={<SaveText form={form} source={source} initial={initial} />}
        onSubmit={(entered, close) => send(checked(changeOf(entered)), { merges: true, close })}
        changeOf={(entered) => (entered.condition_name === undefined ? null : changeOf(entered))}
        onClose={onClose}
        onReload={onReload}
        words={words}
        lastSave={() => call(activityRoutes.lastSave, { params: { id: source?.id ?? 0 } })}
        aside={<LivePreview form={form} source={source} />}
      >
        <ActivityForm onNewPool={() => addsPool.open(true)} />
      </FormDialog>
      {addsPool.show(() => (
        <PoolGrid
          id={null}
          name={nextPoolName(
            pools.map(({ pool_name }) => pool_name),
            t("grid:pool_word"),
          )}
          okText={t("grid:create")}
          onClose={addsPool.close}
          onSaved={(pool_name) => {
            addsPool.close();
            form.setFields([{ name: "pool_name", value: pool_name, errors: [] }]);
          }}
        />
      ))}
    </>
  );
}
