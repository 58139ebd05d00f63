import { Button, Form, Input } from "antd";
import { useState } from "react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { NAME_LENGTH_MAX } from "@red/contract/platform/limits";
import { playerInfoQuery, playerRoutes } from "@red/contract/chances/player";
import type { Data } from "@red/contract/platform/route";
import { AskDialog } from "#forms/ask-dialog.tsx";
import { passes } from "#forms/check.ts";
import { FieldItem } from "#forms/field-item.tsx";
import { call, settled } from "#lib/api.ts";
import { usePageSearch } from "#lib/search.ts";
import { DrawInfoButton } from "./draw-info-button.tsx";
import { lastAsked } from "./last-account.ts";
import { Money } from "#ui/cells.tsx";
import { Figure } from "#ui/figure.tsx";
import { Page } from "#ui/page.tsx";
import { PLAYER_SEARCH } from "./search.ts";
import "./player.css";

type PlayerInfo = Data<typeof playerRoutes.info>;

interface Asked {
  player_name?: string;
}

interface Answer extends PlayerInfo {
  readonly name: string;
}

const FIGURES = ["vaildAmount", "totalPrice1", "totalPrice2", "totalPrice3"] as const;

/** Shows 0 for every figure before the first answer (spec §2). */
function PlayerInfoAnswer({ answer }: { answer: Answer | null }) {
  const { t } = useTranslation("player");
  const { name = "", day = null } = answer ?? {};
  return (
    <div className="q-answer">
      <p>{day === null ? t("info_note") : t("info_answer", { name, day })}</p>
      <dl className="k-figures">
        {FIGURES.map((key) => (
          <Figure key={key} term={t(key)}>
            <Money value={answer?.[key] ?? "0"} />
          </Figure>
        ))}
      </dl>
    </div>
  );
}

/** Player info (spec §2): valid deposits and the prizes of the first three rounds of the day. */
function PlayerInfoDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("player");
  const [form] = Form.useForm<Asked>();
  const [initial] = useState(() => ({ player_name: lastAsked.account }));

  const ask = async ({ player_name = "" }: Asked): Promise<Answer | null> => {
    const body = { player_name: player_name.trim() };
    if (!passes(form, playerInfoQuery, body)) {
      return null;
    }
    lastAsked.account = body.player_name;
    const result = await settled(call(playerRoutes.info, { body }));
    return result.ok ? { ...result.data, name: body.player_name } : null;
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
      <FieldItem name="player_name">
        <Input autoComplete="off" maxLength={NAME_LENGTH_MAX} allowClear />
      </FieldItem>
    </AskDialog>
  );
}

/** Value of the address field `dialog` while player info is open. */
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
  const { t } = useTranslation(["player", "app"]);
  const [search, setSearch] = usePageSearch(PLAYER_SEARCH);
  return (
    <Page title={t("app:activity_record")}>
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
