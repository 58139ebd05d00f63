/** The account that was asked about last, so that the next question need not name it again. */
let last = "";

export function lastAccount(): string {
  return last;
}

export function rememberAccount(account: string): void {
  last = account;
}
