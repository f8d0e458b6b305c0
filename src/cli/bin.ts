#!/usr/bin/env node
import { printable } from "./text.ts";
import { readFile } from "node:fs/promises";
import { Command, InvalidArgumentError, Option } from "commander";
import { SkeinError } from "../errors.ts";
import { errorMessage } from "../base/util/error-message.ts";
import { isPlainObject } from "../base/util/json.ts";
import type { CallFlags } from "./call-command.ts";
import type { ChatFlags } from "./chat/chat-command.ts";
import type { CheckFlags } from "./check-command.ts";
import type { McpListFlags } from "./mcp-list-command.ts";
import type { McpFlags } from "./mcp-command.ts";
import { ownOutput } from "../connectors/mcp/server/own-output.ts";
import { modelForms } from "../providers/resolution/registry.ts";
import type { AcpFlags } from "./acp-command.ts";
import { checkNode } from "./check-node.ts";
import { beforeEnd, endProcess } from "./early-end.ts";
import { addEvalCommand } from "./eval/add-eval-command.ts";
import { addRunsCommand } from "./runs/add-runs-command.ts";
import type { ServeFlags } from "./serve-command.ts";
import type { StudioFlags } from "./studio-command.ts";
import type { ToolsFlags } from "./tools-command.ts";

// Readers of the output may stop early, as `head` does.
process.stdout.on("error", (error) => endProcess("code" in error && error.code === "EPIPE" ? 0 : 1));

try {
  await (await program()).parseAsync();
  // The agent's module may hold servers or timers that would keep the process alive.
  const { wire } = ownOutput();
  process.stderr.write("", () => wire.write("", () => process.exit()));
} catch (error) {
  // Anything but Skein's own errors is a bug, here or in the agent's file: the place helps.
  const bug = error instanceof Error && !(error instanceof SkeinError) ? error.stack : undefined;
  process.stderr.write(`skein: ${printable(bug ?? errorMessage(error))}\n`);
  process.exit(1);
}

async function program(): Promise<Command> {
  const skein = new Command("skein")
    .description("Agents made of plain typed functions.")
    .version(await version())
    .configureOutput({
      outputError: (text, write) =>
        write(printable(`skein: ${text.replace(/^error: /, "").replace("\n(", " (")}`)),
    })
    .hook("preAction", () => checkNode());
  skein
    .command("chat")
    .description("Talk with an agent. Piped input gives a plain transcript.")
    .argument("<file>", "a .ts or .js module that exports an agent")
    .option("-m, --model <name>", `speak with this model: ${modelForms}`)
    .option(
      "-a, --agent <export>",
      "the export to talk with: `agent`, `default` or the only agent, if not given",
    )
    .option("-c, --context <json>", "the context, a JSON object", parseContext)
    .option("-r, --resume <file>", "go on with the conversation that /save wrote to this file")
    .addOption(new Option("-s, --state <file>").hideHelp())
    .option("--plain", "say in words what is shown in signs and colours, for screen readers")
    .option("--debug", "print every event to standard error")
    .addOption(
      new Option("--web", "talk on a local page: the studio, opened on its chat").conflicts([
        "agent",
        "context",
        "resume",
        "state",
        "plain",
        "debug",
      ]),
    )
    .addOption(
      new Option("-p, --port <port>", "with --web: the port").argParser(parsePort).implies({ web: true }),
    )
    .option("--no-open", "with --web: do not open a browser")
    .action(async (file: string, { web, port = 4_747, open, ...flags }: ChatFlags & WebFlags) => {
      if (web) {
        const { studioCommand } = await import("./studio-command.ts");
        const { model } = flags;
        return studioCommand(file, {
          port,
          ...(open === false && { open }),
          ...(model !== undefined && { model }),
        });
      }
      const { chatCommand } = await import("./chat/chat-command.ts");
      failUnless(await chatCommand(file, flags));
    });
  addToolCommands(skein);
  skein
    .command("attach")
    .description(
      "Write the schemas of tools into what a compiler has emitted, for programs that run without sources.",
    )
    .argument("<folders...>", "the compiler's output, such as dist")
    .action(async (folders: string[]) => {
      const { attachCommand } = await import("./attach-command.ts");
      failUnless(await attachCommand(folders));
    });
  addEvalCommand(skein, async (command) => failUnless(await whole(command)));
  addMcpCommands(skein);
  addServeCommand(skein);
  addStudioCommand(skein);
  addAcpCommand(skein);
  addRunsCommand(skein);
  return skein;
}

