/** Headers that make browsers careful: as helmet sets them, but computed once. */
import type { FastifyReply } from "fastify";

const OF_ALL = {
  "content-security-policy": "frame-ancestors 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Browsers obey these on pages only. Plain HTTP on a private network is supported: nothing asks for HTTPS. */
const OF_PAGES = {
  "content-security-policy": [
    "default-src 'self'",
    "base-uri 'none'",
    "font-src 'self' https: data:",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "img-src 'self' data:",
    "object-src 'none'",
    "script-src 'self'",
    "script-src-attr 'none'",
    // The component library injects its styles at run time.
    "style-src 'self' 'unsafe-inline'",
  ].join(";"),
  "cross-origin-opener-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-frame-options": "SAMEORIGIN",
  "x-permitted-cross-domain-policies": "none",
  "x-xss-protection": "0",
};

/** Is the answer a file whose name carries a hash of its content? */
export function isImmutable(reply: FastifyReply): boolean {
  return String(reply.getHeader("cache-control")).endsWith("immutable");
}

/** Sets the headers that suit the answer: those of pages would double scripts and JSON answers. */
export function setSafeHeaders(reply: FastifyReply): void {
  void reply.headers(OF_ALL);
  const type = String(reply.getHeader("content-type") ?? "");
  const isScript = /^(?:application|text)\/(?:javascript|css)/.test(type) && isImmutable(reply);
  if (!isScript && !type.startsWith("application/json")) {
    void reply.headers(OF_PAGES);
  }
}
