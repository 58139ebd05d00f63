import { activityRoutes } from "@red/contract/activity";
import { redCodeRoutes, tagRoutes } from "@red/contract/tag";
import { hold, untilWaiting } from "#test/races";
import { createLookup, ensureDefaultMessageCode } from "./save-lookup.ts";
import { OPERATOR } from "#test/activity-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

async function audits(object_type: string, object_id: string) {
  return await t.db
    .selectFrom("audit_log")
    .select(["actor", "action", "before", "after"])
    .where("object_type", "=", object_type)
    .where("object_id", "=", object_id)
    .orderBy("id")
    .execute();
}

test("two groups exist from the start; an added one can be chosen at once", async () => {
  const two = [
    { tag: "dragon", label: "端午红包" },
    { tag: "weekend", label: "周末红包" },
  ];
  expect((await app.call(tagRoutes.list, {})).data).toEqual({ content: two, total: 2 });
  const body = { tag: "mid-autumn", label: "中秋红包" };
  expect(await app.call(tagRoutes.create, { body })).toEqual({
    code: 200,
    msg: "添加成功",
    data: null,
  });
  expect((await app.call(activityRoutes.tags, {})).data).toEqual({
    tags: { dragon: "端午红包", "mid-autumn": "中秋红包", weekend: "周末红包" },
  });
  expect(await audits("tag", "mid-autumn")).toEqual([
    { actor: "root-op", action: "create_tag", before: null, after: body },
  ]);
});

test("a key is unique, also when two add it at once", async () => {
  const body = { tag: "spring", label: "春节红包" };
  const first = await hold(t.db, (tx) => createLookup(tx, OPERATOR, "tag", body));
  const second = app.call(tagRoutes.create, { body });
  await untilWaiting(t.db);
  await first.commit();
  expect(await second).toMatchObject({ code: 409, msg: "已有这个活动组别，请换一个标识" });
  expect(await audits("tag", "spring")).toHaveLength(1);
});

test("the installation's message code exists once and keeps its label", async () => {
  await ensureDefaultMessageCode(t.db, "RED PACKET");
  const list = async () => (await app.call(redCodeRoutes.list, {})).data;
  const before = { red_code: "RED PACKET", label: "默认站内信" };
  expect(await list()).toEqual({ content: [before], total: 1 });
  const after = { red_code: "RED PACKET", label: "红包到账" };
  const renamed = { params: { red_code: "RED PACKET" }, body: { label: "红包到账" } };
  expect(await app.call(redCodeRoutes.rename, renamed)).toEqual({
    code: 200,
    msg: "修改成功",
    data: null,
  });
  await ensureDefaultMessageCode(t.db, "RED PACKET");
  expect(await list()).toEqual({ content: [after], total: 1 });
  expect(await audits("message_code", "RED PACKET")).toEqual([
    { actor: "start", action: "create_message_code", before: null, after: before },
    { actor: "root-op", action: "rename_message_code", before, after },
  ]);
});

test("refusals use the words of the kind", async () => {
  const label = "周末";
  const add = async (tag: string, called = label) =>
    await app.call(tagRoutes.create, { body: { tag, label: called } });
  const addCode = async (red_code: string) =>
    await app.call(redCodeRoutes.create, { body: { red_code, label } });
  expect(await add("")).toMatchObject({ code: 400, msg: "请填写活动组别" });
  expect(await add("ok", " ")).toMatchObject({ code: 400, msg: "请填写名称" });
  expect(await add("a b")).toMatchObject({ code: 400, msg: "活动组别 含有不允许的字符" });
  expect(await addCode("")).toMatchObject({ code: 400, msg: "请填写站内信" });
  expect(await addCode("WEEKEND.1")).toMatchObject({ code: 200, msg: "添加成功" });
  expect(await addCode("WEEKEND.1")).toMatchObject({
    code: 409,
    msg: "已有这个站内信代码，请换一个",
  });
  const body = { label };
  expect(await app.call(tagRoutes.rename, { params: { tag: "moon" }, body })).toMatchObject({
    code: 404,
    msg: "没有这个活动组别",
  });
  expect(
    await app.call(redCodeRoutes.rename, { params: { red_code: "NONE" }, body }),
  ).toMatchObject({ code: 404, msg: "没有这个站内信代码" });
});
