import { ConfigurationError } from "../errors.ts";
import type { Check, Compilation, Keywords, SchemaNode } from "./check.ts";
import { reject } from "./check.ts";
import { isObject } from "./json-value.ts";
import { decisive, keywords } from "./keywords/table.ts";
import { resolvePointer } from "./references.ts";
import type { JsonSchema } from "./types.ts";

const everything: Check = () => true;
const nothing: Check = (value, state) => reject(state, "is not allowed", value);

/** Begins the compilation of `root`: references within it are resolved against it. */
export function newCompilation(root: JsonSchema): Compilation {
  const nodes = new Map<unknown, SchemaNode>();
  const place: (string | number)[] = [];

  const invalid = (problem: string): never => {
    const where = `#${place.map((key) => `/${key}`).join("")}`;
    throw new ConfigurationError(`The JSON Schema is not valid at ${where}: ${problem}.`, {
      code: "invalid-schema",
      data: { at: where },
    });
  };

  const compilation: Compilation = {
    compile(schema, ...at) {
      const known = nodes.get(schema);
      if (known) return known;
      place.push(...at);
      const node = newNode(schema);
      nodes.set(schema, node);
      // Set before its keywords are compiled: a recursive schema meets itself there.
      if (typeof node.schema !== "boolean") node.check = compileKeywords(node.schema);
      place.length -= at.length;
      return node;
    },
    resolve(reference) {
      const target = resolvePointer(root, reference);
      if (target === undefined) {
        invalid(`"$ref": ${JSON.stringify(reference)} names nothing within the schema`);
      }
      return compilation.compile(target);
    },
    invalid,
  };

  function newNode(schema: unknown): SchemaNode {
    if (typeof schema === "boolean") return { schema, check: schema ? everything : nothing };
    if (isObject(schema)) return { schema, check: everything };
    return invalid(`expected a schema (an object, true or false), found ${JSON.stringify(schema)}`);
  }

  function compileKeywords(schema: JsonSchema): Check {
    const pick = (table: Keywords): Check[] =>
      Object.entries(table).flatMap(([name, keyword]) =>
        Object.hasOwn(schema, name) ? (keyword(schema[name], schema, compilation) ?? []) : [],
      );
    return combine(pick(decisive), pick(keywords));
  }

  return compilation;
}

/** Where a decisive check fails, the others would only add noise. */
function combine(decisiveChecks: readonly Check[], others: readonly Check[]): Check {
  const [only] = [...decisiveChecks, ...others];
  if (only === undefined) return everything;
  if (decisiveChecks.length + others.length === 1) return only;
  return (value, state) => {
    for (const check of decisiveChecks) if (!check(value, state)) return false;
    let fits = true;
    for (const check of others) {
      if (check(value, state)) continue;
      if (state.issues === undefined) return false;
      fits = false;
    }
    return fits;
  };
}
