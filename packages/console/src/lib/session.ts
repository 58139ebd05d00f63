/**
 * Who is signed in. The access token is in a cookie that scripts cannot read, so being signed in is
 * known by asking (spec §6, behaviour §1); only the display name is kept, in local storage.
 */
import { LOGGED_OUT } from "@red/contract/envelope";
import { sessionRoutes } from "@red/contract/session";
import type { Permission } from "@red/contract/permissions";
import type { UserInfo } from "@red/contract/session";
import { call, setRequestToken, settled } from "./api.ts";
import { notify } from "./notices.ts";
import { claimTab, dropAllKept } from "./tab-state.ts";

const NAME_KEY = "name";
/** The guard asks again while it leads to the login page; one answer serves both. */
const NOBODY_MS = 1_000;

let user: UserInfo | null = null;
let asking: Promise<UserInfo | null> | null = null;

function signedIn(info: UserInfo): UserInfo {
  user = info;
  claimTab(info.name);
  setRequestToken(info.request_token);
  localStorage.setItem(NAME_KEY, info.name);
  return info;
}

/** Ends the session on the server as far as that is possible; the console forgets it in any case. */
async function endSession(): Promise<void> {
  await settled(call(sessionRoutes.logout, {}, { quiet: true }));
  localStorage.removeItem(NAME_KEY);
}

async function ask(): Promise<UserInfo | null> {
  const info = await settled(call(sessionRoutes.userInfo, {}, { quiet: true }));
  if (info.ok) {
    return signedIn(info.data);
  }
  // 401 says that nobody is signed in: no failure. Anything else is told, and an answer of the server ends
  // the session (spec §2, route guard); without one nobody knows, and it lives on (decisions/0015).
  const { code, message } = info.error;
  if (code !== LOGGED_OUT) {
    if (code !== null) {
      await endSession();
    }
    notify({ kind: "error", text: message });
  }
  const answered = asking;
  setTimeout(() => {
    // Not what was asked since, after signing in.
    if (asking === answered) {
      asking = null;
    }
  }, NOBODY_MS);
  return null;
}

/** The signed-in operator, asked once; null when nobody is. */
export function loadSession(): Promise<UserInfo | null> {
  if (user !== null) {
    return Promise.resolve(user);
  }
  asking ??= ask();
  return asking;
}

/** What the login call answered has to be followed by asking anew who is signed in. */
export function forgetSession(): void {
  user = null;
  asking = null;
}

/**
 * Logs out and reloads: the guard then leads to the login page and, after it, back here. Until then
 * the page stays as it is.
 */
export async function signOutAndReload(): Promise<void> {
  await endSession();
  window.location.reload();
}

/** The operator's own wish to log out: where the server cannot be reached, the session lives on. */
export async function logOut(): Promise<void> {
  const ended = await settled(call(sessionRoutes.logout, {}, { quiet: true }));
  if (!ended.ok && ended.error.code === null) {
    notify({ kind: "error", text: ended.error.message });
    return;
  }
  localStorage.removeItem(NAME_KEY);
  dropAllKept();
  window.location.reload();
}

/**
 * The operator, inside pages that the guard protects. It never changes while a page is open:
 * signing in and out both leave it.
 */
export function useUser(): UserInfo {
  if (user === null) {
    throw new Error("a protected page was shown without a session");
  }
  return user;
}

/** May the operator do this? The server decides; the console only spares a refused attempt. */
export function useMay(permission: Permission): boolean {
  return useUser().permissions.includes(permission);
}
