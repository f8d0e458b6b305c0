import { access, writeFile } from "node:fs/promises";
import { inspect } from "node:util";
import { toolsOf } from "../../agent/agent-tools.ts";
import { handoffsOf } from "../../agent/handoff.ts";
import type { Tool } from "../../tool/types.ts";
import { errorMessage } from "../../util/error-message.ts";
import { nearest } from "../../util/nearest.ts";
import { describeParameters } from "../describe-schema.ts";
import { resetSession, type Session } from "./session.ts";
import { shorten } from "../text.ts";

/** What a command leads to: text to print, and whether the chat is over. */
export interface CommandOutcome {
  readonly text: string;
  readonly leave?: boolean;
}

interface Command {
  readonly name: string;
  /** Shown in `/help`, where the command takes something. */
  readonly argument?: string;
  readonly summary: string;
  run<C>(session: Session<C>, argument: string): CommandOutcome | Promise<CommandOutcome>;
}

const commands: readonly Command[] = [
  { name: "help", summary: "shows these commands", run: () => ({ text: help() }) },
  { name: "agent", summary: "shows who has the lead", run: (session) => ({ text: describeAgent(session) }) },
  {
    name: "context",
    summary: "shows the context",
    run: ({ context }) => ({ text: inspect(context, { depth: 6 }) }),
  },
  { name: "tools", summary: "lists the tools of the agent that has the lead", run: describeTools },
  { name: "reset", summary: "begins again: first agent, first context, no messages", run: reset },
  { name: "save", argument: "FILE", summary: "writes messages, agent and context as JSON", run: save },
  {
    name: "exit",
    summary: "leaves (so do Ctrl-D, and Ctrl-C twice)",
    run: () => ({ text: "", leave: true }),
  },
];

/** Words that leave other programs of this kind. */
const farewells: ReadonlySet<string> = new Set(["exit", "quit", "/quit"]);

/** Whether a line is a command rather than something to say. */
export function isCommand(line: string): boolean {
  return line.startsWith("/") || farewells.has(line.toLowerCase());
}

/** The commands that begin as `typed` does. */
export function commandsLike(typed: string): readonly string[] {
  if (!typed.startsWith("/")) return [];
  const lines = commands.map(({ name, argument }) => (argument === undefined ? `/${name}` : `/${name} `));
  return lines.filter((line) => line.startsWith(typed));
}

/** Does what a line such as `/save chat.json` says. Never rejects: what goes wrong is said in the text. */
export async function runCommand<C>(line: string, session: Session<C>): Promise<CommandOutcome> {
  if (farewells.has(line.toLowerCase())) return { text: "", leave: true };
  const [, name = "", argument = ""] = /^\/(\S*)\s*(.*?)\s*$/s.exec(line) ?? [];
  const command = commands.find((command) => command.name === name);
  if (!command) return { text: unknownCommand(name) };
  try {
    return await command.run(session, argument);
  } catch (error) {
    return { text: `/${name} failed: ${errorMessage(error)}` };
  }
}

function help(): string {
  const rows = commands.map(({ name, argument, summary }) => {
    return `  ${`/${name} ${argument ?? ""}`.padEnd(12)} ${summary}`;
  });
  return ["Whatever does not begin with / is said to the agent.", ...rows].join("\n");
}

function unknownCommand(name: string): string {
  const names = commands.map((command) => command.name);
  const [meant] = nearest(name, names);
  const hint = meant === undefined ? names.map((known) => `/${known}`).join(", ") : `did you mean /${meant}?`;
  return `There is no command /${shorten(name, 40)}: ${hint}`;
}

function describeAgent<C>({ agent, model, state }: Session<C>): string {
  const handoffs = handoffsOf(agent).map(({ name }) => name);
  const lines = [
    agent.description === undefined ? agent.name : `${agent.name}: ${agent.description}`,
    `  model:    ${modelName(agent.model ?? model)}`,
    `  hands to: ${handoffs.length === 0 ? "nobody" : handoffs.join(", ")}`,
    `  messages: ${state?.messages.length ?? 0}`,
  ];
  return lines.join("\n");
}

/** How a model is called in messages: `openai:gpt-5.2`. */
export function modelName(model: Session["model"]): string {
  if (model === undefined) return "chosen at the first message";
  if (typeof model === "string") return model;
  if (model.provider === "offline" || model.provider === model.modelId) return model.provider;
  return `${model.provider}:${model.modelId}`;
}

async function describeTools<C>({ agent, context }: Session<C>): Promise<CommandOutcome> {
  const { tools } = await toolsOf(agent, context ?? {});
  return { text: tools.length === 0 ? `${agent.name} has no tools.` : tools.map(describeTool).join("\n") };
}

function describeTool({ name, description, inputSchema }: Tool): string {
  const head = `${name}(${describeParameters(inputSchema.jsonSchema)})`;
  return description === undefined ? head : `${head}\n  ${shorten(description, 200)}`;
}

function reset<C>(session: Session<C>): CommandOutcome {
  resetSession(session);
  return { text: `${session.agent.name} begins again.` };
}

async function save<C>({ state }: Session<C>, file: string): Promise<CommandOutcome> {
  if (file === "") return { text: "Say where: /save chat.json" };
  if (!state) return { text: "Nothing has been said yet, so nothing was written." };
  const existed = await exists(file);
  await writeFile(file, `${JSON.stringify(state, undefined, 2)}\n`);
  const amount = state.messages.length === 1 ? "1 message" : `${state.messages.length} messages`;
  return {
    text: `${existed ? "Replaced" : "Wrote"} ${file}: ${amount}, the agent ${state.agent} and the context.`,
  };
}

async function exists(file: string): Promise<boolean> {
  try {
    await access(file);
    return true;
  } catch {
    // Whatever else stands in the way, writing will say it.
    return false;
  }
}
