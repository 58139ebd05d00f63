/** Steps of a sign-in: the password, then a one-time code. The first code also binds the authenticator (spec §4). */
import { faultsOf } from "@red/contract/platform/faults";
import { LOGIN_CODES, loginForm, sessionRoutes } from "@red/contract/identity/session";
import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { changeBy, make, settled } from "#lib/api.ts";
import { currentLanguage } from "#lib/language.ts";
import { ownPath } from "#lib/redirect.ts";
import { usePageSearch } from "#lib/search.ts";
import { forgetSession } from "#lib/session.ts";
import { LOGIN_SEARCH } from "./search.ts";

export interface Credentials {
  username: string;
  password: string;
}

/** The dialog asks for a code, or binds an authenticator with its first code. */
export type CodeStep =
  | { readonly kind: "code" }
  | { readonly kind: "bind"; readonly qr_code: string; readonly secret: string };

export type LoginFaults = Partial<Record<keyof Credentials, string>>;

/** Returns the error of each field, or an empty object. */
export function checkCredentials(entered: Credentials): LoginFaults {
  const parsed = loginForm.safeParse(entered);
  if (parsed.success) {
    return {};
  }
  const faults = faultsOf(parsed.error.issues, currentLanguage());
  return Object.fromEntries(faults.map(({ field, msg }) => [field, msg]));
}

export function useLogin() {
  const router = useRouter();
  const [{ redirect }] = usePageSearch(LOGIN_SEARCH);
  const [busy, setBusy] = useState(false);
  const [step, setStep] = useState<CodeStep | null>(null);
  const [codeMessage, setCodeMessage] = useState<string | null>(null);

  const enter = () => {
    forgetSession();
    const base = import.meta.env.BASE_URL;
    const target = ownPath(redirect) ?? "/";
    // The parameter is a path without the base. A path with the base opens the same page.
    router.history.push(target.startsWith(base) ? target : base + target.slice(1));
  };

  /** Sends name and password, and also the code once the dialog asks for it. Returns true after the sign-in. */
  const logIn = async ({ username, password }: Credentials, code?: string): Promise<boolean> => {
    setBusy(true);
    setCodeMessage(null);
    const secret = step?.kind === "bind" ? { secret: step.secret } : {};
    const body = {
      username: username.trim(),
      password,
      pid: "2" as const,
      ...(code !== undefined && { code, ...secret }),
    };
    const answer = await settled(make(changeBy(sessionRoutes.login, { body })));
    setBusy(false);
    if (!answer.ok) {
      return false;
    }
    const { data, msg } = answer.data;
    if (answer.data.code === LOGIN_CODES.success) {
      enter();
      return true;
    }
    setStep(data !== null && "qr_code" in data ? { kind: "bind", ...data } : { kind: "code" });
    // The first 402 or 407 only asks for a code. A later 402 or 407 rejects the code that was sent.
    setCodeMessage(code === undefined ? null : msg);
    return false;
  };

  const cancelCode = () => {
    setStep(null);
    setCodeMessage(null);
  };

  return { busy, step, codeMessage, logIn, cancelCode };
}
