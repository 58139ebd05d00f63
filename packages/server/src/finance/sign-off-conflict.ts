/** An operator who acted in a round must not sign its sheet while another operator can (behaviour §9). */
import type { ErrorKey } from "@red/contract/platform/errors";
import { ROLES, ROLE_NAMES } from "@red/contract/platform/permissions";
import type { Permission } from "@red/contract/platform/permissions";
import { sql } from "kysely";
import type { Db } from "#platform/db/connection";
import { idAt } from "#platform/db/time-ids";

const SIGNERS = ROLE_NAMES.filter((role) =>
  (ROLES[role] as readonly Permission[]).includes("sheet.sign"),
);

/**
 * `key` is the reason why the operator must not sign, or null. `is_alone` means that the operator acted but
 * nobody else can sign. An operator acts by re-issues and closings in the audit log (also approved ones),
 * by grants whose draws were used in the round, and by ending breaks of the round.
 */
export async function signOffConflict(
  db: Db,
  rounds_id: number,
  name: string,
): Promise<{ readonly key: ErrorKey | null; readonly is_alone: boolean }> {
  const { rows } = await sql<{ act: "close" | "grant" | "reissue" | "repair"; has_other: boolean }>`
    with acted as materialized (
      select p.actor as name, case l.action when 'reissue_records' then 'reissue' else 'close' end as act
      from audit_log l join audit_log p on p.id = l.id
        or p.request_id = l.request_id and p.action = 'approve_change' and p.outcome = 'done'
      where l.actor_kind = 'operator' and l.object_type = 'payout' and l.outcome = 'done'
        and l.action in ('reissue_records', 'close_records')
        -- Nothing was done to its records before it began.
        and l.id >= (select ${idAt(sql`start_time`)} from activity where id = ${rounds_id})
        and exists (
          select from jsonb_array_elements_text(l.after -> 'log_ids') one
          join draw_record r on r.id = one::bigint
          where r.rounds_id = ${rounds_id})
      union
      select granted_by, 'grant' from extra_time
      where used_rounds_id = ${rounds_id} and used_log_id is not null
      union
      select ended_by, 'repair' from reconciliation_break
      where rounds_id = ${rounds_id} and end_kind in ('adopted', 'accepted')
    )
    select act, exists (
      select from operator o
      where o.name <> ${name} and not o.disabled and o.totp_secret is not null
        and o.roles && ${[...SIGNERS]}::text[]
        and not exists (select from acted where acted.name = o.name)) as has_other
    from acted where acted.name = ${name} order by act limit 1`.execute(db);
  const [row] = rows;
  return row === undefined || !row.has_other
    ? { key: null, is_alone: row !== undefined }
    : { key: `sheet_own_${row.act}`, is_alone: false };
}
