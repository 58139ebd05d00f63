/** User data query (spec §2): what support looks up about one player. */
import { Button } from "antd";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { DrawInfoButton } from "#players/draw-info-button.tsx";
import { addTexts } from "#lib/language.ts";
import { usePageSearch } from "#lib/search.ts";
import { Page } from "#ui/page.tsx";
import { PlayerInfoDialog } from "./player-info-dialog.tsx";
import { PLAYER_SEARCH } from "./player-search.ts";
import { PLAYER_TEXTS } from "./player-texts.ts";
import "./player.css";

addTexts("player", PLAYER_TEXTS);

/** Address field `dialog` while player info is open. */
const INFO = "info";

function QuestionCard(props: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="k-query y-card" aria-label={props.title}>
      <h2>{props.title}</h2>
      <p>{props.text}</p>
      {props.children}
    </section>
  );
}

export function PlayerPage() {
  const { t } = useTranslation("player");
  const [search, setSearch] = usePageSearch(PLAYER_SEARCH);
  return (
    <Page title={t("title")}>
      <div className="y-cards">
        <QuestionCard title={t("draws_title")} text={t("draws_text")}>
          <DrawInfoButton />
        </QuestionCard>
        <QuestionCard title={t("info_title")} text={t("info_text")}>
          <Button onClick={() => setSearch({ dialog: INFO })}>{t("info_open")}</Button>
        </QuestionCard>
      </div>
      {search.dialog === INFO && (
        <PlayerInfoDialog onClose={() => setSearch({ dialog: undefined }, { replace: true })} />
      )}
    </Page>
  );
}
