/** User data query (spec §2): what support looks up about one player. */
import { Button, Form, Input } from "antd";
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { NAME_LENGTH_MAX } from "@red/contract/platform/limits";
import { playerInfoQuery, playerRoutes } from "@red/contract/chances/player";
import type { Data } from "@red/contract/platform/route";
import { AskDialog } from "#forms/ask-dialog.tsx";
import { passes } from "#forms/check.ts";
import { call, settled } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import { usePageSearch } from "#lib/search.ts";
import { DrawInfoButton } from "./draw-info-button.tsx";
import { lastAccount, rememberAccount } from "./last-account.ts";
import { Money } from "#ui/cells.tsx";
import { Figure } from "#ui/figure.tsx";
import { Page } from "#ui/page.tsx";
import { PLAYER_SEARCH } from "./search.ts";
import { PLAYER_TEXTS } from "./player-texts.ts";
import "./player.css";

addTexts("player", PLAYER_TEXTS);

type PlayerInfo = Data<typeof playerRoutes.info>;

interface Asked {
  player_name?: string;
}

interface Answer {
  readonly info: PlayerInfo;
  readonly name: string;
}

const FIGURES = ["vaildAmount", "totalPrice1", "totalPrice2", "totalPrice3"] as const;

/** Shown before the first answer (spec §2). */
const NO_INFO: PlayerInfo = {
  vaildAmount: "0",
  totalPrice1: "0",
  totalPrice2: "0",
  totalPrice3: "0",
  day: null,
};

function PlayerInfoAnswer({ answer }: { answer: Answer | null }) {
  const { t } = useTranslation("player");
  const info = answer?.info ?? NO_INFO;
  return (
    <div className="q-answer">
      <p>
        {answer === null || info.day === null
          ? t("info_note")
          : t("answer", { name: answer.name, day: info.day })}
      </p>
      <dl className="k-figures">
        {FIGURES.map((key) => (
          <Figure key={key} term={t(key)}>
            <Money value={info[key]} />
          </Figure>
        ))}
      </dl>
    </div>
  );
}

/** Player info (spec §2): valid deposits, and prizes of the day's first three rounds. */
function PlayerInfoDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(["player", "fields"]);
  const [form] = Form.useForm<Asked>();
  const [initial] = useState(() => ({ player_name: lastAccount() }));

  const ask = async ({ player_name = "" }: Asked): Promise<Answer | null> => {
    const body = { player_name: player_name.trim() };
    if (!passes(form, playerInfoQuery, body)) {
      return null;
    }
    rememberAccount(body.player_name);
    const result = await settled(call(playerRoutes.info, { body }));
    return result.ok ? { info: result.data, name: body.player_name } : null;
  };

  return (
    <AskDialog<Asked, Answer>
      title={t("info_title")}
      form={form}
      initial={initial}
      draftKey="player_info"
      onAsk={ask}
      onClose={onClose}
      showAnswer={(answer) => <PlayerInfoAnswer answer={answer} />}
    >
      <Form.Item name="player_name" label={t("fields:player_name")}>
        <Input autoComplete="off" maxLength={NAME_LENGTH_MAX} allowClear />
      </Form.Item>
    </AskDialog>
  );
}

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
  const { t } = useTranslation(["player", "app", "draw_info"]);
  const [search, setSearch] = usePageSearch(PLAYER_SEARCH);
  return (
    <Page title={t("app:activity_record")}>
      <div className="y-cards">
        <QuestionCard title={t("draw_info:open")} text={t("draws_text")}>
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
