/** A view belongs to one operator, its name is unique within the list, and the number of views is limited. */
import { VIEWS_MAX, savedViewRoutes } from "@red/contract/identity/saved-view";
import { insertedId, makeOperator } from "#test/factories";
import { auditsOf } from "#test/rows";
import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const t = useTestDb();
const app = useTestApp(t);

const save = (view_name: string, page = "record") =>
  app.call(savedViewRoutes.save, { body: { page, view_name, search: "?award_status=2" } });

const views = async (page = "record") =>
  (await app.read(savedViewRoutes.list, { query: { page } })).content;

test("views are kept per operator and list, with names of their own, up to the limit", async () => {
  expect(await save("今晚")).toMatchObject({ code: 200 });
  expect(await save("今晚")).toMatchObject({ code: 409, key: "view_name_taken" });
  expect(await save("今晚", "bet")).toMatchObject({ code: 200, msg: "添加成功" });
  const [view] = await views();
  expect(await views()).toHaveLength(1);
  expect(view).toEqual({ id: expect.any(Number), view_name: "今晚", search: "?award_status=2" });

  const operator_id = await makeOperator(t.db, "other-op");
  const theirs = { operator_id, page: "record", view_name: "theirs", search: "?page=1" };
  const id = await insertedId(t.db.insertInto("saved_view").values(theirs));
  expect(await views()).toEqual([view]);
  const remove = (of: number) => app.call(savedViewRoutes.remove, { params: { id: String(of) } });
  expect(await remove(id)).toMatchObject({ code: 404, key: "view_not_found" });

  for (let count = VIEWS_MAX - 2; count > 1; count -= 1) {
    await save(`view ${count + 100}`);
  }
  const names = (await views()).map(({ view_name }) => view_name);
  expect(names).toEqual(names.toSorted());
  const both = await Promise.all([save("this"), save("that")]);
  expect(both.map(({ code }) => code).toSorted((one, other) => one - other)).toEqual([200, 409]);
  expect(await save("one more")).toMatchObject({ code: 409, key: "views_too_many" });
  expect(await remove(view?.id ?? 0)).toMatchObject({ code: 200, msg: "删除成功" });
  const of = { object_type: "saved_view", object_id: String(view?.id) };
  const named = { page: "record", view_name: "今晚" };
  expect(await auditsOf(t.db, ["action", "before", "after"], of)).toEqual([
    { action: "create_saved_view", before: null, after: named },
    { action: "delete_saved_view", before: named, after: null },
  ]);
  expect(await save("one more")).toMatchObject({ code: 200 });
});
