import { useTestApp } from "#test/test-app";
import { useTestDb } from "#test/test-db";
import { expect, test } from "vitest";

const a = useTestApp(useTestDb());

async function statusWith(headers: Record<string, string>): Promise<number> {
  return (await a.app.inject({ url: "/metrics", headers })).statusCode;
}

test("metrics are served to a caller on the machine", async () => {
  expect(await statusWith({ "user-agent": "Prometheus/3", "accept-encoding": "gzip" })).toBe(200);
});

const FORWARDING = `
  Forwarded Via X-Forwarded-For X-Forwarded-Host X-Forwarded-Proto X-Original-Forwarded-For X-Real-IP
  X-Client-IP X-Cluster-Client-IP X-Remote-Addr X-Originating-IP X-ProxyUser-Ip True-Client-IP CF-Connecting-IP
  CF-Connecting-IPv6 X-Envoy-External-Address Fastly-Client-IP Fly-Client-IP CloudFront-Viewer-Address
  X-Scheme X-Url-Scheme X-ARR-SSL Front-End-Https X-Varnish X-Amzn-Trace-Id X-Host`;

test.each(FORWARDING.trim().split(/\s+/))("and not if it came with %s", async (name) => {
  expect(await statusWith({ [name]: "127.0.0.1" })).toBe(404);
});
