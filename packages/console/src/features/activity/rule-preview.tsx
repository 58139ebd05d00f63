/** The rule in one sentence with examples, worked out by the engine that also counts the draws. */
import { useTranslation } from "react-i18next";
import { ruleText, workedExample } from "@red/engine/rule-text";
import { useZoneName } from "#lib/clock.ts";
import { useLanguage } from "#lib/language.ts";
import { ruleOf } from "./activity-values.ts";
import type { ActivityValues } from "./activity-values.ts";

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

export function RulePreview({ values }: { values: ActivityValues }) {
  const { t } = useTranslation("activity");
  const language = useLanguage();
  const zone = useZoneName();
  const rule = ruleOf(values);
  return (
    <aside className="a-preview" aria-label={t("preview")}>
      <h2>{t("preview")}</h2>
      {rule === null ? (
        <p className="a-preview-empty">{t("preview_empty")}</p>
      ) : (
        <>
          <p className="a-preview-rule">
            <Sentence text={ruleText(rule, language)} />
          </p>
          <h3>{t("preview_examples")}</h3>
          <ul>
            {workedExample(rule, language).map((example) => (
              <li key={example}>{example}</li>
            ))}
          </ul>
        </>
      )}
      <p className="a-preview-zone">{t("zone_note", { zone })}</p>
    </aside>
  );
}
