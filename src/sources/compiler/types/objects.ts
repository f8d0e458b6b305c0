import type { JsonSchema } from "../../../schema/types.ts";
import { applyTags, described } from "../constraints.ts";
import { contextProblem, isContextMember } from "../tool-context.ts";
import type { Host, Type, TypeProperty } from "../host.ts";
import { prefetchMembers } from "../prefetch.ts";
import { allowsUndefined, has, type Conversion, type TypePlace } from "./conversion.ts";
import { allDeclarations, propertyComments } from "./inherited-properties.ts";
import { isHidden, isNever, protoProblem } from "./inexpressible.ts";
import { inDeclaredKeyOrder } from "./key-order.ts";
import { optionalSchema } from "./left-out.ts";
import { digits } from "./primitives.ts";
import { withOrigins } from "./renamed-keys.ts";
import { templateSchema } from "./templates.ts";
import { typeDescription, withOtherConstraints } from "./type-description.ts";
import { annotationOf, writtenSignature } from "./written-type.ts";

/** An object type: its properties; for a model, closed unless it has an index signature. */
export function objectSchema(conversion: Conversion, type: Type, place: TypePlace): JsonSchema {
  const { host, direction } = conversion;
  const base = unresolvedBase(host, type);
  if (base !== undefined) {
    conversion.report.problem(place.path, place.node, `the type ${base} cannot be resolved`);
    return {};
  }
  if (direction === "output") {
    const jsonType = writtenAsJson(conversion, type);
    if (jsonType !== undefined) return conversion.convert(jsonType, place);
    if (isError(conversion, type)) return writtenError;
  }
  // What a generic type is given may be a union that its properties are made of.
  if (host.typeArguments(type).length > 0 || type.getAliasTypeArguments().length > 0) {
    conversion.order.note(host, place.typeNode);
  }
  const visible = host.properties(type).filter((property) => isVisible(conversion, property, place));
  const ordered = inDeclaredKeyOrder(conversion, type, visible, place);
  const properties = withOrigins(conversion, type, ordered, place);
  prefetchMembers(
    host,
    properties.flatMap((property) => annotationOf(host, property.declaration()) ?? []),
  );
  const entries = properties.flatMap((property) => {
    const schema = memberSchema(conversion, type, property, place);
    return schema === undefined ? [] : [[property.name, schema] as const];
  });
  const required = properties
    .filter((property) => !property.optional && !mayBeAbsent(conversion, property.type))
    .map((property) => property.name);
  const keys = Object.keys(Object.fromEntries(entries));
  const open = openness(conversion, type, place);
  const isClosed = host.indexSignatures(type).length === 0;
  if (properties.length === 0 && isClosed && isEmptyType(conversion, type)) return emptySchema(direction);
  const isRecord = entries.length === 0 && !isClosed && open["additionalProperties"] !== false;
  return {
    ...described({ type: "object" }, typeDescription(host, type, place.typeNode)),
    ...(isRecord ? {} : { properties: Object.fromEntries(entries) }),
    ...(required.length > 0 ? { required: keys.filter((key) => required.includes(key)) } : {}),
    ...open,
  };
}

/** What an interface or class of the program extends and is not found: TypeScript goes on as if nothing were written there. */
function unresolvedBase(host: Host, type: Type): string | undefined {
  const symbol = type.getSymbol();
  if (symbol === undefined || host.isAnonymous(symbol) || host.isFromLibrary(symbol)) return undefined;
  const { syntax } = host;
  const bases = host.declarationsOf(symbol).flatMap((declaration) => {
    const isOwn = syntax.isInterfaceDeclaration(declaration) || syntax.isClassLikeDeclaration(declaration);
    return isOwn ? (declaration.heritageClauses ?? []).flatMap((clause) => [...clause.types]) : [];
  });
  const types = bases.length === 0 ? [] : host.typesAt(bases);
  return bases.find((_, index) => types[index]?.isErrorType())?.getText();
}

