/** What a change may cost, and what it needs: shown before it is sent (behaviour §16). */
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

/** The most that the change may add to the costs, and for each pool the cost of a draw and an hour, before and after. */
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

/** The needs of the change, asked for half a second after it was last edited; null until known, and if it is refused. */
function useNeeds(change: Change | null): Needs | null {
  const { route, parts } = change ?? {};
  const isWhole = route !== undefined && (route.body?.safeParse(parts?.body).success ?? true);
  // The text fields of an upload, among them a digest of the file's effect.
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

/** What the change may cost, and what it will need. */
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

/** What the change may cost, for the text of its button. */
export function ValuedMark({ change }: { change: Change | null }) {
  const { t } = useTranslation("stop");
  const risk = useNeeds(change)?.risk ?? FREE;
  return risk === FREE ? null : <>{t("risk_mark", { sum: grouped(risk) })}</>;
}

interface ValuedFormProps<V> {
  form: FormInstance<V>;
  /** The change by the form's values; null while they change nothing. */
  changeOf: (values: V) => Change | null;
  /** The form's first values: they change nothing. */
  initial: object | undefined;
  as: typeof Valued | typeof ValuedMark;
}

/** Watches the form in a component of its own, so that the fields do not render again with the answer. */
export function ValuedForm<V>({ form, changeOf, initial, as: Shown }: ValuedFormProps<V>) {
  const values = Form.useWatch((all: V) => all, form);
  // The form has no values until its fields are rendered.
  const changeBy = (all: V | undefined) => (all === undefined ? null : changeOf(all));
  const change = changeBy(values);
  const isSame = JSON.stringify(change) === JSON.stringify(changeBy(initial as V | undefined));
  return <Shown change={isSame ? null : change} />;
}
