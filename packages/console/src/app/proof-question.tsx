/** Asks for what a change takes, whichever form it comes from, above that form: first the reason, then the code (behaviour §16). */
import { Form } from "antd";
import type { InputRef } from "antd";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Needs } from "@red/contract/guard";
import "#forms/ask-dialog.css";
import { CodeDialog } from "#forms/code-dialog.tsx";
import { dropDraft } from "#forms/draft.ts";
import { starred } from "#forms/form-dialog.tsx";
import { ReasonDialog } from "#forms/reason-dialog.tsx";
import { ReasonInput } from "#forms/reason-input.tsx";
import { useSaving } from "#forms/saving.tsx";
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

/** What it is about: the sum that is exceeded, what it may cost, and who else has to see it. */
function About({ needs }: { needs: Needs }) {
  const { t } = useTranslation(["approval_news", "stop"]);
  return (
    <>
      {needs.code_above !== null && (
        <p>{t("stop:risk_content", { sum: grouped(needs.code_above) })}</p>
      )}
      {needs.second && <p>{t("reason_second")}</p>}
      {needs.risk !== "0.00" && <Costs {...needs} />}
    </>
  );
}

function CodeQuestion({ asked: { needs, give }, onClose }: ProofQuestionProps) {
  const { t } = useTranslation(["approval_news", "stop", "ui", "contract", "fields"]);
  const [form] = Form.useForm<{ reason?: string }>();
  const input = useRef<InputRef>(null);
  const { mayDiscard } = useSaving(onClose);
  const isCostly = needs.code_above !== null;
  const okText = t(isCostly ? "stop:risk_ok" : "ui:ok");
  const typed = () => (form.getFieldValue("reason") as string | undefined)?.trim() ?? "";
  const check = () => {
    if (typed() === "") {
      void form.validateFields().catch(() => input.current?.focus());
      return false;
    }
    return true;
  };
  const leave = async () => {
    if (!needs.reason || typed() === "" || (await mayDiscard())) {
      onClose();
    }
  };
  return (
    <CodeDialog
      title={t(isCostly ? "stop:risk_title" : "contract:code_needed")}
      okText={needs.second ? t("reason_second_ok") : okText}
      danger={isCostly}
      zIndex={LAYER}
      onCode={(code) => give({ code, ...(needs.reason && { reason: typed() }) })}
      onClose={() => void leave()}
      {...(needs.reason && { first: { input, check } })}
    >
      {(save) => (
        <>
          <About needs={needs} />
          {needs.reason && (
            <Form form={form} name="proof" layout="vertical" requiredMark={starred}>
              <WordsItem
                name="reason"
                label={t("fields:reason")}
                missing={t("contract:enter_reason")}
              >
                <ReasonInput ref={input} onPressEnter={save} />
              </WordsItem>
            </Form>
          )}
        </>
      )}
    </CodeDialog>
  );
}

export function ProofQuestion({ asked, onClose }: ProofQuestionProps) {
  const { t } = useTranslation(["approval_news", "ui"]);
  const { needs, give } = asked;
  if (needs.code) {
    return <CodeQuestion asked={asked} onClose={onClose} />;
  }
  return (
    <ReasonDialog
      title={t("reason_title")}
      okText={needs.second ? t("reason_second_ok") : t("ui:ok")}
      draftKey="reason"
      zIndex={LAYER}
      onSubmit={async (reason) => {
        dropDraft("reason");
        await give({ reason });
      }}
      onClose={onClose}
    >
      <About needs={needs} />
    </ReasonDialog>
  );
}
