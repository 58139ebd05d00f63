/**
 * Values that have broken other systems: numbers, texts and times as they come off the wire. Every value is
 * the JSON token itself, since some cannot be written any other way (`1e400`, `-0`, 2^53 + 1).
 */

/** A value with a name for reports. */
export interface Odd {
  readonly label: string;
  /** The token as it stands in the body. */
  readonly json: string;
}

const NINES = "9".repeat(309);

/** Tokens of JSON numbers. */
const NUMBERS = [
  "0",
  "-0",
  "1",
  "-1",
  "1.0",
  "1.5",
  "-1.5",
  "0.1",
  "0.30000000000000004",
  "1.005",
  "8.88",
  "1e0",
  "1e2",
  "1E-2",
  "5e-324",
  "1e21",
  "1e308",
  "1e400",
  "-1e400",
  "32767",
  "32768",
  "2147483647",
  "2147483648",
  "-2147483649",
  "4294967296",
  "999999999999.99",
  "9007199254740991",
  "9007199254740992",
  "9007199254740993",
  "-9007199254740993",
  "9223372036854775807",
  "9223372036854775808",
  "18446744073709551616",
  NINES,
  `-${NINES}`,
  `0.${"0".repeat(400)}1`,
];

/** Numbers as somebody might type them. */
const NUMBER_TEXTS = [
  "0",
  "-0",
  "-1",
  "+1",
  "007",
  "00",
  "1.0",
  "1.",
  ".5",
  "1.5",
  "8.88",
  "1.005",
  "1.234",
  "0.1",
  "1e3",
  "1E3",
  "1e400",
  "0x10",
  "0b11",
  "0o17",
  "1_000",
  "1,000",
  "1.000,00",
  "1'000",
  "1 000",
  "１２",
  "٣",
  "१२",
  "²",
  "½",
  "Ⅷ",
  "一",
  "①",
  "1\u00a0",
  "−1",
  "1\u0000",
  "\u200b1",
  "1\u202e2",
  "NaN",
  "Infinity",
  "-Infinity",
  "null",
  "undefined",
  "true",
  "abc",
  "12abc",
  "--1",
  "1-",
  "$1",
  "¥1",
  "1%",
  "1;",
  "1' or '1'='1",
  "32768",
  "2147483648",
  "9007199254740991",
  "9007199254740992",
  "9223372036854775808",
  NINES,
  `0.${"0".repeat(400)}1`,
];

/** Spaces around a number that is right by itself. */
const SPACED = [" 1 ", "1 ", "\t1", "1\n"];

/** Short texts, each of which is one character of trouble or another. */
export const TROUBLE_TEXTS: Readonly<Record<string, string>> = {
  plain: "abc",
  chinese: "周末红包",
  script: "<script>alert(1)</script>",
  "image handler": '"><img src=x onerror=alert(1)>',
  "script address": "javascript:alert(1)",
  "html entity": "&lt;b&gt;&#0;",
  template: "{{constructor.constructor('return 1')()}}",
  placeholder: "{field} {first}",
  "packed message": "too_long|max=1",
  "sql quote": "'; drop table prize; --",
  "sql comment": "x'/**/or/**/1=1#",
  "like wildcards": "%_\\%",
  backslash: "a\\b",
  "backslash at the end": "a\\",
  "array literal": "{a,b}",
  "quoted array literal": '{"a","b\\"}',
  "null element": "{NULL}",
  json: '{"a":1}',
  "double quotes": 'a"b',
  "percent code": "%00%0a",
  "formula =": "=1+1",
  "formula +": "+1",
  "formula @": "@SUM(1)",
  path: "../../etc/passwd",
  shell: "$(id) `id` | id",
  format: "%s%n%d",
  "word null": "null",
  "word undefined": "undefined",
  "word true": "true",
  "word NaN": "NaN",
  "object text": "[object Object]",
  proto: "__proto__",
  constructor: "constructor",
  prototype: "prototype",
  toString: "toString",
  hasOwnProperty: "hasOwnProperty",
  "number text": "123",
  negative: "-1",
  composed: "\u00e9",
  decomposed: "e\u0301",
  "hangul decomposed": "\u1112\u1161\u11ab",
  compatibility: "ﬁ①Å",
  "full width": "ＡＢＣ",
  "german s": "straße",
  "turkish i": "İstanbul ı",
  "greek sigma": "Σίσυφος",
  "cyrillic twin": "раураl",
  arabic: "مرحبا",
  hebrew: "שלום",
  thai: "สวัสดี",
  devanagari: "नमस्ते",
  emoji: "🧧",
  "emoji family": "👨\u200d👩\u200d👧\u200d👦",
  "emoji flag": "🇨🇳",
  "emoji flag of a region": "\u{1f3f4}\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "emoji with its form": "\u2764\ufe0f",
  persian: "می\u200cخواهم",
  "emoji skin": "👍🏽",
  "rare han": "𠮷𡈽",
  "han with its form": "葛\u{e0100}",
  "private use": "\ue000",
  "zero width joiner": "a\u200db",
  "inner spaces": "a  b",
  "inner no-break space": "a\u00a0b",
  "inner ideographic space": "a\u3000b",
  "variation selector": "a\ufe0fb",
  "replacement character": "a\ufffdb",
  "combining marks": `a${"\u0301".repeat(40)}`,
};

