/** Which address a failed sign-in counts against. */
import { isIPv6 } from "node:net";

const GROUPS = 8;
const NETWORK_GROUPS = 4;
const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** An IPv4 address, or an IPv6 /64 network: a subscriber could try from each of its 2^64 addresses. */
export function addressGroup(ip: string): string {
  const mapped = MAPPED_IPV4.exec(ip)?.[1];
  if (mapped !== undefined) {
    return mapped;
  }
  const address = ip.split("%", 1)[0] ?? ip;
  if (!isIPv6(address)) {
    return ip;
  }
  const [head = "", tail] = address.toLowerCase().split("::", 2);
  const groupsOf = (part: string) => (part === "" ? [] : part.split(":"));
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = Array.from({ length: GROUPS - before.length - after.length }, () => "0");
  const network = [...before, ...(tail === undefined ? [] : zeros), ...after]
    .slice(0, NETWORK_GROUPS)
    .map((group) => group.replace(/^0+(?=.)/, ""));
  return `${network.join(":")}::/64`;
}
