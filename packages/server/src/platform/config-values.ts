import { createHash } from "node:crypto";
import { isIP } from "node:net";
import * as z from "zod/mini";

export const SECRET_KEY_LENGTH_MIN = 32;

/** Checks a variable. The error shows the value and tells what to give instead. */
export function variable(wanted: string, isGood: (text: string) => boolean) {
  const error = ({ input }: { readonly input?: unknown }) => `is "${String(input)}": ${wanted}`;
  return z.string().check(z.refine(isGood, { error }));
}

/** Like `variable`, but the error does not show the value. */
export function secret(error: string, isGood: (text: string) => boolean) {
  return z.string().check(z.refine(isGood, { error }));
}

export function wholeNumber(min: number, max: number) {
  const isGood = (text: string) =>
    /^\d{1,9}$/.test(text) && Number(text) >= min && Number(text) <= max;
  return z.pipe(
    variable(`give a whole number from ${min} to ${max}`, isGood),
    z.transform((text) => Number(text)),
  );
}

export function oneOf<const T extends string>(...choices: readonly T[]) {
  const error = ({ input }: { readonly input?: unknown }) =>
    `is "${String(input)}": give one of ${choices.join(", ")}`;
  return z.enum(choices, { error });
}

/** A text of 1 to `max` characters without whitespace at its ends and without control characters. */
export function printable(max: number) {
  return variable(
    `give 1 to ${max} characters without blanks around them`,
    (text) => text.trim() === text && text.length <= max && !/\p{Cc}/u.test(text),
  );
}

export function isHost(text: string): boolean {
  return isIP(text) > 0 || /^[a-z\d]([\w.-]*[a-z\d])?$/i.test(text);
}

export function isPostgresUrl(text: string): boolean {
  return URL.canParse(text) && /^postgres(ql)?:$/.test(new URL(text).protocol);
}

/** `hostname` has the form that URL gives it, such as `[::1]`. */
export function isLoopback(hostname: string): boolean {
  return /^(?:localhost|.*\.localhost|\[::1\]|127(?:\.\d{1,3}){3})$/.test(hostname);
}

/** Calls to other machines must use TLS. Plain http is allowed on loopback only. */
export function isCallableUrl(text: string): boolean {
  if (!URL.canParse(text)) {
    return false;
  }
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
  return isSafe && [username, password, search, hash].every((part) => part === "");
}

export function isTimeZone(text: string): boolean {
  // Intl also accepts offsets such as +08:00, but PostgreSQL reads them with the opposite sign.
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(text)) {
    return false;
  }
  try {
    new Intl.DateTimeFormat("en", { timeZone: text }).format();
    return true;
  } catch {
    return false;
  }
}

function isProxyAddress(text: string): boolean {
  const [address = "", bits = "0", ...rest] = text.split("/");
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isRange = /^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax && rest.length === 0;
  return isRange || text === "loopback";
}

const addressesOf = (text: string) => text.split(",").map((address) => address.trim());

/** Accepts `off`, the number of proxies, or a list of addresses, ranges and `loopback`. */
export const trustProxy = z.pipe(
  variable(
    "give off, how many proxies stand in front (1 to 9), or their addresses, such as 10.0.0.0/8",
    (text) => /^(?:off|[1-9])$/.test(text) || addressesOf(text).every(isProxyAddress),
  ),
  z.transform((text): false | number | string[] => {
    if (text === "off") {
      return false;
    }
    return /^[1-9]$/.test(text) ? Number(text) : addressesOf(text);
  }),
);

/** Derives a 32-byte key from any text. */
export function keyOf(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
