type Test = (text: string) => boolean;

const day = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])$/;

/** A day of the calendar, as `full-date` of RFC 3339. */
const isDate: Test = (text) =>
  // Only a month's last days may lack; such a day becomes one of the next month.
  day.test(text) && (text.slice(8) < "29" || new Date(text).toISOString().startsWith(text));

const clock = String.raw`([01]\d|2[0-3]):([0-5]\d)`;
const time = new RegExp(String.raw`^${clock}:(?:[0-5]\d|(60))(?:\.\d+)?(?:z|([+-])${clock})$`, "i");

/** `full-time` of RFC 3339: with an offset. Second 60 is a leap second, which only ends a day of UTC. */
const isTime: Test = (text) => {
  const match = time.exec(text);
  if (!match) return false;
  const [, hour, minute, leap, sign, offsetHour = 0, offsetMinute = 0] = match;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === "-" ? -1 : 1);
  return leap === undefined || (Number(hour) * 60 + Number(minute) - offset + 2880) % 1440 === 1439;
};

const byte = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
const ipv4 = new RegExp(String.raw`^${byte}(?:\.${byte}){3}$`);

/** An IPv6 address as in RFC 4291, without a zone. */
const isIpv6: Test = (text) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`);

const atom = String.raw`[\w!#$%&'*+/=?^{|}~\x60-]+`;
const label = String.raw`[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?`;
const email = new RegExp(
  String.raw`^(?:${atom}(?:\.${atom})*|"(?:[ !#-[\]-~]|\\[ -~])*")@(?:${label}(?:\.${label})*|\[(?:(ipv6:)?(.*))\])$`,
  "i",
);

/** `Mailbox` of RFC 5321, in ASCII. */
const isEmail: Test = (text) => {
  const [isMailbox, isVersion6, address] = email.exec(text) ?? [];
  if (isMailbox === undefined) return false;
  return address === undefined || (isVersion6 === undefined ? ipv4.test(address) : isIpv6(address));
};

/** Any number of the characters that may stand for themselves in most places of a URI, of `more`, and of escaped ones. */
const characters = (more: string): string => String.raw`(?:[\w.~!$&'()*+,;=${more}-]|%[\da-f]{2})*`;
const authority = String.raw`(?:${characters(":")}@)?(?:\[([\da-f:.]+)\]|${characters("")})(?::\d*)?(?![^/?#])`;
const uri = new RegExp(
  String.raw`^[a-z][a-z\d+.-]*:(?:\/\/${authority}|(?!\/\/))${characters(":@/")}(?:\?${characters(":@/?")})?(?:#${characters(":@/?")})?$`,
  "i",
);

/** `URI` of RFC 3986: absolute, in ASCII. */
const isUri: Test = (text) => {
  const match = uri.exec(text);
  return match !== null && (match[1] === undefined || isIpv6(match[1]));
};

const uuid = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

const hostname = new RegExp(String.raw`^(?=.{1,253}$)${label}(?:\.${label})*$`, "i");

/** `duration` of RFC 3339, appendix A. */
const duration = /^P(?:\d+W|(?=[\dT])(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?=\d)(?:\d+H)?(?:\d+M)?(?:\d+S)?)?)$/;

/** A pattern of ECMA-262, as the keyword `pattern` has it. */
const isRegex: Test = (text) => {
  try {
    return new RegExp(text, "u") instanceof RegExp;
  } catch {
    return false;
  }
};

/** The formats that are checked: what each is called in messages, and its test. */
export const formats: Readonly<Record<string, readonly [words: string, test: Test]>> = {
  "date-time": [
    'a date and time with its zone, such as "2026-01-31T09:30:00Z"',
    (text) => /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  ],
  date: ['a date such as "2026-01-31"', isDate],
  time: ['a time with its zone, such as "09:30:00Z"', isTime],
  email: ["an email address", isEmail],
  uri: ['a URI such as "https://example.com/path"', isUri],
  uuid: ['a UUID such as "123e4567-e89b-12d3-a456-426614174000"', (text) => uuid.test(text)],
  ipv4: ['an IPv4 address such as "192.0.2.1"', (text) => ipv4.test(text)],
  hostname: ['a host name such as "example.com"', (text) => hostname.test(text)],
  duration: ['a duration such as "P1DT12H"', (text) => duration.test(text)],
  regex: ["a regular expression", isRegex],
  ipv6: ['an IPv6 address such as "2001:db8::1"', isIpv6],
};
