/** Parses the text as JSON. Returns null if the text is missing or not JSON. */
export function jsonOrNull(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}
