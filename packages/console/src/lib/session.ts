/**
 * Who is signed in. The access token is in a cookie that scripts cannot read, so being signed in is
 * known by asking (spec §6, behaviour §1); only the display name is kept, in local storage.
 */
import { LOGGED_OUT } from "@red/contract/envelope";
import { sessionRoutes } from "@red/contract/session";
import type { Permission, UserInfo } from "@red/contract/session";
import { useSyncExternalStore } from "react";
import { ApiError, call, setRequestToken } from "./api.ts";
import { tr } from "./language.ts";
import { notify } from "./notices.ts";

const NAME_KEY = "name";

let user: UserInfo | null = null;
let asking: Promise<UserInfo | null> | null = null;
const listeners = new Set<() => void>();

function setUser(next: UserInfo | null): void {
  user = next;
  setRequestToken(next?.request_token ?? null);
  if (next === null) {
    localStorage.removeItem(NAME_KEY);
  } else {
    localStorage.setItem(NAME_KEY, next.name);
  }
  listeners.forEach((listener) => listener());
}

/** Ends the session on the server as far as that is possible; the console forgets it in any case. */
async function endSession(): Promise<void> {
  try {
    await call(sessionRoutes.logout, {}, { quiet: true });
  } catch {
    // Already gone, or unreachable: there is nothing left to end from here.
  }
  setUser(null);
  asking = null;
}

async function ask(): Promise<UserInfo | null> {
  try {
    setUser(await call(sessionRoutes.userInfo, {}, { quiet: true }));
    return user;
  } catch (error) {
    // 401 says that nobody is signed in: no failure. Anything else ends the session and is told
    // (spec §2, route guard).
    if (!(error instanceof ApiError && error.code === LOGGED_OUT)) {
      await endSession();
      const text = error instanceof ApiError ? error.message : tr("lib:user_info_failed");
      notify({ kind: "error", text });
    }
    asking = null;
    return null;
  }
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

/** Logs out and reloads: the guard then leads to the login page and, after it, back here. */
export async function signOutAndReload(): Promise<void> {
  await endSession();
  window.location.reload();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

/** The operator, inside pages that the guard protects. */
export function useUser(): UserInfo {
  const current = useSyncExternalStore(subscribe, () => user);
  if (current === null) {
    throw new Error("a protected page was shown without a session");
  }
  return current;
}

/** May the operator do this? The server decides; the console only spares a refused attempt. */
export function useMay(permission: Permission): boolean {
  return useUser().permissions.includes(permission);
}
