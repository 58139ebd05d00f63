/** Random behaviour of the demo platform's players, and the amounts that they move. */

/** Whole yuan of deposits; usual ones are repeated. */
const DEPOSITS = [20, 30, 50, 50, 50, 100, 100, 100, 100, 200, 200, 300, 500, 500, 1000] as const;

export function between(least: number, most: number): number {
  return least + Math.floor(Math.random() * (most - least + 1));
}

export function pick<T>(list: readonly [T, ...T[]] | readonly T[]): T | undefined {
  return list[between(0, list.length - 1)];
}

/** Cents of a deposit: round, except for a few odd amounts. */
export function depositCents(): number {
  const odd = Math.random() < 0.1 ? between(1, 99) : 0;
  return (pick(DEPOSITS) ?? 100) * 100 + odd;
}

/** Cents of a valid bet: 5.00 … about 250.00, small ones more often. */
export function betCents(): number {
  return 500 + Math.floor(24_500 * Math.random() ** 3);
}
