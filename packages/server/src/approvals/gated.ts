/** Which writes of operators never wait for a second person, and which always do while a band is on (behaviour §16). */
import type { Route } from "@red/contract/route";
import { ROUTES } from "@red/contract/routes";
import { isBand } from "@red/contract/setting";

type Routes = typeof ROUTES;
type NameOf<N extends keyof Routes> = `${N}.${keyof Routes[N] & string}`;
type RouteName = { [N in keyof Routes]: NameOf<N> }[keyof Routes];

const STOPS = "stopping is never held up";
const TAKES = "takes access away";
const OWN = "the operator's own account, list or file";
const READS = "changes nothing";

/** Every exception, with its reason; all other writes of operators are gated. */
export const UNGATED: Partial<Record<RouteName, string>> = {
  "session.login": OWN,
  "session.logout": OWN,
  "own.password": OWN,
  "own.newSeed": OWN,
  "own.bindSeed": OWN,
  "own.recovery": OWN,
  "own.endSessions": OWN,
  "savedView.save": OWN,
  "savedView.remove": OWN,
  "ticket.create": OWN,
  "job.seen": OWN,
  "job.exportFile": OWN,
  "stopSwitch.stopDraws": STOPS,
  "stopSwitch.stopPayouts": STOPS,
  "stopSwitch.stopEverything": STOPS,
  "stopSwitch.stopPool": STOPS,
  "exclusion.create": STOPS,
  "operator.disable": TAKES,
  "operator.endSessions": TAKES,
  "apiKey.retire": TAKES,
  "apiKey.revoke": TAKES,
  "prize.previewImport": READS,
  "extraTimes.accounts": READS,
  "exclusion.file": READS,
  "reconciliation.run": "reads the wallet's statement; what it finds is mended by a gated call",
  "reconciliation.upload": "reads the wallet's statement; what it finds is mended by a gated call",
  "sheet.sign": "says that figures are right; has its own second person",
  "month.sign": "says that figures are right; has its own second person",
  "approval.approve": "is the second person's own act",
  "approval.refuse": "is the second person's own act",
};

const ALWAYS: ReadonlySet<Route> = new Set<Route>([
  ROUTES.operator.create,
  ROUTES.operator.roles,
  ROUTES.operator.enable,
  ROUTES.operator.password,
  ROUTES.operator.authenticator,
]);

const FREE: ReadonlySet<Route> = new Set(
  Object.entries(ROUTES).flatMap(([noun, routes]) =>
    Object.entries(routes).flatMap(([name, route]) =>
      `${noun}.${name}` in UNGATED ? [route] : [],
    ),
  ),
);

/** May the call wait for a second person? Pausing a round, which has no address of its own, never does. */
export function isGated(route: Route, { body }: { readonly body?: unknown }): boolean {
  const isPause =
    route === ROUTES.activity.pause &&
    (body as { readonly rounds_status: number }).rounds_status === 0;
  return route.auth.by === "operator" && !FREE.has(route) && !isPause;
}

/** Whatever its risk: giving somebody an account, roles or access to one, and changing a band. */
export function isAlwaysGated(route: Route, { params }: { readonly params?: unknown }): boolean {
  return (
    ALWAYS.has(route) ||
    (route === ROUTES.setting.save && isBand((params as { readonly key: string }).key))
  );
}
