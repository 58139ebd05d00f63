/** Compares the rule of a started round before and after saving, and shows the effect on its players (behaviour §4). */
import { useTranslation } from "react-i18next";
import { comparedExamples, movesWindow, ruleChange } from "@red/engine/rule-change";
import type { ComparedExample, ComparedRound } from "@red/engine/rule-change";
import { ruleText } from "@red/engine/rule-text";
import { useLanguage } from "#lib/language.ts";
import { Sentence } from "#ui/sentence.tsx";

function After({ before, after }: ComparedExample) {
  const { t } = useTranslation("activity");
  if (before === after) {
    return t("times_option", { count: after });
  }
  return (
    <>
      <strong>{t("times_option", { count: after })}</strong>{" "}
      <span className="a-compare-mark">
        {after > before
          ? t("compare_more", { count: after - before })
          : t("compare_fewer", { count: before - after })}
      </span>
    </>
  );
}

interface RuleCompareProps {
  before: ComparedRound;
  after: ComparedRound;
}

/** The effect comes first, because the two rule sentences may fill more than a screen. */
export function RuleCompare({ before, after }: RuleCompareProps) {
  const { t } = useTranslation("activity");
  const language = useLanguage();
  const examples = comparedExamples(before, after, language);
  return (
    <section className="a-compare" aria-label={t("compare")}>
      <h3>{t("compare")}</h3>
      <p>{t(ruleChange(before, after) === "chances" ? "compare_chances" : "compare_draws")}</p>
      <table>
        <caption>{t("compare_examples")}</caption>
        <thead>
          <tr>
            <th scope="col">{t("compare_before")}</th>
            <th scope="col">{t("compare_after")}</th>
          </tr>
        </thead>
        {/* An example is too long for a column beside the figures. */}
        {examples.map((example) => (
          <tbody key={example.did}>
            <tr>
              <th scope="rowgroup" colSpan={2}>
                {example.did}
              </th>
            </tr>
            <tr>
              <td>{t("times_option", { count: example.before })}</td>
              <td>
                <After {...example} />
              </td>
            </tr>
          </tbody>
        ))}
      </table>
      {movesWindow(before, after) && <p>{t("compare_window")}</p>}
      <dl>
        <div>
          <dt>{t("compare_now")}</dt>
          <dd>
            <Sentence text={ruleText(before, language)} />
          </dd>
        </div>
        <div className="a-compare-then">
          <dt>{t("compare_then")}</dt>
          <dd>
            <Sentence text={ruleText(after, language)} />
          </dd>
        </div>
      </dl>
    </section>
  );
}
