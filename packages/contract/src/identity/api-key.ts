/** Keys of game platforms and wallets (platform-api "Signing"). */
import * as z from "zod/mini";
import { listOf } from "#platform/envelope";
import { externalId, name } from "#platform/fields";
import { NAME_LENGTH_MAX } from "#platform/limits";
import { plain, secret } from "#platform/marks";
import { SCOPES } from "#platform/permissions";
import { operator, route } from "#platform/route";

export const apiKey = z.object({
  key: plain(),
  name: plain(),
  scopes: z.array(z.enum(SCOPES)),
  created_at: plain(),
  revoked_at: z.nullable(plain()),
  /** Time of the last call with the first secret, to the minute; null before the first such call. */
  used_at: z.nullable(plain()),
  /** Time at which a second secret was created; both secrets are valid. */
  rotated_at: z.nullable(plain()),
});
export type ApiKeyRow = z.output<typeof apiKey>;

const byKey = z.object({ key: externalId() });
const newSecret = z.object({ key: plain(), secret: secret() });

export const apiKeyRoutes = {
  list: route({
    call: "GET /gred/api/key",
    summary: "All keys of platforms, revoked ones too, oldest first",
    ...operator("key.manage", "read"),
    data: listOf(apiKey),
  }),
  create: route({
    call: "POST /gred/api/key",
    summary: "Make a key; its secret is shown this once",
    ...operator("key.manage", "write", "code"),
    body: z.strictObject({
      name: name("enter_key_name", NAME_LENGTH_MAX),
      scopes: z
        .array(z.enum(SCOPES, { error: "not_in_set" }), { error: "choose_scopes" })
        .check(z.minLength(1, "choose_scopes")),
    }),
    data: newSecret,
  }),
  rotate: route({
    call: "PUT /gred/api/key/{key}/rotate",
    summary: "Make the second secret, anew if there is one; valid beside the first",
    ...operator("key.manage", "write", "code"),
    params: byKey,
    data: newSecret,
  }),
  retire: route({
    call: "PUT /gred/api/key/{key}/retire",
    summary: "End the first secret of a key that has two",
    ...operator("key.manage", "write", "code"),
    params: byKey,
  }),
  revoke: route({
    call: "PUT /gred/api/key/{key}/revoke",
    summary: "Revoke a key with its secrets; refused within five seconds",
    ...operator("key.manage", "write", { none: "takes access away" }),
    params: byKey,
  }),
};
