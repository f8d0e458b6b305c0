import type { JsonSchema } from "../../../schema/types.ts";
import { applyTags, described } from "../constraints.ts";
import type { DocTag } from "../doc-comments.ts";
import type { Host, Type, TypeNode, TypeSymbol } from "../host.ts";
import { has, type TypePlace } from "./conversion.ts";
import type { CountedNames } from "./erased-names.ts";
import { literalSchema } from "./primitives.ts";
import { constraintsOf, docsOf } from "./type-names.ts";
import { writtenNames, type WrittenName } from "./written-parts.ts";

/** What a named type's own doc comment says of it; empty where there is none. */
export function typeDescription(host: Host, type: Type, typeNode: TypeNode | undefined): string {
  const [alias, own] = symbolsOf(host, type);
  const summary = (symbol: TypeSymbol | undefined): string =>
    (symbol && docsOf(host, symbol).find((doc) => doc.summary !== "")?.summary) ?? "";
  const fromAlias = summary(alias);
  if (fromAlias !== "") return fromAlias;
  const { whole, part, literals } = writtenNames(host, type, typeNode);
  const names = literals.length === 0 ? [...whole, ...part] : whole;
  return summaryOf(names) || summary(own);
}

/**
 * A schema with the constraints in the doc comments of its type's names. Those of a name that stands for a part hold for that
 * part alone; where nothing tells it from the others, they are left out with a warning.
 * @param counted - Gets each name that counts.
 */
export function withTypeConstraints(
  host: Host,
  type: Type,
  { typeNode, union }: TypePlace,
  schema: JsonSchema,
  warn: (message: string) => void,
  counted: CountedNames,
): JsonSchema {
  const { whole, part, literals, mingled } = writtenNames(host, type, union ?? typeNode, (node) =>
    counted.nodes.add(node),
  );
  const named = symbolsOf(host, type);
  for (const symbol of named) if (symbol) counted.symbols.add(symbol.id);
  const symbols = named.filter((symbol) => symbol && whole.every(({ key }) => key !== String(symbol.id)));
  const ofSymbols = symbols.toReversed().flatMap((symbol) => (symbol ? constraintsOf(host, symbol) : []));
  const ofPart = tagsOf(part);
  const lost = mingled.filter(({ constraints }) => constraints.length > 0).map(({ text }) => text);
  if (lost.length > 0) {
    warn(
      `the constraints of ${lost.join(" and ")} are left out, since its type does not tell them from the rest of the union`,
    );
  }
  const tags = [...tagsOf(whole), ...ofSymbols];
  if (ofPart.length === 0 || literals.length === 0) return withTags(schema, [...ofPart, ...tags], warn);
  const { description: _ofAll, ...bare } = schema;
  const anyOf = [applyTags(described(bare, summaryOf(part)), ofPart, warn), literalSchema(literals)];
  return withTags(described({ anyOf }, summaryOf(whole)), tags, warn);
}

/** A schema with the constraints of the names by which the same value is written in another place, such as another part of an intersection. */
export function withOtherConstraints(
  host: Host,
  type: Type,
  typeNode: TypeNode | undefined,
  schema: JsonSchema,
  warn: (message: string) => void,
): JsonSchema {
  const { whole, part, literals, mingled } = writtenNames(host, type, typeNode);
  const isTold = literals.length === 0;
  const lost = [...mingled, ...(isTold ? [] : part)].filter(({ constraints }) => constraints.length > 0);
  if (lost.length > 0)
    warn(
      `the constraints of ${lost.map(({ text }) => text).join(" and ")} are left out, since they hold for a part of the union alone`,
    );
  return withTags(schema, [...(isTold ? tagsOf(part) : []), ...tagsOf(whole)], warn);
}

function withTags(schema: JsonSchema, tags: readonly DocTag[], warn: (message: string) => void): JsonSchema {
  return tags.length === 0 ? schema : applyTags(schema, tags, warn);
}

function summaryOf(names: readonly WrittenName[]): string {
  return names.find(({ summary }) => summary !== "")?.summary ?? "";
}

/** The constraints of names, those of the first one last. */
function tagsOf(names: readonly WrittenName[]): readonly DocTag[] {
  return names.toReversed().flatMap(({ constraints }) => constraints);
}

/** The alias and the declaration by which the checker knows a type, if they are the program's. */
function symbolsOf(host: Host, type: Type): readonly [TypeSymbol | undefined, TypeSymbol | undefined] {
  const { Object: object, Union } = host.flags;
  // An array's would be the library's: of no use, and dear, as it is declared in a dozen large files.
  const isOwn = has(type, object | Union) && host.arrayElement(type) === undefined;
  const ofProgram = (symbol: TypeSymbol | undefined): TypeSymbol | undefined =>
    symbol !== undefined && !host.isFromLibrary(symbol) && !host.isAnonymous(symbol) ? symbol : undefined;
  const alias = ofProgram(type.getAliasSymbol());
  const own = ofProgram(isOwn ? type.getSymbol() : undefined);
  return [alias, own?.id === alias?.id ? undefined : own];
}
