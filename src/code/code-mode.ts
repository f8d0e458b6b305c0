import { memoize } from "../base/util/memoize.ts";
import { invalidOption } from "../base/options/known-options.ts";
import { derivePolicy } from "../tool/derived-policy.ts";
import { isToolSource } from "../tool/is-source.ts";
import { noteOrigin } from "../tool/origins.ts";
import { keepOrigin } from "../tool/rename-tools.ts";
import { WrappedToolset } from "../tool/toolset.ts";
import type { Tool, ToolSource, ToolSources, Toolset, ToolsetContext } from "../tool/types.ts";
import { loadProgramCheck, type CheckProgram } from "./check-program.ts";
import { codeTool } from "./code-tool.ts";
import { readCodeOptions, type ReadOptions } from "./options.ts";
import { quickJs, startThread } from "./quick-js.ts";
import type { CodeModeOptions } from "./types.ts";

/**
 * Gives a model one tool instead of many: it runs programs that the model writes against the tools. Calls in a program are calls of
 * tools like any other: with all checks, policies, approvals and events.
 * ```ts
 * new Agent({ name: "Analyst", tools: [codeMode([findUsers, listOrders])] })
 * ```
 * @throws ConfigurationError for a value that is not a tool, or an invalid option; `missing-package`, once it is used, without the package
 *   `run`.
 */
export function codeMode(tools: ToolSources | ToolSource, options: CodeModeOptions = {}): Toolset {
  const list: ToolSources = isToolSource(tools) ? [tools] : tools;
  noteOrigin(list, codeMode, isToolSource(tools) ? [] : [0]);
  return new CodeMode(new WrappedToolset("code", list, []), readCodeOptions(options));
}

const uncheckedWarning =
  "Programs of skein/code run unchecked: TypeScript cannot be loaded here. Install typescript, or set codeMode(tools, { check: false }).";

/** How many selections of the tools are remembered, as different callers may use them. */
const mostListings = 64;

/** What is listed for those who may use the same tools. */
type Listings = Map<string, readonly Tool[]>;

class CodeMode implements Toolset {
  readonly name = "code";
  readonly #tools: Toolset;
  readonly #options: ReadOptions;
  /** By the list of all tools, which is a new one once a tool comes or goes. */
  readonly #listings = memoize((_: readonly Tool[]): Listings => new Map());

  #check: Promise<CheckProgram | undefined> | undefined;

  constructor(tools: Toolset, options: ReadOptions) {
    this.#tools = tools;
    this.#options = options;
  }

  async tools(context: ToolsetContext): Promise<readonly Tool[]> {
    const { interpreter = quickJs } = this.#options;
    const [check, all] = await Promise.all([
      this.#options.check ? (this.#check ??= loadProgramCheck()) : undefined,
      this.#tools.tools(context),
      interpreter === quickJs ? startThread() : undefined,
    ]);
    if (this.#options.check && !check) context.warn?.(uncheckedWarning);
    this.#assertNames(all);
    const isRefused = await Promise.all(all.map((tool) => isRefusedTo(tool, context)));
    const listings = this.#listings(all);
    if (listings.size >= mostListings) listings.clear();
    const key = isRefused.map(Number).join("");
    const listing = listings.get(key) ?? this.#list(all, check, (index) => isRefused[index] === true);
    listings.set(key, listing);
    return listing;
  }

  close(): Promise<void> {
    return Promise.resolve(this.#tools.close?.());
  }

  #list(
    all: readonly Tool[],
    check: CheckProgram | undefined,
    isRefused: (index: number) => boolean,
  ): readonly Tool[] {
    const { direct, interpreter = quickJs } = this.#options;
    const isDirect = ({ name }: Tool): boolean => direct.has(name);
    const callable = all.filter((tool, index) => !isDirect(tool) && !isRefused(index));
    const tool = codeTool({ options: this.#options, interpreter, tools: callable, check });
    return [tool, ...all.map((each) => (isDirect(each) ? each : forPrograms(each)))];
  }

  /** @throws ConfigurationError for a name that leads to two tools, or to none. */
  #assertNames(all: readonly Tool[]): void {
    const names = new Set(all.map(({ name }) => name));
    const { name, direct } = this.#options;
    const unknown = [...direct].find((each) => !names.has(each));
    if (unknown !== undefined)
      throw invalidOption(
        `direct of codeMode() names "${unknown}", which is not one of its tools. There are: ${[...names].join(", ")}.`,
        { option: "direct" },
      );
    if (names.has(name))
      throw invalidOption(
        `A tool of codeMode() is called "${name}", as is its own. Set codeMode(tools, { name }).`,
        {
          option: "name",
        },
      );
  }
}

/** The tool without a place in front of models: the same one for each list. */
const forPrograms = memoize((tool: Tool): Tool =>
  keepOrigin({ ...tool, policy: derivePolicy(tool.policy, { callers: "tools" }) }, tool),
);

/** Whether the caller may not use a tool. Anything but a clear "yes" is a refusal. */
async function isRefusedTo(
  { policy: { allow } }: Tool,
  { context, agent }: ToolsetContext,
): Promise<boolean> {
  if (!allow) return false;
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the program gave the context its type
    const answer: unknown = await allow({ context, agent } as never);
    return answer !== true;
  } catch {
    return true;
  }
}
