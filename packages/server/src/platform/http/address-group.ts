/** Writes addresses of callers in one form, and finds the group that a failed sign-in counts against. */
import { isIPv4, isIPv6, SocketAddress } from "node:net";

const GROUPS = 8;
const NETWORK_GROUPS = 4;
const MAPPED = "::ffff:";
const UNKNOWN = "unknown";

/**
 * Removes port, brackets, zone and capital letters from an address, and writes an IPv4 address inside IPv6 as IPv4;
 * some proxies forward `address:port`. Any other text becomes `unknown`, so limits count all such callers as one.
 */
export function plainAddress(text: string): string {
  const bare = text
    .trim()
    .replace(/^\[([^\]]*)\](?::\d+)?$/, "$1")
    .replace(/^([\d.]+):\d+$/, "$1")
    .replace(/%.*$/s, "");
  if (isIPv4(bare)) {
    return bare;
  }
  if (!isIPv6(bare)) {
    return UNKNOWN;
  }
  const { address } = new SocketAddress({ address: bare, family: "ipv6" });
  const mapped = address.slice(MAPPED.length);
  return address.startsWith(MAPPED) && isIPv4(mapped) ? mapped : address;
}

/**
 * Returns an IPv4 address, or the /64 network of an IPv6 address, because one subscriber can use all 2^64 addresses of
 * a network.
 */
export function addressGroup(ip: string): string {
  const address = plainAddress(ip);
  if (!isIPv6(address)) {
    return address;
  }
  const [head = "", tail = ""] = address.split("::", 2);
  const groupsOf = (part: string) => (part === "" ? [] : part.split(":"));
  const before = groupsOf(head);
  const after = groupsOf(tail);
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => "0");
  return `${[...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(":")}::/64`;
}
