/** Asks for a name, to rename a pool or to copy it with full stock (behaviour §3). */
import { Form, Input } from "antd";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { NAME_LENGTH_MAX } from "@red/contract/limits";
import { poolRoutes } from "@red/contract/pool";
import type { Pool } from "@red/contract/pool";
import { FormDialog } from "#forms/form-dialog.tsx";
import type { Close } from "#forms/saving.tsx";
import { call } from "#lib/api.ts";
import { DIALOG_WIDTH } from "#ui/dialog-width.ts";
import { useToast } from "#ui/toast.tsx";
import { refreshPrizes } from "./refresh-prizes.ts";

interface PoolValues {
  pool_name: string;
}

interface PoolDialogProps {
  pool: Pool;
  task: "rename" | "copy";
  onClose: () => void;
  onDone: (id: number) => void;
}

export function PoolDialog({ pool, task, onClose, onDone }: PoolDialogProps) {
  const { t } = useTranslation(["prize", "contract"]);
  const toast = useToast();
  const [form] = Form.useForm<PoolValues>();
  const { id } = pool;
  const suggested =
    task === "copy" ? t("pool_copy_name", { name: pool.pool_name }) : pool.pool_name;
  const initial = useMemo(() => ({ pool_name: suggested }), [suggested]);

  const save = async ({ pool_name }: PoolValues, close: Close) => {
    const input = { params: { id }, body: { pool_name } };
    if (task === "copy") {
      const copy = await call(poolRoutes.copy, input);
      toast.success(t("contract:added"));
      await refreshPrizes();
      close(() => onDone(copy.id));
    } else {
      await call(poolRoutes.rename, input);
      toast.success(t("contract:saved"));
      await refreshPrizes();
      close(() => onDone(id));
    }
  };

  return (
    <FormDialog<PoolValues>
      title={t(task === "copy" ? "copy_pool" : "rename_pool")}
      width={DIALOG_WIDTH.small}
      form={form}
      initial={initial}
      draftKey={`pool:${task}:${id}`}
      okText={t("save")}
      failedText={t(task === "copy" ? "contract:add_failed" : "contract:save_failed")}
      onSubmit={save}
      onClose={onClose}
    >
      <Form.Item
        name="pool_name"
        label={t("pool_name")}
        rules={[{ required: true, whitespace: true, message: t("contract:enter_pool_name") }]}
      >
        <Input maxLength={NAME_LENGTH_MAX} autoComplete="off" />
      </Form.Item>
    </FormDialog>
  );
}
