/** Which pages a pager names. */

/** A page's number, or a gap where some are left out. */
export type PageMark = number | "before" | "after";

/** Beyond the first and the last, only the neighbours of the open page are named. */
export function pageMarks(page: number, last: number): PageMark[] {
  const named = [1, page - 1, page, page + 1, last].filter((one) => one >= 1 && one <= last);
  const marks: PageMark[] = [];
  let before = 0;
  for (const one of new Set(named.toSorted((a, b) => a - b))) {
    if (one - before === 2) {
      // A gap of one page is no shorter than its number.
      marks.push(one - 1);
    } else if (one - before > 2) {
      marks.push(one <= page ? "before" : "after");
    }
    marks.push(one);
    before = one;
  }
  return marks;
}

/** The page that a typed text asks for, the nearest that there is; null when it names none. */
export function pageAsked(text: string, last: number): number | null {
  const digits = text.normalize("NFKC").trim();
  return /^\d{1,9}$/.test(digits) ? Math.min(Math.max(Number(digits), 1), last) : null;
}
