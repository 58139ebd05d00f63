/** Adds or edits a prize (spec §5). Physical means price 0.00 and nothing else. */
import { useQuery } from "@tanstack/react-query";
import { Form, Input, Radio } from "antd";
import { useMemo, useRef } from "react";
import { useTranslation } from "react-i18next";
import { AWARD_NAME_LENGTH_MAX } from "@red/contract/platform/limits";
import { parseCents } from "@red/contract/platform/money";
import { poolRoutes } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import type { Prize, PrizeFileColumn, PrizeOnWire } from "@red/contract/pools/prize";
import { useAct } from "#forms/act.ts";
import { checked } from "#forms/check.ts";
import { FormDialog } from "#forms/form-dialog.tsx";
import type { FormWords } from "#forms/conflict-notice.tsx";
import { call, changeBy } from "#lib/api.ts";
import { queryOf, refresh } from "#lib/query.ts";
import { DigitsInput } from "#ui/digits-input.tsx";
import { plainAmount } from "#ui/plain-number.ts";
import { isPhysical } from "./pool-math.ts";
import { PrizeEffect, SavePrizeText } from "./prize-effect.tsx";
import { PRIZE_LISTS } from "./prize-lists.ts";

/** Prize types in the form (spec §5). */
const VIRTUAL = "1";
const PHYSICAL = "2";

interface PrizeValues extends Record<Exclude<keyof PrizeOnWire, "floors">, string> {
  type: typeof VIRTUAL | typeof PHYSICAL;
  floors: 0 | 1;
}

