/** Shows the rule as a sentence with examples. The engine that counts the draws also creates this text. */
import { useQuery } from "@tanstack/react-query";
import { Alert, Form } from "antd";
import type { FormInstance } from "antd";
import { useDeferredValue } from "react";
import { useTranslation } from "react-i18next";
import { activityRoutes } from "@red/contract/rounds/activity";
import type { Activity } from "@red/contract/rounds/activity";
import { CONDITION_NAMES } from "@red/contract/platform/codes";
import { parseCents } from "@red/contract/platform/money";
import { countedRule, earnedDraws, factsOf } from "@red/engine/chances";
import { earningFault } from "@red/engine/window-warnings";
import { ruleChange } from "@red/engine/rule-change";
import type { ComparedRound } from "@red/engine/rule-change";
import { ruleText, totalFor, workedExample } from "@red/engine/rule-text";
import type { RuleTextRound } from "@red/engine/rule-text";
import { useClock, useZoneName } from "#lib/clock.ts";
import { useLanguage } from "#lib/language.ts";
import { queryOf } from "#lib/query.ts";
import { grouped } from "#ui/format.ts";
import { Sentence } from "#ui/sentence.tsx";
import { useTags } from "./activity-query.ts";
import { hasBegun } from "./activity-state.ts";
import { missingOf, ruleOf, timeText, valuesOf } from "./activity-values.ts";
import type { ActivityValues, RuleField } from "./activity-values.ts";
import { Overlaps } from "./overlaps.tsx";
import { PoolFacts, PoolWarnings } from "./pool-facts.tsx";
import { RuleCompare } from "./rule-compare.tsx";

/** Warns of a condition window outside the round, which is probably a mistake (behaviour §4). */
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

/** More draws than this for a single deposit or bet are probably a mistake. */
const DRAWS_EXPECTED_MAX = 100;

/** Warns if the largest deposit or bet of the last days would give very many draws. */
export function LargestWarning({ rule }: { rule: RuleTextRound }) {
  const { t } = useTranslation("activity");
  const counted = countedRule(rule);
  const kind = counted?.source ?? "deposit";
  const largest = useQuery({
    ...queryOf(activityRoutes.largest, { query: { source: kind } }),
    enabled: counted !== null,
  });
  const { amount = null } = largest.data ?? {};
  if (counted === null || amount === null) {
    return null;
  }
  const facts = factsOf([parseCents(amount) ?? 0], counted.value_cents);
  const draws = totalFor(rule, earnedDraws(rule, facts), 0);
  if (draws <= DRAWS_EXPECTED_MAX) {
    return null;
  }
  const text = t(`largest_${kind}`, { amount: grouped(amount), draws: grouped(draws) });
  return <Alert type="warning" showIcon className="a-warning" title={text} />;
}

function RuleInWords({ rule }: { rule: RuleTextRound }) {
  const { t } = useTranslation("activity");
  const language = useLanguage();
  return (
    <>
      <p>
        <Sentence text={ruleText(rule, language)} />
      </p>
      <h3>{t("preview_examples")}</h3>
      <ul>
        {workedExample(rule, language).map((example) => (
          <li key={example}>{example}</li>
        ))}
      </ul>
    </>
  );
}

function labelOf(field: RuleField) {
  return field === "start_time" || field === "end_time"
    ? (`activity_${field}` as const)
    : (`fields:${field}` as const);
}

/** Names the fields that the rule still needs, which are empty or wrong. */
export function Missing({ values }: { values: ActivityValues }) {
  const { t } = useTranslation(["activity", "fields", "ui"]);
  const fields = missingOf(values);
  const isEmpty = (field: RuleField) => (values[field] ?? "") === "";
  const named = (some: readonly RuleField[]) =>
    some.map((field) => t(labelOf(field))).join(t("ui:list_comma"));
  const empty = fields.filter(isEmpty);
  const wrong = fields.filter((field) => !isEmpty(field));
  return (
    <>
      {wrong.length > 0 && (
        <p className="a-preview-empty">{t("preview_wrong", { fields: named(wrong) })}</p>
      )}
      {empty.length > 0 && (
        <p className="a-preview-empty">{t("preview_empty", { fields: named(empty) })}</p>
      )}
    </>
  );
}

interface RulePreviewProps {
  values: ActivityValues;
  id: number | undefined;
  /** The pool that will be copied with the round. */
  copy_of?: string | undefined;
  /** The saved activity, if it has started. The preview compares it with `values`. */
  held?: Activity | undefined;
  /** Text instead of the list of missing fields, for a dialog that does not have these fields. */
  unread?: string | undefined;
}

/** The warnings come first, because examples and prizes are longer than a screen. */
export function RulePreview({ values, id, copy_of, held, unread }: RulePreviewProps) {
  const { t } = useTranslation("activity");
  const zone = useZoneName();
  const { labels } = useTags();
  const comparedOf = (from: ActivityValues): ComparedRound | null => {
    const { tag } = from;
    const rule = ruleOf(from);
    return rule && tag !== undefined ? { ...rule, tag, tag_label: labels[tag] } : null;
  };
  const rule = ruleOf(values);
  const before = held ? comparedOf(valuesOf(held)) : null;
  const after = comparedOf(values);
  return (
    <section className="a-preview" aria-label={t("preview")}>
      <h2>{t("preview")}</h2>
      <EarningWarning values={values} />
      <PoolWarnings pool_name={values.pool_name} copy_of={copy_of} />
      {rule !== null && <LargestWarning rule={rule} />}
      {rule !== null && <Overlaps id={id} rule={rule} tag={values.tag} />}
      {before !== null && after !== null && ruleChange(before, after) !== "none" ? (
        <RuleCompare before={before} after={after} />
      ) : unread !== undefined ? (
        <p className="a-preview-empty">{unread}</p>
      ) : rule === null ? (
        <Missing values={values} />
      ) : (
        <RuleInWords rule={after ?? rule} />
      )}
      <PoolFacts pool_name={values.pool_name} copy_of={copy_of} />
      <p className="a-preview-zone">{t("zone_note", { zone })}</p>
    </section>
  );
}

interface LivePreviewProps {
  form: FormInstance<ActivityValues>;
  source: Activity | null;
}

export function LivePreview({ form, source }: LivePreviewProps) {
  const values = Form.useWatch((all: ActivityValues) => all, form);
  const deferred = useDeferredValue<ActivityValues | null>(values, null);
  const isHeld = useClock((now) => source !== null && hasBegun(source, now));
  if (deferred === null) {
    return <div />;
  }
  const held = isHeld ? source : null;
  return <RulePreview values={deferred} id={source?.id} held={held ?? undefined} />;
}
