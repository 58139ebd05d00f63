/** Decides where the login page redirects to (spec §2 "Route guard"). */

/**
 * Returns the path in this console, or null for any other target. The parameter comes from the address, so anyone can
 * write it.
 */
export function ownPath(target: string | undefined): string | null {
  const { origin } = window.location;
  if (target?.startsWith("/") !== true || !URL.canParse(target, origin)) {
    return null;
  }
  // The URL parser recognises every way to write another host, such as //host, /\host or tabs inside.
  const url = new URL(target, origin);
  return url.origin === origin ? `${url.pathname}${url.search}${url.hash}` : null;
}
