import { addressGroup } from "./address-group.ts";
import { expect, test } from "vitest";

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:DB8:0001:2::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["1::", "1:0:0:0::/64"],
  ["unknown", "unknown"],
])("%s counts as %s", (ip, group) => {
  expect(addressGroup(ip)).toBe(group);
});
