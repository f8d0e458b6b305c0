import { knownSchema } from "../attach/schemas.ts";
import { ConfigurationError, SchemaNotFoundError } from "../errors.ts";
import type { FunctionSchema } from "../schema/function-schema.ts";
import { namespaced } from "./define.ts";
import { deriveTools, findSchemas } from "./derive.ts";
import { policyOf } from "./policy-of.ts";
import type {
  FunctionTool,
  FunctionToolOptions,
  Tool,
  ToolFunction,
  ToolkitInstance,
  Toolset,
} from "./types.ts";

/** Options for every method of a toolkit. */
export type ToolkitOptions = Omit<FunctionToolOptions, "name" | "description" | "input">;

/**
 * Makes tools of an instance's public methods, own function properties included: one tool a method, `this` kept.
 * Methods that are declared `private` or `protected`, or begin with `_`, are left out.
 * ```ts
 * new Agent({ name: "Maths", tools: [toolkit(new MathToolkit(), { timeout: 5_000 })] });
 * ```
 */
export function toolkit(instance: ToolkitInstance, options: ToolkitOptions = {}): Toolset {
  if (typeof instance !== "object" || instance === null) {
    const fix = typeof instance === "function" ? ": write toolkit(new Kit()), not toolkit(Kit)" : "";
    throw new ConfigurationError(`toolkit() takes an instance${fix}.`, { code: "invalid-tool" });
  }
  const methods = methodsOf(instance);
  const name = className(instance) || "toolkit";
  if (methods.length === 0) {
    throw new ConfigurationError(`The toolkit ${name} has no public method.`, { code: "invalid-tool" });
  }
  let tools: Promise<readonly Tool[]> | undefined;
  return {
    name,
    tools: () => {
      tools ??= deriveMethods(instance, methods, options);
      // What failed once may succeed later (a file that was being written), so failures are not remembered.
      tools.catch(() => (tools = undefined));
      return tools;
    },
  };
}

/** The name of an instance's class, also where a minifier has changed it. */
function className({ constructor }: object): string | undefined {
  return constructor && (knownSchema(constructor)?.name || constructor.name);
}

async function deriveMethods(
  instance: object,
  methods: readonly (readonly [string, ToolFunction])[],
  options: ToolkitOptions,
): Promise<readonly Tool[]> {
  const findings = await findSchemas(methods.map(([, fn]) => fn));
  const visible = methods.filter((_, index) => !isHidden(findings[index]));
  return deriveTools(
    visible.map(([name, fn]): FunctionTool => ({
      fn,
      name: namespaced(name, options),
      options,
      policy: policyOf(options, `toolkit(${className(instance)})`),
      self: instance,
    })),
  );
}

/** What is private may well have types that no schema can express: that is no mistake then. */
function isHidden(finding: FunctionSchema | SchemaNotFoundError | undefined): boolean {
  if (finding instanceof SchemaNotFoundError) return finding.data.hidden === true;
  return finding?.hidden === true;
}

/** Methods by name, from the instance up its classes; what a subclass overrides is listed once. */
function methodsOf(instance: object): (readonly [string, ToolFunction])[] {
  const methods = new Map<string, ToolFunction>();
  for (
    let owner = instance;
    owner !== null && Object.getPrototypeOf(owner) !== null;
    owner = Object.getPrototypeOf(owner)
  ) {
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner))) {
      if (name === "constructor" || name.startsWith("_") || methods.has(name)) continue;
      if (typeof value === "function") methods.set(name, value);
    }
  }
  return [...methods];
}
