/** Random choices; a seed always gives the same ones (mulberry32). */
export function diceOf(seed: number) {
  let state = seed;
  /** From 0 to below `end`. */
  const below = (end: number): number => {
    state = (state + 0x6d_2b_79_f5) | 0;
    let word = Math.imul(state ^ (state >>> 15), 1 | state);
    word = (word + Math.imul(word ^ (word >>> 7), 61 | word)) ^ word;
    return Math.floor((((word ^ (word >>> 14)) >>> 0) / 2 ** 32) * end);
  };
  // Callers never give an empty list.
  const oneOf = <T>(list: readonly T[]): T => list[below(list.length)] as T;
  return { below, oneOf };
}
