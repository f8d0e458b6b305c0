import type { JsonSchema } from "../../../schema/types.ts";
import { described } from "../constraints.ts";
import type { Report } from "../diagnostics.ts";
import type { Host, Type } from "../host.ts";
import {
  contextProblem,
  foreignContextProblem,
  isAnyArgument,
  isForeignContext,
  isToolContext,
} from "../tool-context.ts";
import {
  arrayIntersectionSchema,
  arraySchema,
  extendedArraySchema,
  extendedElement,
  tupleSchema,
} from "./arrays.ts";
import { createAttempts } from "./attempts.ts";
import { has, type Conversion, type TypePlace } from "./conversion.ts";
import { createWrittenOrder } from "./declared-order.ts";
import { createDefinitions } from "./definitions.ts";
import { isDescribed, withEnumNames } from "./enum-names.ts";
import { inexpressible } from "./inexpressible.ts";
import { erasedNames, type CountedNames } from "./erased-names.ts";
import { createLeftOut } from "./left-out.ts";
import { librarySchema } from "./library.ts";
import { objectSchema } from "./objects.ts";
import { withOrigin } from "./origin.ts";
import { reportingAtUse } from "./place-of-use.ts";
import { brandedPrimitive, literalSchema, primitiveSchema } from "./primitives.ts";
import { unmarked } from "./revival.ts";
import { shareDefinitions } from "./sharing.ts";
import { createStructure } from "./structure.ts";
import { templateSchema } from "./templates.ts";
import { createTypeCache } from "./type-cache.ts";
import { typeDescription, withTypeConstraints } from "./type-description.ts";
import { unionSchema } from "./unions.ts";

/** Types nested deeper than this are taken to have no end. */
const deepest = 40;

/** A schema of more parts than this is of no use to a model. */
const mostParts = 20_000;

/** Starts the conversion of one function's types. */
export function createConversion(
  host: Host,
  report: Report,
  direction: Conversion["direction"] = "input",
): Conversion {
  const definitions = createDefinitions(host);
  const placed = reportingAtUse(report, () => outermost);
  const attempts = createAttempts(placed);
  const leftOut = createLeftOut();
  const cache = createTypeCache(host);
  const structure = createStructure();
  const counted: CountedNames = { nodes: new Set(), symbols: new Set() };
  let depth = 0;
  let parts = 0;
  let outermost: TypePlace | undefined;

  /** Of the whole, whatever may be left out of it: what is too large is so at many places. */
  function giveUp(problem: string): JsonSchema {
    if (outermost) placed.problem(outermost.path, outermost.node, problem);
    parts = Number.POSITIVE_INFINITY;
    return {};
  }

  /** Once a parameter is done: only then is it known how much there is to note of it. */
  function warnOfLeftOut(): void {
    if (depth > 0 || attempts.isRunning()) return;
    leftOut.flush(({ path, node, message }) => placed.warning(path, node, message));
  }

  function convertWithin(type: Type, place: TypePlace): JsonSchema {
    if (parts === Number.POSITIVE_INFINITY || attempts.failure()) return {};
    parts += 1;
    if (depth > deepest)
      return giveUp(`the type is nested deeper than ${deepest} levels: it may have no end`);
    if (parts > mostParts) return giveUp(`the type has more than ${mostParts} parts`);
    if (isToolContext(host, type)) {
      conversion.refuse(place, contextProblem);
      return {};
    }
    if (isForeignContext(host, type)) {
      conversion.refuse(place, foreignContextProblem);
      return {};
    }
    const key = cache.keyOf(type, place);
    if (key === undefined) return convertFresh(type, place);
    const cached = cache.schemaOf(key);
    if (cached !== undefined) return cached;
    const problem = attempts.isRunning() ? cache.problemOf(key, place) : undefined;
    if (problem) attempts.report.problem(problem.path, problem.node, problem.message);
    if (problem) return {};
    const schema = convertFresh(type, place);
    const failure = attempts.failure();
    if (failure) cache.keepProblem(key, place, failure);
    else if (!Object.hasOwn(schema, "$ref")) cache.keepSchema(key, schema);
    return schema;
  }

  function convertFresh(type: Type, place: TypePlace): JsonSchema {
    depth += 1;
    const schema = convertOne(conversion, type, place, definitions.within);
    depth -= 1;
    const described = withConstraints(type, place, withTypeDescription(host, type, place, schema));
    if (direction === "input") warnOfErased(place);
    return isNamed(host, type) && !Object.hasOwn(schema, "$ref") ? withOrigin(type, described) : described;
  }

  /** Once all within is converted: by then, the names that count somewhere are counted. */
  function warnOfErased({ path, node, typeNode }: TypePlace): void {
    for (const erased of erasedNames(host, typeNode, counted)) {
      counted.nodes.add(erased.node);
      const message = `the constraints of ${erased.name} are left out, since the type that comes out does not keep the name: write its primitive there, and the constraints in the comment of the value`;
      attempts.report.warning(path, node, message);
    }
  }

  /** What refers to a definition finds the constraints there. */
  function withConstraints(type: Type, place: TypePlace, schema: JsonSchema): JsonSchema {
    if (Object.hasOwn(schema, "$ref")) return schema;
    const warn = (message: string): void => attempts.report.warning(place.path, place.node, message);
    return withTypeConstraints(host, type, place, schema, warn, counted);
  }

  const conversion: Conversion = {
    host,
    report: attempts.report,
    direction,
    order: createWrittenOrder(),
    definitions: definitions.finished,
    structure,
    finish: (schema) => unmarked(shareDefinitions(structure, schema, definitions)),
    refuse: ({ path, node }, message) => placed.problem(path, node, message),
    noteLeftOut(path, what, problem) {
      leftOut.note(path, what, problem);
      warnOfLeftOut();
    },
    attempt(convert) {
      const [definitionCount, notes, cached] = [definitions.count(), leftOut.count(), cache.count()];
      const attempt = attempts.run(convert);
      if (attempt.problem !== undefined) {
        definitions.forgetAfter(definitionCount);
        leftOut.forgetAfter(notes);
        cache.forgetAfter(cached);
      }
      warnOfLeftOut();
      return attempt;
    },
    convert(type, place) {
      if (depth > 0) return convertWithin(type, place);
      outermost = place;
      parts = 0;
      const schema = convertWithin(type, place);
      warnOfLeftOut();
      return schema;
    },
  };
  return conversion;
}

