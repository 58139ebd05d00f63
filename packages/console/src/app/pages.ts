/** All pages of the console, collected from the `room.ts` of each folder. */
import { catalogue } from "@red/contract/platform/catalogue";
import { approvalsPages } from "#approvals/room.ts";
import { eventsPages } from "#events/room.ts";
import { evidencePages } from "#evidence/room.ts";
import { financePages } from "#finance/room.ts";
import { identityPages, loginPages } from "#identity/room.ts";
import type { Page } from "#lib/page.ts";
import { playersPages } from "#players/room.ts";
import { poolsPages } from "#pools/room.ts";
import { recordsPages } from "#records/room.ts";
import { roundsPages } from "#rounds/room.ts";
import { watchPages } from "#watch/room.ts";
import { webhooksPages } from "#webhooks/room.ts";

/** Pages below `/activity_manage`. */
const MANAGED = [
  ...roundsPages,
  ...poolsPages,
  ...recordsPages,
  ...eventsPages,
  ...playersPages,
  ...financePages,
  ...webhooksPages,
  ...evidencePages,
  ...approvalsPages,
  ...identityPages,
] as const;

const inOrder = <P extends Page>(pages: readonly P[]): readonly P[] =>
  pages.toSorted((a, b) => (a.menu ?? Infinity) - (b.menu ?? Infinity));

export const PAGES = {
  managed: inOrder<(typeof MANAGED)[number]>(MANAGED),
  /** These pages stand above the groups of the menu. */
  watch: watchPages,
  login: loginPages,
};

type AnyPage = (typeof PAGES)[keyof typeof PAGES][number];

export type Titles = Readonly<Record<AnyPage["name"], string>>;

const all: readonly AnyPage[] = [...PAGES.managed, ...PAGES.watch, ...PAGES.login];

export const TITLES = catalogue(
  Object.fromEntries(all.map(({ name, title }): [string, Page["title"]] => [name, title])),
);
