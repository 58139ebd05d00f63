/** Writes the test wallet's answers, right and wrong ones. */
import type { ServerResponse } from "node:http";
import type { AnswerWay } from "./modes.ts";

export interface Answer {
  readonly status: "paid" | "refused" | "processing";
  readonly trans_sn: string;
  readonly amount: string;
  readonly reason?: string;
  readonly wallet_ref?: string;
}

const AGAIN_MS = 5;
const ENDLESS_MS = 10;

function onePlus(amount: string): string {
  const cents = String(BigInt(amount.replace(".", "")) + 1n).padStart(3, "0");
  return `${cents.slice(0, -2)}.${cents.slice(-2)}`;
}

/** Answers an object as JSON; sends a text unchanged. */
export function answerJson(
  response: ServerResponse,
  status: number,
  body: object | string,
  more: object = {},
): void {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  response.writeHead(status, { "content-type": "application/json", ...more }).end(text);
}

/** Sends the answer a second time on the same connection. */
function sendAgain(response: ServerResponse, text: string): void {
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

/** Sends an endless body until the caller closes the connection. */
function sendEndless(response: ServerResponse): void {
  const part = " ".repeat(65_536);
  response.writeHead(200, { "content-type": "application/json" });
  const timer = setInterval(() => response.write(part), ENDLESS_MS);
  response.on("close", () => clearInterval(timer));
}

/** Sends one byte every `seconds`, without end. */
function sendSlowly(response: ServerResponse, text: string, seconds: number): void {
  response.writeHead(200, { "content-type": "application/json" });
  let at = 0;
  const timer = setInterval(() => {
    response.write(at < text.length ? text.charAt(at) : " ");
    at += 1;
  }, seconds * 1000);
  response.on("close", () => clearInterval(timer));
}

/** Sends `answer` as `way` says; some ways never end the answer. */
export function writeAnswer(
  response: ServerResponse,
  way: AnswerWay,
  answer: Answer,
  seconds: number,
): void {
  const text = JSON.stringify(answer);
  switch (way) {
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
      return answerJson(response, 200, { ...answer, status: "paid", trans_sn: "another" });
    case "wrong_amount":
      return answerJson(response, 200, {
        ...answer,
        status: "paid",
        amount: onePlus(answer.amount),
      });
    case "redirect": {
      const query = new URLSearchParams({ trans_sn: answer.trans_sn, amount: answer.amount });
      return answerJson(response, 302, "", { location: `/elsewhere?${query.toString()}` });
    }
    case "slow_body":
      return sendSlowly(response, text, seconds);
    case "truncated_json":
      return answerJson(response, 200, text.slice(0, -3));
    case "empty_body":
      return answerJson(response, 200, "");
    case "rate_limited":
      return answerJson(response, 429, "{}", { "retry-after": String(seconds) });
    case "twice":
      sendAgain(response, text);
      return answerJson(response, 200, text);
    case "endless_body":
      return sendEndless(response);
    case "duplicate":
      return answerJson(response, 409, { code: "duplicate" });
    case "skewed_clock":
      return answerJson(response, 401, { code: "timestamp_out_of_range" });
    case "business_error":
      return answerJson(response, 200, { code: 10_500, msg: "system busy" });
    default:
      return way satisfies never;
  }
}
