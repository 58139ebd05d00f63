/** Adds or edits a prize (spec §5). A prize is physical if its price is 0.00. */
import { useQuery } from "@tanstack/react-query";
import { Form, Input, Radio } from "antd";
import { useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { AWARD_NAME_LENGTH_MAX } from "@red/contract/platform/limits";
import { parseCents } from "@red/contract/platform/money";
import { FIELD_LABELS } from "@red/contract/pools/field-labels";
import { poolRoutes } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import type { Prize, PrizeFileColumn, PrizeOnWire } from "@red/contract/pools/prize";
import { useAct } from "#forms/act.ts";
import { checked } from "#forms/check.ts";
import { FieldItem } from "#forms/field-item.tsx";
import { FormDialog } from "#forms/form-dialog.tsx";
import type { FormWords } from "#forms/conflict-notice.tsx";
import { call, changeBy } from "#lib/api.ts";
import { currentLanguage } from "#lib/language.ts";
import { queryOf, refresh } from "#lib/query.ts";
import { DigitsInput } from "#ui/digits-input.tsx";
import { plainAmount } from "#ui/plain-number.ts";
import { isPhysical } from "./pool-math.ts";
import { PrizeEffect, SavePrizeText } from "./prize-effect.tsx";
import { PRIZE_LISTS } from "./prize-lists.ts";

const VIRTUAL = "1";
const PHYSICAL = "2";

interface PrizeValues extends Record<Exclude<keyof PrizeOnWire, "floors">, string> {
  type: typeof VIRTUAL | typeof PHYSICAL;
  floors: 0 | 1;
}

interface PrizeDialogProps {
  pool_name: string;
  /** Null adds a new prize. */
  id: number | null;
  onClose: () => void;
}

const NEW: Partial<PrizeValues> = { type: VIRTUAL };

function valuesOf(prize: Prize): PrizeValues {
  const { award_name, weight, award_total, award_price, floors } = prize;
  return {
    type: isPhysical(prize) ? PHYSICAL : VIRTUAL,
    award_name,
    weight: String(weight),
    award_total: String(award_total),
    award_price,
    floors,
  };
}

function usePrizeWords(): FormWords {
  const { t } = useTranslation(["prize", "lookups", "ui"]);
  return {
    labels: { ...FIELD_LABELS[currentLanguage()], type: t("type") },
    choices: {
      type: { [VIRTUAL]: t("lookups:type_virtual"), [PHYSICAL]: t("lookups:type_physical") },
      floors: { 0: t("ui:no"), 1: t("ui:yes") },
    },
  };
}

/** The caller must set a `key`, so that each prize has a new dialog and form. */
export function PrizeDialog({ pool_name: pool, id, onClose }: PrizeDialogProps) {
  const { t } = useTranslation(["prize", "contract"]);
  const { send } = useAct(...PRIZE_LISTS);
  const [form] = Form.useForm<PrizeValues>();
  const words = usePrizeWords();
  const isNew = id === null;
  // Always load the newest version, because stock may have been added after the list was loaded.
  const query = useQuery({
    ...queryOf(prizeRoutes.detail, { params: { id: id ?? 0 } }),
    enabled: !isNew,
    gcTime: 0,
    refetchOnMount: "always",
    // A reload must not silently replace the edits of the operator with a newer version.
    refetchOnReconnect: false,
  });
  const source = query.data;
  const initial = useMemo(() => (isNew ? NEW : source && valuesOf(source)), [isNew, source]);
  // The loaded prize has the current pool name. Renaming the pool does not create a new version of the prize.
  const pool_name = source?.pool_name ?? pool;

  const changeOf = (entered: PrizeValues) => {
    const { award_name, weight, award_total, award_price, floors } = entered;
    const values = { award_name, weight, award_total, award_price, floors, pool_name };
    const body: Pick<typeof values, PrizeFileColumn> = values;
    if (source === undefined) {
      return changeBy(prizeRoutes.create, { body });
    }
    const { id, version } = source;
    return changeBy(prizeRoutes.update, { params: { id }, body: { ...body, id, version } });
  };

  if (query.isLoadingError) {
    return null;
  }
  return (
    <FormDialog<PrizeValues>
      title={t(isNew ? "add" : "edit_title")}
      form={form}
      initial={initial as Record<string, unknown> | undefined}
      draftKey={
        isNew
          ? `prize:new:${pool}`
          : `prize:edit:${id}:${source?.version ?? 0}:${source?.pool_name ?? ""}`
      }
      okText={<SavePrizeText pool_name={pool_name} />}
      failedText={t(isNew ? "contract:add_failed" : "contract:save_failed")}
      onSubmit={(entered, close) => send(checked(changeOf(entered)), { merges: true, close })}
      changeOf={changeOf}
      onClose={onClose}
      {...(isNew
        ? { onAgain: ({ floors }: PrizeValues) => ({ ...NEW, floors }) }
        : { onReload: () => void Promise.all([query.refetch(), refresh(poolRoutes.list)]) })}
      words={words}
      lastSave={() => call(prizeRoutes.lastSave, { params: { id: id ?? 0 } })}
    >
      <PrizeFields />
      <PrizeEffect pool_name={pool_name} id={id} />
    </FormDialog>
  );
}

function PrizeFields() {
  const { t } = useTranslation(["prize", "contract", "lookups", "ui"]);
  const form = Form.useFormInstance<PrizeValues>();
  const physical = Form.useWatch("type", form) === PHYSICAL;
  // Remember the amount, so that it returns if the operator chose the wrong type by mistake.
  const virtualPrice = useRef("");
  const digits = { pattern: /^\d+$/, message: t("digits_only") };
  const amount = {
    validator: (_: unknown, value: string | undefined) => {
      const cents = parseCents(value ?? "");
      if (value === undefined || value === "" || physical || (cents ?? 0) > 0) {
        return Promise.resolve();
      }
      return Promise.reject(new Error(t(cents === null ? "price_rule" : "price_needed")));
    },
  };
  return (
    <>
      <FieldItem
        name="award_name"
        rules={[{ required: true, whitespace: true, message: t("contract:enter_award_name") }]}
      >
        <Input maxLength={AWARD_NAME_LENGTH_MAX} autoComplete="off" />
      </FieldItem>
      <div className="p-grid">
        <FieldItem
          name="weight"
          rules={[{ required: true, message: t("contract:enter_weight") }, digits]}
        >
          <DigitsInput maxLength={10} />
        </FieldItem>
        <FieldItem
          name="award_total"
          rules={[{ required: true, message: t("contract:enter_award_total") }, digits]}
        >
          <DigitsInput maxLength={10} />
        </FieldItem>
        <Form.Item name="type" label={t("type")}>
          <Radio.Group
            options={[
              { value: VIRTUAL, label: t("lookups:type_virtual") },
              { value: PHYSICAL, label: t("lookups:type_physical") },
            ]}
            onChange={({ target }) => {
              const isPhysical = target.value === PHYSICAL;
              if (isPhysical) {
                virtualPrice.current = form.getFieldValue("award_price") ?? "";
              }
              const value = isPhysical ? "0" : virtualPrice.current;
              form.setFields([{ name: "award_price", value, errors: [] }]);
            }}
          />
        </Form.Item>
        <FieldItem
          name="award_price"
          normalize={plainAmount}
          rules={[{ required: true, message: t("contract:enter_award_price") }, amount]}
        >
          <Input inputMode="decimal" autoComplete="off" maxLength={20} disabled={physical} />
        </FieldItem>
      </div>
      <FieldItem name="floors" rules={[{ required: true, message: t("contract:choose_floors") }]}>
        <Radio.Group
          options={[
            { value: 1, label: t("ui:yes") },
            { value: 0, label: t("ui:no") },
          ]}
        />
      </FieldItem>
    </>
  );
}
