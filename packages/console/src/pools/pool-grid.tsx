/** Edits all prizes of an existing or new pool in a table. The server saves all rows or none (behaviour §3). */
import { DeleteOutlined } from "@ant-design/icons";
import { useQuery } from "@tanstack/react-query";
import { Button, Form, Input } from "antd";
import { useMemo, useState } from "react";
import type { ClipboardEvent, KeyboardEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { LOOKUP_SIZE, NAME_LENGTH_MAX } from "@red/contract/platform/limits";
import { poolRoutes } from "@red/contract/pools/pool";
import { prizeRoutes } from "@red/contract/pools/prize";
import type { Prize } from "@red/contract/pools/prize";
import { useAct } from "#forms/act.ts";
import { checked } from "#forms/check.ts";
import { FormDialog } from "#forms/form-dialog.tsx";
import type { Fields } from "#forms/draft.ts";
import type { Merge, TheirChange } from "#forms/merge.ts";
import type { Close } from "#forms/saving.tsx";
import { ApiError, call, changeBy } from "#lib/api.ts";
import { addTexts } from "#lib/language.ts";
import { DIALOG_WIDTH } from "#ui/dialog.tsx";
import { Figure } from "#ui/figure.tsx";
import { grouped, percent } from "#ui/format.ts";
import { BLANK, GRID_COLUMNS, cleanCell, gridBody, gridFigures, gridRows } from "./grid-rows.ts";
import { isBlank, isTable, mergeRows, pasteRows } from "./grid-rows.ts";
import type { GridColumn, GridRow } from "./grid-rows.ts";
import { GRID_TEXTS } from "./grid-texts.ts";
import { isPhysical } from "./pool-math.ts";
import { PRIZE_LISTS } from "./prize-lists.ts";
import "./pool-grid.css";

addTexts("grid", GRID_TEXTS);

/** Errors by row and column (`0.weight`), with the value that the server rejected. */
type Faults = ReadonlyMap<string, { readonly text: string; readonly value: string | undefined }>;

interface GridProps {
  value?: readonly GridRow[];
  onChange?: (rows: GridRow[]) => void;
  faults: Faults;
}

function placeOf(target: EventTarget): { readonly place: number; readonly column: GridColumn } {
  const { place = "-1", column } = target instanceof HTMLElement ? target.dataset : {};
  const known = GRID_COLUMNS.find((name) => name === column);
  return { place: Number(place), column: known ?? "award_name" };
}

const STEPS: Readonly<Record<string, number>> = { Enter: 1, ArrowDown: 1, ArrowUp: -1 };

/** Moves the focus: Enter goes to the start of the next row, an arrow key to the row above or below. */
function step(event: KeyboardEvent<HTMLElement>): void {
  const by = STEPS[event.key];
  const isInCell = event.target instanceof HTMLInputElement;
  if (by === undefined || event.nativeEvent.isComposing || !isInCell) {
    return;
  }
  const { place, column } = placeOf(event.target);
  const next = event.key === "Enter" ? "award_name" : column;
  event.preventDefault();
  const cell = `[data-place="${place + by}"][data-column="${next}"]`;
  event.currentTarget.querySelector<HTMLElement>(cell)?.focus();
}

function Grid({ value = [], onChange = () => undefined, faults }: GridProps) {
  const { t } = useTranslation(["grid", "lookups"]);
  // The table always has an empty row for typing.
  const rows = value.some(isBlank) ? value : [...value, BLANK];
  const figures = gridFigures(rows);
  const set = (place: number, column: GridColumn, text: string) =>
    onChange(
      rows.map((row, at) => (at === place ? { ...row, [column]: cleanCell(column, text) } : row)),
    );
  const oddsText = (place: number) => {
    const odds = figures?.odds.get(place)?.configured;
    return odds === undefined ? "" : percent(odds);
  };
  const entered = rows.filter((row) => !isBlank(row));
  const weight = entered.reduce((sum, row) => sum + (Number(row.weight) || 0), 0);
  const cell = (row: GridRow, place: number, column: GridColumn) => {
    const refused = faults.get(`${place}.${column}`);
    const fault = refused?.value === row[column] ? refused.text : undefined;
    const isGoods = column === "award_price" && isPhysical(row);
    const id = `grid-${place}-${column}`;
    const shared = {
      "data-place": place,
      "data-column": column,
      "aria-label": t("cell", { row: place + 1, column: t(column) }),
      "aria-invalid": fault !== undefined,
      "aria-describedby": id,
    };
    return (
      <td key={column} data-label={t(column)}>
        {column === "floors" ? (
          <input
            {...shared}
            type="checkbox"
            checked={row.floors === "1"}
            onChange={({ target }) => set(place, column, target.checked ? "1" : "0")}
          />
        ) : (
          <input
            {...shared}
            value={row[column]}
            autoComplete="off"
            inputMode={column === "award_name" ? "text" : "decimal"}
            onChange={({ target }) => set(place, column, target.value)}
          />
        )}
        <span id={id} className={fault === undefined ? "k-note" : "g-fault"}>
          {fault ?? (isGoods && t("lookups:type_physical"))}
        </span>
      </td>
    );
  };
  return (
    <>
      <div className="g-scroll">
        <table className="g-grid" aria-label={t("table")}>
          <thead>
            <tr>
              {GRID_COLUMNS.map((column) => (
                <th key={column} scope="col">
                  {t(column)}
                </th>
              ))}
              <th scope="col">{t("odds")}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, place) => (
              <tr key={place}>
                {GRID_COLUMNS.map((column) => cell(row, place, column))}
                <td className="k-num" data-label={t("odds")}>
                  {oddsText(place)}
                </td>
                <td>
                  <Button
                    type="text"
                    icon={<DeleteOutlined aria-hidden="true" />}
                    aria-label={t("remove", { row: place + 1 })}
                    onClick={() => onChange(rows.filter((_, at) => at !== place))}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="k-totals" role="status">
        <p>
          {t("total", {
            count: entered.length,
            prizes: grouped(entered.length),
            weight: grouped(weight),
          })}
        </p>
        {figures === undefined ? (
          <p>{t("incomplete")}</p>
        ) : (
          <dl>
            <Figure term={t("average")}>{grouped(figures.average)}</Figure>
            {figures.exposure !== null && (
              <Figure term={t("exposure")}>{grouped(figures.exposure)}</Figure>
            )}
          </dl>
        )}
      </div>
    </>
  );
}

interface GridValues extends Record<string, unknown> {
  pool_name: string;
  rows: readonly GridRow[];
}

const merge: Merge = (base, mine, theirs) => {
  const rowsOf = (fields: Fields) => (fields as Partial<GridValues>).rows ?? [];
  const { rows, changes } = mergeRows(rowsOf(base), rowsOf(mine), rowsOf(theirs));
  return { values: { ...theirs, rows }, changes };
};

interface PoolGridProps {
  /** The pool to edit. Null for a new pool, with `name` as the suggested name. */
  id: number | null;
  name: string;
  okText: ReactNode;
  onClose: () => void;
  onSaved: (pool_name: string) => void;
}

/* Returns a key that changes with every save of a prize, because a draft only fits the prizes on which it is based. */
function draftKeyOf(id: number | null, prizes: readonly Prize[]): string {
  const versions = prizes.reduce((sum, { version }) => sum + version, 0);
  return `pool:grid:${id ?? "new"}:${prizes.length}:${versions}`;
}

export function PoolGrid({ id, name, okText, onClose, onSaved }: PoolGridProps) {
  const { t } = useTranslation(["grid", "contract", "ui"]);
  const { send } = useAct(...PRIZE_LISTS);
  const [form] = Form.useForm<GridValues>();
  const [faults, setFaults] = useState<Faults>(new Map());
  const query = { pool_name: name, page: 1, size: LOOKUP_SIZE };
  const { data: prizes, ...read } = useQuery({
    // Use a separate query key, because a reload by another part of the page must not replace the input.
    queryKey: ["grid", id],
    queryFn: async () => (id === null ? [] : (await call(prizeRoutes.list, { query })).content),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const initial = useMemo(
    () => prizes && { pool_name: name, rows: gridRows(prizes) },
    [prizes, name],
  );
  const draftKey = draftKeyOf(id, prizes ?? []);

  const bodyOf = ({ rows = [], pool_name }: Partial<GridValues>) => {
    const { places, ...body } = gridBody(rows, prizes ?? []);
    return { places, body: { ...body, pool_name: pool_name ?? "", is_new: id === null } };
  };
  const changeOf = (values: GridValues) => changeBy(poolRoutes.save, { body: bodyOf(values).body });

  const submit = async (values: GridValues, close: Close) => {
    const { places } = bodyOf(values);
    setFaults(new Map());
    try {
      await send(checked(changeOf(values)), {
        merges: true,
        text: id === null ? t("contract:added") : undefined,
        done: () => close(() => onSaved(values.pool_name)),
      });
    } catch (error) {
      if (error instanceof ApiError) {
        const found = error.faults.flatMap(({ field, msg: text }) => {
          const [list, row, named] = field.split(".");
          const place = places[Number(row)] ?? -1;
          const column = GRID_COLUMNS.find((one) => one === named);
          const value = column && values.rows[place]?.[column];
          return list === "rows" && column
            ? [[`${place}.${column}`, { text, value }] as const]
            : [];
        });
        setFaults(new Map(found));
        if (found.length > 0) {
          const { code: status, data, key } = error;
          throw new ApiError(t("faults", { count: found.length }), status, data, key);
        }
      }
      throw error;
    }
  };

  const choose = ({ name: column, place }: TheirChange, value: unknown) => {
    const rows: readonly GridRow[] = form.getFieldValue("rows");
    form.setFieldValue(
      "rows",
      rows.map((row, at) => (at === place ? { ...row, [column]: value } : row)),
    );
  };

  const paste = (event: ClipboardEvent<HTMLElement>) => {
    const text = event.clipboardData.getData("text/plain");
    if (isTable(text)) {
      event.preventDefault();
      const { place, column } = placeOf(event.target);
      const rows: readonly GridRow[] = form.getFieldValue("rows") ?? [];
      form.setFieldValue("rows", pasteRows(rows, text, Math.max(0, place), column));
    }
  };

  if (read.isLoadingError) {
    return null;
  }
  return (
    <FormDialog<GridValues>
      title={id === null ? t("new_pool") : t("edit_title", { name })}
      width={DIALOG_WIDTH.table}
      form={form}
      initial={initial}
      draftKey={draftKey}
      okText={okText}
      failedText={t(id === null ? "contract:add_failed" : "contract:save_failed")}
      onSubmit={submit}
      changeOf={changeOf}
      onClose={onClose}
      onReload={() => void read.refetch()}
      words={{
        labels: Object.fromEntries(GRID_COLUMNS.map((column) => [column, t(column)])),
        choices: { floors: { "1": t("ui:yes"), "0": t("ui:no") } },
      }}
      lastSave={async () => {
        const input = { params: { id: id ?? 0 }, query: { page: 1, size: 1 } };
        const [last] = (await call(poolRoutes.versions, input)).content;
        return last?.saved_by ? { by: last.saved_by, at: last.saved_at } : null;
      }}
      merge={merge}
      onChoose={choose}
    >
      {/* oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- keys and pastes of the cells inside */}
      <div onKeyDown={step} onPaste={paste}>
        <Form.Item
          name="pool_name"
          label={t("pool_name")}
          // The id must be unique: the activity form below this dialog has a field with the same name.
          htmlFor="grid-pool-name"
          hidden={id !== null}
          rules={[{ required: true, whitespace: true, message: t("contract:enter_pool_name") }]}
        >
          <Input
            id="grid-pool-name"
            maxLength={NAME_LENGTH_MAX}
            autoComplete="off"
            disabled={id !== null}
            onFocus={({ target }) => target.select()}
          />
        </Form.Item>
        <p className="k-note">{t("hint")}</p>
        <Form.Item name="rows" noStyle>
          <Grid faults={faults} />
        </Form.Item>
      </div>
    </FormDialog>
  );
}
