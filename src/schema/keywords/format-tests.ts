const monthLengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/** `full-date` of RFC 3339, a day of the calendar. */
export function isDate(text: string): boolean {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return false;
  const [year, month, day] = match.slice(1).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const leapDay = month === 2 && year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 1 : 0;
  return day >= 1 && day <= (monthLengths[month - 1] ?? 0) + leapDay;
}

/** `full-time` of RFC 3339: with an offset. Second 60 is a leap second, which only ends a day of UTC. */
export function isTime(text: string): boolean {
  const match = /^(\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|([+-])(\d{2}):(\d{2}))$/i.exec(text);
  if (!match) return false;
  const [hour = 0, minute = 0, second = 0] = match.slice(1, 4).map(Number);
  const [offsetHour, offsetMinute] = [Number(match[5] ?? 0), Number(match[6] ?? 0)];
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  if (second < 60) return true;
  const offset = (offsetHour * 60 + offsetMinute) * (match[4] === "-" ? -1 : 1);
  return (hour * 60 + minute - offset + 2 * 1440) % 1440 === 1439;
}

/** `date-time` of RFC 3339. */
export function isDateTime(text: string): boolean {
  return /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

const emailAtoms = /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*$/;
const emailQuoted = /^"(?:[ !#-[\]-~]|\\[ -~])*"$/;
const hostLabel = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** `Mailbox` of RFC 5321, in ASCII. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf("@");
  const local = text.slice(0, Math.max(at, 0));
  const domain = text.slice(at + 1);
  if (!emailAtoms.test(local) && !emailQuoted.test(local)) return false;
  if (domain.startsWith("[") && domain.endsWith("]")) {
    const address = domain.slice(1, -1);
    return /^ipv6:/i.test(address) ? isIpv6(address.slice(5)) : isIpv4(address);
  }
  return domain.split(".").every((label) => hostLabel.test(label));
}

const pathCharacter = String.raw`(?:[\w.~!$&'()*+,;=:@-]|%[\da-f]{2})`;
const userCharacter = String.raw`(?:[\w.~!$&'()*+,;=:-]|%[\da-f]{2})`;
const hostCharacter = String.raw`(?:[\w.~!$&'()*+,;=-]|%[\da-f]{2})`;
const authority = String.raw`(?:${userCharacter}*@)?(?:\[([\da-f:.]+)\]|${hostCharacter}*)(?::\d*)?`;
const uriSyntax = new RegExp(
  String.raw`^[a-z][a-z\d+.-]*:(?:\/\/${authority}(?:\/${pathCharacter}*)*|\/?(?:${pathCharacter}+(?:\/${pathCharacter}*)*)?)` +
    String.raw`(?:\?(?:${pathCharacter}|[/?])*)?(?:#(?:${pathCharacter}|[/?])*)?$`,
  "i",
);

/** `URI` of RFC 3986: absolute, in ASCII. */
export function isUri(text: string): boolean {
  const match = uriSyntax.exec(text);
  return match !== null && (match[1] === undefined || isIpv6(match[1]));
}

/** A UUID as in RFC 9562. */
export function isUuid(text: string): boolean {
  return /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i.test(text);
}

/** Four decimal numbers without leading zeros, as in RFC 2673. */
export function isIpv4(text: string): boolean {
  const parts = text.split(".");
  return parts.length === 4 && parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256);
}

/** An IPv6 address as in RFC 4291, without a zone. */
export function isIpv6(text: string): boolean {
  const halves = text.split("::");
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === "" ? [] : half.split(":")));
  const last = groups.at(-1);
  const embedsIpv4 = last?.includes(".") === true && text.endsWith(last);
  if (embedsIpv4 && !isIpv4(groups.pop() ?? "")) return false;
  const size = groups.length + (embedsIpv4 ? 2 : 0);
  const complete = halves.length === 2 ? size < 8 : size === 8;
  return complete && groups.every((group) => /^[\da-f]{1,4}$/i.test(group));
}
