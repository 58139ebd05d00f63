/** Reads accounts from a pasted list. */

/** An account of the list, and the expiry that stands behind it; null without one. */
interface AccountLine {
  readonly user_name: string;
  readonly expire_time: string | null;
}

/* Between accounts: commas and semicolons (also full-width ones), tabs, spaces. */
const BETWEEN = /[\s,;，；、]+/u;
/* Behind an account: a day, or a day and a time, as people and spreadsheets write them. */
const EXPIRY =
  /(?<=[\s,;，；、])(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?(?=[\s,;，；、]|$)/u;

/** As calls write it; a day alone ends with its last second. */
function expiryIn([, year, month, day, hour, minute, second]: RegExpExecArray): string {
  const two = (digits: string | undefined) => (digits ?? "0").padStart(2, "0");
  const clock = hour === undefined ? "23:59:59" : [hour, minute, second].map(two).join(":");
  return `${year}-${two(month)}-${two(day)} ${clock}`;
}

function namesIn(text: string): AccountLine[] {
  const names = text.split(BETWEEN).filter((name) => name !== "");
  return names.map((user_name) => ({ user_name, expire_time: null }));
}

function accountsOfLine(line: string): AccountLine[] {
  const found = EXPIRY.exec(line);
  const before = found === null ? [] : namesIn(line.slice(0, found.index));
  const last = before.at(-1);
  if (found === null || last === undefined) {
    return namesIn(line);
  }
  return [
    ...before.slice(0, -1),
    { ...last, expire_time: expiryIn(found) },
    ...accountsOfLine(line.slice(found.index + found[0].length)),
  ];
}

/**
 * One per line, or parted by commas, semicolons (also full-width ones), tabs or spaces; as often as the
 * list has them, for the server knows which are the same.
 */
export function accountsOf(text: string): AccountLine[] {
  return text.split(/[\r\n]+/).flatMap(accountsOfLine);
}

/** The list as calls take it. */
export function listOf(lines: readonly AccountLine[]) {
  const user_names = lines.map(({ user_name }) => user_name);
  return lines.every(({ expire_time }) => expire_time === null)
    ? { user_names }
    : { user_names, expire_times: lines.map(({ expire_time }) => expire_time) };
}
