/** Where the login page goes afterwards (spec §2 "Route guard"). */

/** The path in this console, or null for anything else: the parameter comes from the address, so anyone can write it. */
export function ownPath(target: string | undefined): string | null {
  const { origin } = window.location;
  if (target?.startsWith("/") !== true || !URL.canParse(target, origin)) {
    return null;
  }
  // The URL parser knows every notation of another host: //host, /\host, tabs in between.
  const url = new URL(target, origin);
  return url.origin === origin ? `${url.pathname}${url.search}${url.hash}` : null;
}
