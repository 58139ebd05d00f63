/** Player info (spec §2): valid deposits, and what the first three rounds of the day brought. */
import { Form, Input, Modal } from "antd";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { NAME_LENGTH_MAX } from "@red/contract/limits";
import { playerInfoQuery, playerRoutes } from "@red/contract/player";
import type { Data } from "@red/contract/route";
import { dropDraft } from "#dialogs/draft.ts";
import { passes } from "#dialogs/first-fault.ts";
import { lastAccount, rememberAccount } from "#dialogs/last-account.ts";
import { useDraft } from "#dialogs/use-draft.ts";
import { call, settled } from "#lib/api.ts";
import { BusyButton } from "#ui/busy-button.tsx";
import { Money } from "#ui/cells.tsx";
import { useIsMobile } from "#ui/media.ts";
import "#dialogs/ask-dialog.css";

type PlayerInfo = Data<typeof playerRoutes.info>;

interface Asked {
  player_name?: string;
}

const DRAFT_KEY = "player_info";

const FIGURES = ["vaildAmount", "totalPrice1", "totalPrice2", "totalPrice3"] as const;

/** Before an answer the figures are 0 (spec §2). */
const NO_INFO: PlayerInfo = {
  vaildAmount: "0",
  totalPrice1: "0",
  totalPrice2: "0",
  totalPrice3: "0",
};

export function PlayerInfoDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["player", "ui"]);
  const [form] = Form.useForm<Asked>();
  const [initial] = useState(() => ({ player_name: lastAccount() }));
  useDraft(form, initial, DRAFT_KEY);
  const [busy, setBusy] = useState(false);
  const [answer, setAnswer] = useState<{ info: PlayerInfo; name: string } | null>(null);
  const isMobile = useIsMobile();
  const fields = useRef<HTMLDivElement>(null);
  const info = answer?.info ?? NO_INFO;

  const ask = async ({ player_name = "" }: Asked) => {
    const body = { player_name: player_name.trim() };
    if (!passes(form, playerInfoQuery, body)) {
      return;
    }
    rememberAccount(body.player_name);
    setBusy(true);
    const asked = await settled(call(playerRoutes.info, { body }));
    setBusy(false);
    setAnswer(asked.ok ? { info: asked.data, name: body.player_name } : null);
  };

  return (
    <Modal
      open
      title={t("info_title")}
      width={isMobile ? "100%" : 520}
      className={isMobile ? "k-dialog k-dialog-full" : "k-dialog"}
      onCancel={() => {
        dropDraft(DRAFT_KEY);
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
          // An answer belongs to what was asked.
          onValuesChange={() => setAnswer(null)}
          onFinish={(values) => void ask(values)}
        >
          <Form.Item name="player_name" label={t("player_name")}>
            <Input autoComplete="off" maxLength={NAME_LENGTH_MAX} allowClear />
          </Form.Item>
          <BusyButton type="primary" htmlType="submit" busy={busy}>
            {t("ui:query")}
          </BusyButton>
        </Form>
        <div className="q-answer" role="status">
          <p>{answer === null ? t("info_note") : t("answer", { name: answer.name })}</p>
          <dl>
            {FIGURES.map((key) => (
              <div key={key}>
                <dt>{t(key)}</dt>
                <dd>
                  <Money value={info[key]} />
                </dd>
              </div>
            ))}
          </dl>
        </div>
      </div>
    </Modal>
  );
}
