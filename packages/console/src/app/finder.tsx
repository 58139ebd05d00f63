/** Finds and opens players, payout and order numbers, rounds, pools, prizes, pages and acts (Ctrl+K, ⌘K). */
import { CloseOutlined, SearchOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { AutoComplete, Button } from "antd";
import type { GetRef } from "antd";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { KeyboardEvent as Key, RefObject } from "react";
import { useTranslation } from "react-i18next";
import { findRoutes } from "@red/contract/records/find";
import { NAME_LENGTH_MAX } from "@red/contract/platform/limits";
import { settled } from "#lib/api.ts";
import { useDebounced } from "#lib/debounced.ts";
import { queryClient, queryOf } from "#lib/query.ts";
import { useOnPage } from "#lib/use-on-page.ts";
import { useToast } from "#ui/toast.tsx";
import { findFor, useFinds } from "./finds.ts";
import type { Find } from "./finds.ts";

type Field = GetRef<typeof AutoComplete>;

function searchFor(text: string) {
  return queryOf(findRoutes.find, { body: { text } });
}

/** Runs `act` on Ctrl+K or ⌘K, but not while an input method composes a word. */
function useShortcut(act: () => void): void {
  const listen = useEffectEvent((event: KeyboardEvent) => {
    const isShortcut = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isShortcut && event.key.toLowerCase() === "k" && !event.isComposing) {
      event.preventDefault();
      act();
    }
  });
  useEffect(() => {
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

function Option({ find: { name, note } }: { find: Find }) {
  return (
    <span className="s-find-option">
      <span>{name}</span>
      <span className="k-note">{note}</span>
    </span>
  );
}

/** Searches for the typed text. Enter also works before the list is shown. */
function useFinder(onOpen: () => void) {
  const { t } = useTranslation("app");
  const toast = useToast();
  const isOnPage = useOnPage();
  const findsFor = useFinds();
  const [typed, setTypedText] = useState("");
  const latest = useRef("");
  const setTyped = (now: string) => {
    latest.current = now;
    setTypedText(now);
  };
  const text = useDebounced(typed.trim());
  const { data } = useQuery({ ...searchFor(text), enabled: text !== "" });
  const isCurrent = text !== "" && text === typed.trim();
  const finds = isCurrent && data !== undefined ? findsFor(text, data) : null;
  const open = (find: Find) => {
    setTyped("");
    // Close the finder before the target opens, because a dialog later returns the focus to the element that had it.
    onOpen();
    find.open();
  };
  const onKeyDown = async (event: Key) => {
    const query = typed.trim();
    // Enter does not search while an input method composes a word. Once results are listed, the list handles Enter.
    const isListed = finds !== null && finds.length > 0;
    if (event.key !== "Enter" || event.nativeEvent.isComposing || query === "" || isListed) {
      return;
    }
    const answer = await settled(queryClient.fetchQuery(searchFor(query)));
    // Ignore the answer if the text has changed or the operator has left the page during the call.
    if (latest.current.trim() !== query || !isOnPage()) {
      return;
    }
    const found = findsFor(query, answer.ok ? answer.data : undefined);
    const find = findFor(found);
    if (find !== null) {
      open(find);
    } else if (answer.ok && found.length === 0) {
      toast.warning(t("find_none"));
    }
  };
  return { typed, setTyped, finds, more: isCurrent && data?.more === true, open, onKeyDown };
}

/** Groups the options under headings, in the order of the entries. */
function optionsOf(finds: readonly Find[], heading: (group: Find["group"]) => string) {
  const groups = [...new Set(finds.map(({ group }) => group))];
  return groups.map((group) => ({
    label: heading(group),
    title: heading(group),
    options: finds
      .filter((find) => find.group === group)
      .map((find) => ({ value: find.key, label: <Option find={find} /> })),
  }));
}

interface FinderProps {
  field: RefObject<Field | null>;
  onOpen: () => void;
  onLeave?: () => void;
}

function FinderField({ field, onOpen, onLeave }: FinderProps) {
  const { t } = useTranslation("app");
  const { typed, setTyped, finds, more, open, onKeyDown } = useFinder(() => {
    field.current?.blur();
    onOpen();
  });
  return (
    <AutoComplete
      ref={field}
      className="s-find"
      aria-label={t("find")}
      aria-keyshortcuts="Control+K Meta+K"
      placeholder={t("find_hint")}
      prefix={<SearchOutlined aria-hidden="true" />}
      maxLength={NAME_LENGTH_MAX}
      allowClear
      value={typed}
      onSearch={setTyped}
      onClear={() => setTyped("")}
      onSelect={(key: string) => {
        const find = finds?.find((one) => one.key === key);
        if (find !== undefined) {
          open(find);
        }
      }}
      onBlur={() => onLeave?.()}
      onInputKeyDown={(event) => void onKeyDown(event)}
      defaultActiveFirstOption
      popupMatchSelectWidth={360}
      // Render all options: there are few, and the arrow keys and screen readers must reach each option.
      virtual={false}
      listHeight={400}
      notFoundContent={finds === null ? null : t("find_none")}
      options={optionsOf(finds ?? [], (group) => t(group))}
      popupRender={(menu) => (
        // The keyboard must reach a list that scrolls, in every browser. The library has no property for this.
        <div
          ref={(box) => box?.querySelector("[class$=list-holder]")?.setAttribute("tabindex", "0")}
        >
          {menu}
          {more && <p className="k-note">{t("find_more")}</p>}
        </div>
      )}
    />
  );
}

export function Finder({ isMobile }: { isMobile: boolean }) {
  const { t } = useTranslation("app");
  const field = useRef<Field>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [over, setOver] = useState(false);
  const close = () => {
    // Move the focus now, because the field disappears with the next render.
    opener.current?.focus({ preventScroll: true });
    setOver(false);
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
  if (!isMobile) {
    return <FinderField field={field} onOpen={close} />;
  }
  return (
    <>
      <Button
        ref={opener}
        type="text"
        className="s-tool"
        icon={<SearchOutlined aria-hidden="true" />}
        aria-label={t("find")}
        aria-expanded={over}
        onClick={() => setOver(true)}
      />
      {over && (
        <div className="s-find-over">
          <FinderField field={field} onOpen={close} onLeave={() => setOver(false)} />
          <Button
            type="text"
            className="s-tool"
            icon={<CloseOutlined aria-hidden="true" />}
            aria-label={t("close_find")}
            onClick={() => setOver(false)}
          />
        </div>
      )}
    </>
  );
}
