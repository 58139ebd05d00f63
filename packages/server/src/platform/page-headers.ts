/** Headers that browsers obey on pages only. */
import type { FastifyReply } from "fastify";

const HEADERS_OF_PAGES = [
  "content-security-policy",
  "cross-origin-opener-policy",
  "origin-agent-cluster",
  "x-dns-prefetch-control",
  "x-download-options",
  "x-frame-options",
  "x-permitted-cross-domain-policies",
  "x-xss-protection",
] as const;

/** Drops the page headers from scripts and JSON answers, whose size they would double. */
export function dropPageHeaders(reply: FastifyReply): void {
  for (const header of HEADERS_OF_PAGES) {
    void reply.removeHeader(header);
  }
}
