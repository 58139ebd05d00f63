/** Routes of approvals by a second person (behaviour §16). */
import { approvalRoutes } from "@red/contract/approvals/approval";
import type { Approval } from "@red/contract/approvals/approval";
import { formatDateTime } from "@red/contract/platform/datetime";
import { AppError } from "@red/contract/platform/errors";
import { formatCents } from "@red/contract/platform/money";
import { text } from "@red/contract/platform/texts";
import { insertAudit, insertRefusal, inZone } from "#platform/audit";
import type { AuditEntry } from "#platform/audit";
import { signedIn } from "#platform/handlers";
import type { Handlers, Operator, WriteCall } from "#platform/handlers";
import type { MountedRoutes } from "#platform/http/mount";
import { selectValues } from "#platform/db/setting-sql";
import {
  decideApproval,
  lockApproval,
  lockPeople,
  selectApprovals,
  selectNews,
} from "./approval-sql.ts";
import type { Viewer } from "./approval-sql.ts";
import { missingFor, runApproved } from "./run-approved.ts";
import { takeCode } from "./run-change.ts";

/** Returns the calls that an operator may make, and thus approve. */
function viewerOf({ id, permissions }: Operator, mounted: MountedRoutes): Viewer {
  const own = [...mounted].filter(([, { route }]) => missingFor(route, permissions) === undefined);
  return { id, calls: own.map(([call]) => call) };
}

function barOf(
  { id }: Operator,
  row: { readonly maker_id: number | null; readonly is_fresh: boolean },
) {
  return row.maker_id === id ? ("own" as const) : row.is_fresh ? ("fresh" as const) : null;
}

const ACTIONS = {
  done: "approve_change",
  differs: "approve_change",
  refused: "refuse_change",
  withdrawn: "withdraw_change",
} as const;

type WriteCallOf<R extends keyof typeof approvalRoutes> = WriteCall<(typeof approvalRoutes)[R]>;

async function decide(
  { tx, actor, operator }: WriteCallOf<"approve"> | WriteCallOf<"refuse">,
  id: number,
  state: keyof typeof ACTIONS,
  note: string | null,
  about: AuditEntry["about"] = {},
): Promise<void> {
  const { id: decider_id, name: decided_by } = signedIn(operator);
  await decideApproval(tx, id, { state, note, decided_by, decider_id });
  await insertAudit(tx, actor, {
    action: ACTIONS[state],
    object_type: "approval",
    object_id: id,
    after: { state, note },
    about,
  });
}

type Row = Awaited<ReturnType<typeof selectApprovals>>["rows"][number];

/** Converts a row to the form that the viewer may see. */
function shown(
  { maker_id, is_fresh, risk_cents, risked, ...row }: Row,
  viewer: Operator,
  timeZone: string,
): Approval {
  return {
    ...row,
    plan: inZone(row.plan, timeZone),
    made_kind: maker_id === null ? "redctl" : "operator",
    risk: formatCents(risk_cents),
    risked: risked === null ? null : formatCents(risked),
    barred: barOf(viewer, { maker_id, is_fresh }),
    made_at: formatDateTime(row.made_at, timeZone),
    expires_at: formatDateTime(row.expires_at, timeZone),
    decided_at: row.decided_at && formatDateTime(row.decided_at, timeZone),
  };
}

export function approvalHandlers(mounted: MountedRoutes): Handlers<typeof approvalRoutes> {
  /** Approves one change. Call this in id order, so that two operators who approve the same changes cannot deadlock. */
  async function approve(call: WriteCallOf<"approve">, id: number) {
    const operator = signedIn(call.operator);
    const row = await lockApproval(call.tx, viewerOf(operator, mounted), id);
    const bar = barOf(operator, row);
    const not =
      row.state_now === "waiting" ? bar && (`approval_${bar}` as const) : "approval_decided";
    const route = mounted.get(row.call);
    if (not !== null || route === undefined) {
      if (row.state_now === "waiting" && bar !== null) {
        const act = { action: "approve_change", object_type: "approval", object_id: id };
        await insertRefusal(call.tx, call.actor, { ...act, after: { why: bar } });
      }
      const key = row.state_now === "expired" ? "approval_expired" : (not ?? "approval_not_found");
      return { id, state: row.state_now, note: text(key, call.language), secret: null };
    }
    const { about, ...ran } = await runApproved(call.tx, call, row, route);
    await decide(call, id, ran.state, ran.note, about);
    return { id, ...ran };
  }

  return {
    async list({ db, operator, query, services }) {
      const self = signedIn(operator);
      const { timeZone } = services.settings;
      const { rows, total } = await selectApprovals(db, viewerOf(self, mounted), query);
      return { data: { content: rows.map((row) => shown(row, self, timeZone)), total } };
    },

    async news({ db, operator }) {
      const self = signedIn(operator);
      const news = await selectNews(db, viewerOf(self, mounted));
      const { band_second } = await selectValues(db);
      return {
        data: { ...news, roles: [...self.roles], on: band_second !== "off" || news.waiting > 0 },
      };
    },

    async approve(call) {
      const ids = [...new Set(call.body.ids)].toSorted((one, other) => one - other);
      const { id: self } = signedIn(call.operator);
      const lockAll = () => lockPeople(call.tx, self, ids);
      const fault = await takeCode(call.tx, approvalRoutes.approve, call, lockAll);
      if (fault !== null) {
        return { needs: fault };
      }
      const results = [];
      for (const id of ids) {
        results.push(await approve(call, id));
      }
      return { data: { results }, msg: "approvals_run" };
    },

    async refuse(call) {
      const operator = signedIn(call.operator);
      const { id } = call.params;
      const row = await lockApproval(call.tx, viewerOf(operator, mounted), id);
      if (row.state_now !== "waiting") {
        throw new AppError("approval_decided");
      }
      const state = row.maker_id === operator.id ? "withdrawn" : "refused";
      await decide(call, id, state, call.body.reason);
      return { data: null, msg: "approvals_run" };
    },
  };
}
