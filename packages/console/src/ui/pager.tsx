/**
 * Pages of a list, in the order of spec §9: total, sizes, prev, pager, next, jumper. The library's own has
 * list items for buttons, named by their icons.
 */
import { LeftOutlined, RightOutlined } from "@ant-design/icons";
import { PAGE_SIZES } from "@red/contract/limits";
import { Button, Input, Select } from "antd";
import type { ReactNode } from "react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { grouped } from "./format.ts";
import { pageAsked, pageMarks } from "./pages.ts";

export interface Paging {
  page: number;
  size: number;
}

interface PagerProps extends Paging {
  /** What is paged, where it is not the page's own list: in a drawer, that is still there below. */
  of?: string;
  total: number;
  onChange: (paging: Paging) => void;
  sizes?: readonly number[];
}

interface TurnProps {
  label: string;
  icon: ReactNode;
  /** Where it leads to; null at the end. */
  page: number | null;
  onTurn: (page: number) => void;
}

function Turn({ label, icon, page, onTurn }: TurnProps) {
  return (
    <li title={label}>
      <Button
        type="text"
        icon={icon}
        aria-label={label}
        disabled={page === null}
        onClick={() => page !== null && onTurn(page)}
      />
    </li>
  );
}

function Jumper({ last, onTurn }: { last: number; onTurn: (page: number) => void }) {
  const { t } = useTranslation("ui");
  const [typed, setTyped] = useState("");
  const jump = () => {
    const page = pageAsked(typed, last);
    setTyped("");
    if (page !== null) {
      onTurn(page);
    }
  };
  return (
    <span className="k-jumper">
      <span aria-hidden="true">{t("jump_to")}</span>
      <Input
        aria-label={t("jump_label")}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onPressEnter={jump}
        onBlur={jump}
      />
      <span aria-hidden="true">{t("jump_page", { last: grouped(last) })}</span>
    </span>
  );
}

export function Pager({ of, page, size, total, onChange, sizes = PAGE_SIZES }: PagerProps) {
  const { t } = useTranslation("ui");
  const last = Math.max(1, Math.ceil(total / size));
  const turn = (next: number) => next !== page && onChange({ page: next, size });
  return (
    <nav
      className="k-pager"
      aria-label={of === undefined ? t("pages") : t("pages_of", { name: of })}
    >
      <span className="k-pager-total">{t("total", { total: grouped(total) })}</span>
      <Select
        aria-label={t("page_size")}
        value={size}
        options={sizes.map((each) => ({ value: each, label: t("per_page", { size: each }) }))}
        // Another size starts over: the old page number could lie behind the end.
        onChange={(next) => onChange({ page: 1, size: next })}
        popupMatchSelectWidth={false}
      />
      <ul className="k-pages">
        <Turn
          label={t("previous_page")}
          icon={<LeftOutlined aria-hidden="true" />}
          page={page > 1 ? page - 1 : null}
          onTurn={turn}
        />
        {pageMarks(page, last).map((mark) => (
          <li key={mark}>
            {typeof mark === "number" ? (
              <Button
                type="text"
                className={mark === page ? "k-page-open" : ""}
                aria-label={t("page_number", { page: mark })}
                {...(mark === page && { "aria-current": "page" as const })}
                onClick={() => turn(mark)}
              >
                {mark}
              </Button>
            ) : (
              <span className="k-page-gap" aria-hidden="true">
                …
              </span>
            )}
          </li>
        ))}
        <Turn
          label={t("next_page")}
          icon={<RightOutlined aria-hidden="true" />}
          page={page < last ? page + 1 : null}
          onTurn={turn}
        />
      </ul>
      <Jumper last={last} onTurn={turn} />
    </nav>
  );
}
