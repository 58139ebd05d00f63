/** Asks for what a change takes, above the form that it comes from: first the reason, then the code (behaviour §16). */
import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Needs } from "@red/contract/guard";
import "#forms/ask-dialog.css";
import { ProofDialog } from "#forms/proof-dialog.tsx";
import { leaveAskedProof, useAskedProof } from "#lib/proof.ts";
import type { Asked } from "#lib/proof.ts";
import { Figure } from "#ui/figure.tsx";
import { costChange, grouped } from "#ui/format.ts";

function Costs({ risk, risked, pools }: Needs) {
  const { t } = useTranslation("stop");
  return (
    <div className="q-answer">
      <dl className="k-figures">
        <Figure term={t("risk_growth")}>{grouped(risk)}</Figure>
        {risked !== "0.00" && <Figure term={t("risked_before")}>{grouped(risked)}</Figure>}
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

function ProofQuestion({ asked: { needs, words, give, leave } }: { asked: Asked }) {
  const { t } = useTranslation(["approval_news", "stop", "ui", "contract"]);
  const { code, second, code_above, risk, risked } = needs;
  const isCostly = code_above !== null;
  const plain = {
    title: t(isCostly ? "stop:risk_title" : code ? "contract:code_needed" : "reason_title"),
    okText: t(isCostly ? "stop:risk_ok" : "ui:ok"),
    danger: isCostly,
  };
  const { content, ...shown } = { content: null, ...(words ?? plain) };
  return (
    <ProofDialog
      {...shown}
      {...(second && { okText: t("reason_second_ok") })}
      needs={needs}
      give={give}
      onClose={leave}
    >
      {content}
      {code_above !== null && (
        <p>
          {t(risked === "0.00" ? "stop:risk_content" : "stop:risked_content", {
            sum: grouped(code_above),
            risked: grouped(risked),
          })}
        </p>
      )}
      {second && <p>{t("reason_second")}</p>}
      {risk !== "0.00" && <Costs {...needs} />}
    </ProofDialog>
  );
}

/** Not loaded on demand: what is stopped must start again whatever can be loaded. */
export function AskedProof() {
  const asked = useAskedProof();
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => leaveAskedProof, [path]);
  return asked && <ProofQuestion asked={asked} />;
}
