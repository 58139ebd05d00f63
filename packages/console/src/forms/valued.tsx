/** Shows, before a change is sent, what it may cost and which proof it needs (behaviour §16). */
import { useQuery } from "@tanstack/react-query";
import { Form } from "antd";
import type { FormInstance } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Needs } from "@red/contract/approvals/guard";
import { needsOf } from "#lib/api.ts";
import type { Change } from "#lib/api.ts";
import { useDebounced } from "#lib/debounced.ts";
import { Figure } from "#ui/figure.tsx";
import { costChange, grouped } from "#ui/format.ts";
import "./ask-dialog.css";

const PAUSE_MS = 500;
const FREE = "0.00";

/**
 * Shows the maximum that the change may add to the costs. For each pool it also shows the cost of a draw and of an
 * hour, before and after the change.
 */
export function Costs({ risk, pools, children }: Needs & { children?: ReactNode }) {
  const { t } = useTranslation("stop");
  return (
    <div className="q-answer">
      <p>
        <strong>{t(risk === FREE ? "risk_free" : "risk_most", { sum: grouped(risk) })}</strong>
      </p>
      {children}
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

/**
 * Loads the needs of the change half a second after the last edit. Returns null until they are known, and if the server
 * rejects the change.
 */
function useNeeds(change: Change | null): Needs | null {
  const { route, parts } = change ?? {};
  const isWhole = route !== undefined && (route.body?.safeParse(parts?.body).success ?? true);
  // The text fields of an upload belong to the query key; one of them is a digest of what the file changes.
  const fields = [...(parts?.form ?? [])].filter(([, value]) => typeof value === "string");
  const sent = isWhole ? JSON.stringify([route.method, route.path, parts, fields]) : "";
  const settled = useDebounced(sent, PAUSE_MS);
  const isSettled = sent !== "" && settled === sent;
  const { data = null } = useQuery({
    queryKey: ["needs", settled],
    queryFn: async ({ signal }) => change && (await needsOf(change, signal)),
    enabled: isSettled,
    staleTime: 30_000,
  });
  return isSettled ? data : null;
}

/** Shows what the change may cost and which proof it needs. */
export function Valued({ change }: { change: Change | null }) {
  const { t } = useTranslation(["stop", "ui"]);
  const needs = useNeeds(change);
  if (needs === null) {
    return null;
  }
  const taken = (["code", "reason", "second"] as const).filter((one) => needs[one]);
  const words = taken.map((one) => t(`takes_${one}`)).join(t("takes_and"));
  return <Costs {...needs}>{words !== "" && <p>{t("takes", { what: words })}</p>}</Costs>;
}

/** Shows the possible cost of the change in the text of its button. */
export function ValuedMark({ change }: { change: Change | null }) {
  const { t } = useTranslation("stop");
  const risk = useNeeds(change)?.risk ?? FREE;
  return risk === FREE ? null : <>{t("risk_mark", { sum: grouped(risk) })}</>;
}

interface ValuedFormProps<V> {
  form: FormInstance<V>;
  /** Returns the change for the values of the form, or null if they change nothing. */
  changeOf: (values: V) => Change | null;
  /** First values of the form, which change nothing. */
  initial: object | undefined;
  as: typeof Valued | typeof ValuedMark;
}

/** Watches the form in a separate component, so that the fields do not render again when the response arrives. */
export function ValuedForm<V>({ form, changeOf, initial, as: Shown }: ValuedFormProps<V>) {
  const values = Form.useWatch((all: V) => all, form);
  // The form has no values until its fields are rendered.
  const changeBy = (all: V | undefined) => (all === undefined ? null : changeOf(all));
  const change = changeBy(values);
  const isSame = JSON.stringify(change) === JSON.stringify(changeBy(initial as V | undefined));
  return <Shown change={isSame ? null : change} />;
}
