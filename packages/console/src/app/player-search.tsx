/** Finds a player by the start of the account or by ID, from any page (Ctrl+K, ⌘K), and opens the player view. */
import { CloseOutlined, SearchOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { AutoComplete, Button } from "antd";
import type { GetRef } from "antd";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { KeyboardEvent as Key, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { NAME_LENGTH_MAX } from "@red/contract/limits";
import { playerViewRoutes } from "@red/contract/player-view";
import type { FoundPlayer } from "@red/contract/player-view";
import { settled } from "#lib/api.ts";
import { useDebounced } from "#lib/debounced.ts";
import { queryClient, queryOf } from "#lib/query.ts";
import { SHELL_SEARCH, usePageChange } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { useStillHere } from "#lib/still-here.ts";
import { useToast } from "#ui/toast.tsx";

type Field = GetRef<typeof AutoComplete>;

function searchFor(text: string) {
  return queryOf(playerViewRoutes.search, { body: { text } });
}

/** Ctrl+K or ⌘K anywhere, but not while a word is being composed. */
function useShortcut(act: () => void): void {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isShortcut && event.key.toLowerCase() === "k" && !event.isComposing) {
      event.preventDefault();
      act();
    }
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => listen(event);
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

function Option({ player: { user_name, player_id, blocked } }: { player: FoundPlayer }) {
  const { t } = useTranslation("app");
  return (
    <span className="s-find-option">
      <span>{user_name}</span>
      <span className="k-note">
        {blocked ? `${player_id} · ${t("find_player_blocked")}` : player_id}
      </span>
    </span>
  );
}

/** The player that Enter opens before the list is shown: an exact match, or the only one found. */
function playerFor(text: string, content: readonly FoundPlayer[]): FoundPlayer | null {
  const same = (name: string) => name.toLowerCase() === text.toLowerCase();
  const exactMatch = content.find(({ user_name, player_id }) => same(user_name) || same(player_id));
  return exactMatch ?? (content.length === 1 ? (content[0] ?? null) : null);
}

/** Searches what is typed; Enter works before the list is shown. */
function usePlayerSearch(open: (user_name: string) => void) {
  const { t } = useTranslation("app");
  const toast = useToast();
  const isStillHere = useStillHere();
  const [typed, setTypedText] = useState("");
  const latest = useRef("");
  const setTyped = (now: string) => {
    latest.current = now;
    setTypedText(now);
  };
  const text = useDebounced(typed.trim());
  const { data } = useQuery({ ...searchFor(text), enabled: text !== "" });
  const result = text !== "" && text === typed.trim() ? data : undefined;
  const choose = (user_name: string) => {
    setTyped("");
    open(user_name);
  };
  const onKeyDown = async (event: Key) => {
    const query = typed.trim();
    // Enter that composes a word is no Enter here; once results are listed, the list handles it.
    const isListed = result !== undefined && result.content.length > 0;
    if (event.key !== "Enter" || event.nativeEvent.isComposing || query === "" || isListed) {
      return;
    }
    const answer = await settled(queryClient.fetchQuery(searchFor(query)));
    // The text has changed meanwhile, or the page was left.
    if (latest.current.trim() !== query || !isStillHere()) {
      return;
    }
    const content = answer.ok ? answer.data.content : [];
    const player = playerFor(query, content);
    if (player !== null) {
      choose(player.user_name);
    } else if (answer.ok && content.length === 0) {
      toast.warning(t("find_player_none"));
    }
  };
  return { typed, setTyped, result, choose, onKeyDown };
}

interface FinderProps {
  field: RefObject<Field | null>;
  onOpen: (user_name: string) => void;
  onLeave?: () => void;
}

function Finder({ field, onOpen, onLeave }: FinderProps) {
  const { t } = useTranslation("app");
  const { typed, setTyped, result, choose, onKeyDown } = usePlayerSearch((user_name) => {
    field.current?.blur();
    onOpen(user_name);
  });
  const more = result?.more === true ? <p className="k-note">{t("find_player_more")}</p> : null;
  return (
    <AutoComplete
      ref={field}
      className="s-find"
      aria-label={t("find_player")}
      aria-keyshortcuts="Control+K Meta+K"
      placeholder={t("find_player_hint")}
      prefix={<SearchOutlined aria-hidden="true" />}
      maxLength={NAME_LENGTH_MAX}
      allowClear
      value={typed}
      onSearch={setTyped}
      onClear={() => setTyped("")}
      onSelect={choose}
      onBlur={() => onLeave?.()}
      onInputKeyDown={(event) => void onKeyDown(event)}
      defaultActiveFirstOption
      popupMatchSelectWidth={280}
      notFoundContent={result === undefined ? null : t("find_player_none")}
      options={(result?.content ?? []).map((player) => ({
        value: player.user_name,
        label: <Option player={player} />,
      }))}
      popupRender={(menu) => (
        <>
          {menu}
          {more}
        </>
      )}
    />
  );
}

export function PlayerSearch({ isMobile }: { isMobile: boolean }) {
  const { t } = useTranslation("app");
  const mayRead = useMay("player.read");
  const change = usePageChange(SHELL_SEARCH);
  const field = useRef<Field>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [over, setOver] = useState(false);
  const open = (player: string) => {
    // The field is about to disappear.
    opener.current?.focus({ preventScroll: true });
    setOver(false);
    change({ player, player_tab: undefined, player_round: undefined });
  };
  useShortcut(() => {
    setOver(isMobile);
    field.current?.focus();
  });
  useEffect(() => {
    if (over) {
      field.current?.focus();
    }
  }, [over]);
  if (!mayRead) {
    return null;
  }
  if (!isMobile) {
    return <Finder field={field} onOpen={open} />;
  }
  return (
    <>
      <Button
        ref={opener}
        type="text"
        className="s-tool"
        icon={<SearchOutlined aria-hidden="true" />}
        aria-label={t("find_player")}
        aria-expanded={over}
        onClick={() => setOver(true)}
      />
      {over && (
        <div className="s-find-over">
          <Finder field={field} onOpen={open} onLeave={() => setOver(false)} />
          <Button
            type="text"
            className="s-tool"
            icon={<CloseOutlined aria-hidden="true" />}
            aria-label={t("close_find_player")}
            onClick={() => setOver(false)}
          />
        </div>
      )}
    </>
  );
}
