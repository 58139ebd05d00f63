/** Packs the answers of operators' calls for browsers that can unpack them: lists are mostly repetition. */
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { FastifyInstance } from "fastify";

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);

/** Shorter answers fit into a packet as they are. */
const LENGTH_MIN = 1_400;

/** More would cost the server more than it saves on the wire. */
const BROTLI_QUALITY = 4;

/** Lists and look-ups. What holds somebody's secret is never packed beside what a caller chose. */
const PACKED = /^\/(?:gred\/api|red)\/(?!user\/|ticket)/;

export function packAnswers(app: FastifyInstance): void {
  app.addHook("onSend", async (request, reply, payload) => {
    const type = String(reply.getHeader("content-type") ?? "");
    if (
      typeof payload !== "string" ||
      payload.length < LENGTH_MIN ||
      !type.startsWith("application/json") ||
      !PACKED.test(request.url)
    ) {
      return payload;
    }
    const accepted = String(request.headers["accept-encoding"] ?? "");
    const encoding = /\bbr\b/.test(accepted) ? "br" : /\bgzip\b/.test(accepted) ? "gzip" : null;
    void reply.header("vary", "accept-encoding");
    if (encoding === null) {
      return payload;
    }
    void reply.header("content-encoding", encoding).removeHeader("content-length");
    const options = { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } };
    return encoding === "br" ? await brotli(payload, options) : await zip(payload);
  });
}
