/** Which columns are shown and in which order: chosen per screen, kept in this browser. */
import { ArrowDownOutlined, ArrowUpOutlined, SettingOutlined } from "@ant-design/icons";
import { Button, Checkbox } from "antd";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { arrange, withShown, withSwapped } from "./column-order.ts";
import type { Arrangeable, Arranged } from "./column-order.ts";
import { Dialog } from "./dialog.tsx";
import { DIALOG_WIDTH } from "./dialog-width.ts";
import { Hint } from "./hint.tsx";
import { useStored } from "./stored.ts";

interface Titled extends Arrangeable {
  readonly title: string;
}

interface ColumnSettings {
  readonly all: readonly Arranged<Titled>[];
  /** Null for the screen's own order with everything shown. */
  readonly choose: (choice: string | null) => void;
  readonly chosen: boolean;
}

/** The columns of the screen `id` as the operator wants them. */
export function useColumnSettings<C extends Titled>(
  id: string,
  columns: readonly C[],
): { readonly shown: readonly C[]; readonly settings: ColumnSettings } {
  const [stored, choose] = useStored(`columns:${id}`);
  const all = useMemo(() => arrange(columns, stored), [columns, stored]);
  const shown = useMemo(() => all.filter((one) => one.shown).map(({ column }) => column), [all]);
  return { shown, settings: { all, choose, chosen: stored !== null } };
}

type Direction = "before" | "after";

interface ColumnRowProps {
  one: Arranged<Titled>;
  onShow: (shown: boolean) => void;
  onMove: (direction: Direction, other: string, row: HTMLElement | null) => void;
}

function ColumnRow({ one, onShow, onMove }: ColumnRowProps) {
  const { t } = useTranslation("ui");
  const row = useRef<HTMLLIElement>(null);
  const { title } = one.column;
  const mover = (direction: Direction, other: string | null) => (
    <Button
      type="text"
      size="small"
      data-direction={direction}
      icon={
        direction === "before" ? (
          <ArrowUpOutlined aria-hidden="true" />
        ) : (
          <ArrowDownOutlined aria-hidden="true" />
        )
      }
      aria-label={t(direction === "before" ? "column_before" : "column_after", { title })}
      disabled={other === null}
      onClick={() => other !== null && onMove(direction, other, row.current)}
    />
  );
  return (
    <li ref={row}>
      <Checkbox
        checked={one.shown}
        disabled={!one.canHide}
        onChange={(event) => onShow(event.target.checked)}
      >
        {title}
      </Checkbox>
      {(one.before !== null || one.after !== null) && (
        <>
          {mover("before", one.before)}
          {mover("after", one.after)}
        </>
      )}
    </li>
  );
}

/* A row that moves loses the focus with its place; at the end its button does nothing any more. */
function keepFocus(row: HTMLElement | null, direction: Direction): void {
  requestAnimationFrame(() => {
    const buttons = [...(row?.querySelectorAll<HTMLButtonElement>("button:not([disabled])") ?? [])];
    const same = buttons.find((button) => button.dataset["direction"] === direction);
    (same ?? buttons[0])?.focus();
  });
}

function ColumnList({ all, choose }: ColumnSettings) {
  const { t } = useTranslation("ui");
  const [told, setTold] = useState("");
  return (
    <>
      <ul className="k-columns">
        {all.map((one) => {
          const { key, title } = one.column;
          return (
            <ColumnRow
              key={key}
              one={one}
              onShow={(shown) => choose(withShown(all, key, shown))}
              onMove={(direction, other, row) => {
                choose(withSwapped(all, key, other));
                const name = all.find(({ column }) => column.key === other)?.column.title ?? "";
                setTold(
                  t(direction === "before" ? "moved_before" : "moved_after", { title, name }),
                );
                keepFocus(row, direction);
              }}
            />
          );
        })}
      </ul>
      <p className="sr-only" role="status">
        {told}
      </p>
    </>
  );
}

/** Opens the settings; what is chosen there holds at once. */
export function ColumnButton({ settings }: { settings: ColumnSettings }) {
  const { t } = useTranslation("ui");
  const [open, setOpen] = useState(false);
  return (
    <>
      <Hint title={t("columns")}>
        <Button
          type="text"
          icon={<SettingOutlined aria-hidden="true" />}
          aria-label={t("columns")}
          onClick={() => setOpen(true)}
        />
      </Hint>
      <Dialog
        open={open}
        title={t("columns")}
        width={DIALOG_WIDTH.small}
        className="k-dialog"
        destroyOnHidden
        onCancel={() => setOpen(false)}
        footer={
          <>
            <Button disabled={!settings.chosen} onClick={() => settings.choose(null)}>
              {t("columns_default")}
            </Button>
            <Button type="primary" onClick={() => setOpen(false)}>
              {t("close")}
            </Button>
          </>
        }
      >
        <ColumnList {...settings} />
      </Dialog>
    </>
  );
}
