/** Asks for the reason and the code that a change needs, above the form that sent the change (behaviour §16). */
import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { ProofDialog } from "#forms/proof-dialog.tsx";
import { Costs } from "#forms/valued.tsx";
import { leaveAskedProof, useAskedProof } from "#lib/proof.ts";
import type { Asked } from "#lib/proof.ts";
import { Figure } from "#ui/figure.tsx";
import { grouped } from "#ui/format.ts";

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
      {risk !== "0.00" && (
        <Costs {...needs}>
          {risked !== "0.00" && (
            <dl className="k-figures">
              <Figure term={t("stop:risked_before")}>{grouped(risked)}</Figure>
            </dl>
          )}
        </Costs>
      )}
    </ProofDialog>
  );
}

/** This dialog is part of the first load: an operator must be able to restart draws even if no other chunk loads. */
export function AskedProof() {
  const asked = useAskedProof();
  const path = useLocation({ select: ({ pathname }) => pathname });
  useEffect(() => leaveAskedProof, [path]);
  return asked && <ProofQuestion asked={asked} />;
}
