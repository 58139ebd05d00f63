/** Serves the built console and guide; unknown paths below /red/ get the console's page. */
import path from "node:path";
import fastifyStatic from "@fastify/static";
import { AppError } from "@red/contract/errors";
import type { Settings } from "./settings.ts";
import type { FastifyInstance, FastifyReply } from "fastify";

const BASE = "/red/";

/** The older family of calls (behaviour §1). */
const API_BELOW_BASE = /^\/red\/(?:act|award|record|player)\//;

function setHeaders(reply: FastifyReply, file: string): void {
  // Names below assets/ carry a hash of their content.
  const isLasting = path.basename(path.dirname(file)) === "assets";
  void reply.header(
    "cache-control",
    isLasting ? "public, max-age=31536000, immutable" : "no-cache",
  );
}

export async function mountConsole(
  app: FastifyInstance,
  folder: string | null,
  settings: Settings,
): Promise<void> {
  app.get(`${BASE}config.json`, async (_request, reply) => {
    void reply.header("cache-control", "no-cache");
    return { gred_base: "", red_base: "", time_zone: settings.timeZone, title: "red packet" };
  });
  app.get("/", async (_request, reply) => await reply.redirect(BASE));
  app.get("/red", async (_request, reply) => await reply.redirect(BASE));
  if (folder === null) {
    return;
  }
  await app.register(fastifyStatic, {
    root: folder,
    serve: false,
    preCompressed: true,
    cacheControl: false,
    lastModified: false,
    acceptRanges: false,
    setHeaders,
  });
  // The guide's images are relative to its folder.
  app.get(`${BASE}guide`, async (_request, reply) => await reply.redirect(`${BASE}guide/`));
  app.get(`${BASE}*`, async ({ url }, reply) => {
    const [pathname = ""] = url.split("?", 1);
    if (API_BELOW_BASE.test(pathname)) {
      throw new AppError("not_found");
    }
    // Read from disk: a build under a running server replaces page and files together.
    const file = pathname.slice(BASE.length);
    return reply.sendFile(path.extname(file) !== "" || file === "guide/" ? file : "index.html");
  });
}
