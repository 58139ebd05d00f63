/** Compresses answers to operators' calls: lists are mostly repetition. */
import compress from "@fastify/compress";
import type { FastifyInstance } from "fastify";

/** Lists and look-ups; no files and streams, no secrets beside a caller's input, which the size would reveal. */
const PACKED =
  /^\/(?:gred\/api|red\/(?:act|award|record|player|docs))\/(?!user\/|ticket|.*(?:export|excel|proof|stream)$)/;

export async function packAnswers(app: FastifyInstance): Promise<void> {
  app.addHook("onRoute", (route) => {
    if (!PACKED.test(route.url)) {
      route.compress = false;
    }
  });
  await app.register(compress, {
    globalDecompression: false,
    encodings: ["br", "gzip"],
    // Shorter answers fit into one packet.
    threshold: 1_400,
  });
}
