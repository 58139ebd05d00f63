/** Explains why a player has this number of draws in a round (behaviour §4). */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Explanation, KnownThen, SupportExplanation } from "@red/contract/chances/explanation";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import type { PlayerHead } from "@red/contract/chances/player-view";
import { canDraw, standingText } from "@red/engine/standing-text";
import { ApiError } from "#lib/api.ts";
import { useLanguage } from "#lib/language.ts";
import { queryOf } from "#lib/query.ts";
import { SHELL_SEARCH, usePageChange, usePageSearch } from "#lib/search.ts";
import { DateTimePicker } from "#ui/date-time-picker.tsx";
import { Figure } from "#ui/figure.tsx";
import { grouped } from "#ui/format.ts";
import { NotLoaded } from "#ui/not-loaded.tsx";
import { DATE_TIME, DAY_END, momentOf, unreadOf } from "#ui/typed-time.ts";
import type { TypedTime } from "#ui/typed-time.ts";
import { ExplainedRows } from "./explained-rows.tsx";
import { ExplainedUses } from "./explained-uses.tsx";
import { RoundSelect } from "./round-select.tsx";

function Figures({ explanation }: { explanation: Explanation }) {
  const { t } = useTranslation("player_view");
  const { earned, extra_unused, extra_used_here, total } = explanation;
  const held = earned + extra_unused + extra_used_here - total;
  const figures = [
    ["earned", earned],
    ["extra_unused", extra_unused],
    ["extra_used", extra_used_here],
    ...(held > 0 ? [["held", held] as const] : []),
    ["total", total],
    ["already", explanation.already],
    ["remain", explanation.remain],
  ] as const;
  return (
    <dl className="p-figures" aria-label={t("figures")}>
      {figures.map(([key, count]) => (
        <Figure key={key} term={t(key)}>
          {grouped(count)}
        </Figure>
      ))}
    </dl>
  );
}

/** Says for which time the explanation is valid, and which facts of that time nobody recorded. */
function Known({ as_of, unknown }: KnownThen) {
  const { t } = useTranslation("player_view");
  const notes = [t("as_of_note", { as_of }), ...unknown.map((what) => t(`unknown_${what}`))];
  return <p role="status">{notes.join(" ")}</p>;
}

type ExplanationViewProps = { explanation: SupportExplanation; head: PlayerHead };

function ExplanationView({ explanation, head }: ExplanationViewProps) {
  const language = useLanguage();
  const { known } = explanation;
  return (
    <>
      {known !== undefined && <Known {...known} />}
      <p className={canDraw(explanation) ? "p-lead p-lead-good" : "p-lead"}>
        {standingText(explanation, head.blocked_since, language)}
      </p>
      <p className="k-note">{explanation.rule_text}</p>
      <Figures explanation={explanation} />
      <ExplainedRows explanation={explanation} />
      <ExplainedUses explanation={explanation} />
    </>
  );
}

/** Returns the round in the address, or else the first round in the list above. */
function useRound(head: PlayerHead): number | null {
  const [{ player_round = "" }] = usePageSearch(SHELL_SEARCH);
  const roundId = Number(player_round);
  return Number.isSafeInteger(roundId) && roundId > 0
    ? roundId
    : (head.rounds[0]?.rounds_id ?? null);
}

export function ChancesTab({ head }: { head: PlayerHead }) {
  const { t } = useTranslation(["player_view", "ui"]);
  const change = usePageChange(SHELL_SEARCH);
  const rounds_id = useRound(head);
  const { user_name } = head;
  const [time, setTime] = useState<TypedTime>(null);
  const as_of = momentOf(time)?.format(DATE_TIME);
  const query = useQuery({
    ...queryOf(playerViewRoutes.explain, { body: { user_name, rounds_id: rounds_id ?? 0, as_of } }),
    enabled: rounds_id !== null,
  });
  const explanation = query.data;
  const refused =
    query.error instanceof ApiError
      ? query.error.faults.find(({ field }) => field === "as_of")?.msg
      : undefined;
  const wrongTime = unreadOf(time) === undefined ? refused : t("ui:time_unread");
  return (
    <div className="p-chances">
      <RoundSelect
        head={head}
        rounds_id={rounds_id}
        explained={explanation && { id: explanation.rounds_id, ...explanation }}
        onChoose={(id) => change({ player_round: String(id) }, { replace: true })}
      />
      <label className="p-round">
        <span>{t("as_of")}</span>
        <DateTimePicker
          time={DAY_END}
          value={time}
          onChange={setTime}
          isWrong={wrongTime !== undefined}
        />
      </label>
      {wrongTime !== undefined && (
        <p className="p-wrong" role="alert">
          {wrongTime}
        </p>
      )}
      {(query.isLoading || query.isError) && refused === undefined && <NotLoaded query={query} />}
      {explanation && <ExplanationView explanation={explanation} head={head} />}
    </div>
  );
}
