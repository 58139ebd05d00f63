/** API names copied from the specification (§3, §7): addresses, and fields of responses. */
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { activityRoutes } from "#rounds/activity";
import { betRoutes } from "#events/bet";
import { depositRoutes } from "#events/deposit";
import { extraTimesRoutes } from "#players/extra-times";
import { playerRoutes } from "#chances/player";
import { prizeRoutes } from "#pools/prize";
import { recordRoutes } from "#records/record";
import { ROUTES } from "./routes.ts";
import { sessionRoutes } from "#identity/session";

const ADDRESSES = `
POST /oauth/login · POST /gred/api/logout · GET /gred/api/user/info
GET /gred/api/act/list · GET /gred/api/act/{id}/edit · POST /gred/api/act · PUT /gred/api/act/update/{id}
PUT /gred/api/act/pause/{id} · DELETE /gred/api/act/{id} · GET /gred/api/prize/list · GET /gred/api/prize/retotal
GET /gred/api/prize/{id}/edit · POST /gred/api/prize · PUT /gred/api/prize/{id} · DELETE /gred/api/prize/{id}
POST /gred/api/prize/import · GET /gred/api/prize/export · GET /gred/api/record/list · GET /gred/api/record/export
POST /gred/api/record/reissue · POST /gred/api/userInfo/deposit · POST /gred/api/userInfo/betlog
GET /gred/api/userInfo/excel · POST /gred/api/userInfo/lottimes · POST /red/record/playerInfo
GET /gred/api/extratimes/list · GET /gred/api/extratimes/total · GET /gred/api/extratimes/tags
POST /gred/api/extratimes · GET /red/act/list · POST /red/act/add · POST /red/act/modify · POST /red/act/delete
GET /red/award/list · POST /red/award/add · POST /red/award/modify · POST /red/award/delete
POST /red/record/list · POST /red/player/addBonus · GET /red/record/export`;

test("every address of the specification is a route", () => {
  const nouns: object[] = Object.values(ROUTES);
  const routes = nouns.flatMap((noun): { method: string; path: string }[] => Object.values(noun));
  const known = routes.map(({ method, path }) => `${method} ${path}`);
  expect(known).toEqual(expect.arrayContaining(ADDRESSES.trim().split(/\n| · /)));
});

const LIST = "content total";

test.each<[string, z.ZodMiniType, string]>([
  ["the session", sessionRoutes.userInfo.data, "name roles avatar introduction"],
  [
    "an activity",
    activityRoutes.detail.data,
    "id act_id rounds_name start_time end_time pool_name condition_name condition_formula condition_type condition_value condition_times turnover achieve_start_time achieve_end_time rounds_status red_code tag",
  ],
  ["the activities", activityRoutes.list.data, LIST],
  ["the groups", activityRoutes.tags.data, "tags"],
  [
    "a prize",
    prizeRoutes.detail.data,
    "id pool_name award_name weight award_total floors award_price",
  ],
  ["the prizes", prizeRoutes.list.data, LIST],
  ["the totals of a pool", prizeRoutes.totals.data.def.element, "prize_total weight_total"],
  ["the records", recordRoutes.list.data, LIST],
  [
    "a record",
    recordRoutes.list.data.def.shape.content.def.element,
    "log_id player_id user_name award_name award_price award_status rounds_id rounds_name trans_sn turnover created_at",
  ],
  ["the deposits", depositRoutes.list.data, `${LIST} depositTotal`],
  [
    "a deposit",
    depositRoutes.list.data.def.shape.content.def.element,
    "user_name amount created_at",
  ],
  ["the bets", betRoutes.list.data, `${LIST} betlogTotal`],
  ["a bet", betRoutes.list.data.def.shape.content.def.element, "user_name validBetAmount type"],
  ["draws of a player", playerRoutes.drawInfo.data, "total already remain"],
  [
    "red packets of a player",
    playerRoutes.info.data,
    "vaildAmount totalPrice1 totalPrice2 totalPrice3",
  ],
  ["the extra times", extraTimesRoutes.list.data, LIST],
  [
    "an extra time",
    extraTimesRoutes.list.data.def.shape.content.def.element,
    "user_name tag apply expire_time",
  ],
  ["extra times that are left", extraTimesRoutes.total.data, "left_times"],
])("%s is told in the specification's names", (_what, schema, names) => {
  const { properties } = z.toJSONSchema(schema, { unrepresentable: "any" });
  expect(Object.keys(properties ?? {})).toEqual(expect.arrayContaining(names.split(" ")));
});
