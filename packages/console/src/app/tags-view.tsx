/**
 * The open pages as tags below the navbar (spec §2 "Shell"). One of them is in the tab order; arrow
 * keys go to the others, Delete closes, Shift+F10 or the right mouse button opens the menu.
 */
import { CloseOutlined } from "@ant-design/icons";
import { Link, useMatches, useNavigate, useRouterState } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import type { KeyboardEvent, MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { parseSearch, stringifySearch, withoutShell } from "#lib/search.ts";
import { readKept, useKept, writeKept } from "#lib/tab-state.ts";
import { ContextMenu } from "#ui/context-menu.tsx";
import type { PageTitleKey } from "./router.tsx";
import { close, closeAll, closeOthers, tagsOf, visit } from "./tags.ts";
import type { Closed, Tag } from "./tags.ts";
import "./tags-view.css";

const KEY = "tags";
const MIDDLE = 1;

type Act = "refresh" | "close" | "close_others" | "close_all";
const ACTS: readonly Act[] = ["refresh", "close", "close_others", "close_all"];

function useTags() {
  const tags = tagsOf(useKept(KEY));
  // The page that is shown, not the address on the way to it, which redirects pass through.
  const page = useMatches().at(-1);
  const path = page?.pathname ?? "";
  const search = stringifySearch(withoutShell(page?.search ?? {}));
  const title = page?.staticData.title;
  // Each navigation has its own, also one that ends where it began, as closing all does.
  const visitKey = useRouterState({ select: (state) => state.resolvedLocation?.state.__TSR_key });
  const navigate = useNavigate();
  useEffect(() => {
    if (title !== undefined) {
      writeKept(KEY, visit(tagsOf(readKept(KEY)), { path, search, title }));
    }
  }, [path, search, title, visitKey]);

  const settle = ({ tags: rest, goTo }: Closed) => {
    writeKept(KEY, rest);
    if (goTo === "home") {
      void navigate({ to: "/" });
    } else if (goTo !== null) {
      void navigate({ to: goTo.path, search: parseSearch(goTo.search) });
    }
  };
  const act = (what: Act, tag: Tag) => {
    switch (what) {
      case "refresh":
        void navigate({
          to: `/redirect${tag.path}`,
          search: parseSearch(tag.search),
          replace: true,
        });
        break;
      case "close":
        settle(close(tags, tag.path, path));
        break;
      case "close_others":
        settle(closeOthers(tags, tag.path, path));
        break;
      case "close_all":
        settle(closeAll());
        break;
    }
  };
  return { tags, openPath: path, act };
}

/** Where an arrow key leads from the tag that has the focus. */
function neighbourOf(item: Element, key: string): Element | null {
  switch (key) {
    case "ArrowLeft":
      return item.previousElementSibling;
    case "ArrowRight":
      return item.nextElementSibling;
    case "Home":
      return item.parentElement?.firstElementChild ?? null;
    case "End":
      return item.parentElement?.lastElementChild ?? null;
    default:
      return null;
  }
}

function focusTag(item: Element | null | undefined): void {
  item?.querySelector("a")?.focus();
}

interface TagItemProps {
  tag: Tag;
  isOpen: boolean;
  /** In the tab order. */
  reachable: boolean;
  act: (what: Act, tag: Tag) => void;
}

function TagItem({ tag, isOpen, reachable, act }: TagItemProps) {
  const { t } = useTranslation("app");
  const item = useRef<HTMLLIElement>(null);
  const [menuAt, setMenuAt] = useState<DOMRect | null>(null);
  // Only titles of routes are kept as tags.
  const name = t(tag.title as PageTitleKey);
  useEffect(() => {
    if (isOpen) {
      item.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }, [isOpen]);
  /* Where the page does not change, the focus stays among the tags. */
  const actHere = (what: Act) => {
    const here = item.current;
    const gone = what === "close";
    focusTag(gone ? (here?.nextElementSibling ?? here?.previousElementSibling) : here);
    act(what, tag);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Delete") {
      actHere("close");
      return;
    }
    const next = item.current && neighbourOf(item.current, event.key);
    if (next !== null) {
      event.preventDefault();
      focusTag(next);
    }
  };
  const onAuxClick = (event: MouseEvent) => {
    if (event.button === MIDDLE) {
      event.preventDefault();
      actHere("close");
    }
  };
  return (
    <li ref={item} className={isOpen ? "s-tag s-tag-open" : "s-tag"}>
      <Link
        to={tag.path}
        search={parseSearch(tag.search)}
        tabIndex={reachable ? 0 : -1}
        className="s-tag-link"
        aria-keyshortcuts="Delete"
        activeOptions={{ includeSearch: false }}
        activeProps={{ "aria-current": "page" }}
        onKeyDown={onKeyDown}
        onAuxClick={onAuxClick}
        onContextMenu={(event) => {
          event.preventDefault();
          setMenuAt(event.currentTarget.getBoundingClientRect());
        }}
      >
        {name}
      </Link>
      <button
        type="button"
        tabIndex={-1}
        className="s-tag-close"
        aria-label={t("close_tag", { name })}
        onClick={() => actHere("close")}
      >
        <CloseOutlined aria-hidden="true" />
      </button>
      {menuAt !== null && (
        <ContextMenu
          label={name}
          anchor={menuAt}
          items={ACTS.map((key) => ({ key, label: t(`tag_${key}`) }))}
          onChoose={(what) => {
            setMenuAt(null);
            actHere(what);
          }}
          onClose={(left) => {
            setMenuAt(null);
            if (left) {
              focusTag(item.current);
            }
          }}
        />
      )}
    </li>
  );
}

export function TagsView() {
  const { t } = useTranslation("app");
  const { tags, openPath, act } = useTags();
  const hasOpen = tags.some(({ path }) => path === openPath);
  return (
    <nav aria-label={t("tags")} className="s-tags">
      <ul>
        {tags.map((tag, index) => (
          <TagItem
            key={tag.path}
            tag={tag}
            isOpen={tag.path === openPath}
            reachable={hasOpen ? tag.path === openPath : index === 0}
            act={act}
          />
        ))}
      </ul>
    </nav>
  );
}
