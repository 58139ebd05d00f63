/** Views belong to one operator, have names of their own per list, and are limited. */
import { VIEWS_MAX, savedViewRoutes } from "@red/contract/saved-view";
import { insertedId, makeOperator } from "#test/factories";
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
  expect(await save("今晚", "bet")).toMatchObject({ code: 200 });
  const [view] = await views();
  expect(view).toMatchObject({ view_name: "今晚", search: "?award_status=2" });

  const operator_id = await makeOperator(t.db, "other-op");
  const theirs = { operator_id, page: "record", view_name: "theirs", search: "?page=1" };
  const id = await insertedId(t.db.insertInto("saved_view").values(theirs));
  expect(await views()).toEqual([view]);
  const remove = (of: number) => app.call(savedViewRoutes.remove, { params: { id: String(of) } });
  expect(await remove(id)).toMatchObject({ code: 404, key: "view_not_found" });

  for (let count = 2; count < VIEWS_MAX; count += 1) {
    await save(`view ${count}`);
  }
  expect(await save("one more")).toMatchObject({ code: 409, key: "views_too_many" });
  expect(await remove(view?.id ?? 0)).toMatchObject({ code: 200 });
  expect(await save("one more")).toMatchObject({ code: 200 });
});
