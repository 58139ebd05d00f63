import { CheckCircleFilled, MinusCircleOutlined } from "@ant-design/icons";
import { useTranslation } from "react-i18next";
import type { ExplainedExtra, Explanation } from "@red/contract/explanation";
import { useTags } from "#players/extra-time-fields.tsx";
import { Money, Moment, Status } from "#ui/cells.tsx";
import { DataTable } from "#ui/data-table.tsx";
import type { Column } from "#ui/list-table.ts";
import { grouped } from "#ui/format.ts";
import { wholeList } from "#ui/list-state.ts";

type Draw = Explanation["draws"][number];

function Use({ extra: { use, rounds_name, taken_back } }: { extra: ExplainedExtra }) {
  const { t } = useTranslation("player_view");
  const included = use === "unused" || use === "used_here";
  return (
    <span className="p-verdict">
      <Status
        tone={included ? "success" : "neutral"}
        icon={included ? <CheckCircleFilled /> : <MinusCircleOutlined />}
      >
        {use === "used_elsewhere"
          ? t("use_used_elsewhere", { name: rounds_name ?? "" })
          : use === "taken_back"
            ? t("use_taken_back", taken_back ?? { by: "", at: "", reason: "" })
            : t(`use_${use}`)}
      </Status>
    </span>
  );
}

function useExtraColumns(): readonly Column<ExplainedExtra>[] {
  const { t } = useTranslation("player_view");
  const { labels } = useTags();
  return [
    {
      key: "id",
      title: t("extras"),
      width: 96,
      rowHeader: true,
      render: ({ id }) => <span className="k-num">{`#${id}`}</span>,
    },
    {
      key: "tag",
      title: t("extra_group"),
      width: 140,
      render: ({ tag }) => labels[tag] ?? tag,
    },
    {
      key: "expire_time",
      title: t("extra_expire"),
      width: 168,
      render: ({ expire_time }) => <Moment value={expire_time} />,
    },
    { key: "use", title: t("extra_use"), width: 220, render: (extra) => <Use extra={extra} /> },
  ];
}

function useDrawColumns(): readonly Column<Draw>[] {
  const { t } = useTranslation(["player_view", "record"]);
  return [
    {
      key: "draw_no",
      title: t("draw_no"),
      width: 72,
      rowHeader: true,
      render: ({ draw_no }) => <span className="k-num">{grouped(draw_no)}</span>,
    },
    {
      key: "created_at",
      title: t("record:created_at"),
      width: 168,
      render: ({ created_at }) => <Moment value={created_at} />,
    },
    { key: "award_name", title: t("record:prize"), width: 180, render: (draw) => draw.award_name },
    {
      key: "award_price",
      title: t("record:award_price"),
      width: 96,
      align: "right",
      render: ({ award_price }) => <Money value={award_price} />,
    },
    {
      key: "chance",
      title: t("chance"),
      width: 132,
      render: ({ extra_time_id: id }) =>
        id === null ? t("chance_earned") : t("chance_extra", { id }),
    },
  ];
}

export function ExplainedUses({ explanation }: { explanation: Explanation }) {
  const { t } = useTranslation("player_view");
  const extraColumns = useExtraColumns();
  const drawColumns = useDrawColumns();
  const { extras, extras_more, draws, draws_more } = explanation;
  return (
    <>
      <section aria-label={t("extras")}>
        <h2>{t("extras")}</h2>
        {extras.length === 0 ? (
          <p className="k-note">{t("extras_none")}</p>
        ) : (
          <DataTable
            label={t("extras")}
            columns={extraColumns}
            list={wholeList(extras)}
            keyOf={({ id }) => id}
            nameOf={({ id }) => `#${id}`}
          />
        )}
        {extras_more > 0 && (
          <p className="k-note">{t("extras_more", { rows: grouped(extras_more) })}</p>
        )}
      </section>
      <section aria-label={t("draws")}>
        <h2>{t("draws")}</h2>
        {draws.length === 0 ? (
          <p className="k-note">{t("draws_none")}</p>
        ) : (
          <DataTable
            label={t("draws")}
            columns={drawColumns}
            list={wholeList(draws)}
            keyOf={({ log_id }) => log_id}
            nameOf={({ draw_no }) => String(draw_no)}
          />
        )}
        {draws_more > 0 && (
          <p className="k-note">{t("draws_more", { rows: grouped(draws_more) })}</p>
        )}
      </section>
    </>
  );
}
