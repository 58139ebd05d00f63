import { badInput } from "@red/contract/errors";

/** Some of the known roles or scopes, in their order. Throws `bad_input` for none, or for an unknown one. */
export function chosen<T extends string>(
  what: string,
  known: readonly T[],
  given: readonly string[],
) {
  const unknown = given.find((one) => !known.some((other) => other === one));
  if (unknown !== undefined || given.length === 0) {
    const msg = `there is no ${what} "${unknown ?? ""}": give some of ${known.join(", ")}`;
    throw badInput([{ field: `${what}s`, msg }]);
  }
  return known.filter((one) => given.includes(one));
}
