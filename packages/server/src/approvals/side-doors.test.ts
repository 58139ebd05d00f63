/** Attempts to avoid the second person, all of which fail (behaviour §16). */
import { apiKeyRoutes } from "@red/contract/identity/api-key";
import { activityRoutes } from "@red/contract/rounds/activity";
import { approvalRoutes, APPROVALS_WAITING_MAX } from "@red/contract/approvals/approval";
import { extraTimesRoutes } from "@red/contract/players/extra-times";
import { jobRoutes } from "@red/contract/records/job";
import { legacyRoutes } from "@red/contract/records/legacy";
import { operatorRoutes, ownRoutes } from "@red/contract/identity/operators";
import { prizeRoutes } from "@red/contract/pools/prize";
import { recordRoutes } from "@red/contract/records/record";
import { fillPath } from "@red/contract/platform/route";
import type { Route } from "@red/contract/platform/route";
import { settingRoutes } from "@red/contract/approvals/setting";
import { freshCode, makeWorld, openSession, setBand, unused } from "#test/contract-world";
import type { World } from "#test/contract-world";
import { makeOperator, makePlayer, makePrize, makeRecords } from "#test/factories";
import { configOf, redctl } from "#test/redctl";
import { changeRows, rowOf, rowsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { formBody } from "#test/upload";
import { selectNews, trimApprovals } from "./approval-sql.ts";
import { COMMANDS } from "#ops/commands";
import { sql } from "kysely";
import { beforeAll, beforeEach, expect, test } from "vitest";

const t = useTestDb();
const a = useTestApp(t);
const FRESH = "账号在 24 小时内由提交人或命令行直接或间接设立或重置，不能审批其修改";

let world: World;

type Way = () => Promise<unknown>;

async function inject(route: Route, url: string, payload: object | Buffer, headers: object) {
  const all = { token: a.token, "x-reason": "because", ...headers };
  const answer = await a.app.inject({ method: route.method, url, headers: all, payload });
  return answer.json<{ key?: string; msg: string; data: unknown }>();
}

const send = (route: Route, payload: object, id: number | string = 0, token = a.token) =>
  inject(route, fillPath(route.path, { id, key: id }), payload, { token });

const keyOf = async (...call: Parameters<typeof send>) => (await send(...call)).key;

const coded = async (name = "root-op") => ({
  code: await freshCode(t.db, a.services.secrets, name),
});

/** Returns the id of the newest waiting change. */
const newest = async () => Math.max(...(await rowsOf(t.db, "approval")).map(({ id }) => id));

/** Makes a waiting grant by root-op and returns its id. */
async function waiting(): Promise<number> {
  const expire_time = "2049-01-01 00:00:00";
  const body = { user_names: [world.player.user_name], tag: "weekend", expire_time };
  expect(await keyOf(extraTimesRoutes.grant, body)).toBe("approval_waits");
  return await newest();
}

/** Returns the message that the approver gets. By default the approver approves a new grant. */
async function approvedBy(
  name: string,
  waits: number | Promise<number> = waiting(),
): Promise<string | null> {
  const body = { ids: [await waits], ...(await coded(name)) };
  const token = await openSession(t.db, name);
  const { data, key } = await send(approvalRoutes.approve, body, 0, token);
  const told = data as { results: { state: string; note: string | null }[] } | null;
  const [result] = told?.results ?? [];
  return key ?? result?.note ?? result?.state ?? null;
}

/** Runs `act` while no threshold is on. */
async function before(act: Way): Promise<void> {
  await setBand(t.db, "off");
  await act();
  await setBand(t.db, "0.00");
}

async function refused(count: number): Promise<number[]> {
  const values = Array.from({ length: count }, () => ({ state: "refused" as const }));
  const records = await makeRecords(t.db, world.open, world.player, values);
  return records.map(({ log_id }) => log_id);
}

const raiseBand = async () =>
  keyOf(settingRoutes.save, { value: "off", ...(await coded()) }, "band_second");

async function importPrizes(fields = {}) {
  const bytes =
    "奖池,奖品,奖品额度,权重,奖品总数,是否保底\n新池,红包,1,1,1,否\n又一池,红包,1,1,1,否\n";
  const { payload, headers } = await formBody({ bytes, fields: { token: a.token, ...fields } });
  const route = prizeRoutes.importFile;
  return (await inject(route, route.path, payload, headers)).key;
}

/** Ways that end in a waiting change. */
const GATED: Readonly<Record<string, Way>> = {
  "the older family of calls": async () => keyOf(legacyRoutes.addBonus, { log: await refused(1) }),
  "a file of prizes": importPrizes,
  "the copy of a round": () => {
    const body = { rounds_name: unused("copy"), start_date: "2049-01-01" };
    return keyOf(activityRoutes.copy, body, world.over.rounds_id);
  },
  "many small ones in one batch": async () => {
    await setBand(t.db, "20.00");
    return await keyOf(recordRoutes.reissue, { log_ids: await refused(3) });
  },
  "what failed in a batch, once more": async () => {
    const [log_id = 0] = await refused(1);
    await before(() => send(recordRoutes.reissue, { log_ids: [log_id] }));
    await changeRows(t.db, "payout", { log_id }, { state: "refused", fail_reason: "no" });
    const job = await rowOf(t.db, "job_row", { log_id });
    return await keyOf(jobRoutes.retry, {}, job.job_id);
  },
  "a key for a program": async () =>
    keyOf(apiKeyRoutes.create, { name: "k", scopes: ["draw"], ...(await coded()) }),
  "raising the band first": raiseBand,
};

/** All redctl commands. TYPED lists the commands that wait, and FREE gives the reason why the others do not wait. */
const TYPED =
  "admin create by-redctl, admin roles looker support, admin enable looker, keys create x --scopes draw, payouts release, players erase erased --yes, config set band_second off".split(
    ", ",
  );
const FREE = {
  "for the lost, who then may not approve for a day": "admin reset-password, admin reset-totp",
  "takes access away, or stops": "admin disable, keys revoke, payouts hold",
  "no operator's call does it, or it waits for nobody":
    "migrate, seed, rollups rebuild, months detach, webhooks set, webhooks remove, backup, restore, restored, distribute, wallet-check, reconcile",
  "changes nothing":
    "admin list, keys list, verify, months list, webhooks show, doctor, config print, config list",
};

/** Changes that give somebody an account or more rights. */
const GIVES = ["roles", "enable", "password", "authenticator"] as const;

/** Attempts to approve that fail. */
const BARRED: readonly (readonly [door: string, told: string, way: Way])[] = [
  ...GIVES.map((act): (typeof BARRED)[number] => [
    `an account of which they changed: ${act}`,
    FRESH,
    async () => {
      const name = unused("given");
      const given = await makeOperator(t.db, name, {
        roles: ["viewer"],
        disabled: act === "enable",
      });
      const roles = act === "roles" ? { roles: ["admin"] } : {};
      await before(async () => send(operatorRoutes[act], { ...roles, ...(await coded()) }, given));
      await changeRows(t.db, "operator", { name }, { roles: ["admin"] });
      return await approvedBy(name);
    },
  ]),
  ["their own code", "不能审批自己提交的修改", () => approvedBy("root-op")],
  [
    "an account that they made",
    FRESH,
    async () => {
      const body = { name: "made", roles: ["admin"], ...(await coded()) };
      await before(() => send(operatorRoutes.create, body));
      return await approvedBy("made");
    },
  ],
  [
    "an account that one has reset whose password they were told",
    FRESH,
    async () => {
      const [boss, last] = [await makeOperator(t.db, "boss"), await makeOperator(t.db, "last")];
      const third = await openSession(t.db, "third-op");
      await send(operatorRoutes.password, await coded("third-op"), boss, third);
      expect(await approvedBy("root-op", newest())).toBe("done");
      const token = await openSession(t.db, "boss");
      const body = await coded("boss");
      await before(() => send(operatorRoutes.password, body, last, token));
      expect(await approvedBy("boss")).toBe(FRESH);
      const viewer = { id: last, calls: ["POST /gred/api/extratimes/grant"] };
      expect(await selectNews(t.db, viewer)).toMatchObject({ waiting: 0 });
      return await approvedBy("last");
    },
  ],
  [
    "an account that redctl has reset",
    FRESH,
    async () => {
      await makeOperator(t.db, "reset");
      await redctl(() => configOf(t), "admin reset-totp reset");
      return await approvedBy("reset");
    },
  ],
  ["somebody who may not do it either", "approval_not_found", () => approvedBy("looker")],
  [
    "another change under the same approval",
    "执行结果与审批内容不同，已放弃，请重新提交",
    async () => {
      expect(await raiseBand()).toBe("approval_waits");
      await setBand(t.db, "1.00");
      return await approvedBy("second-op", newest());
    },
  ],
  [
    "a grant that is worth a cent more by then",
    "执行结果与审批内容不同，已放弃，请重新提交",
    async () => {
      const id = await waiting();
      const { pool_id } = await rowOf(t.db, "activity", { id: world.open.rounds_id });
      const { risk_cents } = await rowOf(t.db, "approval", { id });
      await makePrize(t.db, { pool_id, weight: 1_000_000, award_price_cents: 2 * risk_cents + 2 });
      return await approvedBy("second-op", id);
    },
  ],
  [
    "a maker who may not do it any more",
    "没有权限执行此操作（需要：添加与收回次数）",
    async () => {
      const waits = await waiting();
      await changeRows(t.db, "operator", { name: "root-op" }, { roles: ["viewer"] });
      const told = await approvedBy("second-op", waits);
      await changeRows(t.db, "operator", { name: "root-op" }, { roles: ["admin"] });
      return told;
    },
  ],
  [
    "the code of a change, or of a file, that waits",
    "动态验证码已使用过，请等待下一个",
    async () => {
      const terms = { name: "k", scopes: ["draw"] };
      const body = { ...terms, ...(await coded()) };
      expect(await keyOf(apiKeyRoutes.create, body)).toBe("approval_waits");
      const { msg } = await send(apiKeyRoutes.create, body);
      const form = await coded();
      expect(await importPrizes(form)).toBe("approval_waits");
      expect(await send(apiKeyRoutes.create, { ...terms, ...form })).toMatchObject({ msg });
      return msg;
    },
  ],
  [
    "an account that is another player's by then, for that one,",
    "done",
    async () => {
      const { player_key, user_name } = world.player;
      const waits = await waiting();
      await changeRows(t.db, "player", { player_key }, { user_name: "former" });
      const { player_key: other } = await makePlayer(t.db, { user_name });
      const told = await approvedBy("second-op", waits);
      expect(await rowsOf(t.db, "extra_time", { player_key: other })).toEqual([]);
      await changeRows(t.db, "player", { player_key: other }, { user_name: "other" });
      await changeRows(t.db, "player", { player_key }, { user_name });
      return told;
    },
  ],
  [
    "approving twice at once",
    "done,这项修改已处理",
    async () => {
      const waits = waiting();
      const told = ["second-op", "third-op"].map((name) => approvedBy(name, waits));
      return (await Promise.all(told)).map(String).toSorted().join(",");
    },
  ],
];

beforeAll(async () => {
  world = await makeWorld(t.db, a.services.secrets);
  await makeOperator(t.db, "looker", { roles: ["viewer"] });
  await makePlayer(t.db, { user_name: "erased" });
  for (const name of ["second-op", "third-op"]) {
    await makeOperator(t.db, name);
    await coded(name);
  }
  await coded();
});

beforeEach(async () => await setBand(t.db, "0.00"));

const gated = Object.entries(GATED).map(([door, way]) => [door, "approval_waits", way] as const);

test("every command of redctl waits, or has its reason", async () => {
  const run = (words: string) => redctl(() => configOf(t, { secretKey: Buffer.alloc(32) }), words);
  for (const words of TYPED) {
    expect((await run(words)).err, words).toContain("say why with --reason");
    expect((await run(`${words} --reason none`)).out, words).toContain("it waits");
  }
  const free = Object.values(FREE).flatMap((names) => names.split(", "));
  const waits = (name: string) =>
    TYPED.some((words) => words.startsWith(`${name} `) || words === name);
  expect(
    COMMANDS.map(({ name }) => name)
      .filter((name) => !waits(name))
      .toSorted(),
  ).toEqual(free.toSorted());
});

test("a change made with a recovery code can be approved", async () => {
  const { codes } = await a.read(ownRoutes.recovery, await coded());
  const body = { name: "k", scopes: ["read"], code: codes[0] };
  expect(await keyOf(apiKeyRoutes.create, body)).toBe("approval_waits");
  expect(await approvedBy("second-op", newest())).toBe("done");
});

test.each([...gated, ...BARRED])("%s leads nowhere", async (_, told, way) => {
  const done = (await rowsOf(t.db, "extra_time")).length;
  expect(await way()).toBe(told);
  const more = told.startsWith("done") ? 1 : 0;
  expect(await rowsOf(t.db, "extra_time")).toHaveLength(done + more);
});

test("the log says who was barred, who approved, and who made it", async () => {
  await approvedBy("root-op");
  await approvedBy("second-op", newest());
  const rows = await t.sql`
    select l.actor, l.action, l.outcome, l.address, b.object_type as about
    from audit_log l left join audit_about b on b.audit_id = l.id
    where l.action in ('ask_approval', 'approve_change', 'grant_extra_times') order by l.id desc limit 4`;
  const [address, about, action] = ["127.0.0.1", "player", "approve_change"];
  expect(rows).toMatchObject([
    { actor: "second-op", action, outcome: "done", address, about },
    { actor: "root-op", action: "grant_extra_times", address: null, about },
    { actor: "root-op", action, outcome: "refused", address },
    { actor: "root-op", action: "ask_approval", address, about },
  ]);
});

test("an operator has at most fifty waiting changes; expired ones are emptied, and deleted after 90 days", async () => {
  const terms = { tag: "weekend", expire_time: "2049-01-01 00:00:00" };
  const body = { user_names: [world.player.user_name], ...terms };
  const keys = async (count: number) =>
    await Promise.all(Array.from({ length: count }, () => keyOf(extraTimesRoutes.grant, body)));
  const expire = (ago: string) =>
    changeRows(t.db, "approval", {}, { expires_at: sql.raw<Date>(`now() - interval '${ago}'`) });
  const trim = () => trimApprovals(t.db, new AbortController().signal);
  await t.db.deleteFrom("approval").execute();
  await keys(APPROVALS_WAITING_MAX - 1);
  expect((await keys(2)).map(String).toSorted()).toEqual(["approval_many", "approval_waits"]);
  expect(await trim()).toEqual({ emptied: 0, deleted: 0, forgotten: 0 });
  await expire("90 days -1 minute");
  expect(await keys(1)).toEqual(["approval_waits"]);
  expect(await trim()).toEqual({ emptied: APPROVALS_WAITING_MAX, deleted: 0, forgotten: 0 });
  await expire("90 days");
  expect(await trim()).toEqual({ emptied: 1, deleted: APPROVALS_WAITING_MAX + 1, forgotten: 0 });
});

test("a band needs an approver, and a disabled maker is named as the reason", async () => {
  await waiting();
  await changeRows(t.db, "operator", { name: "root-op" }, { disabled: true });
  expect(await approvedBy("second-op", newest())).toBe("提交人已被停用");
  await changeRows(t.db, "operator", {}, { disabled: true });
  await changeRows(t.db, "operator", { name: "root-op" }, { disabled: false });
  await setBand(t.db, "off");
  await t.sql`update operator set roles = '{viewer}' where name not in ('root-op', 'second-op', 'third-op')`;
  const on = () => send(settingRoutes.save, { value: "9.00" }, "band_second");
  const refused = (words: string) =>
    expect.objectContaining({ key: "approval_nobody", msg: `没有其他管理员可以审批：${words}` });
  await changeRows(t.db, "operator", { name: "third-op" }, { totp_secret: null });
  expect(await on()).toEqual(refused("second-op（已停用）、third-op（已停用、未绑定验证器）"));
  const { err } = await redctl(() => configOf(t), "config set band_second 9.00");
  expect(err).toContain("root-op (could), second-op (disabled), third-op (disabled, no");
  await changeRows(t.db, "operator", { name: "third-op" }, { disabled: false });
  const made = { name: "made-now", roles: ["admin"], ...(await coded()) };
  await send(operatorRoutes.create, made);
  await coded("made-now");
  const fresh = "24 小时内由您或命令行直接或间接设立或重置，24 小时后可以";
  const both = `made-now（${fresh}）、third-op（未绑定验证器）`;
  expect(await on()).toEqual(refused(`${both}、second-op（已停用）`));
  await changeRows(t.db, "operator", { name: "second-op" }, { disabled: false });
  expect((await on()).key).toBeUndefined();
  // The setting is already on, so this call changes nothing.
  expect((await on()).key).toBeUndefined();
  await setBand(t.db, "off");
  for (const name of ["second-op", "third-op", "made-now"]) {
    await changeRows(t.db, "operator", { name }, { roles: ["viewer"] });
  }
  expect(await on()).toEqual(refused("目前没有其他管理员"));
});