interface PrizeDialogProps {
  pool_name: string;
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

export function PrizeDialog({ pool_name, id, onClose }: PrizeDialogProps) {
  if (id === null) {
    return (
      <PrizeEditor
        pool_name={pool_name}
        source={null}
        initial={NEW}
        draftKey={`prize:new:${pool_name}`}
        onClose={onClose}
      />
    );
  }
  // A new dialog and form for each prize.
  return <ExistingPrize key={id} pool_name={pool_name} id={id} onClose={onClose} />;
}

function ExistingPrize(props: { pool_name: string; id: number; onClose: () => void }) {
  const { pool_name, id, onClose } = props;
  // Always the newest version: the list may be older than stock added since.
  const query = useQuery({
    ...queryOf(prizeRoutes.detail, { params: { id } }),
    gcTime: 0,
    refetchOnMount: "always",
    // A newer version must not replace the operator's edits unless asked to.
    refetchOnReconnect: false,
  });
  const source = query.data;
  const initial = useMemo(() => (source === undefined ? undefined : valuesOf(source)), [source]);
  if (query.isLoadingError) {
    return null;
  }
  return (
    <PrizeEditor
      // A renamed pool is no newer version of the prize.
      pool_name={source?.pool_name ?? pool_name}
      source={source ?? null}
      initial={initial}
      draftKey={`prize:edit:${id}:${source?.version ?? 0}:${source?.pool_name ?? ""}`}
      onClose={onClose}
      onReload={() => void Promise.all([query.refetch(), refresh(poolRoutes.list)])}
    />
  );
}

interface PrizeEditorProps {
  pool_name: string;
  /** The prize to edit, once loaded; null for a new one. */
  source: Prize | null;
  initial: Partial<PrizeValues> | undefined;
  draftKey: string;
  onClose: () => void;
  /** Loads the version that another operator has saved meanwhile; absent for a new prize. */
  onReload?: () => void;
}

function usePrizeWords(): FormWords {
  const { t } = useTranslation(["prize", "lookups", "ui"]);
  return {
    labels: {
      award_name: t("award_name"),
      weight: t("weight"),
      award_total: t("award_total"),
      type: t("type"),
      award_price: t("award_price"),
      floors: t("floors"),
    } satisfies Record<keyof PrizeValues, string>,
    choices: {
      type: { [VIRTUAL]: t("lookups:type_virtual"), [PHYSICAL]: t("lookups:type_physical") },
      floors: { 0: t("ui:no"), 1: t("ui:yes") },
    },
  };
}

function PrizeEditor(props: PrizeEditorProps) {
  const { pool_name, source, initial, draftKey, onClose, onReload } = props;
  const { t } = useTranslation(["prize", "contract"]);
  const { send } = useAct(...PRIZE_LISTS);
  const [form] = Form.useForm<PrizeValues>();
  const isNew = onReload === undefined;
  const words = usePrizeWords();

  const changeOf = (entered: PrizeValues) => {
    const { award_name, weight, award_total, award_price, floors } = entered;
    const values = { award_name, weight, award_total, award_price, floors, pool_name };
    const body: Pick<typeof values, PrizeFileColumn> = values;
    if (source === null) {
      return changeBy(prizeRoutes.create, { body });
    }
    const { id, version } = source;
    return changeBy(prizeRoutes.update, { params: { id }, body: { ...body, id, version } });
  };

  return (
    <FormDialog<PrizeValues>
      title={t(isNew ? "add" : "edit_title")}
      form={form}
      initial={initial as Record<string, unknown> | undefined}
      draftKey={draftKey}
      okText={<SavePrizeText pool_name={pool_name} />}
      failedText={t(isNew ? "contract:add_failed" : "contract:save_failed")}
      onSubmit={(entered, close) => send(checked(changeOf(entered)), { merges: true, close })}
      changeOf={changeOf}
      onClose={onClose}
      onAgain={isNew ? ({ floors }) => ({ ...NEW, floors }) : undefined}
      onReload={onReload}
      words={words}
      lastSave={() => call(prizeRoutes.lastSave, { params: { id: source?.id ?? 0 } })}
    >
      <PrizeFields />
      <PrizeEffect pool_name={pool_name} id={source?.id ?? null} />
    </FormDialog>
  );
}

function PrizeFields() {
  const { t } = useTranslation(["prize", "contract", "lookups", "ui"]);
  const form = Form.useFormInstance<PrizeValues>();
  const physical = Form.useWatch("type", form) === PHYSICAL;
  // Keeps the amount when the other type is chosen by mistake.
  const virtualPrice = useRef("");
  const digits = { pattern: /^\d+$/, message: t("digits_only") };
  const amount = {
    validator: (_: unknown, value: string | undefined) => {
      const cents = parseCents(value ?? "");
      if (value === undefined || value === "" || physical) {
        return Promise.resolve();
      }
      if (cents === null) {
        return Promise.reject(new Error(t("price_rule")));
      }
      return cents === 0 ? Promise.reject(new Error(t("price_needed"))) : Promise.resolve();
    },
  };
  return (
    <>
      <Form.Item
        name="award_name"
        label={t("award_name")}
        rules={[{ required: true, whitespace: true, message: t("contract:enter_award_name") }]}
      >
        <Input maxLength={AWARD_NAME_LENGTH_MAX} autoComplete="off" />
      </Form.Item>
      <div className="p-grid">
        <Form.Item
          name="weight"
          label={t("weight")}
          rules={[{ required: true, message: t("contract:enter_weight") }, digits]}
        >
          <DigitsInput maxLength={10} />
        </Form.Item>
        <Form.Item
          name="award_total"
          label={t("award_total")}
          rules={[{ required: true, message: t("contract:enter_award_total") }, digits]}
        >
          <DigitsInput maxLength={10} />
        </Form.Item>
        <Form.Item name="type" label={t("type")}>
          <Radio.Group
            options={[
              { value: VIRTUAL, label: t("lookups:type_virtual") },
              { value: PHYSICAL, label: t("lookups:type_physical") },
            ]}
            onChange={({ target }) => {
              if (target.value === PHYSICAL) {
                virtualPrice.current = form.getFieldValue("award_price") ?? "";
                form.setFieldsValue({ award_price: "0" });
              } else {
                form.setFieldsValue({ award_price: virtualPrice.current });
              }
              form.setFields([{ name: "award_price", errors: [] }]);
            }}
          />
        </Form.Item>
        <Form.Item
          name="award_price"
          label={t("award_price")}
          normalize={plainAmount}
          rules={[{ required: true, message: t("contract:enter_award_price") }, amount]}
        >
          <Input inputMode="decimal" autoComplete="off" maxLength={20} disabled={physical} />
        </Form.Item>
      </div>
      <Form.Item
        name="floors"
        label={t("floors")}
        rules={[{ required: true, message: t("contract:choose_floors") }]}
      >
        <Radio.Group
          options={[
            { value: 1, label: t("ui:yes") },
            { value: 0, label: t("ui:no") },
          ]}
        />
      </Form.Item>
    </>
  );
}
