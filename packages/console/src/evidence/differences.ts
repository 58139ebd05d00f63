/** Finds the fields that an action changed, from the values before and after in the audit log. */

type Fields = Readonly<Record<string, unknown>>;

export interface Difference {
  /** Name of a list entry, such as a prize. Null for a field of the object itself. */
  readonly of: string | null;
  readonly field: string;
  /** The logged value. Null: the field was missing. */
  readonly was: unknown;
  readonly is: unknown;
}

/** Returns the name of an entry, or an empty text. */
const nameOf = (one: Fields) =>
  [one["pool_name"], one["award_name"]].filter((name) => typeof name === "string").join(" · ");

/**
 * Returns the entries of a list of objects (such as prizes) by id. An entry that a plan will create has a name but no
 * id yet.
 */
function entriesOf(value: unknown): Map<unknown, Fields> | null {
  if (!Array.isArray(value)) {
    return null;
  }
  const entries = value.filter(
    (one): one is Fields =>
      typeof one === "object" && one !== null && ("id" in one || nameOf(one) !== ""),
  );
  return entries.length === value.length
    ? new Map(entries.map((one) => [one["id"] ?? one, one]))
    : null;
}

/** Returns null for an empty list, so that an empty list equals a missing field. */
function filled(value: unknown): unknown {
  return Array.isArray(value) && value.length === 0 ? null : (value ?? null);
}

function fieldsOf(before: Fields, after: Fields, of: string | null): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((field): Difference[] => {
    const [was, is] = [filled(before[field]), filled(after[field])];
    const [old, now] = [entriesOf(was ?? []), entriesOf(is ?? [])];
    if (old !== null && now !== null && old.size + now.size > 0) {
      const ids = [...new Set([...now.keys(), ...old.keys()])];
      return ids.flatMap((id) => {
        const entry = now.get(id) ?? old.get(id) ?? {};
        const { id: _, ...left } = old.get(id) ?? {};
        const { id: __, ...right } = now.get(id) ?? {};
        return fieldsOf(left, right, nameOf(entry) || String(id));
      });
    }
    const isSame = JSON.stringify(was) === JSON.stringify(is);
    return isSame && field !== "log_ids" ? [] : [{ of, field, was: isSame ? is : was, is }];
  });
}

/** Returns the differences in the order of the fields. Equal fields are left out, except `log_ids`. */
export function differencesOf(before: Fields | null, after: Fields | null): Difference[] {
  return fieldsOf(before ?? {}, after ?? {}, null);
}