function addToolCommands(skein: Command): void {
  skein
    .command("tools")
    .description(
      "Print the tools of modules: exported functions, tool(...), toolkits and the tools of agents.",
    )
    .argument("<files...>", "TypeScript or JavaScript modules")
    .option("--json", "as JSON: name, description, inputSchema, outputSchema, source")
    .addOption(new Option("--openai", "as OpenAI is sent them").conflicts("json"))
    .addOption(new Option("--anthropic", "as Anthropic is sent them").conflicts(["json", "openai"]))
    .addOption(new Option("--google", "as Google is sent them").conflicts(["json", "openai", "anthropic"]))
    .addOption(
      new Option("--mcp", "as an MCP server lists them").conflicts(["json", "openai", "anthropic", "google"]),
    )
    .addOption(
      new Option("--declarations", "as programs of code mode call them, in TypeScript").conflicts([
        "json",
        "openai",
        "anthropic",
        "google",
        "mcp",
      ]),
    )
    .option("--watch", "print them again whenever a file changes")
    .addOption(new Option("--report").hideHelp())
    .action(async (files: string[], flags: ToolsFlags) => {
      const { toolsCommand } = await import("./tools-command.ts");
      failUnless(await whole(() => toolsCommand(files, flags)));
    });
  skein
    .command("call")
    .description("Run one tool, and print its result or the correction that a model would get.")
    .argument("<words...>", "a module, a tool of it, and the arguments as a JSON object")
    .usage("[options] <file> [tool] [arguments]")
    .option("-c, --context <json>", "the context, a JSON object", parseContext)
    .option("-y, --yes", "approve the call, if the tool needs approval")
    .addHelpText("after", `\nExample:\n  $ skein call weather.ts getWeather '{"city": "Paris"}'`)
    .action(async (words: string[], flags: CallFlags) => {
      const { callCommand } = await import("./call-command.ts");
      failUnless(await whole(() => callCommand(words, flags)));
    });
  skein
    .command("check")
    .description("Find what makes tools hard to use for a model, and what changed since they were locked.")
    .argument("<files...>", "TypeScript or JavaScript modules")
    .option("-r, --rule <name=level>", "weigh a rule: off, warn or error; may be repeated", collectRule, [])
    .option("--lock", "write down the tools as they are, in skein.lock.json")
    .option("--json", "print what is found as JSON")
    .addOption(new Option("--report").hideHelp())
    .action(async (files: string[], flags: CheckFlags) => {
      const { checkCommand } = await import("./check-command.ts");
      failUnless(await whole(() => checkCommand(files, flags)));
    });
}

function addMcpCommands(skein: Command): void {
  const mcp = skein
    .command("mcp")
    .description("Serve the tools and agents of modules to MCP clients, over standard input and output.")
    .argument("[files...]", "TypeScript or JavaScript modules")
    .option("--http <port>", "over HTTP instead, on this port; 0 for a free one", parsePort)
    .option("--host <address>", "listen there; 127.0.0.1 by default, which only this machine reaches")
    .option(
      "--allow-host <names...>",
      "names that requests over HTTP may be addressed to, besides this machine's",
    )
    .option("--allow-approvals", "call tools that need approval without asking")
    .option("-m, --model <name>", "what agents without a model of their own speak with")
    .action(async (files: string[], flags: McpFlags) => {
      const { mcpCommand } = await import("./mcp-command.ts");
      await mcpCommand(files, flags);
    });
  mcp
    .command("list")
    .description("Print the servers that start with one line, and whether what they need is there.")
    .option("--json", "as JSON")
    .action(async (flags: McpListFlags) => {
      const { mcpListCommand } = await import("./mcp-list-command.ts");
      mcpListCommand(flags);
    });
}

