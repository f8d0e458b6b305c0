import { expect, test } from "vitest";
import { isPrivateHost } from "./private-address.ts";

const hostOf = (host: string): string => new URL(`http://${host}/`).hostname;

test.each(
  "localhost LOCALHOST. a.localhost printer.local db.internal 127.0.0.1 127.1 2130706433 0x7f.1 0177.0.0.1 0.0.0.0 10.1.2.3 100.64.0.1 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 198.18.0.1 224.0.0.1 255.255.255.255 [::] [::1] [fc00::1] [fd12:3456::1] [fe80::1] [ff02::1] [::ffff:127.0.0.1] [::ffff:10.0.0.1] [64:ff9b::a00:1] [2002:7f00:1::] [::7f00:1] [::ffff:0:127.0.0.1] [::ffff:0:808:808] [64:ff9b:0:1::808:808] [100::1] [5f00::1] [2001::1] [2001:0:808:808::1]".split(
    " ",
  ),
)("%s is private", (host) => expect(isPrivateHost(hostOf(host))).toBe(true));

test.each(
  "example.com localhost.example.com 8.8.8.8 100.128.0.1 172.15.0.1 172.32.0.1 192.169.0.1 198.20.0.1 [2606:4700::1111] [::ffff:8.8.8.8] [64:ff9b::808:808] [2002:808:808::]".split(
    " ",
  ),
)("%s is public", (host) => expect(isPrivateHost(hostOf(host))).toBe(false));

test("what looks like an address and is not one is private", () => {
  expect(isPrivateHost("1:2:3")).toBe(true);
  expect(isPrivateHost("::1::2")).toBe(true);
  expect(isPrivateHost("fe80::1%eth0")).toBe(true);
  expect(isPrivateHost("")).toBe(true);
});
