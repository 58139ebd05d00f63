/** Lists other rounds that share a pool, a group or events with the round in the form (behaviour §3). */
import { useQuery } from "@tanstack/react-query";
import { Alert, Button } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { activityRoutes } from "@red/contract/rounds/activity";
import type { RuleTextRound } from "@red/engine/rule-text";
import { listQueryOf } from "#lib/query.ts";
import type { ActivityValues } from "./activity-values.ts";

/** Number of rounds that are listed at first. A button shows the rest. */
const NAMED_MAX = 3;

interface OverlapsProps {
  id: number | undefined;
  rule: RuleTextRound;
  tag: ActivityValues["tag"];
}

export function Overlaps({ id, rule, tag }: OverlapsProps) {
  const { t } = useTranslation(["activity", "ui"]);
  const [isWhole, setWhole] = useState(false);
  const { pool_name, condition_name, platforms } = rule;
  const { achieve_start_time, achieve_end_time, start_time, end_time } = rule;
  const body = {
    id,
    tag,
    pool_name,
    condition_name,
    platforms: platforms && [...platforms],
    achieve_start_time,
    achieve_end_time,
    start_time,
    end_time,
  };
  const rows = useQuery(listQueryOf(activityRoutes.overlap, { body })).data?.content ?? [];
  if (rows.length === 0) {
    return null;
  }
  return (
    <Alert
      type="warning"
      className="a-warning"
      title={t("overlaps", { count: rows.length })}
      description={
        <ul>
          {(isWhole ? rows : rows.slice(0, NAMED_MAX)).map((row) => (
            <li key={row.id}>
              {t("overlap", {
                name: row.rounds_name,
                id: row.id,
                shares: row.shares.map((thing) => t(`shares_${thing}`)).join(t("ui:list_comma")),
              })}
            </li>
          ))}
          {rows.length > NAMED_MAX && (
            <li>
              <Button
                type="link"
                size="small"
                className="a-overlaps-more"
                aria-expanded={isWhole}
                onClick={() => setWhole(!isWhole)}
              >
                {isWhole
                  ? t("overlaps_less")
                  : t("overlaps_more", { count: rows.length - NAMED_MAX })}
              </Button>
            </li>
          )}
        </ul>
      }
    />
  );
}
