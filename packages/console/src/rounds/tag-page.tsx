/** Page with two small tables: activity groups and preset message codes (behaviour §3). */
import { PlusOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { redCodeRoutes, tagRoutes } from "@red/contract/rounds/tag";
import { mayBeIn, useAddressed } from "#forms/addressed.ts";
import { addTexts } from "#lib/language.ts";
import { queryOf } from "#lib/query.ts";
import { usePageSearch } from "#lib/search.ts";
import { useMay } from "#lib/session.ts";
import { permissionProps } from "#lib/permission-props.ts";
import type { Column } from "#ui/list-table.ts";
import { ListPanel } from "#ui/list-panel.tsx";
import { useList } from "#ui/list-state.ts";
import type { ListState } from "#ui/list-state.ts";
import { Page } from "#ui/page.tsx";
import { RowActions } from "#ui/row-actions.tsx";
import { EntryDialog } from "./entry-dialog.tsx";
import type { Entry, Kind } from "./entry-dialog.tsx";
import { TAG_SEARCH } from "./search.ts";
import { TAG_TEXTS } from "./tag-texts.ts";
import "./tag.css";

addTexts("tag", TAG_TEXTS);

interface EntriesProps {
  kind: Kind;
  list: ListState<Entry>;
  onAdd: () => void;
  onRename: (entry: Entry) => void;
}

function Entries({ kind, list, onAdd, onRename }: EntriesProps) {
  const { t } = useTranslation(["tag", "fields", "ui"]);
  const mayWrite = useMay("activity.write");
  const columns: readonly Column<Entry>[] = [
    { key: "key", title: t(kind), width: 180, rowHeader: true, render: ({ key }) => key },
    { key: "label", title: t("fields:label"), width: 220, render: ({ label }) => label },
    {
      key: "actions",
      title: t("ui:actions"),
      width: 80,
      actions: true,
      render: (entry) => {
        const label = t("rename_label", { name: entry.label });
        const action = { text: t("rename"), label, ...permissionProps(mayWrite) };
        return <RowActions actions={[{ ...action, onClick: () => onRename(entry) }]} />;
      },
    },
  ];
  const title = t(`${kind}s`);
  return (
    <ListPanel
      id={kind}
      tools={
        <>
          <h2>{title}</h2>
          <Button
            icon={<PlusOutlined aria-hidden="true" />}
            {...permissionProps(mayWrite)}
            onClick={onAdd}
          >
            {t(`add_${kind}`)}
          </Button>
        </>
      }
      list={list}
      label={title}
      columns={columns}
      keyOf={({ key }) => key}
      nameOf={({ label }) => label}
    />
  );
}

function useEntries() {
  const tag = useList({
    ...queryOf(tagRoutes.list, {}),
    select: ({ content, total }) => {
      return { total, content: content.map(({ tag: key, label }) => ({ key, label })) };
    },
  });
  const red_code = useList({
    ...queryOf(redCodeRoutes.list, {}),
    select: ({ content, total }) => {
      return { total, content: content.map(({ red_code: key, label }) => ({ key, label })) };
    },
  });
  return { tag, red_code };
}

const KINDS = ["tag", "red_code"] as const;

export function TagPage() {
  const { t } = useTranslation("app");
  const mayWrite = useMay("activity.write");
  const [search, setSearch] = usePageSearch(TAG_SEARCH);
  const entries = useEntries();
  const opened = KINDS.find((kind) => kind === (search.new ?? search.edit));
  const renamed =
    opened === undefined || search.new !== undefined
      ? null
      : (entries[opened].lastRows.find(({ key }) => key === search.key) ?? null);
  const close = () =>
    setSearch({ new: undefined, edit: undefined, key: undefined }, { replace: true });
  const mayRename = opened === undefined || mayBeIn(entries[opened], renamed ?? undefined);
  useAddressed(opened !== undefined, mayWrite && (search.new !== undefined || mayRename), close);
  return (
    <Page title={t("activity_tag")} refresh={() => KINDS.forEach((kind) => entries[kind].retry())}>
      <div className="g-panels">
        {KINDS.map((kind) => (
          <Entries
            key={kind}
            kind={kind}
            list={entries[kind]}
            onAdd={() => setSearch({ new: kind })}
            onRename={({ key }) => setSearch({ edit: kind, key })}
          />
        ))}
      </div>
      {mayWrite && opened !== undefined && (search.new !== undefined || renamed !== null) && (
        <EntryDialog
          key={`${opened}:${renamed?.key ?? ""}`}
          kind={opened}
          entry={renamed}
          onClose={close}
        />
      )}
    </Page>
  );
}
