/** Shows the open pages as tags (spec §2 "Shell"). Delete closes a tag. Shift+F10 or a right click opens its menu. */
import { CloseOutlined } from "@ant-design/icons";
import { Link, useMatches, useNavigate, useRouterState } from "@tanstack/react-router";
import { Dropdown } from "antd";
import { useEffect, useRef } from "react";
import type { KeyboardEvent, MouseEvent } from "react";
import { useTranslation } from "react-i18next";
import { parseSearch, stringifySearch, withoutShell } from "#lib/search.ts";
import { readKept, useKept, writeKept } from "#lib/tab-state.ts";
import type { PageTitleKey } from "./menu.ts";
import { close, closeOthers, tagsOf, visit } from "./tags.ts";
import type { Closed, Tag } from "./tags.ts";
import "./tags-view.css";

const KEY = "tags";
const MIDDLE = 1;

const ACTS = ["refresh", "close", "close_others", "close_all"] as const;
type Acts = Readonly<Record<(typeof ACTS)[number], (tag: Tag) => void>>;

function useTags() {
  const tags = tagsOf(useKept(KEY));
  // Use the page that is rendered, because the address also passes through redirects.
  const page = useMatches().at(-1);
  const path = page?.pathname ?? "";
  const search = stringifySearch(withoutShell(page?.search ?? {}));
  const title = page?.staticData.title;
  // Changes with each navigation. "Close all" may end on the page where it started, and that page needs its tag again.
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
  const acts: Acts = {
    refresh: (tag) => {
      const search = parseSearch(tag.search);
      void navigate({ to: `/redirect${tag.path}`, search, replace: true });
    },
    close: (tag) => settle(close(tags, tag.path, path)),
    close_others: (tag) => settle(closeOthers(tags, tag.path, path)),
    close_all: () => settle({ tags: [], goTo: "home" }),
  };
  return { tags, openPath: path, acts };
}

function TagItem({ tag, isOpen, acts }: { tag: Tag; isOpen: boolean; acts: Acts }) {
  const { t } = useTranslation("app");
  const item = useRef<HTMLLIElement>(null);
  // Tags store only titles of routes.
  const name = t(tag.title as PageTitleKey);
  useEffect(() => {
    if (isOpen) {
      item.current?.scrollIntoView({ block: "nearest", inline: "nearest" });
    }
  }, [isOpen]);
  return (
    <li ref={item} className={isOpen ? "s-tag s-tag-open" : "s-tag"}>
      <Dropdown
        trigger={["contextMenu"]}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- a menu opened by keyboard must take the focus
        autoFocus
        destroyOnHidden
        menu={{
          items: ACTS.map((key) => ({
            key,
            label: t(`tag_${key}`),
            onClick: () => acts[key](tag),
          })),
        }}
      >
        <Link
          to={tag.path}
          search={parseSearch(tag.search)}
          className="s-tag-link"
          aria-keyshortcuts="Delete"
          activeOptions={{ includeSearch: false }}
          activeProps={{ "aria-current": "page" }}
          onKeyDown={({ key }: KeyboardEvent) => key === "Delete" && acts.close(tag)}
          onAuxClick={(event: MouseEvent) => {
            if (event.button === MIDDLE) {
              event.preventDefault();
              acts.close(tag);
            }
          }}
        >
          {name}
        </Link>
      </Dropdown>
      <button
        type="button"
        tabIndex={-1}
        className="s-tag-close"
        aria-label={t("close_tag", { name })}
        onClick={() => acts.close(tag)}
      >
        <CloseOutlined aria-hidden="true" />
      </button>
    </li>
  );
}

export function TagsView() {
  const { t } = useTranslation("app");
  const { tags, openPath, acts } = useTags();
  return (
    <nav aria-label={t("tags")} className="s-tags">
      <ul>
        {tags.map((tag) => (
          <TagItem key={tag.path} tag={tag} isOpen={tag.path === openPath} acts={acts} />
        ))}
      </ul>
    </nav>
  );
}
