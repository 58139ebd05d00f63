/** Where the login page goes afterwards (spec §2 "Route guard"). */

/** The path of this console that `target` names, without the base; else null. Anybody can write the parameter. */
export function ownPath(target: string | undefined): string | null {
  const { origin } = window.location;
  if (target?.startsWith("/") !== true || !URL.canParse(target, origin)) {
    return null;
  }
  // The URL parser knows every way to write another host: //host, /\host, tabs in between.
  const url = new URL(target, origin);
  return url.origin === origin ? `${url.pathname}${url.search}${url.hash}` : null;
}
