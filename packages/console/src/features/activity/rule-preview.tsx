/** The rule in one sentence with examples, worked out by the engine that also counts the draws. */
import { useQuery } from "@tanstack/react-query";
import { Alert, Form } from "antd";
import type { FormInstance } from "antd";
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { activityRoutes } from "@red/contract/activity";
import { CONDITION_NAMES } from "@red/contract/lookups";
import { earningFault } from "@red/engine/earning-window";
import { ruleText, workedExample } from "@red/engine/rule-text";
import { useZoneName } from "#lib/clock.ts";
import { useLanguage } from "#lib/language.ts";
import { queryOf } from "#lib/query.ts";
import { ruleOf, timeText } from "./activity-values.ts";
import type { ActivityValues } from "./activity-values.ts";
import { Overlaps } from "./overlaps.tsx";
import { PoolFacts, PoolWarnings } from "./pool-facts.tsx";

const TIME = /(\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2})/;

/** A sentence whose times are not broken at their hyphens. */
function Sentence({ text }: { text: string }) {
  return text.split(TIME).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      <span key={index} className="k-num">
        {part}
      </span>
    ),
  );
}

/** Says of a round whose condition window lies beside it that it is hardly meant so (behaviour §4). */
export function EarningWarning({ values }: { values: ActivityValues }) {
  const { t } = useTranslation("activity");
  const { condition_name, achieve_start_time, achieve_end_time, start_time, end_time } = values;
  if (
    condition_name === undefined ||
    !achieve_start_time ||
    !achieve_end_time ||
    !start_time ||
    !end_time
  ) {
    return null;
  }
  const fault = earningFault({
    condition_name,
    achieve_start_ms: achieve_start_time.valueOf(),
    achieve_end_ms: achieve_end_time.valueOf(),
    start_ms: start_time.valueOf(),
    end_ms: end_time.valueOf(),
  });
  if (fault === null) {
    return null;
  }
  const isDeposit = condition_name === CONDITION_NAMES.deposit;
  const text = t(`earning_${fault}`, {
    achieve_start: timeText(achieve_start_time),
    achieve_end: timeText(achieve_end_time),
    start: timeText(start_time),
    end: timeText(end_time),
    rows: t(isDeposit ? "earning_deposits" : "earning_bets"),
  });
  return <Alert type="warning" showIcon className="a-warning" title={<Sentence text={text} />} />;
}

interface RulePreviewProps {
  values: ActivityValues;
  /** The activity that is changed; undefined for a new one. */
  id: number | undefined;
  /** The pool whose prizes the round's own will get, where both are copied. */
  copy_of?: string | undefined;
}

/** What warns stands first: the examples and prizes below it are longer than a screen. */
export function RulePreview({ values, id, copy_of }: RulePreviewProps) {
  const { t } = useTranslation("activity");
  const language = useLanguage();
  const zone = useZoneName();
  const tags = useQuery(queryOf(activityRoutes.tags, {}));
  const rule = ruleOf(values);
  const tag_label = tags.data?.tags[values.tag ?? ""];
  return (
    <section className="a-preview" aria-label={t("preview")}>
      <h2>{t("preview")}</h2>
      <EarningWarning values={values} />
      <PoolWarnings pool_name={values.pool_name} copy_of={copy_of} />
      {rule !== null && <Overlaps id={id} rule={rule} tag={values.tag} />}
      {rule === null ? (
        <p className="a-preview-empty">{t("preview_empty")}</p>
      ) : (
        <>
          <p className="a-preview-rule">
            <Sentence text={ruleText({ ...rule, tag_label }, language)} />
          </p>
          <h3>{t("preview_examples")}</h3>
          <ul>
            {workedExample(rule, language).map((example) => (
              <li key={example}>{example}</li>
            ))}
          </ul>
        </>
      )}
      <PoolFacts pool_name={values.pool_name} copy_of={copy_of} />
      <p className="a-preview-zone">{t("zone_note", { zone })}</p>
    </section>
  );
}

interface LivePreviewProps extends Pick<RulePreviewProps, "id"> {
  form: FormInstance<ActivityValues>;
}

/** The rule as it is being entered. The fields come first; what is told of them follows. */
export function LivePreview({ form, id }: LivePreviewProps) {
  const values = Form.useWatch((all: ActivityValues) => all, form);
  const told = useDeferredValue<ActivityValues | null>(values, null);
  return told === null ? <div /> : <RulePreview values={told} id={id} />;
}
