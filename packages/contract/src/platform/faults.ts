/** Converts the issues of a failed parse to errors by field, in the caller's language. */
import type { FieldFault } from "./envelope.ts";
import type { TextValues } from "./errors.ts";
import { isTextKey, text } from "./texts.ts";
import type { Language, TextKey } from "./texts.ts";

interface Issue {
  readonly code?: string | undefined;
  readonly path?: readonly PropertyKey[] | undefined;
  readonly message: string;
  readonly keys?: readonly string[];
}

function unpack(message: string): { key: TextKey | null; values: TextValues } {
  const [key = "", ...pairs] = message.split("|");
  const values = Object.fromEntries(pairs.map((pair) => pair.split("=", 2) as [string, string]));
  return { key: isTextKey(key) ? key : null, values };
}

/** Display names of fields; a field without a display name keeps its API name. */
type Labels = Readonly<Record<string, string>>;

/** Returns the label of a field or of a list column. In a list, the label includes the position, starting at 1. */
function shownAs(field: string, labels: Labels): string {
  const [head = "", at, column = head] = field.split(".");
  const label = Object.hasOwn(labels, column) ? labels[column] : undefined;
  if (label === undefined) {
    return field;
  }
  return at === undefined ? label : `${label} #${Number(at) + 1}`;
}

function faultOf(issue: Issue, language: Language, labels: Labels): FieldFault[] {
  const field = (issue.path ?? []).map(String).join(".");
  if (issue.code === "unrecognized_keys") {
    return (issue.keys ?? []).map((unknown) => ({
      field: field === "" ? unknown : `${field}.${unknown}`,
      msg: text("unknown_field", language, { field: unknown }),
    }));
  }
  const { key, values } = unpack(issue.message);
  const named = field === "" ? "body" : field;
  const shown = shownAs(named, labels);
  if (key === null) {
    const fallback = field === "" ? "body_not_object" : "required";
    return [{ field: named, msg: text(fallback, language, { field: shown }) }];
  }
  return [{ field: named, msg: text(key, language, { field: shown, ...values }) }];
}

/** Returns at least one error. The errors are in the order of the schema's fields; unknown fields come last. */
export function faultsOf(
  issues: readonly Issue[],
  language: Language = "zh",
  labels: Labels = {},
): [FieldFault, ...FieldFault[]] {
  const [first, ...rest] = issues.flatMap((issue) => faultOf(issue, language, labels));
  return [first ?? { field: "body", msg: text("body_not_object", language) }, ...rest];
}
