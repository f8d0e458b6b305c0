import { isPlainObject } from "../../base/util/json.ts";
import { defineOwn } from "../../base/util/snapshot.ts";
import { hasInvisibleWithin } from "../../base/util/clean-text.ts";
import { ConversionLosses } from "./conversion-losses.ts";
import { type Discriminate, type Discriminated, discriminating, kindsFinder } from "./discriminators.ts";
import { anyName, isPattern } from "../../schema/patterns/is-pattern.ts";
import { listKeywords, mapKeywords, plainKeywords, schemaKeywords } from "./keywords.ts";
import {
  follow,
  itemsOf,
  lastName,
  member,
  membersOf,
  oncePerObject,
  referenceOf,
  textIn,
} from "./pointers.ts";
import { argumentNames } from "./names.ts";
import { isBinary, partsOf } from "./schema-members.ts";
import { withLargeIntegers } from "./large-integers.ts";
import { shorten } from "./shorten.ts";
import type { ConvertedSchema } from "./types.ts";

/** What schemas are converted for. */
export interface ConversionMode {
  /** What is read-only is not part of a request, what is write-only not part of a response. */
  readonly direction: "request" | "response";
  /** Bytes are files: objects with a name, a media type and the content. */
  readonly files: boolean;
  /** Integers of 64 bits may be texts of their digits. */
  readonly largeIntegers?: boolean;
}

/** The longest description of a property, in characters. */
const longestDescription = 240;

/** A file as an argument. */
export const fileSchema: ConvertedSchema = {
  type: "object",
  description: "A file: its content as text or as base64, its name and its media type",
  properties: {
    text: { type: "string", description: "The content, if it is text" },
    base64: { type: "string", description: "The content as base64, if it is not" },
    name: { type: "string", description: "Such as photo.png" },
    mediaType: { type: "string", description: "Such as image/png" },
  },
  additionalProperties: false,
};

/** A converted schema. */
export interface Definition {
  readonly schema: ConvertedSchema;
  /** The definitions that it refers to. */
  readonly uses: readonly string[];
}

const nothing: ReadonlySet<string> = new Set();

/** Converts the schemas of one document to JSON Schema; each schema that is referred to, once. */
export class SchemaConverter {
  readonly #root: unknown;
  readonly #mode: ConversionMode;
  readonly #kindsOf: (reference: string) => readonly string[];
  readonly #discriminate: Discriminate;
  readonly #names = argumentNames();
  readonly #nameByReference = new Map<string, string>();
  readonly #referenceByName = new Map<string, string>();
  readonly #definitions = new Map<string, Definition>();
  readonly #losses: ConversionLosses;
  #uses = new Set<string>();

  /** @param losses - Where what cannot be taken over is noted. */
  constructor(root: unknown, mode: ConversionMode, losses: ConversionLosses = new ConversionLosses()) {
    this.#root = root;
    this.#mode = mode;
    this.#losses = losses;
    this.#kindsOf = kindsFinder(root);
    this.#discriminate = discriminating(root);
  }

