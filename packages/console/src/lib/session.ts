/**
 * The signed-in operator. Scripts cannot read the cookie with the token, so the console asks the server (spec §6,
 * behaviour §1). Local storage holds only the display name.
 */
import { LOGGED_OUT } from "@red/contract/platform/envelope";
import { sessionRoutes } from "@red/contract/identity/session";
import type { Permission } from "@red/contract/platform/permissions";
import type { UserInfo } from "@red/contract/identity/session";
import { useSyncExternalStore } from "react";
import { call, setRequestToken, settled } from "./api.ts";
import { notify, onNotice } from "./notices.ts";
import { changes } from "./store.ts";
import { claimTab, dropAllKept } from "./tab-state.ts";

const NAME_KEY = "name";
/**
 * The route guard asks again while it redirects to the login page. The result "nobody is signed in" is cached for this
 * time.
 */
const NOBODY_MS = 1_000;

let user: UserInfo | null = null;
let asking: Promise<UserInfo | null> | null = null;
export const { subscribe: onUserChange, announce } = changes();

function signedIn(info: UserInfo): UserInfo {
  user = info;
  claimTab(info.name);
  setRequestToken(info.request_token);
  localStorage.setItem(NAME_KEY, info.name);
  return info;
}

/** Ends the session in the console, and also on the server if the server can be reached. */
async function endSession(): Promise<void> {
  await settled(call(sessionRoutes.logout, {}, { quiet: true }));
  localStorage.removeItem(NAME_KEY);
}

async function ask(): Promise<UserInfo | null> {
  const info = await settled(call(sessionRoutes.userInfo, {}, { quiet: true }));
  if (info.ok) {
    return signedIn(info.data);
  }
  // Code 401 means that nobody is signed in. Any other error code ends the session (spec §2, route guard). Without a
  // response the session continues (decisions/0015).
  const { code, message } = info.error;
  if (code !== LOGGED_OUT) {
    if (code !== null) {
      await endSession();
    }
    notify({ kind: "error", text: message });
  }
  const answered = asking;
  setTimeout(() => {
    // Keeps a newer request that was made after signing in.
    if (asking === answered) {
      asking = null;
    }
  }, NOBODY_MS);
  return null;
}

/** Returns the signed-in operator, or null. The server is asked only once. */
export function loadSession(): Promise<UserInfo | null> {
  if (user !== null) {
    return Promise.resolve(user);
  }
  asking ??= ask();
  return asking;
}

// A rejected call or the bell shows that the roles have changed. Pages that depend on the permissions then render again
// (behaviour §9).
onNotice("not_permitted", () => {
  void settled(call(sessionRoutes.userInfo, {}, { quiet: true }).then(signedIn).then(announce));
});

/** Call it after logging in: the next `loadSession` asks the server again. */
export function forgetSession(): void {
  user = null;
  asking = null;
}

/**
 * Logs out and reloads the page. The route guard opens the login page, which returns to this page after the next
 * sign-in.
 */
export async function signOutAndReload(): Promise<void> {
  await endSession();
  window.location.reload();
}

/** Logs out at the operator's request. If the server cannot be reached, the session continues. */
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

/** Returns the operator on pages behind the route guard. While such a page is open, only the permissions can change. */
export function useUser(): UserInfo {
  const known = useSyncExternalStore(onUserChange, () => user);
  if (known === null) {
    throw new Error("a protected page was shown without a session");
  }
  return known;
}

/** Returns whether the operator has the permission. Use it to avoid calls that the server would reject. */
export function useMay(permission: Permission): boolean {
  return useUser().permissions.includes(permission);
}