/** Whether an object or a union has a name of its own, by which it may be referred to. */
function isNamed(host: Host, type: Type): boolean {
  if (!has(type, host.flags.Object | host.flags.Union | host.flags.Intersection)) return false;
  if (type.getAliasSymbol() !== undefined) return true;
  const symbol = has(type, host.flags.Object | host.flags.EnumLiteral) ? type.getSymbol() : undefined;
  return symbol !== undefined && !host.isAnonymous(symbol) && !host.isFromLibrary(symbol);
}

/** Names of types that are not objects have comments, too. What refers to a definition finds it there. */
function withTypeDescription(
  host: Host,
  type: Type,
  { typeNode }: TypePlace,
  schema: JsonSchema,
): JsonSchema {
  if (isDescribed(schema) || Object.hasOwn(schema, "$ref")) return schema;
  return described(schema, typeDescription(host, type, typeNode));
}

type Within = (type: Type, make: () => JsonSchema) => JsonSchema;

function convertOne(conversion: Conversion, type: Type, place: TypePlace, within: Within): JsonSchema {
  const { host, report } = conversion;
  const { flags } = host;
  const primitive = primitiveSchema(conversion, type);
  if (primitive !== undefined) return primitive;
  if (has(type, flags.Union) && isAnyArgument(host, type)) {
    report.problem(place.path, place.node, "it has no type", "untyped");
    return {};
  }
  const literal = host.literalValue(type);
  if (literal !== undefined) return withEnumNames(host, [type], literalSchema([literal]));
  if (has(type, flags.Union)) {
    const isNamed = type.getAliasSymbol() !== undefined;
    const make = (): JsonSchema =>
      withTypeDescription(host, type, place, unionSchema(conversion, type, place));
    return isNamed ? within(type, make) : make();
  }
  const template = templateSchema(conversion, type, place);
  if (template !== undefined) return template;
  const branded = brandedPrimitive(host, type);
  if (branded !== undefined) return conversion.convert(branded, place);
  if (has(type, flags.TypeParameter | flags.IndexedAccess | flags.Conditional | flags.Index)) {
    return genericSchema(conversion, type, place);
  }
  const substituted = host.substituted(type);
  if (substituted !== undefined) return conversion.convert(substituted, place);
  const list = listSchema(conversion, type, place, within);
  if (list !== undefined) return list;
  const standard = librarySchema(conversion, type, place);
  if (standard !== undefined) return standard;
  const problem = inexpressible(conversion, type, place);
  if (problem !== undefined) {
    report.problem(place.path, place.node, problem);
    return {};
  }
  return within(type, () => objectSchema(conversion, type, place));
}

/** An array, a tuple, both at once, or what extends them; `undefined` for other types. */
function listSchema(
  conversion: Conversion,
  type: Type,
  place: TypePlace,
  within: Within,
): JsonSchema | undefined {
  const { host } = conversion;
  const listed =
    type.getAliasSymbol() === undefined ? (_type: Type, make: () => JsonSchema) => make() : within;
  const element = host.arrayElement(type);
  if (element !== undefined) return listed(type, () => arraySchema(conversion, element, place));
  const elements = host.tupleElements(type);
  if (elements !== undefined) return listed(type, () => tupleSchema(conversion, elements, place));
  const members = host.intersectionMembers(type);
  const isListed = (member: Type): boolean =>
    host.arrayElement(member) !== undefined || host.tupleElements(member) !== undefined;
  if (members.length > 0 && members.every(isListed))
    return arrayIntersectionSchema(conversion, members, place);
  const extended = extendedElement(host, type);
  return extended && within(type, () => extendedArraySchema(conversion, type, extended, place));
}

/** A type that still depends on a type parameter: whatever it must extend. */
function genericSchema(conversion: Conversion, type: Type, place: TypePlace): JsonSchema {
  const constraint = conversion.host.constraintOf(type);
  if (constraint !== undefined && constraint.id !== type.id) return conversion.convert(constraint, place);
  const text = conversion.host.typeText(type);
  conversion.report.warning(place.path, place.node, `"${text}" extends nothing, so any JSON is accepted`);
  return {};
}