  /** A schema whose references lead to `$defs`, and the names of those that it refers to itself. */
  readonly convert: (schema: unknown) => Definition = oncePerObject((schema) => {
    const before = this.#uses;
    this.#uses = new Set();
    const converted = this.#convert(schema);
    const uses = [...this.#uses];
    this.#uses = before;
    return { schema: converted, uses };
  });

  /** The schema that `#/$defs/name` stands for. */
  definition(name: string): Definition {
    const cached = this.#definitions.get(name);
    if (cached) return cached;
    const converted = this.convert(follow(this.#root, { $ref: this.#referenceByName.get(name) }).value);
    this.#definitions.set(name, converted);
    return converted;
  }

  /** @param inherited properties that a schema around this one has left out. */
  #convert(schema: unknown, isBase = false, inherited = nothing): ConvertedSchema {
    if (!isPlainObject(schema)) return schema !== false;
    if (this.#mode.files && referenceOf(schema) === undefined && isBinary(this.#root, schema))
      return this.#file(schema);
    const converted: Record<string, unknown> = {};
    this.#addReference(converted, schema, isBase);
    const hidden = this.#hidden(schema, inherited);
    for (const [keyword, value] of Object.entries(schema))
      this.#add(converted, keyword, value, schema, hidden);
    const nullable = schema["nullable"] === true ? withNull(converted) : converted;
    return this.#mode.largeIntegers && !isBase && referenceOf(schema) === undefined
      ? withLargeIntegers(this.#root, schema, nullable)
      : nullable;
  }

  #file(schema: Readonly<Record<string, unknown>>): ConvertedSchema {
    const description = textIn(schema, "description");
    if (description === undefined) return fileSchema;
    return { ...Object(fileSchema), description: `${shorten(description, longestDescription)} (a file)` };
  }

  #addReference(
    converted: Record<string, unknown>,
    schema: Readonly<Record<string, unknown>>,
    isBase: boolean,
  ): void {
    const reference = referenceOf(schema);
    if (reference === undefined) return;
    const { value } = follow(this.#root, schema);
    if (value === undefined) {
      this.#losses.references.add(reference);
      return;
    }
    const discriminator = member(value, "discriminator");
    const isOpen = member(value, "oneOf") === undefined && member(value, "anyOf") === undefined;
    const kinds = discriminator !== undefined && isOpen && !isBase ? this.#kindsOf(reference) : [];
    if (kinds.length === 0) {
      converted["$ref"] = this.#pointer(reference);
      return;
    }
    const branches = kinds.map((kind) => this.#branch({ $ref: kind }, discriminator));
    converted["anyOf"] = [...branches, { $ref: this.#pointer(reference) }];
  }

  #pointer(reference: string): string {
    const existing = this.#nameByReference.get(reference);
    const name = existing ?? this.#names.take(`${lastName(reference)}${suffixOf(this.#mode)}`);
    this.#nameByReference.set(reference, name);
    this.#referenceByName.set(name, reference);
    this.#uses.add(name);
    return `#/$defs/${name}`;
  }

  #add(
    converted: Record<string, unknown>,
    keyword: string,
    value: unknown,
    schema: Readonly<Record<string, unknown>>,
    hidden: ReadonlySet<string>,
  ): void {
    if (keyword === "description" && typeof value === "string") {
      if (this.#mode.direction === "request") converted[keyword] = shorten(value, longestDescription);
    } else if (keyword === "required" && Array.isArray(value)) {
      const names = value.filter(
        (name) => typeof name === "string" && !hidden.has(name) && !this.#isUnseen(name),
      );
      if (names.length > 0) converted[keyword] = [...new Set(names)];
    } else if (Object.hasOwn(plainKeywords, keyword)) {
      this.#addPlain(converted, keyword, value);
    } else if (schemaKeywords.has(keyword)) {
      if (typeof value === "boolean" || isPlainObject(value)) converted[keyword] = this.#convert(value);
    } else if (listKeywords.has(keyword)) this.#addList(converted, keyword, schema, hidden);
    else if (mapKeywords.has(keyword) && isPlainObject(value))
      this.#addMap(converted, keyword, value, hidden);
  }

  #addPlain(converted: Record<string, unknown>, keyword: string, value: unknown): void {
    const isUsable = plainKeywords[keyword] ?? Boolean;
    if (!isUsable(value)) {
      this.#losses.addConstraint(keyword, value);
      return;
    }
    const visible =
      keyword === "enum" && Array.isArray(value) ? value.filter((item) => !this.#isUnseen(item)) : value;
    if (isUsable(visible) && !this.#isUnseen(visible)) converted[keyword] = visible;
  }

  /** Whether a value that a call would have to repeat passes people: they see what they approve. */
  #isUnseen(value: unknown): boolean {
    const isUnseen = this.#mode.direction === "request" && hasInvisibleWithin(value);
    if (isUnseen) this.#losses.hasInvisible = true;
    return isUnseen;
  }

  #addList(
    converted: Record<string, unknown>,
    keyword: string,
    schema: Readonly<Record<string, unknown>>,
    hidden: ReadonlySet<string>,
  ): void {
    const { [keyword]: branches, discriminator } = schema;
    if (!Array.isArray(branches) || branches.length === 0) return;
    const convertedBranches = branches.map((branch) =>
      discriminator !== undefined && (keyword === "oneOf" || keyword === "anyOf")
        ? this.#branch(branch, discriminator)
        : this.#convert(branch, keyword === "allOf", keyword === "allOf" ? hidden : nothing),
    );
    // A reference to one of several kinds has taken the place already.
    if (converted[keyword] === undefined) converted[keyword] = convertedBranches;
    else converted["allOf"] = [...itemsOf(converted["allOf"]), { [keyword]: convertedBranches }];
  }

  #branch(branch: unknown, discriminator: unknown): ConvertedSchema {
    const converted = this.#convert(branch, true);
    const discriminated = this.#discriminate(discriminator, branch);
    return discriminated && typeof converted === "object" && !this.#isUnseen({ ...discriminated })
      ? { ...converted, ...constraint(discriminated) }
      : converted;
  }

  #addMap(
    converted: Record<string, unknown>,
    keyword: string,
    members: Readonly<Record<string, unknown>>,
    hidden: ReadonlySet<string>,
  ): void {
    const result: Record<string, unknown> = {};
    for (const [name, schema] of Object.entries(members)) {
      if (keyword === "properties" && hidden.has(name)) continue;
      if (keyword === "patternProperties" && (!isPattern(name) || this.#isUnseen(name))) {
        this.#losses.addConstraint("pattern", name);
        defineOwn(result, anyName, {});
      } else if (!this.#isUnseen(name)) defineOwn(result, name, this.#convert(schema));
    }
    converted[keyword] = result;
  }

  /** The properties that are not for this direction, those of all parts of the schema included. */
  #hidden(schema: Readonly<Record<string, unknown>>, inherited: ReadonlySet<string>): ReadonlySet<string> {
    if (!["properties", "required", "allOf"].some((keyword) => Object.hasOwn(schema, keyword)))
      return inherited;
    const hidden = new Set(inherited);
    const mark = this.#mode.direction === "request" ? "readOnly" : "writeOnly";
    for (const part of partsOf(this.#root, schema, ["allOf"])) {
      for (const [name, property] of membersOf(member(part, "properties"))) {
        const isMarked =
          member(property, mark) === true || member(follow(this.#root, property).value, mark) === true;
        if (isMarked) hidden.add(name);
      }
    }
    return hidden;
  }
}

/** Definitions of one document stand side by side. */
function suffixOf({ files, largeIntegers }: ConversionMode): string {
  if (files) return "_form";
  return largeIntegers ? "_parameter" : "";
}

function constraint({ property, values }: Discriminated): Record<string, unknown> {
  const only = values.length === 1 ? { const: values[0] } : { enum: values };
  return { properties: { [property]: only }, required: [property] };
}

/** What OpenAPI 3.0 calls nullable, where the upgrade has left it. */
function withNull(schema: Record<string, unknown>): ConvertedSchema {
  const { type, enum: values } = schema;
  if (typeof type === "string") return { ...schema, type: [type, "null"] };
  if (Array.isArray(values)) return { ...schema, enum: [...new Set([...values, null])] };
  const isOpen = Object.keys(schema).every((keyword) => keyword === "description");
  return isOpen || Array.isArray(type) ? schema : { anyOf: [schema, { type: "null" }] };
}
