/** Asks for what a change takes, whichever form it comes from, above that form: first the reason, then the code (behaviour §16). */
import { Form } from "antd";
import type { InputRef } from "antd";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Needs } from "@red/contract/guard";
import "#forms/ask-dialog.css";
import { CodeDialog } from "#forms/code-dialog.tsx";
import { ReasonDialog } from "#forms/reason-dialog.tsx";
import { ReasonInput } from "#forms/reason-input.tsx";
import { WordsItem } from "#forms/words-item.tsx";
import type { Asked } from "#lib/proof.ts";
import { Figure } from "#ui/figure.tsx";
import { costChange, grouped } from "#ui/format.ts";

/** Above dialogs in dialogs, and below a question of its own. */
const LAYER = 1_500;

function Costs({ risk, pools }: Needs) {
  const { t } = useTranslation("stop");
  return (
    <div className="q-answer">
      <dl className="k-figures">
        <Figure term={t("risk_growth")}>{grouped(risk)}</Figure>
      </dl>
      {pools.map(({ pool_name, cost_before, cost_after, draws_hour: draws }) => (
        <div key={pool_name}>
          {pools.length > 1 && <p>{t("risk_pool", { name: pool_name })}</p>}
          <dl className="k-figures">
            <Figure term={t("risk_draw")}>{costChange(cost_before, cost_after)}</Figure>
            <Figure term={t("risk_hour", { draws: grouped(draws) })}>
              {costChange(cost_before, cost_after, draws)}
            </Figure>
          </dl>
        </div>
      ))}
    </div>
  );
}

interface ProofQuestionProps {
  asked: Asked;
  /** Also when the dialog itself does not come. */
  onClose: () => void;
}

export function ProofQuestion({ asked, onClose: leave }: ProofQuestionProps) {
  const { t } = useTranslation(["approval_news", "stop", "ui", "contract", "fields"]);
  const [form] = Form.useForm<{ reason?: string }>();
  const input = useRef<InputRef>(null);
  const { needs, give } = asked;
  const about = (
    <>
      {needs.code_above !== null && (
        <p>{t("stop:risk_content", { sum: grouped(needs.code_above) })}</p>
      )}
      {needs.risk !== "0.00" && <Costs {...needs} />}
      {needs.second && <p>{t("reason_second")}</p>}
    </>
  );
  const okText = needs.second ? t("reason_second_ok") : null;
  if (!needs.code) {
    return (
      <ReasonDialog
        title={t("reason_title")}
        okText={okText ?? t("ui:ok")}
        draftKey="reason"
        zIndex={LAYER}
        onSubmit={async (reason, close) => close(() => void give({ reason }))}
        onClose={leave}
      >
        {about}
      </ReasonDialog>
    );
  }
  const reasonGiven = () => (form.getFieldValue("reason") as string | undefined)?.trim() ?? "";
  const check = () => {
    const isThere = reasonGiven() !== "";
    if (!isThere) {
      void form.validateFields().catch(() => input.current?.focus());
    }
    return isThere;
  };
  return (
    <CodeDialog
      title={t("stop:risk_title")}
      okText={okText ?? t("stop:risk_ok")}
      danger
      zIndex={LAYER}
      onCode={(code) => give({ code, ...(needs.reason && { reason: reasonGiven() }) })}
      onClose={leave}
      {...(needs.reason && { first: { input, check } })}
    >
      {about}
      {needs.reason && (
        <Form form={form} layout="vertical">
          <WordsItem name="reason" label={t("fields:reason")} missing={t("contract:enter_reason")}>
            <ReasonInput ref={input} />
          </WordsItem>
        </Form>
      )}
    </CodeDialog>
  );
}
