/** Routes for operators and for the caller's own account (behaviour §9). */
import { formatDateTime } from "@red/contract/platform/datetime";
import type { operatorRoutes, ownRoutes } from "@red/contract/identity/operators";
import { neverHeld } from "@red/engine/risk";
import { addressGroup } from "#platform/http/address-group";
import { signedIn } from "#platform/handlers";
import type { Caller, Handlers, Services } from "#platform/handlers";
import type { Db } from "#platform/db/connection";
import {
  changeRoles,
  createOperator,
  endSessions,
  GIVES_ACCESS,
  resetPassword,
  resetTotp,
  setOperatorDisabled,
} from "./change-operator.ts";
import { bindNewSeed, changeOwnPassword, renewRecoveryCodes, showNewSeed } from "./change-own.ts";
import { isOwnPassword } from "./confirm-code.ts";
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

const OWN = neverHeld("the operator's own account");

/** Returns the generated password, or an empty text if the caller gave one. */
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

  async create({ tx, actor, body: { name, roles } }) {
    const made = await createOperator(tx, actor, { name, roles, password: null });
    return { data: shown(made), msg: "operator_made", risk: GIVES_ACCESS };
  },

  async roles({ tx, actor, params: { id }, body: { roles } }) {
    await changeRoles(tx, actor, { id, roles });
    return { data: null, msg: "saved", risk: GIVES_ACCESS };
  },

  async disable({ tx, actor, params: { id } }) {
    await setOperatorDisabled(tx, actor, { id, disabled: true });
    return { data: null, msg: "operator_disabled" };
  },

  async enable({ tx, actor, params: { id } }) {
    await setOperatorDisabled(tx, actor, { id, disabled: false });
    return { data: null, msg: "operator_enabled", risk: GIVES_ACCESS };
  },

  async password({ tx, actor, params: { id } }) {
    const data = shown(await resetPassword(tx, actor, { id, password: null }));
    return { data, msg: "password_made", risk: GIVES_ACCESS };
  },

  async authenticator({ tx, actor, params: { id } }) {
    await resetTotp(tx, actor, { id });
    return { data: null, msg: "authenticator_let_go", risk: GIVES_ACCESS };
  },

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

  async password({ tx, actor, operator, request, body }) {
    const self = signedIn(operator);
    const attempt = { name: self.name, address: addressGroup(request.ip) };
    if (!(await isOwnPassword(tx, actor, attempt, body.current))) {
      return { data: null, msg: "password_wrong", refused: "password_wrong" };
    }
    await changeOwnPassword(tx, actor, self, body.password);
    return { data: null, msg: "saved", risk: OWN };
  },

  async newSeed({ tx, actor, operator, services }) {
    return {
      data: await showNewSeed(tx, actor, services.secrets, signedIn(operator)),
      risk: OWN,
    };
  },

  async bindSeed({ tx, actor, operator, services, body }) {
    await bindNewSeed(tx, actor, services.secrets, signedIn(operator), body.code);
    return { data: null, msg: "saved" };
  },

  async recovery({ tx, actor, operator }) {
    return { data: { codes: await renewRecoveryCodes(tx, actor, signedIn(operator)) }, risk: OWN };
  },

  async endSessions({ tx, actor, operator, body: { session_id = null } }) {
    const { id, token_hash: keep } = signedIn(operator);
    await endSessions(tx, actor, { id, session_id, keep });
    return { data: null, msg: "sessions_ended" };
  },
};
