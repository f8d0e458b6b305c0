import { isDate, isDateTime, isEmail, isIpv4, isIpv6, isTime, isUri, isUuid } from "./format-tests.ts";

/** The formats that are checked: what each is called in messages, and its test. */
export const formats: Readonly<Record<string, readonly [words: string, test: (text: string) => boolean]>> = {
  "date-time": ['a date and time with its zone, such as "2026-01-31T09:30:00Z"', isDateTime],
  date: ['a date such as "2026-01-31"', isDate],
  time: ['a time with its zone, such as "09:30:00Z"', isTime],
  email: ["an email address", isEmail],
  uri: ['a URI such as "https://example.com/path"', isUri],
  uuid: ['a UUID such as "123e4567-e89b-12d3-a456-426614174000"', isUuid],
  ipv4: ['an IPv4 address such as "192.0.2.1"', isIpv4],
  ipv6: ['an IPv6 address such as "2001:db8::1"', isIpv6],
};
