/**
 * Who may make which calls, typed by hand and not derived from the contract: A administrator, O operations, S support,
 * F finance, R risk, V read-only, and + who has no role (docs/behaviour.md §9). Each line: roles, method, where, and the
 * calls there.
 */
export const ROLE_LETTERS = {
  A: "admin",
  O: "operations",
  S: "support",
  F: "finance",
  R: "risk",
  V: "viewer",
} as const;

const TABLE = `
AOSFRV+ POST /gred/api: logout ticket view find
AOSFRV+ GET /gred/api: user/info view lookups job/list wallet/health approval approval/news
AOSFRV+ DELETE /gred/api: view/{id}
AOSFRV+ PUT /gred/api: job/seen approval/approve approval/{id}/refuse

AOSFRV+ GET /gred/api: stop
AO-FR- PUT /gred/api: stop/draws stop/payouts stop/everything stop/pool/{id}
AO---- PUT /gred/api: stop/draws/start stop/everything/start stop/pool/{id}/start
AO-F-- PUT /gred/api: stop/payouts/start

AOSFRV GET /gred/api: act/list act/{id}/edit act/{id}/saved act/largest extratimes/tags tag redcode
AOSFRV GET /red: act/list
AOSFRV POST /gred/api: act/overlap
AO---- POST /gred/api: act act/{id}/copy tag redcode
AO---- POST /red: act/add act/modify act/delete
AO---- PUT /gred/api: act/update/{id} act/pause/{id} tag/{tag} redcode/{red_code}
AO---- DELETE /gred/api: act/{id}

AOSFRV GET /gred/api: pool pool/{id}/version prize/list prize/retotal prize/{id}/edit
AOSFRV GET /gred/api: prize/{id}/saved prize/export
AOSFRV GET /red: award/list
AO---- POST /gred/api: pool pool/save pool/{id}/restore pool/{id}/copy prize prize/import
AO---- POST /gred/api: prize/import/preview
AO---- PUT /gred/api: pool/{id} prize/{id} prize/{id}/stock
AO---- DELETE /gred/api: pool/{id} prize/{id}
AO---- POST /red: award/add award/modify award/delete

AOSFRV GET /gred/api: record/list record/ids record/{id}/attempts record/export
AOSFRV GET /gred/api: job/{id}/rows job/{id}/file
AOSFR- GET /gred/api: act/{id}/proof
AOSFRV POST /red: record/list
AOSFRV GET /red: record/export
AOSFRV POST /gred/api: job/{id}/retry job/export
AO-F-- POST /gred/api: record/reissue
AO-F-- POST /red: player/addBonus
AO-F-- PUT /gred/api: record/ask record/deliver record/close

AOSFRV GET /gred/api: watch/overview watch/board watch/stream

AOSFRV GET /gred/api: reconciliation reconciliation/breaks act/{id}/sheet act/{id}/sheet/export
AOSFRV GET /gred/api: month month/export
AO-F-- POST /gred/api: reconciliation reconciliation/upload
AO-F-- PUT /gred/api: reconciliation/breaks
A--F-- POST /gred/api: act/{id}/sheet/sign month/sign

AOSFRV POST /gred/api: userInfo/lottimes player/explain player/named userInfo/deposit userInfo/betlog
AOSFRV POST /red: record/playerInfo
AOSFRV GET /gred/api: player/head userInfo/excel extratimes/list extratimes/total exclusion
AOS--- POST /gred/api: extratimes extratimes/grant extratimes/grant/preview extratimes/accounts
AOS--- PUT /gred/api: extratimes/takeback
A---R- POST /gred/api: exclusion exclusion/preview exclusion/file
A---R- PUT /gred/api: exclusion/{id}/lift
A----- POST /gred/api: player/erase

AOSFRV+ GET /gred/api: own
AOSFRV+ PUT /gred/api: own/password own/authenticator own/session/end
AOSFRV+ POST /gred/api: own/authenticator own/recovery
A--FR- GET /gred/api: audit audit/watch audit/export
A----- GET /gred/api: operator operator/{id}/session key
A----- POST /gred/api: operator key
A----- PUT /gred/api: operator/{id}/roles operator/{id}/disable operator/{id}/enable
A----- PUT /gred/api: operator/{id}/password operator/{id}/authenticator operator/{id}/session/end
A----- PUT /gred/api: key/{key}/rotate key/{key}/retire key/{key}/revoke

A----- GET /gred/api: webhook setting setting/asked
A----- PUT /gred/api: webhook/redeliver setting/{key}
`;

interface RoleCell {
  readonly letters: string;
  readonly name: string;
}

/** One for each call. */
export const ROLE_CELLS: readonly RoleCell[] = TABLE.trim()
  .split(/\n+/)
  .flatMap((line) => {
    const [letters = "", method = "", base = "", ...paths] = line.split(" ");
    return paths.map((path) => ({ letters, name: `${method} ${base.replace(":", "/")}${path}` }));
  });
