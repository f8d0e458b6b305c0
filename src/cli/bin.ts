#!/usr/bin/env node
import { readFile } from "node:fs/promises";
import { Command, InvalidArgumentError } from "commander";
import type { Agent } from "../agent/agent.ts";
import { ModelNotFoundError, SkeinError } from "../errors.ts";
import type { Model } from "../model/types.ts";
import { errorMessage } from "../util/error-message.ts";
import { isPlainObject } from "../util/json.ts";
import { chat } from "./chat.ts";
import { loadAgent } from "./load-agent.ts";

interface ChatFlags {
  readonly model?: string;
  readonly agent?: string;
  readonly context?: Record<string, unknown>;
  readonly debug?: boolean;
}

// Whoever reads the output may stop early, as `head` does.
process.stdout.on("error", (error) => process.exit("code" in error && error.code === "EPIPE" ? 0 : 1));

try {
  await (await program()).parseAsync();
  // The agent's module may hold servers or timers that would keep the process alive.
  process.stdout.write("", () => process.exit(0));
} catch (error) {
  // Anything but Skein's own errors is a bug, here or in the agent's file: the place helps.
  const bug = error instanceof Error && !(error instanceof SkeinError) ? error.stack : undefined;
  process.stderr.write(`skein: ${bug ?? errorMessage(error)}\n`);
  process.exit(1);
}

async function program(): Promise<Command> {
  const skein = new Command("skein")
    .description("Agents made of plain typed functions.")
    .version(await version())
    .configureOutput({
      outputError: (text, write) => write(`skein: ${text.replace(/^error: /, "").replace("\n(", " (")}`),
    });
  skein
    .command("chat")
    .description("Talk with an agent. Piped input gives a plain transcript.")
    .argument("<file>", "a .ts or .js module that exports an agent")
    .option(
      "-m, --model <name>",
      "speak with this model: openai:gpt-5.2, anthropic:claude-..., ollama:qwen3, offline",
    )
    .option(
      "-a, --agent <export>",
      "the export to talk with: `agent`, `default` or the only agent, if not given",
    )
    .option("-c, --context <json>", "the context, a JSON object", parseContext)
    .option("--debug", "print every event to standard error")
    .action(chatCommand);
  return skein;
}

async function chatCommand(file: string, flags: ChatFlags): Promise<void> {
  const { model, context, debug } = flags;
  const loaded = await loadAgent(file, flags.agent);
  const agent = model === undefined ? await withModel(loaded) : loaded;
  await chat(agent, {
    ...(model !== undefined && { model }),
    ...(context && { context }),
    ...(debug !== undefined && { debug }),
  });
}

async function withModel(agent: Agent): Promise<Agent> {
  return agent.model === undefined ? agent.with({ model: await modelOrOffline() }) : agent;
}

/** The model that the environment names; where it names none, the offline one, which the chat announces. */
async function modelOrOffline(): Promise<Model> {
  const { defaultModel, modelFromName } = await import("#model-resolution");
  try {
    return await defaultModel();
  } catch (error) {
    if (!(error instanceof ModelNotFoundError) || process.env["SKEIN_MODEL"]) throw error;
    return modelFromName("offline");
  }
}

function parseContext(text: string): Record<string, unknown> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new InvalidArgumentError(`It is no JSON: ${errorMessage(error)}`);
  }
  if (!isPlainObject(value)) throw new InvalidArgumentError('It is no JSON object, such as {"user":"ada"}.');
  return value;
}

async function version(): Promise<string> {
  const manifest: unknown = JSON.parse(
    await readFile(new URL("../../package.json", import.meta.url), "utf8"),
  );
  return isPlainObject(manifest) ? String(manifest["version"]) : "";
}
