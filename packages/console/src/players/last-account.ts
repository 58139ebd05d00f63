let last = "";

export function lastAccount(): string {
  return last;
}

export function rememberAccount(account: string): void {
  last = account;
}
