/**
 * Page of the operators: creates and disables operators, changes roles, ends sessions, resets access (behaviour §9).
 */
import { MoreOutlined, PlusOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { useTranslation } from "react-i18next";
import { operatorRoutes } from "@red/contract/identity/operators";
import type { OperatorRow } from "@red/contract/identity/operators";
import { ROLE_NAMES } from "@red/contract/platform/permissions";
import { mayBeIn, useAddressed } from "#forms/addressed.ts";
import { changeBy } from "#lib/api.ts";
import { queryOf } from "#lib/query.ts";
import { usePageSearch } from "#lib/search.ts";
import { useUser } from "#lib/session.ts";
import { Name } from "#ui/cells.tsx";
import { column, momentColumn } from "#ui/columns.tsx";
import { Dialog } from "#ui/dialog.tsx";
import { DIALOG_WIDTH } from "#ui/dialog.tsx";
import { ListPanel } from "#ui/list-panel.tsx";
import { useList } from "#ui/list-state.ts";
import type { Column } from "#ui/list-table.ts";
import { MenuButton } from "#ui/menu-button.tsx";
import { Page } from "#ui/page.tsx";
import { RowActions } from "#ui/row-actions.tsx";
import { DANGERS, useActs } from "./operator-acts.tsx";
import type { Acts } from "./operator-acts.tsx";
import { ChoicesDialog } from "./choices-dialog.tsx";
import { OPERATOR_SEARCH } from "./search.ts";
import type { Verb } from "./operator-texts.ts";
import { SessionList } from "./session-list.tsx";
import { State } from "./operator-state.tsx";

interface DialogProps<O> {
  operator: O;
  acts: Acts;
  onClose: () => void;
}

/** Creates an operator (null), or changes the roles of `operator`. */
function RolesDialog({ operator, acts, onClose }: DialogProps<OperatorRow | null>) {
  const { t } = useTranslation(["operator", "fields"]);
  return (
    <ChoicesDialog
      title={
        operator === null ? t("add") : t("of", { what: t("change_roles"), name: operator.name })
      }
      hint={t(operator === null ? "add_hint" : "change_roles_hint")}
      draftKey={`operator:${operator?.id ?? "new"}`}
      naming={operator === null ? 128 : null}
      field="roles"
      body={operatorRoutes[operator === null ? "create" : "roles"].body}
      options={ROLE_NAMES}
      wordsOf={(role) => [t(`role_${role}`), t(`role_${role}_may`)]}
      chosen={operator?.roles ?? []}
      onSave={({ name, roles }, asked) =>
        operator === null
          ? acts.send(changeBy(operatorRoutes.create, { body: { name, roles } }), {
              ...asked,
              text: null,
              done: ({ password }) =>
                acts.show({ title: name, lines: [password], names: [t("fields:password")] }),
            })
          : acts.send(
              changeBy(operatorRoutes.roles, { params: { id: operator.id }, body: { roles } }),
              asked,
            )
      }
      onClose={onClose}
    />
  );
}

function SessionsDialog({ operator: { id, name }, acts, onClose }: DialogProps<OperatorRow>) {
  const { t } = useTranslation("operator");
  const params = { id };
  const list = useList(queryOf(operatorRoutes.sessions, { params }));
  return (
    <Dialog
      open
      title={t("of", { what: t("sessions"), name })}
      width={DIALOG_WIDTH.table}
      centered
      onCancel={onClose}
      footer={null}
    >
      <SessionList
        {...{ list, name, acts }}
        end={(session_id) => changeBy(operatorRoutes.endSessions, { params, body: { session_id } })}
      />
    </Dialog>
  );
}

/** Returns the menu of acts on another operator. Roles and sessions have separate buttons. */
function useMenu({ id, name, disabled }: OperatorRow, { ask, confirmed, show }: Acts) {
  const { t } = useTranslation(["operator", "fields"]);
  const input = { params: { id } };
  const item = (verb: Verb, act: (of: { verb: Verb; name: string }) => unknown) => {
    const onClick = () => void act({ verb, name });
    return { key: verb, label: t(verb), danger: DANGERS.has(verb), onClick };
  };
  return [
    item("new_password", (of) =>
      ask(of, changeBy(operatorRoutes.password, input), ({ password }) =>
        show({ title: name, lines: [password], names: [t("fields:password")] }),
      ),
    ),
    item("let_go", (of) => ask(of, changeBy(operatorRoutes.authenticator, input))),
    disabled
      ? item("enable", (of) => ask(of, changeBy(operatorRoutes.enable, input)))
      : item("disable", (of) => confirmed(of, changeBy(operatorRoutes.disable, input))),
  ];
}

function RowActs({ operator, acts }: { operator: OperatorRow; acts: Acts }) {
  const { t } = useTranslation("operator");
  const [, setSearch] = usePageSearch(OPERATOR_SEARCH);
  const { name: self } = useUser();
  const { id, name } = operator;
  const items = useMenu(operator, acts);
  const own = name === self && { disabled: true, title: t("not_own") };
  const open = (verb: "change_roles" | "sessions") => ({
    text: t(verb),
    label: t("of", { what: t(verb), name }),
    disabled: false,
  });
  return (
    <div className="o-acts">
      <RowActions
        actions={[
          { ...open("change_roles"), ...own, onClick: () => setSearch({ roles: String(id) }) },
          { ...open("sessions"), onClick: () => setSearch({ sessions: String(id) }) },
        ]}
      />
      <MenuButton disabled={name === self} menu={{ items }}>
        <Button
          type="text"
          size="small"
          {...own}
          icon={<MoreOutlined aria-hidden="true" />}
          aria-label={t("more_label", { name })}
        />
      </MenuButton>
    </div>
  );
}

function useColumns(acts: Acts): readonly Column<OperatorRow>[] {
  const { t } = useTranslation(["operator", "ui"]);
  return [
    column("name", t("name"), { width: 140, rowHeader: true }, ({ name }) => <Name value={name} />),
    column("roles", t("roles"), 190, ({ roles }) =>
      roles.map((role) => t(`role_${role}`)).join(t("ui:list_comma")),
    ),
    column("state", t("ui:state"), 160, ({ disabled, bound, bind_until }) =>
      disabled || bound ? (
        <State is={disabled ? "disabled" : "active"} at={null} />
      ) : (
        <State is="to_bind" at={bind_until} />
      ),
    ),
    column("sessions", t("sessions"), 170, ({ sessions, seen_at }) =>
      seen_at === null ? (
        t("never_seen")
      ) : (
        <div className="k-two-lines">
          <span>{t("sessions_open", { count: sessions })}</span>
          <span>{t("seen", { at: seen_at })}</span>
        </div>
      ),
    ),
    momentColumn("created_at", t("made"), 150),
    column("actions", t("ui:actions"), { width: 200, fixed: "end", actions: true }, (operator) => (
      <RowActs operator={operator} acts={acts} />
    )),
  ];
}

export function OperatorPage() {
  const { t } = useTranslation(["operator", "app"]);
  const [search, setSearch] = usePageSearch(OPERATOR_SEARCH);
  const list = useList(queryOf(operatorRoutes.list, {}));
  const acts = useActs(operatorRoutes.list, operatorRoutes.sessions);
  const columns = useColumns(acts);
  const of = (id: string | undefined) => list.lastRows.find((row) => String(row.id) === id);
  const [changed, opened] = [of(search.roles), of(search.sessions)];
  const close = () =>
    setSearch({ new: undefined, roles: undefined, sessions: undefined }, { replace: true });
  useAddressed(search.roles !== undefined, mayBeIn(list, changed), close);
  useAddressed(search.sessions !== undefined, mayBeIn(list, opened), close);
  return (
    <Page title={t("app:activity_operator")} refresh={list.retry}>
      <ListPanel
        id="operators"
        tools={
          <Button
            type="primary"
            icon={<PlusOutlined aria-hidden="true" />}
            onClick={() => setSearch({ new: "1" })}
          >
            {t("add")}
          </Button>
        }
        list={list}
        label={t("app:activity_operator")}
        columns={columns}
        keyOf={({ id }) => id}
        nameOf={({ name }) => name}
      />
      {(search.new !== undefined || changed !== undefined) && (
        <RolesDialog operator={changed ?? null} acts={acts} onClose={close} />
      )}
      {opened !== undefined && <SessionsDialog operator={opened} acts={acts} onClose={close} />}
      {acts.secrets}
    </Page>
  );
}
