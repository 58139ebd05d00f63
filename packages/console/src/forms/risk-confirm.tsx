/** Asks for a one-time code before a change that may cost much while rounds run (behaviour §3). */
import { useState } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import { riskAsked } from "@red/contract/guard";
import type { RiskAsked } from "@red/contract/guard";
import { formatCents, parseCents } from "@red/contract/money";
import { LOGIN_CODES } from "@red/contract/session";
import { settled } from "#lib/api.ts";
import type { ApiError } from "#lib/api.ts";
import { notify } from "#lib/notices.ts";
import { useStillHere } from "#lib/still-here.ts";
import { Figure } from "#ui/figure.tsx";
import { grouped } from "#ui/format.ts";
import "./ask-dialog.css";
import { CodeDialog } from "./code-dialog.tsx";

/** A field of the body; empty until the server has asked. */
export interface Code {
  readonly code?: string;
}

const isRisk = ({ key }: ApiError): boolean => key === "risk_confirm";

interface Question {
  readonly risk: RiskAsked;
  readonly onCode: (code: string) => Promise<string | null>;
  readonly onClose: () => void;
}

/**
 * `confirmed` sends a change, and once more with the code if the server asks for one; it rejects with that refusal
 * (see `isRisk`) if the operator cancels. Render `question`.
 */
export function useRiskConfirm() {
  const [asked, setAsked] = useState<Question | null>(null);
  const isStillHere = useStillHere();
  const confirmed = async <T,>(send: (code: Code) => Promise<T>): Promise<T> => {
    const first = await settled(send({}));
    if (first.ok) {
      return first.data;
    }
    const { error } = first;
    if (!isRisk(error)) {
      throw error;
    }
    if (!isStillHere()) {
      // The form is gone, so nobody can be asked: nothing was saved.
      notify({ kind: "error", text: error.message });
      throw error;
    }
    const risk = riskAsked.parse(error.data);
    return await new Promise<T>((resolve, reject) => {
      const onCode = async (code: string) => {
        const sent = await settled(send({ code }));
        if (sent.ok) {
          // Closed before the form goes on, which may take the focus.
          flushSync(() => setAsked(null));
          resolve(sent.data);
        } else if (sent.error.code === LOGIN_CODES.code_wanted) {
          return sent.error.message;
        } else {
          reject(sent.error);
        }
        return null;
      };
      const onClose = () => {
        setAsked(null);
        reject(error);
      };
      setAsked({ risk, onCode, onClose });
    });
  };
  return { confirmed, question: asked && <RiskDialog {...asked} /> };
}

/** Old → new cost of so many draws. */
export function costChange(before: string, after: string, draws = 1): string {
  return [before, after]
    .map((cost) => grouped(formatCents(BigInt(parseCents(cost) ?? 0) * BigInt(draws))))
    .join(" → ");
}

function RiskDialog({ risk, ...dialog }: Question) {
  const { t } = useTranslation("stop");
  const { pools } = risk;
  return (
    <CodeDialog title={t("risk_title")} okText={t("risk_ok")} danger {...dialog}>
      <p>{t("risk_content", { sum: grouped(risk.guard_sum) })}</p>
      <div className="q-answer">
        <dl className="k-figures">
          <Figure term={t("risk_growth")}>{grouped(risk.risk)}</Figure>
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
    </CodeDialog>
  );
}
