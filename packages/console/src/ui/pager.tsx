/** Pager of a list, in the order of spec §9: total, sizes, prev, pager, next, jumper. */
import { PAGE_SIZES } from "@red/contract/platform/limits";
import { Pagination, Select } from "antd";
import type { PaginationProps } from "antd";
import { cloneElement, isValidElement, useLayoutEffect, useRef, useState } from "react";
import type { HTMLAttributes, KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { DigitsInput } from "./digits-input.tsx";
import { grouped } from "./format.ts";

export interface Paging {
  page: number;
  size: number;
}

export interface PagerProps extends Paging {
  /** Name of the list, if another list has a pager too. The list of the page keeps its pager below an open drawer. */
  of?: string;
  total: number;
  /**
   * With `correcting` the new page replaces the current entry in the history, because the operator did not turn the
   * page.
   */
  onChange: (paging: Paging, correcting?: boolean) => void;
  sizes?: readonly number[];
}

function pressOnKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === "Enter" || event.key === " ") {
    // Without this the list item around the button would handle the key a second time.
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.click();
  }
}

/**
 * Gives the buttons names and tab stops. The component library uses English icon names and bare numbers, and makes the
 * list items around the buttons the tab stops.
 */
function useNamedItems(current: number): NonNullable<PaginationProps["itemRender"]> {
  const { t } = useTranslation("ui");
  return (page, type, element) =>
    isValidElement<HTMLAttributes<HTMLElement>>(element)
      ? cloneElement(element, {
          role: "button",
          tabIndex: 0,
          onKeyDown: pressOnKey,
          "aria-label": t(`pager_${type}`, { page }),
          ...(type === "page" && page === current && { "aria-current": "page" as const }),
        })
      : element;
}

/**
 * Input to jump to a page. The specification always shows it, but the component library hides its own input when there
 * is only one page.
 */
function Jumper({ last, onGo }: { last: number; onGo: (page: number) => void }) {
  const { t } = useTranslation("ui");
  const [text, setText] = useState("");
  return (
    <span className="k-jumper">
      {t("jump_to")}
      <DigitsInput
        aria-label={t("jump_label")}
        maxLength={9}
        value={text}
        onChange={setText}
        onPressEnter={() => {
          setText("");
          onGo(Math.min(Math.max(Number(text), 1), last));
        }}
      />
      {t("jump_page", { last: grouped(last) })}
    </span>
  );
}

export function Pager({ of, page, size, total, onChange, sizes = PAGE_SIZES }: PagerProps) {
  const { t } = useTranslation("ui");
  const itemRender = useNamedItems(page);
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    box.current?.querySelectorAll("li[tabindex]").forEach((li) => li.removeAttribute("tabindex"));
    // Hides the icons from screen readers. The library names them in English, and their buttons already have names.
    const icons = box.current?.querySelectorAll("[role=img]");
    icons?.forEach((icon) => icon.setAttribute("aria-hidden", "true"));
  });
  const last = Math.max(1, Math.ceil(total / size));
  const turn = (next: number) => onChange({ page: next, size });
  return (
    <nav
      ref={box}
      className="k-pager"
      aria-label={of === undefined ? t("pages") : t("pages_of", { name: of })}
    >
      <Pagination
        current={page}
        pageSize={size}
        total={total}
        showLessItems
        showSizeChanger={false}
        itemRender={itemRender}
        showTotal={() => (
          <>
            <span>{t("total", { total: grouped(total) })}</span>
            <Select
              aria-label={t("page_size")}
              value={size}
              options={sizes.map((each) => ({
                value: each,
                label: t("per_page", { size: each }),
              }))}
              // Goes to page 1, because the current page may not exist with another page size.
              onChange={(next) => onChange({ page: 1, size: next })}
              popupMatchSelectWidth={false}
            />
          </>
        )}
        onChange={turn}
      />
      <Jumper last={last} onGo={turn} />
    </nav>
  );
}
