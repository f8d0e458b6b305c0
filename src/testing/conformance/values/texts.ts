import type { JsonSchema } from "../../../schema/types.ts";
import type { Random } from "../random.ts";
import { textLike } from "./patterns.ts";

/** Texts that programs stumble over. */
const awkward: readonly string[] = [
  "a",
  "",
  " ",
  "null",
  "0",
  "__proto__",
  'He said "no";\n\\ and left\t\u0000',
  "Zürich 👩‍🚀 \u202e",
  "'; DROP TABLE geese; --",
  "../../etc/passwd",
  "<script>alert(1)</script>",
];

/** Values at the edge of each format. */
const formats: Readonly<Record<string, readonly string[]>> = {
  "date-time": ["2024-02-29T23:59:59.999Z", "1970-01-01T00:00:00Z", "2026-01-01T12:00:00+14:00"],
  date: ["2024-02-29", "1970-01-01", "9999-12-31"],
  time: ["23:59:59Z", "00:00:00.001+01:00"],
  duration: ["P1D", "PT0.5S", "P1Y2M3DT4H5M6S"],
  email: ["a@b.co", "first.last+tag@sub.example.org"],
  "idn-email": ["a@b.co"],
  hostname: ["localhost", "xn--bcher-kva.example"],
  ipv4: ["0.0.0.0", "255.255.255.255"],
  ipv6: ["::1", "2001:db8::ff00:42:8329"],
  uri: ["https://example.org/a?b=c#d", "urn:isbn:0451450523"],
  "uri-reference": ["/relative?x=1", "https://example.org"],
  iri: ["https://example.org/a"],
  uuid: ["00000000-0000-4000-8000-000000000000", "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"],
  "json-pointer": ["", "/a~1b/0"],
  regex: ["^a+$"],
  byte: ["", "AAECAw=="],
};

/** The longest text that is made. */
const mostCharacters = 5000;

/** Texts that a schema may want: at its lengths, of its format and pattern, and awkward ones. */
export function texts(schema: JsonSchema, random: Random): readonly string[] {
  const { format, pattern, contentEncoding } = schema;
  const examples = typeof format === "string" ? formats[format] : undefined;
  if (examples) return examples;
  if (contentEncoding === "base64") return formats["byte"] ?? [];
  if (typeof pattern === "string") {
    const samples = [0, 1, 2, 3, 4, 5].flatMap(
      (run) => textLike(pattern, random, run === 0 ? "short" : "any") ?? [],
    );
    return [...new Set(samples)];
  }
  const least = lengthOf(schema["minLength"], 0);
  const most = Math.min(lengthOf(schema["maxLength"], mostCharacters), mostCharacters);
  const sized = awkward.map((text) => toLength(text, least, most));
  const longest = schema["maxLength"] === undefined ? [] : ["x".repeat(most)];
  return [...new Set(["goose".slice(0, most).padEnd(least, "x"), ...sized, "x".repeat(least), ...longest])];
}

function toLength(text: string, least: number, most: number): string {
  const characters = Array.from(text);
  return characters.slice(0, most).join("") + "x".repeat(Math.max(0, least - characters.length));
}

function lengthOf(keyword: unknown, otherwise: number): number {
  return typeof keyword === "number" && keyword >= 0 ? Math.ceil(keyword) : otherwise;
}
