/** Writes the test wallet's answers, right and wrong ones. */
import type { ServerResponse } from "node:http";
import type { Show } from "./modes.ts";

export interface Word {
  readonly status: "paid" | "refused" | "processing";
  readonly trans_sn: string;
  readonly amount: string;
  readonly reason?: string;
  readonly wallet_ref?: string;
}

const AGAIN_MS = 5;
const POUR_MS = 10;

function onePlus(amount: string): string {
  const cents = String(BigInt(amount.replace(".", "")) + 1n).padStart(3, "0");
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
}

/** Answers the value as JSON; a text as it is. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: object | string,
  more: object = {},
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...more }).end(text);
}

function sayAgain(response: ServerResponse, text: string): void {
  const { socket } = response;
  const repeated = [
    "HTTP/1.1 200 OK",
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
    "",
    text,
  ].join("\r\n");
  response.on("finish", () => setTimeout(() => socket?.write(repeated), AGAIN_MS));
}

/** Sends without end, until the caller leaves. */
function pour(response: ServerResponse): void {
  const part = " ".repeat(65_536);
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(part), POUR_MS);
  response.on("close", () => clearInterval(timer));
}

function drip(response: ServerResponse, text: string, seconds: number): void {
  response.writeHead(200, { "content-type": "application/json" });
  let at = 0;
  const timer = setInterval(() => {
    response.write(at < text.length ? text.charAt(at) : " ");
    at += 1;
  }, seconds * 1000);
  response.on("close", () => clearInterval(timer));
}

/** Sends `word` as `show` says; some ways never end the answer. */
export function showWord(response: ServerResponse, show: Show, word: Word, seconds: number): void {
  const text = JSON.stringify(word);
  switch (show) {
    case "plain":
    case "refused":
    case "processing":
      return answerJson(response, 200, text);
    case "late":
      return void setTimeout(() => answerJson(response, 200, text), seconds * 1000);
    case "hang":
      return;
    case "drop":
      return void response.destroy();
    case "error_500":
      return answerJson(response, 500, { error: "internal" });
    case "html":
      return void response
        .writeHead(200, { "content-type": "text/html" })
        .end("<html><body>Please sign in to continue</body></html>");
    case "wrong_trans_sn":
      return answerJson(response, 200, { ...word, status: "paid", trans_sn: "another" });
    case "wrong_amount":
      return answerJson(response, 200, { ...word, status: "paid", amount: onePlus(word.amount) });
    case "redirect": {
      const query = new URLSearchParams({ trans_sn: word.trans_sn, amount: word.amount });
      return answerJson(response, 302, "", { location: `/elsewhere?${query.toString()}` });
    }
    case "slow_body":
      return drip(response, text, seconds);
    case "truncated_json":
      return answerJson(response, 200, text.slice(0, -3));
    case "empty_body":
      return answerJson(response, 200, "");
    case "rate_limited":
      return answerJson(response, 429, "{}", { "retry-after": String(seconds) });
    case "twice":
      sayAgain(response, text);
      return answerJson(response, 200, text);
    case "endless_body":
      return pour(response);
    case "duplicate":
      return answerJson(response, 409, { code: "duplicate" });
    case "skewed_clock":
      return answerJson(response, 401, { code: "timestamp_out_of_range" });
    case "business_error":
      return answerJson(response, 200, { code: 10_500, msg: "system busy" });
    default:
      return show satisfies never;
  }
}
