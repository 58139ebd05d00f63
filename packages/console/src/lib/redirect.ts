/** Where the login page leads to afterwards (spec §2 "Route guard"). */

/**
 * The path of this console that `wanted` names, without its base; null when it names anything else.
 * Only places of our own are followed: the parameter can be written by anybody.
 */
export function ownPath(wanted: string | undefined): string | null {
  if (wanted === undefined || !wanted.startsWith("/")) {
    return null;
  }
  // The URL parser knows every spelling of "another host": //host, /\host, tabs in between.
  const { origin } = window.location;
  if (!URL.canParse(wanted, origin)) {
    return null;
  }
  const url = new URL(wanted, origin);
  if (url.origin !== origin) {
    return null;
  }
  return `${url.pathname}${url.search}${url.hash}`;
}
