import { listSearchOf } from "#lib/search.ts";

export const QUERY_SEARCH = listSearchOf([
  "start_date",
  "rounds_name",
  "achieve_start_time",
  "achieve_end_time",
  "type",
  "user_name",
]);
type Filter = ReturnType<typeof QUERY_SEARCH.filter>;

type Asked = Readonly<Required<Omit<Filter, "type">>> & {
  readonly type?: string | undefined;
};

/** The filter in the address; null while a required field is missing. */
export function askedOf(search: Filter): Asked | null {
  const { start_date, rounds_name, achieve_start_time, achieve_end_time, type, user_name } = search;
  if (
    start_date === undefined ||
    rounds_name === undefined ||
    achieve_start_time === undefined ||
    achieve_end_time === undefined ||
    user_name === undefined
  ) {
    return null;
  }
  return { start_date, rounds_name, achieve_start_time, achieve_end_time, type, user_name };
}