/** Texts with one character that nobody sees, between or without others: no name, and good as any other text. */
export const INVISIBLE_TEXTS: Readonly<Record<string, string>> = {
  "soft hyphen": "a\u00adb",
  "grapheme joiner": "a\u034fb",
  "arabic letter mark": "a\u061cb",
  "zero width space": "a\u200bb",
  "left-to-right mark": "a\u200eb",
  "line separator": "a\u2028b",
  "word joiner": "a\u2060b",
  "byte order mark inside": "a\ufeffb",
  "tag character": "a\u{e0061}b",
  "joiner beside a space": "a \u200db",
  "second variation selector": "a\ufe0f\ufe0eb",
  "hangul filler": "\u3164",
  "half-width hangul filler": "\uffa0",
  "empty braille": "\u2800",
};

/** Texts that are one word once what nobody sees is taken from around it. */
export const AROUND_TEXTS: Readonly<Record<string, string>> = {
  "zero width spaces around": "\u200bbare1\u200b",
  "byte order mark before": "\ufeffbare2",
  "direction embedded": "\u202abare3\u202c",
  "direction isolated": "\u2068bare4\u2069",
  "marks and spaces around": "\u200e \u2060bare5\u00ad\t\u200d",
};

/** Texts of nothing but what is taken away. */
export const EMPTY_TEXTS: Readonly<Record<string, string>> = {
  "zero width space alone": "\u200b",
  "invisible ones and spaces": " \u200b\u2060\u200d\ufeff ",
};

/** Texts with a character that no name may hold. */
export const UNPRINTABLE_TEXTS: Readonly<Record<string, string>> = {
  NUL: "a\u0000b",
  "NUL alone": "\u0000",
  bell: "a\u0007b",
  "tab inside": "a\tb",
  "line feed inside": "a\nb",
  "carriage return inside": "a\rb",
  "escape sequence": "a\u001b[31mb",
  delete: "a\u007fb",
  "next line": "a\u0085b",
  "high surrogate": "a\ud800b",
  "low surrogate": "a\udc00b",
  "swapped surrogates": "a\udc00\ud800b",
  "right-to-left override": "a\u202eb",
  "left-to-right override": "a\u202db",
  "right-to-left isolate": "a\u2067b",
  noncharacter: "a\uffffb",
  "swapped byte order mark": "a\ufffeb",
};

/** Texts of nothing but spaces. */
export const BLANK_TEXTS: Readonly<Record<string, string>> = {
  "one space": " ",
  spaces: "   ",
  "tabs and line feeds": "\t\n",
  "no-break space": "\u00a0",
  "ideographic space": "\u3000",
  "byte order mark": "\ufeff",
};

