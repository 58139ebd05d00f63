/** The id that a body repeats must be the one of the address (behaviour §1, §11). */
import { badInput } from "@red/contract/errors";
import { text } from "@red/contract/texts";
import type { Language } from "@red/contract/texts";

/** Throws bad_input, naming the field, when a value of `repeated` is set and differs from `id`. */
export function requireSameId(
  id: number,
  repeated: Readonly<Record<string, number | undefined>>,
  language: Language,
): void {
  const wrong = Object.entries(repeated).find(([, sent]) => sent !== undefined && sent !== id);
  if (wrong !== undefined) {
    throw badInput([{ field: wrong[0], msg: text("id_differs", language) }]);
  }
}
