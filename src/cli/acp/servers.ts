import type { McpServer } from "@agentclientprotocol/sdk";
import type { AnyAgent } from "../../agent/agent.ts";
import { asAgent, handoffsOf } from "../../agent/handoff.ts";
import { ConfigurationError } from "../../errors.ts";
import { keepOrigin } from "../../tool/origins.ts";
import { toolsOriginOf, type Agent } from "../../agent/agent.ts";
import { mcp } from "../../connectors/mcp/client/mcp.ts";
import { loadSdk } from "../../connectors/mcp/client/sdk.ts";
import type { McpToolset } from "../../connectors/mcp/client/toolset.ts";
import { toolset } from "../../tool/toolset.ts";
import type { ElicitationHandler } from "../../connectors/mcp/client/questions.ts";
import type { Editor } from "./editor.ts";
import { invalidParams } from "./refusal.ts";
import { questionsOf } from "./server-questions.ts";

/** The most servers of a session. */
const mostServers = 100;

/**
 * The MCP servers that the editor passes on, as toolsets: nothing is started before a run needs them.
 * @param roots - The folders of the session: the first is where programs are started.
 * @param editor - Whose user answers the servers' questions.
 * @param leaveOut - Receives why a server that cannot be one, such as one with a wrong address, is not among them.
 * @throws Refusal for too many or two of one name; ConfigurationError without the SDK of MCP.
 */
export async function serversOf(
  servers: readonly McpServer[],
  roots: readonly string[],
  editor: Editor,
  leaveOut: (message: string) => void,
): Promise<readonly McpToolset[]> {
  if (servers.length === 0) return [];
  if (servers.length > mostServers)
    throw invalidParams(`A session can have ${mostServers} MCP servers at most, not ${servers.length}.`);
  const names = new Set<string>();
  for (const { name } of servers) {
    if (names.has(name))
      throw invalidParams(`Two MCP servers are called ${JSON.stringify(name)}. Rename one.`);
    names.add(name);
  }
  await loadSdk();
  return servers.flatMap((server) => {
    try {
      return toToolset(server, roots, questionsOf(editor));
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      leaveOut(`The MCP server ${JSON.stringify(server.name)} is left out: ${error.message}`);
      return [];
    }
  });
}

function toToolset(
  server: McpServer,
  roots: readonly string[],
  elicitation: ElicitationHandler | undefined,
): McpToolset {
  const { name } = server;
  const common = { name, roots, ...(elicitation && { elicitation }) };
  if (!("type" in server)) {
    const { command, args, env } = server;
    const [cwd] = roots;
    return mcp({ ...common, command, args, env: toRecord(env), ...(cwd !== undefined && { cwd }) });
  }
  const { type, url, headers } = server;
  return mcp({ ...common, url, type, headers: toRecord(headers) });
}

function toRecord(
  pairs: readonly { readonly name: string; readonly value: string }[],
): Record<string, string> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]));
}

/** The same team with more tools: copies of the agent and of all that it can hand over to. */
export function withTools(agent: Agent, servers: readonly McpToolset[]): Agent {
  if (servers.length === 0) return agent;
  const copies = new Map<AnyAgent, AnyAgent>();
  const copyOf = (original: AnyAgent): AnyAgent => {
    const copy = copies.get(original) ?? copyWith(original, servers, () => handoffsOf(original).map(copyOf));
    copies.set(original, copy);
    return copy;
  };
  return asAgent(copyOf(agent));
}

function copyWith(
  agent: AnyAgent,
  servers: readonly McpToolset[],
  handoffs: () => readonly AnyAgent[],
): AnyAgent {
  // Schemas of plain functions are found by where the agent's own list stands.
  keepOrigin(agent.tools, toolsOriginOf(agent));
  return agent.with({ tools: [toolset(agent.tools, agent.name), ...servers], handoffs });
}
