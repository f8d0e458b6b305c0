import type { Message } from "../../message/messages.ts";
import { compileSchema } from "../../schema/compile-schema.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { referencesOf } from "../rename-tools.ts";
import { searchTools } from "../search.ts";
import type { Tool, Toolset, ToolsetContext } from "../types.ts";

/** The tools that one conversation has discovered. */
interface Discovery {
  /** How many of its messages have been read. */
  read: number;
  readonly names: Set<string>;
  /** The whole set when `listed` was made of it. */
  all: readonly Tool[];
  listed: readonly Tool[];
}

/**
 * One tool that searches all others, and those that a conversation has found with it. What was found is read from the
 * history, each message once, so it holds after a resumption, too.
 */
export function deferred(inner: Toolset, name: string, limit: number): Toolset {
  const search = searchTool(inner, name, limit);
  const conversations = new WeakMap<readonly Message[], Discovery>();
  return {
    name: inner.name,
    async tools(context) {
      const all = await inner.tools(context);
      if (all.some((tool) => tool.name === name))
        context.warn?.(
          `The toolset ${inner.name} lists a tool "${name}", which is left out: its search is called that. Set deferred({ name }).`,
        );
      const discovery = conversations.get(context.messages) ?? {
        read: 0,
        names: new Set(),
        all: [],
        listed: [search],
      };
      conversations.set(context.messages, discovery);
      const before = discovery.names.size;
      for (; discovery.read < context.messages.length; discovery.read++) {
        for (const tool of namesIn(context.messages[discovery.read], name)) discovery.names.add(tool);
      }
      if (discovery.names.size !== before || (before > 0 && discovery.all !== all)) {
        const wanted = withRequired(all, discovery.names);
        discovery.listed = [search, ...all.filter((tool) => tool.name !== name && wanted.has(tool.name))];
        discovery.all = all;
      }
      return discovery.listed;
    },
  };
}

/** The names, and those of the tools that have to be called before or in their place. */
function withRequired(all: readonly Tool[], names: ReadonlySet<string>): ReadonlySet<string> {
  const references = new Map(all.map((tool) => [tool.name, referencesOf(tool)]));
  const wanted = new Set(names);
  // A set that grows while it is walked.
  for (const name of wanted) for (const next of references.get(name) ?? []) wanted.add(next);
  return wanted;
}

/** The names that a search has found, if the message is the result of one. */
function namesIn(message: Message | undefined, search: string): readonly string[] {
  if (message?.role !== "tool" || message.result.toolName !== search) return [];
  const { structuredContent } = message.result;
  if (!isPlainObject(structuredContent) || !Array.isArray(structuredContent.tools)) return [];
  return structuredContent.tools.flatMap((tool: unknown) =>
    isPlainObject(tool) && typeof tool.name === "string" ? [tool.name] : [],
  );
}

function searchTool(inner: Toolset, name: string, limit: number): Tool {
  return {
    name,
    description:
      "Finds further tools by what they do. Those it finds can be called from then on. Search before you say that something cannot be done.",
    inputSchema: compileSchema({
      type: "object",
      properties: { query: { type: "string", description: "What the tool should do, in a few words" } },
      required: ["query"],
      additionalProperties: false,
    }),
    annotations: {},
    policy: {},
    async execute(input, { context, agent, messages }) {
      const scope: ToolsetContext = { context, agent, messages };
      const query = isPlainObject(input) ? String(input.query) : "";
      const matches = searchTools(await inner.tools(scope), query, Number.POSITIVE_INFINITY);
      const others = matches.filter((tool) => tool.name !== name);
      const allowed = await firstAllowed(others, limit, scope);
      return { tools: allowed.map((tool) => ({ name: tool.name, description: tool.description ?? "" })) };
    },
  };
}

/** The first `limit` tools that are there for the caller: anything but a clear "yes" is a refusal, as in the list of tools. */
async function firstAllowed(
  tools: readonly Tool[],
  limit: number,
  { context, agent }: ToolsetContext,
): Promise<readonly Tool[]> {
  const allowed: Tool[] = [];
  for (const tool of tools) {
    if (allowed.length >= limit) break;
    if (!tool.policy.allow || (await saysYes(tool.policy.allow, { context, agent }))) allowed.push(tool);
  }
  return allowed;
}

async function saysYes(
  allow: (scope: never) => unknown,
  scope: Pick<ToolsetContext, "context" | "agent">,
): Promise<boolean> {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the program gave the context its type
    return (await allow(scope as never)) === true;
  } catch {
    // The model gets no word of a tool that may not be for it.
    return false;
  }
}
