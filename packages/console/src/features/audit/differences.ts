/** The fields that an action changed, from what the audit log holds before and after it. */

type Fields = Readonly<Record<string, unknown>>;

export interface Difference {
  /** Name of the entry of a list, such as a prize; null for a field of the object itself. */
  readonly of: string | null;
  readonly field: string;
  readonly was: string | null;
  readonly is: string | null;
}

function shown(value: unknown): string | null {
  return typeof value === "string"
    ? value
    : value === null
      ? null
      : (JSON.stringify(value) ?? null);
}

/** Entries of a list of objects with ids, such as the prizes of a pool. */
function entriesOf(value: unknown): Map<string, Fields> | null {
  if (!Array.isArray(value)) {
    return null;
  }
  const entries = value.filter(
    (one): one is Fields => typeof one === "object" && one !== null && "id" in one,
  );
  return entries.length === value.length
    ? new Map(entries.map((one) => [String(one["id"]), one]))
    : null;
}

function fieldsOf(before: Fields, after: Fields, of: string | null): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((field): Difference[] => {
    const [was, is] = [before[field], after[field]];
    const [old, now] = [entriesOf(was ?? []), entriesOf(is ?? [])];
    if (old !== null && now !== null && old.size + now.size > 0) {
      const ids = [...new Set([...now.keys(), ...old.keys()])];
      return ids.flatMap((id) => {
        const entry = now.get(id) ?? old.get(id) ?? {};
        const { id: _, ...left } = old.get(id) ?? {};
        const { id: __, ...right } = now.get(id) ?? {};
        const name = entry["award_name"] ?? entry["pool_name"] ?? id;
        return fieldsOf(left, right, shown(name));
      });
    }
    const [left, right] = [shown(was), shown(is)];
    return left === right ? [] : [{ of, field, was: left, is: right }];
  });
}

/** In the order in which the fields were written; equal ones are left out. */
export function differencesOf(before: Fields | null, after: Fields | null): Difference[] {
  return fieldsOf(before ?? {}, after ?? {}, null);
}
