/** Raises the total of a prize while its round runs (behaviour §3). */
import { Form } from "antd";
import { useTranslation } from "react-i18next";
import { prizeRoutes } from "@red/contract/prize";
import type { Prize } from "@red/contract/prize";
import { FormDialog } from "#forms/form-dialog.tsx";
import { call } from "#lib/api.ts";
import { DIALOG_WIDTH } from "#ui/dialog-width.ts";
import { DigitsInput } from "#ui/digits-input.tsx";
import { grouped } from "#ui/format.ts";
import { useToast } from "#ui/toast.tsx";
import { StockEffect } from "./prize-effect.tsx";
import { refreshPrizes } from "./refresh-prizes.ts";

interface StockValues {
  add: string;
}

const EMPTY = {};

interface StockDialogProps {
  prize: Prize;
  prizes: readonly Prize[];
  onClose: () => void;
}

export function StockDialog({ prize, prizes, onClose }: StockDialogProps) {
  const { t } = useTranslation(["prize", "contract"]);
  const toast = useToast();
  const [form] = Form.useForm<StockValues>();
  const { id, award_name: name, award_total, drawn, remaining } = prize;

  const save = async ({ add }: StockValues, close: () => void) => {
    await call(prizeRoutes.addStock, { params: { id }, body: { add } });
    toast.success(t("contract:saved"));
    close();
    await refreshPrizes();
  };

  return (
    <FormDialog<StockValues>
      title={t("stock_title")}
      width={DIALOG_WIDTH.small}
      form={form}
      initial={EMPTY}
      draftKey={`prize:stock:${id}`}
      okText={t("stock_save")}
      failedText={t("contract:save_failed")}
      onSubmit={save}
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
      <Form.Item
        name="add"
        label={t("stock_add")}
        rules={[{ required: true, pattern: /^0*[1-9]\d*$/, message: t("stock_rule") }]}
      >
        <DigitsInput maxLength={10} />
      </Form.Item>
      <StockEffect prize={prize} prizes={prizes} />
    </FormDialog>
  );
}
