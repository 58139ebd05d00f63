/** Routes of operators, and of what they change of their own (behaviour §9). */
import { formatDateTime } from "@red/contract/datetime";
import type { operatorRoutes, ownRoutes } from "@red/contract/operators";
import { addressGroup } from "#platform/address-group";
import { signedIn } from "#platform/handlers";
import type { Caller, Handlers, Services } from "#platform/handlers";
import type { Db } from "#platform/connection";
import {
  changeRoles,
  createOperator,
  endSessions,
  resetPassword,
  resetTotp,
  setOperatorDisabled,
} from "./change-operator.ts";
import { bindNewSeed, changeOwnPassword, renewRecoveryCodes, showNewSeed } from "./change-own.ts";
import { coded, isOwnPassword, withCode } from "./confirm-code.ts";
import { selectOperators } from "./operator-sql.ts";
import { countRecoveryCodes } from "./recovery-sql.ts";
import { selectSessions } from "./session-sql.ts";

async function sessionsOf(db: Db, id: number, { operator }: Caller, { settings }: Services) {
  const rows = await selectSessions(db, id, signedIn(operator).token_hash);
  return rows.map((row) => ({
    ...row,
    created_at: formatDateTime(row.created_at, settings.timeZone),
    seen_at: formatDateTime(row.seen_at, settings.timeZone),
  }));
}

/** The password that was generated, as none was given. */
function shown({ password }: { readonly password: string | null }) {
  return { password: password ?? "" };
}

export const operatorHandlers: Handlers<typeof operatorRoutes> = {
  async list({ db, services }) {
    const { timeZone } = services.settings;
    const rows = await selectOperators(db);
    const content = rows.map((row) => ({
      ...row,
      bind_until: formatDateTime(row.bind_until, timeZone),
      created_at: formatDateTime(row.created_at, timeZone),
      seen_at: row.seen_at && formatDateTime(row.seen_at, timeZone),
    }));
    return { data: { content, total: content.length } };
  },

  create: coded("operator_made", async ({ tx, actor, body: { name, roles } }) =>
    shown(await createOperator(tx, actor, { name, roles, password: null })),
  ),

  roles: coded("saved", async ({ tx, actor, params: { id }, body: { roles } }) => {
    await changeRoles(tx, actor, { id, roles });
    return null;
  }),

  async disable({ tx, actor, params: { id } }) {
    await setOperatorDisabled(tx, actor, { id, disabled: true });
    return { data: null, msg: "operator_disabled" };
  },

  enable: coded("operator_enabled", async ({ tx, actor, params: { id } }) => {
    await setOperatorDisabled(tx, actor, { id, disabled: false });
    return null;
  }),

  password: coded("password_made", async ({ tx, actor, params: { id } }) =>
    shown(await resetPassword(tx, actor, { id, password: null })),
  ),

  authenticator: coded("authenticator_let_go", async ({ tx, actor, params: { id } }) => {
    await resetTotp(tx, actor, { id });
    return null;
  }),

  async sessions(call) {
    const content = await sessionsOf(call.db, call.params.id, call, call.services);
    return { data: { content, total: content.length } };
  },

  async endSessions({ tx, actor, operator, params: { id }, body: { session_id = null } }) {
    const self = signedIn(operator);
    const keep = id === self.id ? self.token_hash : null;
    await endSessions(tx, actor, { id, session_id, keep });
    return { data: null, msg: "sessions_ended" };
  },
};

export const ownHandlers: Handlers<typeof ownRoutes> = {
  async read(call) {
    const { id } = signedIn(call.operator);
    const recovery_left = await countRecoveryCodes(call.db, id);
    return {
      data: { recovery_left, sessions: await sessionsOf(call.db, id, call, call.services) },
    };
  },

  async password(call) {
    const { tx, actor, operator, request, body } = call;
    const self = signedIn(operator);
    const attempt = { name: self.name, address: addressGroup(request.ip) };
    if (!(await isOwnPassword(tx, actor, attempt, body.current))) {
      return { data: null, msg: "password_wrong", refused: "password_wrong" };
    }
    return await withCode(tx, call, body.code, "saved", async () => {
      await changeOwnPassword(tx, actor, self, body.password);
      return null;
    });
  },

  newSeed: coded("success", ({ tx, actor, operator, services }) =>
    showNewSeed(tx, actor, services.secrets, signedIn(operator)),
  ),

  async bindSeed({ tx, actor, operator, services, body }) {
    await bindNewSeed(tx, actor, services.secrets, signedIn(operator), body.code);
    return { data: null, msg: "saved" };
  },

  recovery: coded("success", async ({ tx, actor, operator }) => ({
    codes: await renewRecoveryCodes(tx, actor, signedIn(operator)),
  })),

  async endSessions({ tx, actor, operator, body: { session_id = null } }) {
    const { id, token_hash: keep } = signedIn(operator);
    await endSessions(tx, actor, { id, session_id, keep });
    return { data: null, msg: "sessions_ended" };
  },
};
