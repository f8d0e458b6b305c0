import { expect, test } from "vitest";
import { compileSchema } from "../compile-schema.ts";

const cases: readonly (readonly [format: string, valid: readonly string[], invalid: readonly string[]])[] = [
  [
    "date-time",
    ["2026-01-31T09:30:00Z", "2026-01-31t09:30:00.5+05:30", "1990-12-31T15:59:60-08:00"],
    [
      "2026-01-31",
      "2026-01-31 09:30:00Z",
      "2026-01-31T09:30:00",
      "2026-13-01T00:00:00Z",
      "1990-12-31T15:59:60Z",
    ],
  ],
  ["date", ["2024-02-29", "2000-02-29"], ["2023-02-29", "1900-02-29", "2026-00-10", "2026-1-1", "26-01-01"]],
  ["time", ["09:30:00Z", "23:59:60Z", "01:29:60+01:30"], ["09:30", "24:00:00Z", "09:60:00Z", "22:59:60Z"]],
  [
    "email",
    ["a.b+c@example.com", '"a b"@example.com', "a@[192.0.2.1]", "a@[IPv6:::1]"],
    ["a", "a@", "@b", ".a@b", "a..b@c", "a@-b"],
  ],
  [
    "uri",
    ["https://example.com/a?b#c", "urn:isbn:1", "mailto:a@b", "http://[::1]:80/"],
    ["example.com", "/a", "https://exa mple.com", "http://[1]/", "a:%zz"],
  ],
  [
    "uuid",
    ["123e4567-e89b-12d3-a456-426614174000", "123E4567-E89B-12D3-A456-426614174000"],
    [
      "123e4567e89b12d3a456426614174000",
      "123e4567-e89b-12d3-a456-42661417400g",
      "g23e4567-e89b-12d3-a456-426614174000",
      "123e4567-g89b-12d3-a456-426614174000",
      "0123e4567-e89b-12d3-a456-426614174000",
      "23e4567-e89b-12d3-a456-426614174000",
      "123e4567-e89b-12d3-a456-4266141740000",
      "123e4567-e89b-12d3-a456-42661417400",
      "123e4567-e89b-12d-a456-426614174000",
      "123e4567-e89b-12d33-a456-426614174000",
      "123e4567-e89b-12d3-426614174000",
      "123e4567-e89b-12d3-a456-a456-426614174000",
    ],
  ],
  [
    "hostname",
    [
      "www.example.com",
      "xn--4gbwdl.xn--wgbh1c",
      "localhost",
      "1host",
      "host-name",
      `${"a".repeat(63)}.com`,
      "A.b",
    ],
    [
      "",
      ".",
      ".com",
      "a..b",
      "a.",
      "-host",
      "host-",
      "host_name",
      "a b",
      "http://a",
      "a:80",
      "ex\u00e4mple.com",
      `${"a".repeat(64)}.com`,
      "a.".repeat(127) + "a",
    ],
  ],
  [
    "duration",
    [
      "P4DT12H30M5S",
      "P4Y",
      "PT0S",
      "P0D",
      "P1M",
      "PT1M",
      "PT36H",
      "P1DT12H",
      "P2W",
      "P1Y2M3DT4H5M6S",
      "P10Y10M10D",
    ],
    [
      "PT1D",
      "4DT12H",
      "P",
      "P1YT",
      "PT",
      "P2D1Y",
      "P1D2H",
      "P2S",
      "P1Y2W",
      "P\u09e8Y",
      "P1",
      " P1D",
      "P1D ",
      "",
    ],
  ],
  [
    "regex",
    ["([abc])+\\s+$", "", "^\\p{L}{1,3}$", "a|b"],
    ["^(abc]", "[", "(", "a**", "\\Z", "{1", "(?<a>)(?<a>)"],
  ],
  ["ipv4", ["192.0.2.1", "0.0.0.0"], ["256.0.0.1", "1.2.3", "01.2.3.4", "1.2.3.4.5"]],
  [
    "ipv6",
    ["::", "2001:db8::1", "::ffff:192.0.2.1", "1:2:3:4:5:6:7:8"],
    ["1:2:3", "1::2::3", "12345::", "::1%eth0", "1:2:3:4:5:6:7:8::", "1.2.3.4::", ":1:2:3:4:5:6:7:8"],
  ],
];

test.each(cases)("%s", (format, valid, invalid) => {
  const { validate } = compileSchema({ format });
  expect(valid.filter((text) => !validate(text).ok)).toEqual([]);
  expect(invalid.filter((text) => validate(text).ok)).toEqual([]);
});

test.each(cases.filter(([format]) => format !== "regex"))(
  "%s: nothing stands before it or behind it, not even a line break",
  (format, valid) => {
    const { validate } = compileSchema({ format });
    const longer = valid.flatMap((text) => [`\n${text}`, `${text}\n`, `\u0000${text}`, `${text} x`]);
    expect(longer.filter((text) => validate(text).ok)).toEqual([]);
  },
);
