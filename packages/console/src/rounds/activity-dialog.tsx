/** Adds, edits or copies an activity (spec §2, §5). The address says which of the three. */
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
import { editedQuery, useTags } from "./activity-query.ts";
import { bodyOf, newValues, saveEffect, timeText, valuesOf } from "./activity-values.ts";
import type { ActivityValues } from "./activity-values.ts";
import { CopyDialog } from "./copy-dialog.tsx";
import { LivePreview } from "./rule-preview.tsx";

interface SaveTextProps {
  form: FormInstance<ActivityValues>;
  source: Activity | null;
  /** First values of the form. The form itself has no values until it is rendered. */
  initial: ActivityValues | undefined;
}

function SaveText({ form, source, initial }: SaveTextProps) {
  const { t } = useTranslation(["activity", "ui"]);
  const entered = Form.useWatch(
    ({ start_time, end_time }: ActivityValues) => ({ start_time, end_time }),
    form,
  );
  // An emptied field contains null and keeps this value. Only an undefined field takes its first value.
  const { start_time = initial?.start_time, end_time = initial?.end_time } = entered;
  const times = { start_time: timeText(start_time), end_time: timeText(end_time) };
  return useClock((now) => {
    const effect = saveEffect(times, now, source?.rounds_status ?? ROUND_ACTIVE);
    switch (effect.kind) {
      case "plain":
        return t("ui:save");
      case "later":
        return t("save_later", { time: effect.at });
      case "now":
        // Saving a new activity starts it. Saving a running activity only changes it.
        return t(source === null ? "save_start" : "save_now");
      case "paused":
      case "ended":
        return t(`save_${effect.kind}`);
    }
  });
}

function useActivityWords(): FormWords {
  const { t } = useTranslation("activity");
  const { labels: tag } = useTags();
  return {
    labels: {
      ...FIELD_LABELS[currentLanguage()],
      start_time: t("activity_start_time"),
      end_time: t("activity_end_time"),
    },
    choices: {
      tag,
      condition_name: {
        [CONDITION_NAMES.deposit]: t("source_deposit"),
        [CONDITION_NAMES.bet]: t("source_bet"),
        [CONDITION_NAMES.no_limit]: t("no_limit"),
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

interface ActivityDialogProps {
  mode: { readonly new?: string; readonly edit?: string; readonly copy?: string };
  onClose: () => void;
}

export function ActivityDialog({ mode, onClose }: ActivityDialogProps) {
  if (mode.new !== undefined) {
    return <ActivityEditor id={null} onClose={onClose} />;
  }
  const id = Number(mode.edit ?? mode.copy);
  if (!Number.isSafeInteger(id) || id < 1) {
    return null;
  }
  // Each activity needs a new dialog and form.
  const Chosen = mode.edit === undefined ? CopyDialog : ActivityEditor;
  return <Chosen key={id} id={id} onClose={onClose} />;
}

interface ActivityEditorProps {
  /** Null adds a new activity. */
  id: number | null;
  onClose: () => void;
}

function ActivityEditor({ id, onClose }: ActivityEditorProps) {
  const { t } = useTranslation(["activity", "fields", "contract", "grid"]);
  const { send } = useAct(activityRoutes.list);
  const { red_code_default } = useUser();
  const isNew = id === null;
  const query = useQuery({
    ...editedQuery(id ?? 0),
    enabled: !isNew,
    refetchOnMount: "always",
    // A reload must not silently replace the edits of the operator with a newer version.
    refetchOnReconnect: false,
  });
  const source = query.data ?? null;
  const initial = useMemo(() => {
    if (isNew) {
      return newValues(red_code_default);
    }
    return source === null ? undefined : valuesOf(source);
  }, [isNew, source, red_code_default]);
  // Parts that change with every input watch the form directly, so that the form fields do not render again.
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

  if (query.isLoadingError) {
    return null;
  }
  return (
    <>
      <FormDialog<ActivityValues>
        title={t(isNew ? "add" : "edit_title")}
        width={DIALOG_WIDTH.editor}
        form={form}
        initial={initial as Record<string, unknown> | undefined}
        draftKey={isNew ? "activity:new" : `activity:edit:${id}:${source?.version ?? 0}`}
        okText={<SaveText form={form} source={source} initial={initial} />}
        onSubmit={(entered, close) => send(checked(changeOf(entered)), { merges: true, close })}
        changeOf={(entered) => (entered.condition_name === undefined ? null : changeOf(entered))}
        onClose={onClose}
        onReload={isNew ? undefined : () => void query.refetch()}
        words={words}
        lastSave={() => call(activityRoutes.lastSave, { params: { id: id ?? 0 } })}
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
