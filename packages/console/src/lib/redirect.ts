/** Where the login page goes afterwards (spec §2 "Route guard"). */

/** The path of this console that `target` names, without the base; else null. Anybody can write the parameter. */
export function ownPath(target: string | undefined): string | null {
  if (target === undefined || !target.startsWith("/")) {
    return null;
  }
  // The URL parser knows every way to write another host: //host, /\host, tabs in between.
  const { origin } = window.location;
  if (!URL.canParse(target, origin)) {
    return null;
  }
  const url = new URL(target, origin);
  if (url.origin !== origin) {
    return null;
  }
  return `${url.pathname}${url.search}${url.hash}`;
}
