/** Packs the answers of operators' calls for browsers that can unpack them: lists are mostly repetition. */
import compress from "@fastify/compress";
import type { FastifyInstance } from "fastify";

/**
 * Lists and look-ups, in both families of calls; no files. What holds somebody's secret is never packed
 * beside what a caller chose.
 */
const PACKED =
  /^\/(?:gred\/api|red\/(?:act|award|record|player))\/(?!user\/|ticket|.*(?:export|excel|proof)$)/;

export async function packAnswers(app: FastifyInstance): Promise<void> {
  app.addHook("onRoute", (route) => {
    if (!PACKED.test(route.url)) {
      route.compress = false;
    }
  });
  await app.register(compress, {
    globalDecompression: false,
    encodings: ["br", "gzip"],
    // Shorter answers fit into a packet as they are.
    threshold: 1_400,
  });
}
