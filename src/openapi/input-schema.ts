import type { JsonSchema } from "../schema/types.ts";
import { defineOwn } from "../util/snapshot.ts";
import { SchemaConverter, fileSchema } from "./convert-schema.ts";
import { shorten } from "./shorten.ts";
import type { ConvertedSchema, Operation, OperationBody, OperationParameter } from "./types.ts";

/** The most characters of all definitions of a tool. What is farther from the arguments is only named. */
const longestDefinitions = 40_000;

const longestDescription = 300;

/** Makes the schemas of tools' arguments. */
export interface InputSchemas {
  /** The schema of an operation's arguments; `cut` names the definitions that found no room in it. */
  of(operation: Operation): { readonly schema: JsonSchema; readonly cut: readonly string[] };
}

/** @param root the document, whose schemas are converted once for all operations. */
export function inputSchemas(root: unknown): InputSchemas {
  const plain = new SchemaConverter(root, { direction: "request", files: false });
  const form = new SchemaConverter(root, { direction: "request", files: true });
  return {
    of(operation) {
      const properties: Record<string, unknown> = {};
      const definitions: Record<string, unknown> = {};
      const cut: string[] = [];
      const add = (
        converter: SchemaConverter,
        argument: string,
        schema: unknown,
        description: string | undefined,
      ): void => {
        const { schema: converted, uses } = converter.convert(schema);
        defineOwn(properties, argument, described(converted, description));
        cut.push(...addDefinitions(definitions, converter, uses));
      };
      for (const parameter of operation.parameters)
        add(plain, parameter.argument, parameter.schema ?? {}, hint(parameter));
      const { body } = operation;
      if (body?.kind === "binary")
        defineOwn(properties, body.argument, described(fileSchema, body.description));
      else if (body?.kind === "text")
        defineOwn(properties, body.argument, described({ type: "string" }, textHint(body)));
      else if (body)
        add(body.kind === "multipart" ? form : plain, body.argument, body.schema ?? {}, body.description);
      const required = requiredOf(operation);
      const schema: JsonSchema = {
        type: "object",
        properties,
        ...(required.length > 0 && { required }),
        additionalProperties: false,
        ...(Object.keys(definitions).length > 0 && { $defs: definitions }),
      };
      return { schema, cut };
    },
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

/** Adds what is referred to, the nearest first, as long as there is room. Gives back the names of the rest. */
function addDefinitions(
  definitions: Record<string, unknown>,
  converter: SchemaConverter,
  uses: readonly string[],
): readonly string[] {
  const cut: string[] = [];
  const wanted = new Set(uses);
  let room = longestDefinitions;
  // A set that grows while it is walked.
  for (const name of wanted) {
    if (Object.hasOwn(definitions, name)) continue;
    const { schema, uses: further } = converter.definition(name);
    room -= JSON.stringify(schema).length;
    if (room < 0) {
      cut.push(name);
      defineOwn(definitions, name, { description: `${name}, as the API documents it` });
      continue;
    }
    defineOwn(definitions, name, schema);
    for (const next of further) wanted.add(next);
  }
  return cut;
}
