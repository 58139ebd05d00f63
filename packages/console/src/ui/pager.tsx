/** Pages of a list, in the order of spec §9: total, sizes, prev, pager, next, jumper. */
import { PAGE_SIZES } from "@red/contract/limits";
import { Pagination, Select } from "antd";
import type { PaginationProps } from "antd";
import { cloneElement, isValidElement, useLayoutEffect, useRef } from "react";
import type { HTMLAttributes, KeyboardEvent } from "react";
import { useTranslation } from "react-i18next";
import { grouped } from "./format.ts";

export interface Paging {
  page: number;
  size: number;
}

export interface PagerProps extends Paging {
  /** Name of what is paged, if not the page's own list: in a drawer, that list is still below. */
  of?: string;
  total: number;
  /** `correcting`: not the operator's step, so no step in the history. */
  onChange: (paging: Paging, correcting?: boolean) => void;
  sizes?: readonly number[];
}

function pressOnKey(event: KeyboardEvent<HTMLElement>): void {
  if (event.key === "Enter" || event.key === " ") {
    // Once: the list item around it takes the key too.
    event.preventDefault();
    event.stopPropagation();
    event.currentTarget.click();
  }
}

/**
 * The library names its buttons by English icon names and its pages by bare numbers, and its tab stops are the
 * list items around them.
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

export function Pager({ of, page, size, total, onChange, sizes = PAGE_SIZES }: PagerProps) {
  const { t } = useTranslation("ui");
  const itemRender = useNamedItems(page);
  const box = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    box.current?.querySelectorAll("li[tabindex]").forEach((li) => li.removeAttribute("tabindex"));
    const jumper = box.current?.querySelector(".ant-pagination-options-quick-jumper input");
    jumper?.setAttribute("aria-label", t("jump_label"));
    // Named in English by the library; their buttons have names of their own.
    const icons = box.current?.querySelectorAll("[role=img]");
    icons?.forEach((icon) => icon.setAttribute("aria-hidden", "true"));
  });
  const last = Math.max(1, Math.ceil(total / size));
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
        showQuickJumper
        showSizeChanger={false}
        locale={{ jump_to: t("jump_to"), page: t("jump_page", { last: grouped(last) }) }}
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
              // A new size starts at page 1: the old page may not exist.
              onChange={(next) => onChange({ page: 1, size: next })}
              popupMatchSelectWidth={false}
            />
          </>
        )}
        onChange={(next) => onChange({ page: next, size })}
      />
    </nav>
  );
}
