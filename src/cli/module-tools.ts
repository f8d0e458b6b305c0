import { fileURLToPath } from "node:url";
import type { AnyAgent } from "../agent/agent.ts";
import { asAgent, handoffsOf, reachableAgents } from "../agent/handoff.ts";
import type { CheckedAgent, CheckedTool, Finding } from "../check/types.ts";
import type { Compiler, FunctionOutline } from "../sources/compiler/index.ts";
import { SchemaNotFoundError } from "../errors.ts";
import { locateFunctions } from "../sources/reflection/locate.ts";
import { deriveTools, findSchemas } from "../tool/derive.ts";
import { toSchema } from "../tool/define.ts";
import { isAgent } from "../tool/agent-like.ts";
import type { FunctionTool, Tool } from "../tool/types.ts";
import { errorMessage } from "../base/util/error-message.ts";
import type { Place } from "../base/util/place.ts";
import { exportedEntries, type Entry } from "./exported-tools.ts";
import { problemsOf } from "./problems.ts";

/** One export of a module that has run. */
export interface ExportedValue {
  readonly name: string;
  readonly place: Place;
  readonly value: unknown;
}

/** What the values of a module come to. */
export interface ModuleTools {
  readonly tools: readonly CheckedTool[];
  readonly exported: readonly CheckedTool[];
  readonly agents: readonly CheckedAgent[];
  readonly problems: readonly Finding[];
  readonly warnings: readonly string[];
}

/** This package's own files: a function that stands there was written by no user. */
const ownFolder = fileURLToPath(new URL("..", import.meta.url));

/**
 * The tools among a module's exports, and those of its agents and of the agents that these hand over to. A tool met
 * again, or among those `functionTools` of the source, is the same one.
 */
export async function readModuleTools(
  compiler: Compiler,
  values: readonly ExportedValue[],
  functionTools: readonly CheckedTool[],
): Promise<ModuleTools> {
  const reader = new ToolReader(compiler, functionTools);
  const agents: CheckedAgent[] = [];
  const exported: CheckedTool[] = [];
  const visited = new Set<AnyAgent>();
  for (const { name, place, value } of values) {
    if (!isAgent(value)) {
      const entries = reader.attempt(place, () => exportedEntries(value, name));
      exported.push(...(await reader.read(entries, place, entries[0] === value)));
      continue;
    }
    for (const agent of reader.attempt(place, () => reachableAgents([asAgent(value)]))) {
      if (visited.has(agent)) continue;
      visited.add(agent);
      const entries = reader.attempt(place, () => exportedEntries(agent.tools));
      const tools = await reader.read(entries, place);
      agents.push({ name: agent.name, place, tools, toolCount: tools.length + handoffsOf(agent).length });
    }
  }
  return { tools: reader.tools, exported, agents, problems: reader.problems, warnings: reader.warnings };
}

class ToolReader {
  readonly tools: CheckedTool[] = [];
  readonly problems: Finding[] = [];
  readonly warnings: string[] = [];
  readonly #compiler: Compiler;
  readonly #tools: CheckedTool[];
  /** Tools written out: an agent's record makes a copy of each, which executes the same. */
  readonly #byExecute = new Map<object, readonly CheckedTool[]>();

  constructor(compiler: Compiler, functionTools: readonly CheckedTool[]) {
    this.#compiler = compiler;
    this.#tools = [...functionTools];
  }

  problem(place: Place, message: string): void {
    this.problems.push({ place, message });
  }

  attempt<T>(place: Place, ask: () => readonly T[]): readonly T[] {
    try {
      return ask();
    } catch (error) {
      this.problem(place, errorMessage(error));
      return [];
    }
  }

