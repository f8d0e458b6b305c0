import { printable } from "./text.ts";
import type { AnyAgent } from "../agent/agent.ts";
import { asAgent } from "../agent/handoff.ts";
import { ConfigurationError } from "../errors.ts";
import { serveMcp } from "../connectors/mcp/index.ts";
import { ownOutput } from "../connectors/mcp/server/own-output.ts";
import type { McpServeHttpOptions, McpServing } from "../connectors/mcp/server/types.ts";
import type { Model } from "../model/types.ts";
import { isAgent } from "../tool/agent-like.ts";
import { exportedEntries, type Entry } from "./exported-tools.ts";
import { assertModule, importModule } from "./load-module.ts";
import { modelOrOffline, shareModel } from "./model-or-offline.ts";
import { noToolsIn } from "./no-tools.ts";

/** The options of `skein mcp`. */
export interface McpFlags {
  readonly http?: number;
  readonly host?: string;
  readonly allowHost?: readonly string[];
  readonly allowApprovals?: boolean;
  readonly model?: string;
}

/**
 * Serves the tools and agents that files export, until the client leaves or a signal ends the process. Over standard input and
 * output, what the files themselves print goes to standard error.
 * @throws ConfigurationError for a file that is not there, exports nothing to serve, or a port that is not available.
 */
export async function mcpCommand(files: readonly string[], flags: McpFlags): Promise<void> {
  const { http: port, model } = flags;
  if (port === undefined && (flags.host !== undefined || flags.allowHost !== undefined))
    throw usage("--host and --allow-host go with --http PORT.");
  if (files.length === 0) throw usage("Say what to serve: skein mcp tools.ts");
  for (const file of files) await assertModule(file);
  if (port === undefined) ownOutput();
  await shareModel(model);
  const { tools, agents } = await readExports(files);
  const needsModel = agents.some((agent) => agent.model === undefined);
  const chosenModel = model ?? (needsModel ? await announced() : undefined);
  const serving = await serveMcp(
    {
      tools,
      agents,
      ...(chosenModel !== undefined && { model: chosenModel }),
      ...(flags.allowApprovals && { approvals: "allow" }),
      onError: ({ message }) => say(message),
    },
    { transport: port === undefined ? "stdio" : { http: httpOptions(port, flags) } },
  );
  if (serving.url !== undefined)
    say(`${count(tools.length, "tool")} and ${count(agents.length, "agent")} at ${serving.url}`);
  await untilEnd(serving);
}

function usage(message: string): ConfigurationError {
  return new ConfigurationError(message, { code: "usage" });
}

function httpOptions(port: number, { host = "127.0.0.1", allowHost }: McpFlags): McpServeHttpOptions {
  const allowedHosts = allowHost && ["localhost", "127.0.0.1", "[::1]", ...allowHost];
  return { port, host, ...(allowedHosts && { allowedHosts }) };
}

/** What is exported twice, by its name and as the default, say, is served once. */
async function readExports(
  files: readonly string[],
): Promise<{ readonly tools: readonly Entry[]; readonly agents: readonly AnyAgent[] }> {
  const values = new Set<unknown>();
  for (const file of files) for (const value of Object.values(await importModule(file))) values.add(value);
  const agents = [...values].filter(isAgent).map(asAgent);
  const tools = [...values].flatMap((value) => (isAgent(value) ? [] : exportedEntries(value)));
  if (tools.length + agents.length > 0) return { tools, agents };
  throw new ConfigurationError(noToolsIn(...files), { code: "no-such-tool" });
}

async function announced(): Promise<Model> {
  const model = await modelOrOffline();
  if (model.provider === "offline")
    say("agents speak with an offline stand-in: keyword rules, not a language model (set SKEIN_MODEL)");
  return model;
}

async function untilEnd(serving: McpServing): Promise<void> {
  const end = (): void => void serving.close();
  process.once("SIGINT", end).once("SIGTERM", end);
  await serving.closed;
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

function say(text: string): void {
  process.stderr.write(`skein: ${printable(text)}\n`);
}