/** Of a value to be written, where `undefined` comes to nothing; also `unknown` may be that. What is read must be there. */
function mayBeAbsent({ host, direction }: Conversion, type: Type): boolean {
  if (direction === "input") return false;
  return allowsUndefined(host, type) || has(type, host.flags.Any | host.flags.Unknown);
}

/** What `toJSON` returns, by which a value with that method is written. */
function writtenAsJson({ host }: Conversion, type: Type): Type | undefined {
  const method = host.properties(type).find(({ name }) => name === "toJSON");
  const signature = method && host.callSignature(method.type);
  return signature && host.returnType(signature);
}

/** An error is written by its name and its message. */
const writtenError: JsonSchema = {
  type: "object",
  properties: { name: { type: "string" }, message: { type: "string" } },
  required: ["name", "message"],
};

function isError({ host }: Conversion, type: Type): boolean {
  const names = new Set(host.properties(type).map(({ name }) => name));
  return ["name", "message", "stack"].every((name) => names.has(name));
}

/** Whether `type` is `{}` as it is written, which takes any value; a mapped type without keys is an object without any. */
function isEmptyType({ host }: Conversion, type: Type): boolean {
  const symbol = type.getSymbol();
  if (symbol !== undefined && !host.isAnonymous(symbol)) return false;
  const isOpen = type.getAliasTypeArguments().some((argument) => has(argument, host.flags.TypeParameter));
  return isOpen || !host.isMapped(type);
}

/** All values but null, which `{}` does not take. What is written of one may be null, as of an invalid `Date`. */
function emptySchema(direction: Conversion["direction"]): JsonSchema {
  return direction === "output" ? {} : { type: ["string", "number", "boolean", "object", "array"] };
}

/** Symbols as keys do not exist in JSON; hidden members cannot be set from outside. */
function isVisible(
  { host, report, direction }: Conversion,
  property: TypeProperty,
  place: TypePlace,
): boolean {
  if (direction === "output") return isWritten(host, property);
  if (property.name.startsWith("__@") || property.name.startsWith("__#")) {
    if (!property.optional) {
      report.problem(place.path, place.node, "a property whose key is a symbol or private has no schema");
    }
    return false;
  }
  // Of a class itself, this is noticed before; an interface may extend one, and an intersection have one.
  if (isHidden(host, property)) {
    const problem = `an object with the private or protected "${property.name}" cannot be made from JSON: take a plain object type`;
    report.problem(place.path, place.node, problem);
    return false;
  }
  if (!property.optional) return true;
  return !has(property.type, host.flags.Undefined) && !isNever(host, property.type);
}

/** Whether JSON has a property of a value: functions, symbols as keys and what stands on a prototype are left out. */
function isWritten(host: Host, { name, type, isOnPrototype }: TypeProperty): boolean {
  if (isOnPrototype || name.startsWith("__@") || name.startsWith("__#")) return false;
  if (has(type, host.flags.Undefined | host.flags.Never)) return false;
  return !(has(type, host.flags.Object) && host.isCallable(type));
}

/** The schema of a property; `undefined` where it need not be there and JSON cannot carry it. */
function memberSchema(
  conversion: Conversion,
  type: Type,
  property: TypeProperty,
  place: TypePlace,
): JsonSchema | undefined {
  const convert = (): JsonSchema => propertySchema(conversion, type, property, place);
  if (conversion.direction === "output") return convert();
  if (property.name === "__proto__") conversion.refuse(place, protoProblem);
  if (!property.optional) return convert();
  const at: TypePlace = { ...place, path: `${place.path}.${property.name}` };
  return optionalSchema(conversion, property.type, at, convert, property.declaration());
}

