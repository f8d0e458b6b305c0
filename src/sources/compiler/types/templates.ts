import type { JsonSchema } from "../../../schema/types.ts";
import type { Host, Type } from "../host.ts";
import { has, type Conversion, type TypePlace } from "./conversion.ts";
import { digits } from "./primitives.ts";

/** What the intrinsic string types let through, as far as ASCII goes. */
const mapped: Readonly<Record<string, string>> = {
  Uppercase: "[^a-z]*",
  Lowercase: "[^A-Z]*",
  Capitalize: "(?:[^a-z][\\s\\S]*)?",
  Uncapitalize: "(?:[^A-Z][\\s\\S]*)?",
};

/** The schema of a template literal type or of `Uppercase<string>` and its like; `undefined` for other types. */
export function templateSchema(
  { host, report }: Conversion,
  type: Type,
  place: TypePlace,
): JsonSchema | undefined {
  if (!has(type, host.flags.TemplateLiteral | host.flags.StringMapping)) return undefined;
  const pattern = patternOf(host, type);
  if (pattern !== undefined) return { type: "string", pattern: `^${pattern}$` };
  report.warning(place.path, place.node, `any string is accepted for ${host.typeText(type)}`);
  return { type: "string" };
}

/** A regular expression for the whole of a type's texts; `undefined` if there is none. */
function patternOf(host: Host, type: Type): string | undefined {
  const { flags } = host;
  const literal = host.literalValue(type);
  if (literal !== undefined) return escaped(String(literal));
  if (has(type, flags.String | flags.Any)) return "[\\s\\S]*";
  if (has(type, flags.Number)) return `${digits}(?:\\.\\d+)?(?:[eE][+-]?\\d+)?`;
  if (has(type, flags.BigInt)) return digits;
  if (has(type, flags.Boolean)) return "(?:true|false)";
  if (has(type, flags.Union)) {
    const members = host.unionMembers(type).map((member) => patternOf(host, member));
    return members.includes(undefined) ? undefined : `(?:${members.join("|")})`;
  }
  const mapping = host.stringMapping(type);
  if (mapping !== undefined) return has(mapping.of, flags.String) ? mapped[mapping.name] : undefined;
  const template = host.template(type);
  if (template === undefined) return undefined;
  const [first = "", ...texts] = template.texts;
  const pieces = texts.map((text, index) => {
    const inner = template.types[index];
    const pattern = inner && patternOf(host, inner);
    return pattern === undefined ? undefined : pattern + escaped(text);
  });
  return pieces.includes(undefined) ? undefined : escaped(first) + pieces.join("");
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`);
}