  /** @param isNamed - Whether `place` is that of the entry itself, and not of something that holds it. */
  async read(entries: readonly Entry[], place: Place, isNamed = false): Promise<readonly CheckedTool[]> {
    const functions = entries.filter((entry) => "fn" in entry);
    // Asked for together, they are found in one go; each finding is remembered.
    const schemas = await findSchemas(functions);
    const derived = new Map(functions.map(({ fn }, index) => [fn, schemas[index]]));
    const added: CheckedTool[] = [];
    for (const entry of entries) {
      try {
        if ("fn" in entry) added.push(await this.#functionTool(entry, derived.get(entry.fn), place));
        else if ("inputSchema" in entry) added.push(await this.#tool(entry, place, isNamed));
        else {
          const warnings = new Set<string>();
          const warn = (message: string): void => void warnings.add(message);
          const tools = await entry.tools({ context: {}, agent: undefined, messages: [], warn });
          // What has no tools because its server is down is no more usable than what throws.
          const level = tools.length === 0 ? "error" : "warn";
          for (const message of warnings) this.problems.push({ place, message, level });
          for (const tool of tools) added.push(await this.#tool(tool, place, false));
        }
      } catch (error) {
        this.problems.push(...problemsOf(error, place));
      }
    }
    return added;
  }

  async #functionTool(
    entry: FunctionTool,
    derived: Awaited<ReturnType<typeof findSchemas>>[number] | undefined,
    place: Place,
  ): Promise<CheckedTool> {
    const source = await this.#locate(entry.fn);
    const { input, name, strict } = { ...entry.options, name: entry.name };
    const own = derived instanceof SchemaNotFoundError ? undefined : derived;
    try {
      const [tool] = await deriveTools([entry]);
      if (tool === undefined) throw new SchemaNotFoundError("deriving one tool gave none");
      return this.#add({ ...factsOf(tool), ...(input && own && { derived: own }) }, source, place);
    } catch (error) {
      if (input === undefined || name === undefined) throw error;
      const { jsonSchema } = toSchema(input, `the input of the tool ${name}`);
      const description = entry.options?.description ?? own?.description;
      const facts = {
        name,
        inputSchema: jsonSchema,
        unusable: errorMessage(error),
        ...(description !== undefined && { description }),
        ...(strict !== undefined && { strict }),
        ...(own && { derived: own }),
      };
      return this.#add(facts, source, place);
    }
  }

  async #tool(tool: Tool, place: Place, isNamed: boolean): Promise<CheckedTool> {
    // oxlint-disable-next-line typescript/unbound-method -- it is looked at, not called
    const { name, execute, inputSchema } = tool;
    const key = execute ?? inputSchema;
    const alike = this.#byExecute.get(key) ?? [];
    const same = alike.find((other) => other.name === name);
    if (same) return same;
    const source = execute && !isNamed ? await this.#locate(execute) : undefined;
    // The parameters of `execute` are not the arguments of the tool.
    const checked = this.#add(factsOf(tool), source && { place: source.place }, place);
    this.#byExecute.set(key, [...alike, checked]);
    return checked;
  }

  #add(
    facts: Omit<CheckedTool, "source"> & { readonly warnings?: readonly string[] },
    source: FunctionOutline | { readonly place: Place } | undefined,
    place: Place,
  ): CheckedTool {
    const { warnings = [], ...tool } = facts;
    const checked: CheckedTool = { ...tool, source: source ?? { place } };
    const same = this.#tools.find((other) => isSame(other, checked));
    if (same) return same;
    this.#tools.push(checked);
    this.tools.push(checked);
    this.warnings.push(...warnings.map((text) => `${checked.name}: ${text}`));
    return checked;
  }

  async #locate(fn: Function): Promise<FunctionOutline | undefined> {
    const [outline] = await locateFunctions(this.#compiler, [fn]);
    return outline?.place.file.startsWith(ownFolder) ? undefined : outline;
  }
}

function factsOf(tool: Tool): Omit<CheckedTool, "source"> & { readonly warnings?: readonly string[] } {
  const { name, description, inputSchema, outputSchema, annotations, policy, warnings } = tool;
  return {
    name,
    ...(description !== undefined && { description }),
    inputSchema: inputSchema.jsonSchema,
    ...(outputSchema && { outputSchema: outputSchema.jsonSchema }),
    ...(policy.strict !== undefined && { strict: policy.strict }),
    ...(annotations.deprecated !== undefined && { deprecated: annotations.deprecated }),
    ...(annotations.version !== undefined && { version: annotations.version }),
    ...(warnings && { warnings }),
  };
}

/** The same function under the same name, described alike. */
function isSame(left: CheckedTool, right: CheckedTool): boolean {
  const [one, other] = [left.source.place, right.source.place];
  return (
    left.name === right.name &&
    one.file === other.file &&
    one.line === other.line &&
    one.column === other.column &&
    left.description === right.description &&
    JSON.stringify(left.inputSchema) === JSON.stringify(right.inputSchema)
  );
}
