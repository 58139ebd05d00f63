/** Activity groups and preset in-site message codes: small tables with their own screen (behaviour §3). */
import * as z from "zod/mini";
import { listOf } from "./envelope.ts";
import { trimmedText, name } from "./fields.ts";
import { NAME_LENGTH_MAX, RED_CODE_LENGTH_MAX } from "./limits.ts";
import { route } from "./route.ts";

const tag = z.object({ tag: z.string(), label: z.string() });
const redCode = z.object({ red_code: z.string(), label: z.string() });

const tagKey = () =>
  trimmedText("enter_tag", NAME_LENGTH_MAX).check(z.regex(/^[\w-]+$/, "bad_characters"));
const redCodeKey = () =>
  trimmedText("enter_red_code", RED_CODE_LENGTH_MAX).check(z.regex(/^[\w.:-]+$/, "bad_characters"));
const label = () => name("enter_label", NAME_LENGTH_MAX);

export const tagRoutes = {
  list: route({
    method: "GET",
    path: "/gred/api/tag",
    summary: "Activity groups",
    auth: { by: "operator", permission: "activity.read" },
    access: "read",
    data: listOf(tag),
  }),
  create: route({
    method: "POST",
    path: "/gred/api/tag",
    summary: "Add an activity group",
    auth: { by: "operator", permission: "activity.write" },
    access: "write",
    body: z.strictObject({ tag: tagKey(), label: label() }),
    data: z.null(),
  }),
  rename: route({
    method: "PUT",
    path: "/gred/api/tag/{tag}",
    summary: "Give an activity group another label",
    auth: { by: "operator", permission: "activity.write" },
    access: "write",
    params: z.object({ tag: trimmedText("enter_tag", NAME_LENGTH_MAX) }),
    body: z.strictObject({ label: label() }),
    data: z.null(),
  }),
};

export const redCodeRoutes = {
  list: route({
    method: "GET",
    path: "/gred/api/redcode",
    summary: "Preset in-site message codes",
    auth: { by: "operator", permission: "activity.read" },
    access: "read",
    data: listOf(redCode),
  }),
  create: route({
    method: "POST",
    path: "/gred/api/redcode",
    summary: "Add a preset in-site message code",
    auth: { by: "operator", permission: "activity.write" },
    access: "write",
    body: z.strictObject({ red_code: redCodeKey(), label: label() }),
    data: z.null(),
  }),
  rename: route({
    method: "PUT",
    path: "/gred/api/redcode/{red_code}",
    summary: "Give a preset in-site message code another label",
    auth: { by: "operator", permission: "activity.write" },
    access: "write",
    // A code set by the installation may hold characters that are refused for new ones.
    params: z.object({ red_code: trimmedText("enter_red_code", RED_CODE_LENGTH_MAX) }),
    body: z.strictObject({ label: label() }),
    data: z.null(),
  }),
};
