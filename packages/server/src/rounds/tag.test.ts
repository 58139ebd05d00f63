import { activityRoutes } from "@red/contract/activity";
import { redCodeRoutes, tagRoutes } from "@red/contract/tag";
import { ensureDefaultMessageCode } from "./create-message-code.ts";
import { hold, untilWaiting } from "#test/races";
import { createTag } from "./create-tag.ts";
import { OPERATOR } from "#test/activity-factory";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { describe, expect, test } from "vitest";

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

describe("activity groups", () => {
  test("two are there from the start; one that is added can be chosen at once", async () => {
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

  test("a key is taken once, also by two at the same moment", async () => {
    const body = { tag: "spring", label: "春节红包" };
    const first = await hold(t.db, (tx) => createTag(tx, OPERATOR, body));
    const second = app.call(tagRoutes.create, { body });
    await untilWaiting(t.db);
    await first.commit();
    expect(await second).toMatchObject({ code: 409, msg: "已有这个活动组别，请换一个标识" });
    expect(await audits("tag", "spring")).toHaveLength(1);
  });

  test("are renamed by their key, which stays", async () => {
    const rename = async (tag: string, label: string) =>
      await app.call(tagRoutes.rename, { params: { tag }, body: { label } });
    expect(await rename("dragon", "龙舟红包")).toMatchObject({ code: 200, msg: "修改成功" });
    expect((await app.call(tagRoutes.list, {})).data).toMatchObject({
      content: expect.arrayContaining([{ tag: "dragon", label: "龙舟红包" }]),
    });
    expect(await audits("tag", "dragon")).toEqual([
      {
        actor: "root-op",
        action: "rename_tag",
        before: { tag: "dragon", label: "端午红包" },
        after: { tag: "dragon", label: "龙舟红包" },
      },
    ]);
    expect(await rename("moon", "x")).toMatchObject({ code: 404, msg: "没有这个活动组别" });
    expect(await rename("dragon", " ")).toMatchObject({ code: 400, msg: "请填写名称" });
  });

  test("ask for key and label, and take letters, digits, - and _ only", async () => {
    const create = async (tag: string, label: string) =>
      await app.call(tagRoutes.create, { body: { tag, label } });
    expect(await create("", "x")).toMatchObject({ code: 400, msg: "请填写活动组别" });
    expect(await create("ok", "")).toMatchObject({ code: 400, msg: "请填写名称" });
    expect(await create("a b", "x")).toMatchObject({ code: 400, msg: "活动组别 含有不允许的字符" });
  });
});

describe("message codes", () => {
  test("the installation's own one is among them, once, under the label that it was given", async () => {
    await ensureDefaultMessageCode(t.db, "RED PACKET");
    const list = async () => (await app.call(redCodeRoutes.list, {})).data;
    expect(await list()).toEqual({
      content: [{ red_code: "RED PACKET", label: "默认站内信" }],
      total: 1,
    });
    const params = { red_code: "RED PACKET" };
    expect(await app.call(redCodeRoutes.rename, { params, body: { label: "红包到账" } })).toEqual({
      code: 200,
      msg: "修改成功",
      data: null,
    });
    await ensureDefaultMessageCode(t.db, "RED PACKET");
    expect(await list()).toMatchObject({ content: [{ label: "红包到账" }], total: 1 });
    expect(await audits("message_code", "RED PACKET")).toEqual([
      {
        actor: "start",
        action: "create_message_code",
        before: null,
        after: { red_code: "RED PACKET", label: "默认站内信" },
      },
      {
        actor: "root-op",
        action: "rename_message_code",
        before: { red_code: "RED PACKET", label: "默认站内信" },
        after: { red_code: "RED PACKET", label: "红包到账" },
      },
    ]);
  });

  test("are added once each and asked for in words", async () => {
    const create = async (red_code: string, label = "周末") =>
      await app.call(redCodeRoutes.create, { body: { red_code, label } });
    expect(await create("WEEKEND.1")).toMatchObject({ code: 200, msg: "添加成功" });
    expect(await create("WEEKEND.1")).toMatchObject({
      code: 409,
      msg: "已有这个站内信代码，请换一个",
    });
    expect(await create("")).toMatchObject({ code: 400, msg: "请填写站内信" });
    expect(await create("X", "")).toMatchObject({ code: 400, msg: "请填写名称" });
    const params = { red_code: "NONE" };
    expect(await app.call(redCodeRoutes.rename, { params, body: { label: "x" } })).toMatchObject({
      code: 404,
      msg: "没有这个站内信代码",
    });
    expect(await audits("message_code", "WEEKEND.1")).toHaveLength(1);
  });
});