/** What stands where a text, a number, a list or an object is wanted. */
export const WRONG_TYPES: Readonly<Record<string, string>> = {
  number: "7",
  fraction: "7.5",
  true: "true",
  false: "false",
  "empty list": "[]",
  "list of a text": '["a"]',
  "nested list": "[[]]",
  object: "{}",
  "object with a value": '{"value":"a"}',
  "prototype object": '{"__proto__":{"admin":true}}',
};

/** Readings of a clock that are no `yyyy-MM-dd HH:mm:ss`, or no real time. */
export const NO_DATE_TIMES: readonly string[] = [
  "2026-11-20",
  "2026-11-20T20:00:00",
  "2026-11-20T20:00:00Z",
  "2026-11-20T20:00:00+08:00",
  "2026-11-20 20:00",
  "2026-11-20 20:00:00.5",
  "2026-11-20  20:00:00",
  " 2026-11-20 20:00:00",
  "2026-11-20 20:00:00 ",
  "2026-11-20 20:00:00Z",
  "2026-11-20 8:00:00",
  "26-11-20 20:00:00",
  "2026/11/20 20:00:00",
  "20-11-2026 20:00:00",
  "11/20/2026 20:00:00",
  "2026-00-20 20:00:00",
  "2026-13-20 20:00:00",
  "2026-11-00 20:00:00",
  "2026-11-31 20:00:00",
  "2026-02-29 00:00:00",
  "2100-02-29 00:00:00",
  "2026-11-20 24:00:00",
  "2026-11-20 23:60:00",
  "2026-11-20 23:59:60",
  "0000-01-01 00:00:00",
  "0001-01-01 00:00:00",
  "1900-02-29 00:00:00",
  "9999-12-31 23:59:59",
  "10000-01-01 00:00:00",
  "-2026-11-20 20:00:00",
  "２０２６-11-20 20:00:00",
  "2026-11-20 20:00:00\u0000",
  "now",
  "infinity",
  "-infinity",
  "today",
  "epoch",
  "0",
  "1763640000",
  "NaN",
  "Invalid Date",
  "null",
  "<script>alert(1)</script>",
];

/** Texts that are no RFC 3339 instant, or no real one. */
export const NO_INSTANTS: readonly string[] = [
  "2024-05-10",
  "2024-05-10 12:00:00",
  "2024-05-10T12:00:00",
  "2024-05-10T12:00Z",
  "2024-05-10T12:00:00+0800",
  "2024-05-10T12:00:00+08",
  "2024-05-10T12:00:00 08:00",
  "2024-05-10T12:00:00.Z",
  "2024-05-10T12:00:00,5Z",
  "2024-05-10T24:00:00Z",
  "2024-05-10T12:60:00Z",
  "2024-05-10T12:00:60Z",
  "2024-13-10T12:00:00Z",
  "2024-04-31T12:00:00Z",
  "2023-02-29T12:00:00Z",
  "2024-05-10T12:00:00+24:00",
  "2024-05-10T12:00:00+08:60",
  "0000-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "10000-01-01T00:00:00Z",
  "+002024-05-10T12:00:00Z",
  " 2024-05-10T12:00:00Z",
  "2024-05-10T12:00:00Z ",
  "２０２４-05-10T12:00:00Z",
  "1715313600",
  "now",
  "infinity",
  "null",
];

function shown(text: string): string {
  return text.length > 24 ? `${text.slice(0, 21)}…` : text;
}

function tokens(kind: string, values: readonly string[], quote: boolean): Odd[] {
  return values.map((value) => {
    const json = quote ? JSON.stringify(value) : value;
    return { label: `${kind} ${shown(json)}`, json };
  });
}

export const ODD_NUMBERS: readonly Odd[] = tokens("number", NUMBERS, false);
export const ODD_NUMBER_TEXTS: readonly Odd[] = tokens("text", NUMBER_TEXTS, true);
export const SPACED_NUMBERS: readonly Odd[] = tokens("text", SPACED, true);
