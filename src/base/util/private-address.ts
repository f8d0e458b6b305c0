/** Names that stand for this machine or the network it is in (RFC 6761, RFC 6762, RFC 8375, and what ICANN keeps private). */
const privateName = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home|corp|home\.arpa)$/;

/** IPv4 networks that are not of the public internet, as their first bits (RFC 6890 and multicast). */
const privateNetworks: readonly (readonly [address: string, bits: number])[] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["224.0.0.0", 3],
];

/**
 * Whether a host, as `new URL(...).hostname` has it or as an IP address, is this machine or stands in a private network.
 * A name is judged by itself: what it resolves to is another question.
 */
export function isPrivateHost(hostname: string): boolean {
  const host = hostname
    .toLowerCase()
    .replace(/^\[|\]$/g, "")
    .replace(/\.$/, "");
  if (host.includes(":")) return isPrivateV6(host);
  const address = numberOf(host);
  return address === undefined ? privateName.test(host) || host === "" : isPrivateV4(address);
}

function isPrivateV4(address: number): boolean {
  return privateNetworks.some(([network, bits]) => {
    const size = 2 ** (32 - bits);
    return Math.floor(address / size) === Math.floor((numberOf(network) ?? 0) / size);
  });
}

/** An IPv4 address with dots as a number. */
function numberOf(host: string): number | undefined {
  const parts = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(host)?.slice(1).map(Number);
  return parts?.reduce((sum, part) => sum * 256 + part, 0);
}

function isPrivateV6(host: string): boolean {
  const groups = groupsOf(host);
  if (!groups) return true;
  const [first = 0, second = 0] = groups;
  const v4 = (high: number): boolean => isPrivateV4((groups[high] ?? 0) * 65_536 + (groups[high + 1] ?? 0));
  // The loopback address, none at all, and IPv4 addresses in both old forms.
  if (groups.slice(0, 5).every((group) => group === 0) && (groups[5] === 0xff_ff || groups[5] === 0))
    return v4(6);
  // NAT64 (RFC 6052) and 6to4 (RFC 3056) lead on to an IPv4 address.
  if (first === 0x64 && second === 0xff_9b) return groups.slice(2, 6).some((group) => group !== 0) || v4(6);
  if (first === 0x20_02) return v4(1);
  // Teredo (RFC 4380) hides an IPv4 address. Of all others only 2000::/3 is of the public internet (RFC 4291).
  return (first === 0x20_01 && second === 0) || (first & 0xe0_00) !== 0x20_00;
}

/** The eight groups of an IPv6 address; `undefined` for what is none. */
function groupsOf(host: string): readonly number[] | undefined {
  const [text = ""] = host.split("%");
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const tail = dotted?.[2] === undefined ? undefined : numberOf(dotted[2]);
  const whole =
    tail === undefined ? text : `${dotted?.[1]}${(tail >>> 16).toString(16)}:${(tail % 65_536).toString(16)}`;
  const [left = "", right, more] = whole.split("::");
  if (more !== undefined) return undefined;
  const read = (part: string): number[] =>
    part === ""
      ? []
      : part
          .split(":")
          .map((group) => (/^[\da-f]{1,4}$/.test(group) ? Number.parseInt(group, 16) : Number.NaN));
  const head = read(left);
  const end = right === undefined ? [] : read(right);
  const gap = right === undefined ? 0 : 8 - head.length - end.length;
  const groups = [...head, ...Array.from({ length: Math.max(gap, 0) }, () => 0), ...end];
  return groups.length === 8 && groups.every((group) => !Number.isNaN(group)) ? groups : undefined;
}

/** Whether a name leads to this machine or to a private network, as far as the runtime can tell. */
export async function resolvesToPrivate(hostname: string): Promise<boolean> {
  const dns = globalThis.process?.getBuiltinModule?.("node:dns/promises");
  if (!dns) return false;
  // The request itself reports a name that does not resolve.
  const addresses = await dns.lookup(hostname.replace(/^\[|\]$/g, ""), { all: true }).catch(() => []);
  return addresses.some(({ address }) => isPrivateHost(address));
}