function propertySchema(
  conversion: Conversion,
  type: Type,
  property: TypeProperty,
  place: TypePlace,
): JsonSchema {
  const { host, report, direction } = conversion;
  const declaration = property.declaration();
  const path = `${place.path}.${property.name}`;
  const node = declaration ?? place.node;
  if (declaration !== undefined && isContextMember(host, declaration)) {
    conversion.refuse(place, contextProblem);
    return {};
  }
  const typeNode = annotationOf(host, declaration);
  const schema = conversion.convert(property.type, { path, node, typeNode });
  const declarations = allDeclarations(host, type, property);
  const docs = propertyComments(host, property.name, declarations);
  const summaries = new Set(docs.map(({ doc }) => doc.summary).filter((summary) => summary !== ""));
  // What each member of an intersection says holds for the whole.
  const documented = docs.reduce(
    (result, { node: at, doc }) =>
      applyTags(result, doc.tags, (message) => report.warning(path, at, message)),
    described(schema, [...summaries].join("\n")),
  );
  if (declarations.length < 2 || direction === "output" || Object.hasOwn(schema, "$ref")) return documented;
  const others = declarations.filter((each) => each !== declaration);
  return others.reduce(
    (result, each) =>
      withOtherConstraints(host, property.type, annotationOf(host, each), result, (message) =>
        report.warning(path, each, message),
      ),
    documented,
  );
}

/** What other properties there may be. */
function openness(conversion: Conversion, type: Type, place: TypePlace): JsonSchema {
  const { host, report, direction } = conversion;
  const signatures = host.indexSignatures(type);
  if (signatures.length === 0) return direction === "input" ? { additionalProperties: false } : {};
  const [only, ...more] = signatures;
  const patterns = new Map<string, JsonSchema>();
  let others: unknown = false;
  let names: JsonSchema = {};
  for (const { key, value } of signatures) {
    // No value has the type never: no other property can be there.
    if (direction === "input" && isNever(host, value)) continue;
    const declared = writtenSignature(host, type, key, place.typeNode);
    const at = { path: `${place.path}[*]`, node: place.node, typeNode: declared?.value };
    const schema = conversion.convert(value, at);
    const pattern = keyPattern(conversion, key, place);
    if (pattern === undefined) {
      others = schema;
      if (has(key, host.flags.String)) names = keyNames(conversion, key, { ...at, typeNode: declared?.key });
    } else if (pattern !== "") patterns.set(pattern, schema);
    else report.problem(place.path, place.node, "a property whose key is a symbol has no schema");
  }
  const [[pattern, schema] = []] = patterns;
  if (only && more.length === 0 && pattern !== undefined && host.properties(type).length === 0) {
    return { propertyNames: { pattern }, additionalProperties: schema };
  }
  return {
    ...(patterns.size > 0 ? { patternProperties: Object.fromEntries(patterns) } : {}),
    ...(others === false && direction === "output" ? {} : { additionalProperties: others }),
    // What has other properties, or other signatures, has names beside these.
    ...(more.length === 0 && host.properties(type).length === 0 ? names : {}),
  };
}

/** What the constraints of a named type of keys come to. */
function keyNames(conversion: Conversion, key: Type, place: TypePlace): JsonSchema {
  if (conversion.direction === "output" || place.typeNode === undefined) return {};
  const { type: _, description: _ofName, ...propertyNames } = conversion.convert(key, place);
  return Object.keys(propertyNames).length === 0 ? {} : { propertyNames };
}

/** The keys that an index signature speaks of: `undefined` for all, empty for none that JSON has. */
function keyPattern(conversion: Conversion, key: Type, place: TypePlace): string | undefined {
  const { flags } = conversion.host;
  if (has(key, flags.Number)) return `^${digits}(?:\\.\\d+)?$`;
  if (has(key, flags.TemplateLiteral | flags.StringMapping)) {
    const pattern = templateSchema(conversion, key, place)?.["pattern"];
    return typeof pattern === "string" ? pattern : undefined;
  }
  return has(key, flags.ESSymbol) ? "" : undefined;
}
