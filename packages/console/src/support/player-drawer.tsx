/**
 * Shows everything about one player above any page (behaviour §4, §6). The address contains player and tab, so the
 * view can be shared, survives a reload, and closes with a step back.
 */
import { ReloadOutlined, StopOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button, Drawer } from "antd";
import type { ReactNode } from "react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { betRoutes } from "@red/contract/events/bet";
import { depositRoutes } from "@red/contract/events/deposit";
import type { Exclusion } from "@red/contract/players/exclusion";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { playerViewRoutes } from "@red/contract/chances/player-view";
import type { PlayerHead } from "@red/contract/chances/player-view";
import { recordRoutes } from "@red/contract/records/record";
import { addTexts } from "#lib/language.ts";
import { queryOf, refresh } from "#lib/query.ts";
import { SHELL_SEARCH, usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { ExcludeDialog } from "#players/exclude-dialog.tsx";
import { LiftDialog } from "#players/lift-dialog.tsx";
import { permissionProps } from "#lib/permission-props.ts";
import { Code, Status } from "#ui/cells.tsx";
import { Figure } from "#ui/figure.tsx";
import { grouped } from "#ui/format.ts";
import { IconButton } from "#ui/hint.tsx";
import { useIsMobile } from "#ui/media.ts";
import { NotLoaded } from "#ui/not-loaded.tsx";
import { useOpened } from "#ui/opened.tsx";
import { TabStrip } from "#ui/tab-strip.tsx";
import { ChancesTab } from "./chances-tab.tsx";
import { EraseDialog, GrantOneDialog } from "./player-dialogs.tsx";
import { PlayerAnswer } from "./player-answer.tsx";
import { BetsTab, DepositsTab, DrawsTab, ExtrasTab, PayoutsTab } from "./player-tabs.tsx";
import { PLAYER_VIEW_TEXTS } from "./player-view-texts.ts";
import "./player-view.css";

addTexts("player_view", PLAYER_VIEW_TEXTS);

const TABS = ["chances", "draws", "payouts", "extras", "deposits", "bets", "changes"] as const;
type Tab = (typeof TABS)[number];

async function refreshAll(): Promise<void> {
  await refresh(
    playerViewRoutes.head,
    playerViewRoutes.explain,
    recordRoutes.list,
    recordRoutes.attempts,
    extraTimesRoutes.list,
    depositRoutes.list,
    betRoutes.list,
  );
}

/** Shows an active exclusion and the button that ends it. */
function Excluded({ exclusion }: { exclusion: Exclusion }) {
  const { t } = useTranslation(["exclusion", "lookups", "player_view"]);
  const mayExclude = useMay("player.exclude");
  const lifting = useOpened<true>();
  const { until, user_name } = exclusion;
  const kind = t(`lookups:exclusion_${exclusion.kind}`);
  return (
    <div>
      <dt className="sr-only">{t("player_view:why")}</dt>
      <dd>
        <Status tone="danger" icon={<StopOutlined />}>
          {until === null ? t("chip_endless", { kind }) : t("chip", { kind, until })}
        </Status>
        <Button
          type="link"
          size="small"
          {...permissionProps(mayExclude)}
          aria-label={t("lift_label", { name: user_name })}
          onClick={() => lifting.open(true)}
        >
          {t("lift")}
        </Button>
        {lifting.show(() => (
          <LiftDialog exclusion={exclusion} onClose={lifting.close} />
        ))}
      </dd>
    </div>
  );
}

function Facts({ head }: { head: PlayerHead }) {
  const { t } = useTranslation("player_view");
  return (
    <dl className="p-facts">
      <Figure term={t("player_id")}>
        <Code value={head.player_id} />
      </Figure>
      <Figure term={t("draws_count")}>{grouped(head.draws)}</Figure>
      <Figure term={t("left_times")}>{grouped(head.left_times)}</Figure>
      {head.blocked && (
        <div>
          <dt className="sr-only">{t("why")}</dt>
          <dd>
            <Status tone="danger" icon={<StopOutlined />}>
              {t(head.erased ? "erased" : "blocked")}
            </Status>
          </dd>
        </div>
      )}
      {head.exclusions.map((exclusion) => (
        <Excluded key={exclusion.id} exclusion={exclusion} />
      ))}
    </dl>
  );
}

function Tools({ head, onClose }: { head: PlayerHead; onClose: () => void }) {
  const { t } = useTranslation(["player_view", "exclusion", "ui"]);
  const mayGrant = useMay("player.grant");
  const mayExclude = useMay("player.exclude");
  const mayErase = useMay("player.erase");
  const { open, close, show } = useOpened<"grant" | "exclude" | "erase">();
  return (
    <div className="k-tools">
      <Button {...permissionProps(mayGrant, head.erased)} onClick={() => open("grant")}>
        {t("grant")}
      </Button>
      <Button {...permissionProps(mayExclude, head.erased)} onClick={() => open("exclude")}>
        {t("exclusion:save")}
      </Button>
      <Button
        danger
        {...permissionProps(mayErase, head.erased)}
        onClick={() => {
          // Load the payouts and exclusions again, because they can prevent an erasure.
          void refresh(playerViewRoutes.head);
          open("erase");
        }}
      >
        {t("erase")}
      </Button>
      <IconButton
        title={t("ui:refresh")}
        icon={<ReloadOutlined aria-hidden="true" />}
        onClick={() => void refreshAll()}
      />
      {show((dialog) =>
        dialog === "grant" ? (
          <GrantOneDialog head={head} onClose={close} />
        ) : dialog === "exclude" ? (
          <ExcludeDialog user_name={head.user_name} onClose={close} />
        ) : (
          <EraseDialog head={head} onErased={onClose} onClose={close} />
        ),
      )}
    </div>
  );
}

type PlayerTabsProps = { head: PlayerHead } & Pick<PlayerDrawerProps, "changesOf">;

function PlayerTabs({ head, changesOf }: PlayerTabsProps) {
  const { t } = useTranslation("player_view");
  const mayReadRecords = useMay("record.read");
  const [{ player_tab }, change] = usePageSearch(SHELL_SEARCH);
  const { user_name } = head;
  const contents: Record<Tab, ReactNode> = {
    chances: <ChancesTab head={head} />,
    draws: <DrawsTab user_name={user_name} />,
    payouts: <PayoutsTab user_name={user_name} />,
    extras: <ExtrasTab user_name={user_name} />,
    deposits: <DepositsTab user_name={user_name} />,
    bets: <BetsTab user_name={user_name} />,
    changes: changesOf?.(user_name),
  };
  const shown = TABS.filter((tab) =>
    tab === "changes"
      ? changesOf !== undefined
      : mayReadRecords || (tab !== "draws" && tab !== "payouts"),
  );
  const open = shown.find((tab) => tab === player_tab) ?? "chances";
  return (
    <TabStrip
      label={t("tabs")}
      activeKey={open}
      destroyOnHidden
      onChange={(tab) => {
        // Replace the address, so that a step back closes the player and not only the tab.
        change({ player_tab: tab === "chances" ? undefined : tab }, { replace: true });
        void refresh(playerViewRoutes.head);
      }}
      items={shown.map((tab) => ({ key: tab, label: t(`tab_${tab}`), children: contents[tab] }))}
    />
  );
}

function Content({ name, onClose, changesOf }: PlayerDrawerProps & { name: string }) {
  const query = useQuery(queryOf(playerViewRoutes.head, { query: { user_name: name } }));
  if (query.data === undefined) {
    return <NotLoaded query={query} />;
  }
  // A masked account finds no player, so further calls use the account in the address.
  const head = { ...query.data, user_name: name };
  return (
    <>
      <div className="p-head">
        <Facts head={head} />
        <Tools head={head} onClose={onClose} />
      </div>
      <PlayerAnswer head={head} />
      <PlayerTabs head={head} changesOf={changesOf} />
    </>
  );
}

export interface PlayerDrawerProps {
  name: string | null;
  onClose: () => void;
  /** Renders the changes of a player. Undefined if the operator lacks the permission. */
  changesOf: ((user_name: string) => ReactNode) | undefined;
}

export function PlayerDrawer({ name, onClose, changesOf }: PlayerDrawerProps) {
  const { t } = useTranslation("player_view");
  const isMobile = useIsMobile();
  // Keep the name until the closing animation ends.
  const [last, setLast] = useState(name ?? "");
  if (name !== null && name !== last) {
    setLast(name);
  }
  return (
    <Drawer
      open={name !== null}
      onClose={onClose}
      size={isMobile ? "100%" : 760}
      title={t("drawer", { name: last })}
      className="p-drawer"
      destroyOnHidden
    >
      <Content key={last} name={last} onClose={onClose} changesOf={changesOf} />
    </Drawer>
  );
}
