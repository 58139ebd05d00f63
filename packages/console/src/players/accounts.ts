interface AccountLine {
  readonly user_name: string;
  readonly expire_time: string | null;
}

/* Characters between accounts: commas and semicolons (also full-width), tabs and spaces. */
const BETWEEN = /[\s,;，；、]+/u;
/* A date after an account, with or without a time, as people type it or a spreadsheet writes it. */
const EXPIRY =
  /(?<=[\s,;，；、])(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2}))?)?(?=[\s,;，；、]|$)/u;

/** Returns the expiry in the format of the API. A date without a time means the last second of that day. */
function expiryIn([, year, month, day, hour, minute, second]: RegExpExecArray): string {
  const two = (digits: string | undefined) => (digits ?? "0").padStart(2, "0");
  const clock = hour === undefined ? "23:59:59" : [hour, minute, second].map(two).join(":");
  return `${year}-${two(month)}-${two(day)} ${clock}`;
}

export function namesIn(text: string): string[] {
  return text.split(BETWEEN).filter((name) => name !== "");
}

function withoutExpiry(text: string): AccountLine[] {
  return namesIn(text).map((user_name) => ({ user_name, expire_time: null }));
}

function accountsOfLine(line: string): AccountLine[] {
  const match = EXPIRY.exec(line);
  const before = match === null ? [] : withoutExpiry(line.slice(0, match.index));
  const previous = before.at(-1);
  if (match === null || previous === undefined) {
    return withoutExpiry(line);
  }
  return [
    ...before.slice(0, -1),
    { ...previous, expire_time: expiryIn(match) },
    ...accountsOfLine(line.slice(match.index + match[0].length)),
  ];
}

/**
 * Reads accounts that are separated by lines, commas, semicolons (also full-width), tabs or spaces. Repeated accounts
 * stay in the list, because only the server knows which accounts are the same.
 */
export function accountsOf(text: string): AccountLine[] {
  return text.split(/[\r\n]+/).flatMap(accountsOfLine);
}

export function listOf(lines: readonly AccountLine[]) {
  const user_names = lines.map(({ user_name }) => user_name);
  return lines.every(({ expire_time }) => expire_time === null)
    ? { user_names }
    : { user_names, expire_times: lines.map(({ expire_time }) => expire_time) };
}
