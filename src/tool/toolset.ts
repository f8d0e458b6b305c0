import { ConfigurationError } from "../errors.ts";
import { assertKnownOptions, describeValue, invalidOption } from "../base/options/known-options.ts";
import { loadToolsets } from "./features.ts";
import { isToolSource } from "./is-source.ts";
import type { ToolArguments, ToolPolicy } from "./policy.ts";
import { noteOrigin } from "./origins.ts";
import { policyKinds, policyOf } from "./policy-of.ts";
import { toolEntries } from "./resolve.ts";
import type { Tool, ToolSource, ToolSources, Toolset, ToolsetContext } from "./types.ts";
import type { Step } from "./toolsets/step.ts";

/** Chooses tools, for one agent and its context. */
export type ToolFilter = (tool: Tool, scope: ToolsetContext) => boolean;

/** Options of a toolset that the model searches. */
export interface DeferredOptions {
  /** How many tools a search returns; 5 by default. */
  readonly limit?: number;
  /** The name of the tool that searches; `"search_tools"` by default. */
  readonly name?: string;
}

/**
 * Combines tools, lists, records and other toolsets into one that can be changed as a whole. Its sources stay unchanged.
 * ```ts
 * toolset([github, searchWeb]).filtered(["search_issues", "searchWeb"]).withTimeout(5_000)
 * ```
 * @throws ConfigurationError for something that is not a tool, or a name that is not a text; NameClashError for two static tools of one name.
 */
export function toolset(sources: ToolSources | ToolSource, name?: string): WrappedToolset {
  if (name !== undefined && typeof name !== "string")
    throw invalidOption(
      `The name of a toolset must be a text, not ${describeValue(name)}: toolset([...], "shop").`,
      { option: "name" },
    );
  const list: ToolSources = isToolSource(sources) ? [sources] : sources;
  noteOrigin(list, toolset, isToolSource(sources) ? [] : [0]);
  const entries = toolEntries(list, "a toolset");
  const [only] = entries;
  const ownName = entries.length === 1 && only && "tools" in only.source ? only.source.name : "toolset";
  return new WrappedToolset(name ?? ownName, list, []);
}

/** An immutable set of tools: every method returns a new set. */
export class WrappedToolset implements Toolset {
  readonly name: string;
  readonly #sources: ToolSources;
  readonly #steps: readonly Step[];
  #wrapped: Promise<Toolset> | undefined;

  /** Made by `toolset(...)`. */
  constructor(name: string, sources: ToolSources, steps: readonly Step[]) {
    this.name = name;
    this.#sources = sources;
    this.#steps = steps;
    Object.freeze(this);
  }

  /** Adds `prefix_` to the names. */
  prefixed(prefix: string): WrappedToolset {
    return this.#with({ kind: "renamed", rename: (name) => `${prefix}_${name}` });
  }

  /** Renames tools: `{ search: "search_web" }`. All others keep their names. A name that no tool has is a warning of the run. */
  renamed(names: Readonly<Record<string, string>>): WrappedToolset {
    return this.#with({
      kind: "renamed",
      rename: (name) => (Object.hasOwn(names, name) ? names[name] : undefined),
      names: Object.keys(names),
    });
  }

  /** Only the tools of these names, or those that a function chooses, which is called before each model call. A name that no tool has is a warning of the run. */
  filtered(keep: readonly string[] | ToolFilter): WrappedToolset {
    if (typeof keep === "function") return this.#with({ kind: "filtered", filter: keep });
    return this.#with({ kind: "filtered", filter: ({ name }) => keep.includes(name), names: keep });
  }

  /**
   * Applies these policies to every tool. They override its own.
   * @throws ConfigurationError if one of them is invalid.
   */
  withPolicy<I extends object = ToolArguments, C = unknown>(policy: ToolPolicy<I, C>): WrappedToolset {
    assertKnownOptions(policy, policyKinds, "withPolicy()");
    return this.#with({ kind: "policy", policy: policyOf(policy, "withPolicy()") });
  }

  /** Requires a person's approval for every call, or for those that a function selects. */
  withApproval<I extends object = ToolArguments, C = unknown>(
    approval: NonNullable<ToolPolicy<I, C>["approval"]> = true,
  ): WrappedToolset {
    return this.withPolicy({ approval });
  }

  /** Limits every call to `timeout` milliseconds. */
  withTimeout(timeout: number): WrappedToolset {
    return this.withPolicy({ timeout });
  }

  /** Shows the model a search tool instead of all tools, plus the tools that it has found. */
  deferred(options: DeferredOptions = {}): WrappedToolset {
    assertKnownOptions(options, { limit: true, name: true }, "deferred()");
    const { limit = 5, name = "search_tools" } = options;
    if (!(limit > 0)) {
      throw new ConfigurationError(`limit of deferred() is ${limit}. It must be a number above 0.`, {
        code: "invalid-tool",
      });
    }
    return this.#with({ kind: "deferred", limit, name });
  }

  /** The current tools for an agent and its context. */
  async tools(context: ToolsetContext): Promise<readonly Tool[]> {
    return (await this.#wrap()).tools(context);
  }

  /** Closes every toolset that this one contains. */
  async close(): Promise<void> {
    const entries = toolEntries(this.#sources);
    await Promise.all(entries.map(async ({ source }) => "close" in source && source.close?.()));
  }

  #with(step: Step): WrappedToolset {
    return new WrappedToolset(this.name, this.#sources, [...this.#steps, step]);
  }

  #wrap(): Promise<Toolset> {
    this.#wrapped ??= loadToolsets().then(({ wrap }) => wrap(this.name, this.#sources, this.#steps));
    return this.#wrapped;
  }
}
