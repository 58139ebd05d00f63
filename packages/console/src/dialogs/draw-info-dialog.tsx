/** Dialog A (spec §2): how many draws a player was granted, has used and has left in a round. */
import { Button, DatePicker, Form, Input, Modal, Select } from "antd";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { drawInfoQuery, playerRoutes } from "@red/contract/player";
import type { DrawInfo } from "@red/contract/player";
import { useActivitiesOf } from "#lib/activities.ts";
import { call, settled } from "#lib/api.ts";
import { useBusinessDay } from "#lib/clock.ts";
import { addTexts } from "#lib/language.ts";
import { usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { BusyButton } from "#ui/busy-button.tsx";
import { grouped } from "#ui/format.ts";
import { useIsMobile } from "#ui/media.ts";
import { DATE } from "#ui/query-field.tsx";
import { dayjs } from "#ui/wall-time.ts";
import type { Dayjs } from "#ui/wall-time.ts";
import { DRAW_INFO_TEXTS } from "./draw-info-texts.ts";
import { dropDraft } from "./draft.ts";
import { passes } from "./first-fault.ts";
import { lastAccount, rememberAccount } from "./last-account.ts";
import { useDraft } from "./use-draft.ts";
import "./ask-dialog.css";

addTexts("draw_info", DRAW_INFO_TEXTS);

interface Asked {
  start_date?: Dayjs | null;
  rounds_name?: string | undefined;
  user_name?: string;
}

interface Answer {
  readonly info: DrawInfo;
  readonly name: string;
  readonly activity: string;
}

function DrawInfoAnswer({ answer }: { answer: Answer | null }) {
  const { t } = useTranslation("draw_info");
  const { info, name, activity } = answer ?? {};
  return (
    <div role="status">
      {info !== undefined && (
        <div className="q-answer">
          <p>{t("answer", { name: name ?? "", activity: activity ?? "" })}</p>
          <dl>
            {(["total", "already", "remain"] as const).map((key) => (
              <div key={key}>
                <dt>{t(key)}</dt>
                <dd className="k-num">{grouped(info[key])}</dd>
              </div>
            ))}
          </dl>
        </div>
      )}
    </div>
  );
}

/** The three fields; names are those of the wire, so that a fault finds its field. */
function DrawInfoFields({ busy }: { busy: boolean }) {
  const { t } = useTranslation(["draw_info", "ui"]);
  const form = Form.useFormInstance<Asked>();
  const day = Form.useWatch("start_date", form);
  const { activities, loading } = useActivitiesOf(day?.format(DATE));
  return (
    <>
      <Form.Item name="start_date" label={t("start_date")}>
        <DatePicker format={DATE} showNow={false} />
      </Form.Item>
      <Form.Item name="rounds_name" label={t("rounds_name")}>
        <Select
          loading={loading}
          showSearch={{ optionFilterProp: "label" }}
          options={activities.map(({ rounds_name }) => ({
            value: rounds_name,
            label: rounds_name,
          }))}
          notFoundContent={t(day ? "none_that_day" : "choose_date_first")}
        />
      </Form.Item>
      <Form.Item name="user_name" label={t("user_name")}>
        <Input autoComplete="off" maxLength={64} allowClear />
      </Form.Item>
      <BusyButton type="primary" htmlType="submit" busy={busy}>
        {t("ui:query")}
      </BusyButton>
    </>
  );
}

interface DrawInfoDialogProps {
  /** The account that the page is about, if it is about one. */
  account: string | undefined;
  onClose: () => void;
}

export function DrawInfoDialog({ account, onClose }: DrawInfoDialogProps) {
  const { t } = useTranslation("draw_info");
  const [form] = Form.useForm<Asked>();
  const today = useBusinessDay();
  const [initial] = useState(() => ({
    start_date: dayjs(today),
    user_name: account ?? lastAccount(),
  }));
  const draftKey = `draw_info:${account ?? ""}`;
  useDraft(form, initial, draftKey);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<Answer | null>(null);
  const isMobile = useIsMobile();
  const fields = useRef<HTMLDivElement>(null);

  const ask = async ({ start_date, rounds_name, user_name = "" }: Asked) => {
    const body = {
      user_name: user_name.trim(),
      rounds_name,
      start_date: start_date?.format(DATE),
    };
    if (!passes(form, drawInfoQuery, body)) {
      return;
    }
    rememberAccount(body.user_name);
    setBusy(true);
    const asked = await settled(call(playerRoutes.drawInfo, { body }));
    setBusy(false);
    setAnswer(
      asked.ok ? { info: asked.data, name: body.user_name, activity: rounds_name ?? "" } : null,
    );
  };

  return (
    <Modal
      open
      title={t("open")}
      width={isMobile ? "100%" : 520}
      className={isMobile ? "k-dialog k-dialog-full" : "k-dialog"}
      onCancel={() => {
        dropDraft(draftKey);
        onClose();
      }}
      footer={null}
      destroyOnHidden
      afterOpenChange={(open) => {
        if (open) {
          fields.current?.querySelector("input")?.focus();
        }
      }}
    >
      <div ref={fields} className="k-form">
        <Form<Asked>
          form={form}
          layout="vertical"
          onValuesChange={(changed) => {
            // An answer belongs to what was asked.
            setAnswer(null);
            // Another day has other activities; without a day the name stays as it was chosen.
            if (dayjs.isDayjs(changed.start_date)) {
              form.setFieldsValue({ rounds_name: undefined });
            }
          }}
          onFinish={(values) => void ask(values)}
        >
          <DrawInfoFields busy={busy} />
        </Form>
        <DrawInfoAnswer answer={answer} />
      </div>
    </Modal>
  );
}

/** Value of the address's field `dialog` while Dialog A is open. */
const DRAWS = "draws";

/** The button that opens Dialog A, and the dialog; whether it is open stands in the address. */
export function DrawInfoButton({ account }: { account?: string | undefined }) {
  const { t } = useTranslation("draw_info");
  const mayRead = useMay("player.read");
  const [search, setSearch] = usePageSearch<"dialog">();
  return (
    <>
      <Button disabled={!mayRead} onClick={() => setSearch({ dialog: DRAWS })}>
        {t("open")}
      </Button>
      {mayRead && search.dialog === DRAWS && (
        <DrawInfoDialog
          account={account}
          onClose={() => setSearch({ dialog: undefined }, { replace: true })}
        />
      )}
    </>
  );
}
