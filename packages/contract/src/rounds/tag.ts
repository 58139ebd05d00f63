/** Activity groups and preset in-site message codes (behaviour §3). */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import { trimmedText, name } from "#platform/fields";
import { NAME_LENGTH_MAX, RED_CODE_LENGTH_MAX } from "#platform/limits";
import { plain } from "#platform/marks";
import { operator, route } from "#platform/route";

const tag = z.object({ tag: plain(), label: plain() });
const redCode = z.object({ red_code: plain(), label: plain() });

const tagKey = () =>
  trimmedText("enter_tag", NAME_LENGTH_MAX).check(z.regex(/^[\w-]+$/, "bad_characters"));
const redCodeKey = () =>
  trimmedText("enter_red_code", RED_CODE_LENGTH_MAX).check(z.regex(/^[\w.:-]+$/, "bad_characters"));
const label = () => name("enter_label", NAME_LENGTH_MAX);

export const tagRoutes = {
  list: route({
    call: "GET /gred/api/tag",
    summary: "Activity groups",
    ...operator("activity.read", "read"),
    data: listOf(tag),
  }),
  create: route({
    call: "POST /gred/api/tag",
    summary: "Add an activity group",
    ...operator("activity.write", "write", "risk"),
    body: z.strictObject({ tag: tagKey(), label: label() }),
  }),
  rename: route({
    call: "PUT /gred/api/tag/{tag}",
    summary: "Give an activity group another label",
    ...operator("activity.write", "write", "risk"),
    params: z.object({ tag: trimmedText("enter_tag", NAME_LENGTH_MAX) }),
    body: z.strictObject({ label: label() }),
  }),
};

export const redCodeRoutes = {
  list: route({
    call: "GET /gred/api/redcode",
    summary: "Preset in-site message codes",
    ...operator("activity.read", "read"),
    data: listOf(redCode),
  }),
  create: route({
    call: "POST /gred/api/redcode",
    summary: "Add a preset in-site message code",
    ...operator("activity.write", "write", "risk"),
    body: z.strictObject({ red_code: redCodeKey(), label: label() }),
  }),
  rename: route({
    call: "PUT /gred/api/redcode/{red_code}",
    summary: "Give a preset in-site message code another label",
    ...operator("activity.write", "write", "risk"),
    // The installation may have set a code with characters that new codes must not contain.
    params: z.object({ red_code: trimmedText("enter_red_code", RED_CODE_LENGTH_MAX) }),
    body: z.strictObject({ label: label() }),
  }),
};
