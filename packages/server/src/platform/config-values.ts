/** How the texts of the environment are read; each parser answers null for what it refuses. */
import { createHash } from "node:crypto";
import { isIP } from "node:net";
import * as z from "zod/mini";

export const SECRET_KEY_LENGTH_MIN = 32;

type Parse<T> = (text: string) => T | null;

function parsed<T>(parse: Parse<T>, fault: (text: string) => string) {
  return z.pipe(
    z.string(),
    z.transform((text, context): T => {
      const value = parse(text);
      if (value === null) {
        context.issues.push({ code: "custom", input: "", message: fault(text) });
        return z.NEVER;
      }
      return value;
    }),
  );
}

/** A variable; its fault shows the text that was given and says what is `wanted` instead. */
export function variable<T>(wanted: string, parse: Parse<T>) {
  return parsed(parse, (text) => `is "${text}": ${wanted}`);
}

/** A variable that may hold a secret; its fault does not show what was given. */
export function secret<T>(fault: string, parse: Parse<T>) {
  return parsed(parse, () => fault);
}

export function wholeNumber(min: number, max: number) {
  return variable(`give a whole number from ${min} to ${max}`, (text) => {
    const value = Number(text);
    return /^\d{1,9}$/.test(text) && value >= min && value <= max ? value : null;
  });
}

export function oneOf<const T extends string>(...choices: readonly T[]) {
  return variable(
    `give one of ${choices.join(", ")}`,
    (text) => choices.find((choice) => choice === text) ?? null,
  );
}

/** A text of 1 to `max` characters without blanks at its ends and without control characters. */
export function printableText(max: number): Parse<string> {
  return (text) =>
    text.trim() === text && text.length <= max && !/\p{Cc}/u.test(text) ? text : null;
}

export function parseHost(text: string): string | null {
  return isIP(text) > 0 || /^[a-z\d]([\w.-]*[a-z\d])?$/i.test(text) ? text : null;
}

function asUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}

export function parsePostgresUrl(text: string): string | null {
  return /^postgres(ql)?:$/.test(asUrl(text)?.protocol ?? "") ? text : null;
}

/** Does an address with this host, as in a URL, stay on this machine? */
export function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d{1,3}){3}$/.test(hostname)
  );
}

/** Payouts leave the machine sealed, or not at all; answers the address without a slash at its end. */
export function parseWalletUrl(text: string): string | null {
  const url = asUrl(text);
  if (url === null || url.username !== "" || url.password !== "") {
    return null;
  }
  const isSafe =
    url.protocol === "https:" || (url.protocol === "http:" && isLoopback(url.hostname));
  return isSafe && url.search === "" && url.hash === "" ? url.href.replace(/\/+$/, "") : null;
}

export function parseTimeZone(text: string): string | null {
  // Intl also takes offsets such as +08:00, which PostgreSQL reads with the opposite sign.
  if (!/^[A-Za-z][\w+-]*(\/[\w+-]+)*$/.test(text)) {
    return null;
  }
  try {
    new Intl.DateTimeFormat("en", { timeZone: text }).format();
    return text;
  } catch {
    return null;
  }
}

function isProxyAddress(text: string): boolean {
  const [address = "", bits, ...rest] = text.split("/");
  const bitsMax = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  const isBitsGood = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= bitsMax);
  return (bitsMax > 0 && isBitsGood && rest.length === 0) || text === "loopback";
}

/** `off`, a count of proxies, or a list of addresses, ranges and `loopback`. */
export function parseTrustProxy(text: string): false | number | string[] | null {
  if (text === "off") {
    return false;
  }
  if (/^[1-9]$/.test(text)) {
    return Number(text);
  }
  const addresses = text.split(",").map((address) => address.trim());
  return addresses.every(isProxyAddress) ? addresses : null;
}

/** 32 bytes out of any text that is long enough. */
export function parseSecretKey(text: string): Buffer | null {
  return text.length < SECRET_KEY_LENGTH_MIN ? null : createHash("sha256").update(text).digest();
}
