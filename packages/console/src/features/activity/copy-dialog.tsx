/** Copies a round to a day, with a copy of its pool (behaviour §3): the day is today, names are derived. */
import { useQuery } from "@tanstack/react-query";
import { DatePicker, Form, Input } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { activityCopy, activityRoutes } from "@red/contract/activity";
import type { Activity } from "@red/contract/activity";
import { NAME_LENGTH_MAX } from "@red/contract/limits";
import { ROUND_ACTIVE } from "@red/contract/lookups";
import { poolRoutes } from "@red/contract/pool";
import { copyName, timesFrom } from "@red/engine/copy-round";
import { assertBody } from "#dialogs/check.ts";
import { FormDialog } from "#dialogs/form-dialog.tsx";
import { call } from "#lib/api.ts";
import { useBusinessDay, useBusinessNow } from "#lib/clock.ts";
import { queryOf, refresh } from "#lib/query.ts";
import { DATE } from "#ui/query-field.tsx";
import { useToast } from "#ui/toast.tsx";
import { dayjs } from "#ui/wall-time.ts";
import type { Dayjs } from "#ui/wall-time.ts";
import { saveEffect } from "./activity-values.ts";

interface CopyValues {
  start_date?: Dayjs | null;
  pool_name?: string;
  rounds_name?: string;
}

interface CopyDialogProps {
  id: number;
  onClose: () => void;
}

export function CopyDialog({ id, onClose }: CopyDialogProps) {
  const query = useQuery(queryOf(activityRoutes.detail, { params: { id } }));
  return query.isError ? null : <CopyForm id={id} source={query.data} onClose={onClose} />;
}

function CopyForm({ id, source, onClose }: CopyDialogProps & { source: Activity | undefined }) {
  const { t } = useTranslation(["activity", "contract"]);
  const toast = useToast();
  const today = useBusinessDay();
  const now = useBusinessNow();
  const pools = useQuery(queryOf(poolRoutes.list, {}));
  const [form] = Form.useForm<CopyValues>();
  const ready = source !== undefined;
  const initial = useMemo(() => (ready ? { start_date: dayjs(today) } : undefined), [ready, today]);
  const start_date = Form.useWatch("start_date", form)?.format(DATE) ?? today;
  const times = source && timesFrom(source, start_date);
  const effect = times && saveEffect(times, now, ROUND_ACTIVE);
  const taken = new Set(pools.data?.content.map(({ pool_name }) => pool_name));

  const save = async (entered: CopyValues) => {
    const text = (value: string | undefined) => (value?.trim() === "" ? undefined : value?.trim());
    const body = {
      start_date: entered.start_date?.format(DATE) ?? "",
      pool_name: text(entered.pool_name),
      rounds_name: text(entered.rounds_name),
    };
    assertBody(activityCopy, body);
    const made = await call(activityRoutes.copy, { params: { id }, body });
    toast.success(t("copied", { name: made.rounds_name, pool: made.pool_name }));
    onClose();
    await refresh(activityRoutes.list, poolRoutes.list);
  };

  const poolName = source && copyName(source.pool_name, start_date, taken);

  return (
    <FormDialog<CopyValues>
      title={t("copy_of", { name: source?.rounds_name ?? "" })}
      form={form}
      initial={initial}
      draftKey={`activity:copy:${id}`}
      okText={
        effect?.kind === "later"
          ? t("copy_later", { time: effect.at })
          : t(effect?.kind === "now" ? "copy_now" : "copy_save")
      }
      onSubmit={save}
      onClose={onClose}
    >
      <Form.Item
        name="start_date"
        label={t("copy_date")}
        rules={[{ required: true, message: t("contract:choose_copy_date") }]}
        extra={times && t("copy_times", { start: times.start_time, end: times.end_time })}
      >
        <DatePicker format={DATE} showNow={false} />
      </Form.Item>
      <Form.Item name="pool_name" label={t("copy_pool_name")} extra={t("copy_pool_note")}>
        <Input
          maxLength={NAME_LENGTH_MAX}
          autoComplete="off"
          placeholder={poolName}
          title={poolName}
        />
      </Form.Item>
      <Form.Item name="rounds_name" label={t("rounds_name")}>
        <Input
          maxLength={NAME_LENGTH_MAX}
          autoComplete="off"
          placeholder={source?.rounds_name}
          title={source?.rounds_name}
        />
      </Form.Item>
    </FormDialog>
  );
}
