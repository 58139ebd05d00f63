/** Pages of a list, in the order of spec §9: total, sizes, prev, pager, next, jumper. */
import { PAGE_SIZES } from "@red/contract/limits";
import { Pagination, Select } from "antd";
import { useTranslation } from "react-i18next";
import { grouped } from "./format.ts";

export interface Paging {
  page: number;
  size: number;
}

interface PagerProps extends Paging {
  total: number;
  onChange: (paging: Paging) => void;
  sizes?: readonly number[];
}

export function Pager({ page, size, total, onChange, sizes = PAGE_SIZES }: PagerProps) {
  const { t } = useTranslation("ui");
  return (
    <nav className="k-pager" aria-label={t("pages")}>
      <span className="k-pager-total">{t("total", { total: grouped(total) })}</span>
      <Select
        aria-label={t("page_size")}
        value={size}
        options={sizes.map((each) => ({ value: each, label: t("per_page", { size: each }) }))}
        // Another size starts over: the old page number could lie behind the end.
        onChange={(next) => onChange({ page: 1, size: next })}
        popupMatchSelectWidth={false}
      />
      <Pagination
        current={page}
        pageSize={size}
        total={total}
        onChange={(next) => onChange({ page: next, size })}
        showSizeChanger={false}
        showQuickJumper
        showLessItems
      />
    </nav>
  );
}
