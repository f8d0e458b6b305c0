import type { Check, CheckState, Compilation, Resource, SchemaNode } from "./check.ts";
import { every, reject, track } from "./check.ts";
import { invalidSchema } from "./invalid-schema.ts";
import { decisive, stages } from "./keywords/table.ts";
import { newLibrary, type SchemaPlace } from "./library.ts";
import type { CompileOptions, JsonSchema } from "./types.ts";
import { preview } from "./words.ts";
import { isObject } from "../base/util/json.ts";

/** Compiles `root`, and of its documents whatever it reaches. Throws a `ConfigurationError` (code `"invalid-schema"`). */
export function newCompilation(root: JsonSchema, options: CompileOptions): Compilation {
  // All that is compiled now, so that mistakes are found at once; it grows while it is gone through.
  const reached = new Set<SchemaNode>();
  const library = newLibrary(root, options, newNode);
  const main = library.nodeOf(root);
  const constant = (schema: boolean, check: Check): SchemaNode => ({ ...main, schema, check, takes: check });
  const always = constant(true, () => true);
  const never = constant(false, (value, state) => reject(state, "is not allowed", value));

  const compilation: Compilation = {
    main,
    node: main,
    keyword: "$schema",
    dynamic: false,
    compile(schema) {
      if (typeof schema === "boolean") return schema ? always : never;
      const node = isObject(schema)
        ? library.nodeOf(schema)
        : compilation.invalid(`must be a schema (an object, true or false), not ${preview(schema)}`);
      reached.add(node);
      return node;
    },
    resolve(reference, from = root) {
      const target = library.find(reference, compilation.compile(from));
      return target === undefined
        ? compilation.invalid(`names nothing: ${preview(reference)}`)
        : compilation.compile(target);
    },
    invalid: (problem) => invalidSchema(compilation.node.at, `"${compilation.keyword}" ${problem}`),
  };

  function newNode(schema: JsonSchema, at: SchemaPlace): SchemaNode {
    const node: SchemaNode = {
      schema,
      ...at,
      takes: () => true,
      check(value, state) {
        compileKeywords(node, schema);
        return node.check(value, state);
      },
    };
    return node;
  }

  function compileKeywords(node: SchemaNode, schema: JsonSchema): void {
    const { resource } = node;
    const supported = Object.fromEntries(
      Object.entries(schema).filter(
        ([name]) => resource.knows(name, schema) && (name !== "format" || options.formats !== "annotate"),
      ),
    );
    compilation.node = node;
    const checks = stages.map((stage) =>
      Object.entries(stage).flatMap(([name, keyword]) => {
        if (!Object.hasOwn(supported, name)) return [];
        compilation.keyword = name;
        return keyword(supported[name], supported, compilation) ?? [];
      }),
    );
    const whole = combine(checks);
    // Only a schema that asks for it pays for the record of what is looked at.
    const asks = checks.at(-1)?.length !== 0;
    const check: Check = asks ? (value, state) => track(whole, value, state) : whole;
    node.takes = combine(checks.slice(0, decisive));
    node.check = resource.schema === schema && node !== main ? inScope(resource, check) : check;
  }

  compilation.compile(root);
  for (const node of reached) if (typeof node.schema !== "boolean") compileKeywords(node, node.schema);
  return compilation;
}

/** Enters the resource that begins with a schema. */
function inScope(resource: Resource, check: Check): Check {
  return (value, state) => {
    state.scope.push(resource);
    const fits = check(value, state);
    state.scope.pop();
    return fits;
  };
}

/** Apart from the verdict, which would otherwise pay for the closures. */
function explainStages(stages: readonly (readonly Check[])[], value: unknown, state: CheckState): boolean {
  return stages.every((stage) => every(stage, state, (check) => check(value, state)));
}

/** The checks of all stages. Where one of a stage fails, the later stages would only add noise. */
function combine(stages: readonly (readonly Check[])[]): Check {
  const all = stages.flat();
  const [first = () => true, second, third, ...others] = all;
  if (!second) return first;
  return (value, state) => {
    if (state.issues !== undefined) return explainStages(stages, value, state);
    // One by one, without a loop: most schemas have no more than these.
    if (!first(value, state) || !second(value, state) || (third && !third(value, state))) return false;
    for (const check of others) if (!check(value, state)) return false;
    return true;
  };
}
