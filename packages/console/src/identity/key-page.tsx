/** Page of the keys for game platforms and wallets: creates, rotates and revokes keys. */
import { PlusOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { apiKeyRoutes } from "@red/contract/identity/api-key";
import type { ApiKeyRow } from "@red/contract/identity/api-key";
import { NAME_LENGTH_MAX } from "@red/contract/platform/limits";
import { SCOPES } from "@red/contract/platform/permissions";
import { changeBy } from "#lib/api.ts";
import { queryOf } from "#lib/query.ts";
import { usePageSearch } from "#lib/search.ts";
import { Moment } from "#ui/cells.tsx";
import { codeColumn, column, momentColumn } from "#ui/columns.tsx";
import { ListPanel } from "#ui/list-panel.tsx";
import { useList } from "#ui/list-state.ts";
import type { Column } from "#ui/list-table.ts";
import { Page } from "#ui/page.tsx";
import { RowActions } from "#ui/row-actions.tsx";
import { DANGERS, useActs } from "./operator-acts.tsx";
import type { Acts } from "./operator-acts.tsx";
import { ChoicesDialog } from "./choices-dialog.tsx";
import { KEY_SEARCH } from "./search.ts";
import type { Verb } from "./operator-texts.ts";
import { State } from "./operator-state.tsx";

function LastUse({ row: { used_at, rotated_at } }: { row: ApiKeyRow }) {
  const { t } = useTranslation("operator");
  if (used_at === null) {
    return t("never_used");
  }
  return rotated_at === null ? <Moment value={used_at} /> : t("used_old", { at: used_at });
}

function RowActs({ row, acts }: { row: ApiKeyRow; acts: Acts }) {
  const { t } = useTranslation("operator");
  const { key, name, used_at, rotated_at, revoked_at } = row;
  if (revoked_at !== null) {
    return null;
  }
  const params = { key };
  const turn = rotated_at === null ? "rotate" : "rotate_again";
  const rotate = () =>
    void acts.ask({ verb: turn, name }, changeBy(apiKeyRoutes.rotate, { params }), ({ secret }) =>
      acts.show({ title: name, lines: [secret], names: [t("secret")] }),
    );
  const retire = () =>
    void acts.ask(
      { verb: "retire", name, at: used_at ?? t("never_used") },
      changeBy(apiKeyRoutes.retire, { params }),
    );
  const revoke = () =>
    void acts.confirmed({ verb: "revoke", name }, changeBy(apiKeyRoutes.revoke, { params }));
  const action = (verb: Verb, onClick: () => void) => {
    const label = t("of", { what: t(verb), name });
    return { text: t(verb), label, disabled: false, danger: DANGERS.has(verb), onClick };
  };
  const retires = rotated_at === null ? [] : [action("retire", retire)];
  return <RowActions actions={[...retires, action(turn, rotate), action("revoke", revoke)]} />;
}

function stateOf({ revoked_at, rotated_at }: ApiKeyRow) {
  if (revoked_at !== null) {
    return "revoked";
  }
  return rotated_at === null ? "active" : "rotating";
}

function useColumns(acts: Acts): readonly Column<ApiKeyRow>[] {
  const { t } = useTranslation(["operator", "ui"]);
  return [
    column("name", t("name"), { width: 130, rowHeader: true }, ({ name }) => name),
    codeColumn("key", t("key"), 190),
    column("scopes", t("scopes"), 150, ({ scopes }) =>
      scopes.map((one) => t(`scope_${one}`)).join(t("ui:list_comma")),
    ),
    column("state", t("ui:state"), 150, (row) => <State is={stateOf(row)} at={row.revoked_at} />),
    column("used_at", t("used"), 160, (row) => <LastUse row={row} />),
    momentColumn("created_at", t("made"), 150),
    column("actions", t("ui:actions"), { width: 240, fixed: "end", actions: true }, (row) => (
      <RowActs row={row} acts={acts} />
    )),
  ];
}

export function KeyPage() {
  const { t } = useTranslation(["operator", "app"]);
  const [search, setSearch] = usePageSearch(KEY_SEARCH);
  const list = useList(queryOf(apiKeyRoutes.list, {}));
  const acts = useActs(apiKeyRoutes.list);
  const columns = useColumns(acts);
  return (
    <Page title={t("app:activity_key")} refresh={list.retry}>
      <ListPanel
        id="keys"
        tools={
          <Button
            type="primary"
            icon={<PlusOutlined aria-hidden="true" />}
            onClick={() => setSearch({ new: "1" })}
          >
            {t("add_key")}
          </Button>
        }
        list={list}
        label={t("app:activity_key")}
        columns={columns}
        keyOf={({ key }) => key}
        nameOf={({ name }) => name}
      />
      {search.new !== undefined && (
        <ChoicesDialog
          title={t("add_key")}
          hint={t("add_key_hint")}
          draftKey="key:new"
          naming={NAME_LENGTH_MAX}
          field="scopes"
          body={apiKeyRoutes.create.body}
          options={SCOPES}
          wordsOf={(scope) => [t(`scope_${scope}`), t(`scope_${scope}_may`)]}
          chosen={[]}
          onSave={({ name, scopes }, asked) =>
            acts.send(changeBy(apiKeyRoutes.create, { body: { name, scopes } }), {
              ...asked,
              text: null,
              done: ({ key, secret }) =>
                acts.show({ title: name, lines: [key, secret], names: [t("key"), t("secret")] }),
            })
          }
          onClose={() => setSearch({ new: undefined }, { replace: true })}
        />
      )}
      {acts.secrets}
    </Page>
  );
}
