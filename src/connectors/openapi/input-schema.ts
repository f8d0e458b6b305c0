import type { JsonSchema } from "../../schema/types.ts";
import { defineOwn, mergeOwn } from "../../base/util/snapshot.ts";
import { ConversionLosses } from "./conversion-losses.ts";
import { SchemaConverter, fileSchema } from "./convert-schema.ts";
import { type DocumentDefinitions, definitionsFinder } from "./definitions.ts";
import { shorten } from "./shorten.ts";
import type { ConvertedSchema, Operation, OperationBody, OperationParameter } from "./types.ts";

const longestDescription = 300;

/** Makes the schemas of tools' arguments. */
export interface InputSchemas {
  /** The schema of an operation's arguments; `cut` names the definitions that found no room in it. */
  of(operation: Operation): { readonly schema: JsonSchema; readonly leftOut: readonly string[] };
  /** What could not be taken over of the schemas so far, one sentence each. */
  readonly notes: readonly string[];
}

/** @param root the document, whose schemas are converted once for all operations. */
export function inputSchemas(root: unknown): InputSchemas {
  const losses = new ConversionLosses();
  const plain = new SchemaConverter(root, { direction: "request", files: false }, losses);
  const form = new SchemaConverter(root, { direction: "request", files: true }, losses);
  const address = new SchemaConverter(
    root,
    { direction: "request", files: false, largeIntegers: true },
    losses,
  );
  // As JSON, digits in quotes would be a text.
  const converterFor = ({ mediaType }: OperationParameter): SchemaConverter =>
    mediaType === undefined ? address : plain;
  const definitionsOf = new Map(
    [plain, form, address].map((converter) => [converter, definitionsFinder(converter)]),
  );
  return {
    get notes() {
      return losses.notes;
    },
    of(operation) {
      const properties: Record<string, unknown> = {};
      const uses = new Map<SchemaConverter, Set<string>>();
      const add = (converter: SchemaConverter, name: string, schema: unknown, description?: string): void => {
        const converted = converter.convert(schema ?? {});
        defineOwn(properties, name, described(converted.schema, description));
        const used = uses.get(converter) ?? new Set();
        uses.set(converter, used);
        for (const use of converted.uses) used.add(use);
      };
      const { parameters, body } = operation;
      for (const parameter of parameters)
        add(converterFor(parameter), parameter.argument, parameter.schema, hint(parameter));
      const fixed = body && fixedSchema(body);
      if (fixed) defineOwn(properties, body.argument, fixed);
      else if (body)
        add(body.kind === "multipart" ? form : plain, body.argument, body.schema, body.description);
      const definitions = [...uses].flatMap(
        ([converter, names]) => definitionsOf.get(converter)?.(names) ?? [],
      );
      return {
        schema: schemaOf(operation, properties, definitions),
        leftOut: definitions.flatMap(({ leftOut }) => leftOut),
      };
    },
  };
}

/** The schema of a body that is the same whatever the document says of it. */
function fixedSchema(body: OperationBody): ConvertedSchema | undefined {
  if (body.kind === "binary") return described(fileSchema, body.description);
  return body.kind === "text" ? described({ type: "string" }, textHint(body)) : undefined;
}

function schemaOf(
  operation: Operation,
  properties: object,
  definitions: readonly DocumentDefinitions[],
): JsonSchema {
  const required = requiredOf(operation);
  const [first, ...others] = definitions
    .map(({ schemas }) => schemas)
    .filter((each) => Object.keys(each).length > 0);
  return {
    type: "object",
    properties,
    ...(required.length > 0 && { required }),
    additionalProperties: false,
    ...(first && { $defs: others.length === 0 ? first : mergeOwn([first, ...others]) }),
  };
}

function requiredOf({ parameters, body }: Operation): readonly string[] {
  const required = parameters.filter((parameter) => parameter.required).map(({ argument }) => argument);
  return body?.required ? [...required, body.argument] : required;
}

/** A parameter's description; one whose name had to be changed says what it is called. */
function hint({ name, argument, description }: OperationParameter): string | undefined {
  if (name === argument) return description;
  return description === undefined ? `The parameter ${name}` : `${description} (${name})`;
}

function textHint({ mediaType, description }: OperationBody): string {
  return description === undefined ? `Text of the type ${mediaType}` : `${description} (${mediaType})`;
}

function described(schema: ConvertedSchema, description: string | undefined): ConvertedSchema {
  const plain = typeof schema === "object" ? schema : schema ? {} : { not: {} };
  return description === undefined || description.trim() === ""
    ? plain
    : { ...plain, description: shorten(description, longestDescription) };
}
