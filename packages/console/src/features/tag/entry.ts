/** Groups and message codes are the same to the screen: a key that stays and a name that does not. */
import { activityRoutes } from "@red/contract/activity";
import { redCodeRoutes, tagRoutes } from "@red/contract/tag";
import { call } from "#lib/api.ts";
import { refresh } from "#lib/query.ts";

export type Kind = "tag" | "red_code";

export interface Entry {
  readonly key: string;
  readonly label: string;
}

export async function addEntry(kind: Kind, { key, label }: Entry): Promise<void> {
  if (kind === "tag") {
    await call(tagRoutes.create, { body: { tag: key, label } });
  } else {
    await call(redCodeRoutes.create, { body: { red_code: key, label } });
  }
}

export async function renameEntry(kind: Kind, { key, label }: Entry): Promise<void> {
  if (kind === "tag") {
    await call(tagRoutes.rename, { params: { tag: key }, body: { label } });
  } else {
    await call(redCodeRoutes.rename, { params: { red_code: key }, body: { label } });
  }
}

/** Also the choices of the forms are read again. */
export async function refreshEntries(kind: Kind): Promise<void> {
  await (kind === "tag"
    ? refresh(tagRoutes.list, activityRoutes.tags)
    : refresh(redCodeRoutes.list));
}