function addServeCommand(skein: Command): void {
  skein
    .command("serve")
    .description("Serve the agents of a module over HTTP: to OpenAI clients, useChat, AG-UI, curl.")
    .argument("<file>", "a .ts or .js module that exports agents, or a server made by serve()")
    .option("-p, --port <port>", "listen on this port; 0 for a free one", parsePort, 3_000)
    .option("--host <address>", "listen there; 127.0.0.1 by default, which only this machine reaches")
    .option("--store <store>", "keep runs in this SQLite file, or postgres://...; in memory by default")
    .option("--cors <origins...>", "let pages of these origins in, such as https://shop.example")
    .option(
      "--protocols <names...>",
      "speak these alone: native, chat-completions, responses, ui-messages, ag-ui, a2a",
    )
    .option("--open-to-everyone", "let everyone in who reaches the host, all as one user")
    .option("--allow-host <names...>", "names that requests may be addressed to, besides this machine's")
    .option("-m, --model <name>", "what agents without a model of their own speak with")
    .addHelpText("after", "\nExample:\n  $ skein serve agent.ts --port 3000 --store runs.db")
    .action(async (file: string, flags: ServeFlags) => {
      const { serveCommand } = await import("./serve-command.ts");
      await serveCommand(file, flags);
    });
}

/** What `skein chat --web` takes beside the options of the chat. */
interface WebFlags {
  readonly web?: boolean;
  readonly port?: number;
  readonly open?: boolean;
}

function addStudioCommand(skein: Command): void {
  const recordings = new Option(
    "--open <files...>",
    "show the model calls of recordings, and results of skein eval",
  );
  // Beside --no-open, which is about the browser.
  recordings.attributeName = () => "recordings";
  skein
    .command("studio")
    .description(
      "Open a local page to chat with the agents of a module, and to look at every run and request.",
    )
    .argument(
      "[file]",
      "a .ts or .js module that exports agents or evaluations; it is loaded again when it changes",
    )
    .option("-p, --port <port>", "listen on this port of 127.0.0.1; 0 for a free one", parsePort, 4_747)
    .option("--runs <store>", "show the durable runs of a store: a SQLite file, or postgres://...")
    .addOption(recordings)
    .option(
      "--otlp <port>",
      "receive OpenTelemetry spans of agents by HTTP on this port of 127.0.0.1: 4318, say",
      parsePort,
    )
    .option("--baseline <file>", "compare results with those that skein eval --json wrote before")
    .option("--no-open", "do not open a browser")
    .option("-m, --model <name>", "what agents without a model of their own speak with")
    .option("--allow-production", "open it though NODE_ENV is production")
    .addHelpText("after", "\nExample:\n  $ skein studio agents.ts")
    .action(async (file: string | undefined, flags: StudioFlags) => {
      const { studioCommand } = await import("./studio-command.ts");
      await studioCommand(file, flags);
    });
}

function addAcpCommand(skein: Command): void {
  skein
    .command("acp")
    .description(
      "Serve the agents of a module to an editor, by the Agent Client Protocol: Zed, JetBrains IDEs.",
    )
    .argument("<file>", "a .ts or .js module that exports agents")
    .option("-a, --agent <export>", "offer this agent alone; all that are exported, if not given")
    .option("-m, --model <name>", `speak with this model: ${modelForms}`)
    .option("--models <names...>", "models that the editor offers, besides that one or the agents' own")
    .option("-c, --context <json>", "the context that conversations begin with, a JSON object", parseContext)
    .option(
      "--sessions <file>",
      "keep conversations in this SQLite file; until the editor leaves, if not given",
    )
    .addHelpText("after", "\nExample:\n  $ skein acp agent.ts --sessions chats.db")
    .action(async (file: string, flags: AcpFlags) => {
      const { acpCommand } = await import("./acp-command.ts");
      await acpCommand(file, flags, await version());
    });
}

function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("Expected a number from 0 to 65535.");
}

function collectRule(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

/** The outcome of a command that is of no use unless it comes to its end. */
function whole(command: () => Promise<boolean>): Promise<boolean> {
  return beforeEnd("A loaded file ended the process before the command was done.", command);
}

function failUnless(isWell: boolean): void {
  if (!isWell) process.exitCode = 1;
}

function parseContext(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`It must be JSON: ${errorMessage(error)}`);
  }
  if (!isPlainObject(value))
    throw new InvalidArgumentError('Expected a JSON object, such as {"user":"ada"}.');
  return value;
}

async function version(): Promise<string> {
  const manifest: unknown = JSON.parse(
    await readFile(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return isPlainObject(manifest) ? String(manifest["version"]) : "";
}
