import { inspect } from "node:util";
import type { ToolCall } from "../../message/messages.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { closest } from "../../base/util/closest.ts";
import { printable, shorten } from "../text.ts";
import { describeAgent, describeTeam, describeTools, modelName } from "./describe.ts";
import { loadConversation, saveConversation } from "./saved-state.ts";
import { isUnfinished, readStore, resetSession, type ChatSession, takeBack } from "./session.ts";
import { describeSpent } from "./spent.ts";
import { toolCallOf } from "./tool-call-of.ts";

/** What a command leads to. */
export interface CommandOutcome {
  /** Shown. */
  readonly text?: string;
  /** The chat is over. */
  readonly leave?: boolean;
  /** Said to the agent. */
  readonly say?: string;
  /** To be called, outside of the conversation. */
  readonly call?: ToolCall;
  /** The session stands where another conversation left off, which may wait for a decision. */
  readonly isResumed?: boolean;
  /** The run that the session stands at is to be resumed. */
  readonly goesOn?: boolean;
}

interface Command {
  readonly name: string;
  /** Shown in `/help`, where the command takes something. */
  readonly argument?: string;
  readonly summary: string;
  run<C>(session: ChatSession<C>, argument: string): CommandOutcome | Promise<CommandOutcome>;
}

const commands: readonly Command[] = [
  { name: "help", summary: "shows these commands", run: () => ({ text: help() }) },
  { name: "agent", summary: "shows who has the lead", run: (session) => ({ text: describeAgent(session) }) },
  { name: "agents", summary: "lists the team", run: (session) => ({ text: describeTeam(session) }) },
  {
    name: "tools",
    summary: "lists the tools of the agent that has the lead",
    run: async (session) => ({ text: await describeTools(session) }),
  },
  {
    name: "call",
    argument: "TOOL ARGUMENTS",
    summary: 'calls a tool yourself: /call getWeather {"city":"Paris"}, or city=Paris',
    run: callTool,
  },
  {
    name: "context",
    summary: "shows the context",
    run: ({ context }) => ({ text: inspect(context, { depth: 6 }) }),
  },
  {
    name: "cost",
    summary: "shows what was used so far",
    run: ({ spent }) => ({ text: describeSpent(spent) }),
  },
  {
    name: "model",
    argument: "MODEL",
    summary: "speaks with another model from now on; `own` for each agent's own",
    run: chooseModel,
  },
  { name: "undo", summary: "takes the last message and its answer back", run: undo },
  { name: "retry", summary: "takes back the last answer, and asks again", run: retry },
  { name: "reset", summary: "begins again: first agent, first context, no messages", run: reset },
  {
    name: "save",
    argument: "FILE",
    summary: "writes messages, agent and context as JSON",
    run: async (session, file) => ({ text: await saveConversation(session, file) }),
  },
  {
    name: "load",
    argument: "FILE",
    summary: "goes on with what /save wrote",
    run: load,
  },
  { name: "exit", summary: "leaves (so do Ctrl-D, and Ctrl-C twice)", run: () => ({ leave: true }) },
];

/** The commands that take something, and what. */
export const commandArguments: ReadonlyMap<string, string | undefined> = new Map(
  commands.map(({ name, argument }) => [name, argument]),
);

/** Words that leave other programs of this kind. */
const farewells: ReadonlySet<string> = new Set(["exit", "quit", "/quit"]);

/** Whether an input is a command rather than something to say. */
export function isCommand(input: string): boolean {
  return input.startsWith("/") || farewells.has(input.toLowerCase());
}

/** Does what an input such as `/save chat.json` says. Never rejects: the text reports what went wrong. */
export async function runCommand<C>(input: string, session: ChatSession<C>): Promise<CommandOutcome> {
  if (farewells.has(input.toLowerCase())) return { leave: true };
  const [, name = "", argument = ""] = /^\/(\S*)\s*(.*?)\s*$/s.exec(input) ?? [];
  const command = commands.find((command) => command.name === name);
  if (!command) return { text: unknownCommand(name) };
  try {
    return await command.run(session, argument);
  } catch (error) {
    return { text: `/${name} failed: ${errorMessage(error)}` };
  }
}

function help(): string {
  const heads = commands.map(({ name, argument }) => `/${name} ${argument ?? ""}`);
  const width = Math.max(...heads.map((head) => head.length));
  const rows = commands.map(({ summary }, index) => `  ${heads[index]?.padEnd(width)} ${summary}`);
  return [
    "A line that does not begin with / is a message to the agent. A line that ends in \\ goes on with the next,",
    "as does a block between lines of ```. Tab completes commands, tools and files.",
    ...rows,
  ].join("\n");
}

function unknownCommand(name: string): string {
  const names = commands.map((command) => command.name);
  const [completed] = name === "" ? [] : names.filter((each) => each.startsWith(name));
  const suggestion = completed ?? closest(name, names)[0];
  const hint =
    suggestion === undefined ? names.map((each) => `/${each}`).join(", ") : `did you mean /${suggestion}?`;
  return `There is no command /${shorten(name, 40)}: ${hint}`;
}

function callTool<C>(_session: ChatSession<C>, argument: string): CommandOutcome {
  const call = toolCallOf(argument);
  return call ? { call } : { text: 'Say which: /call getWeather {"city":"Paris"}. /tools lists them.' };
}

async function chooseModel<C>(session: ChatSession<C>, name: string): Promise<CommandOutcome> {
  const { agent, model } = session;
  if (name === "") return { text: `Speaking with ${modelName(session.override ?? agent.model ?? model)}.` };
  if (name === "own") {
    session.override = undefined;
    return {
      text: `Each agent speaks with its own model: ${agent.name} with ${modelName(agent.model ?? model)}.`,
    };
  }
  const { modelFromName } = await import("#model-resolution");
  session.override = await modelFromName(name);
  return { text: `Speaking with ${modelName(session.override)} from now on.` };
}

async function load<C>(session: ChatSession<C>, file: string): Promise<CommandOutcome> {
  if (session.store) return { text: `There is no /load here: ${storedNote}` };
  return { text: await loadConversation(session, file), isResumed: file !== "" };
}

const storedNote = "the session keeps all that was said. /reset clears it.";

function undo<C>(session: ChatSession<C>): CommandOutcome {
  const { state, store } = session;
  if (store) return { text: `There is no /undo here: ${storedNote}` };
  const exchange = takeBack(session);
  if (!exchange) return { text: nothingToTakeBack };
  const remaining = exchange.before.state?.messages.length ?? 0;
  const usedTools =
    exchange.input.startsWith("/") || state?.messages.slice(remaining).some(({ role }) => role === "tool");
  const note = usedTools ? " What tools did elsewhere stays done." : "";
  return { text: `Took back: ${shorten(exchange.input, 60)}.${note}` };
}

const nothingToTakeBack = "There is nothing to take back yet.";

async function retry<C>(session: ChatSession<C>): Promise<CommandOutcome> {
  const { store, state, context } = session;
  if (store) {
    await readStore(session, store, state ? state.context : context);
    if (isUnfinished(session)) return { goesOn: true };
    return { text: "The session has no run to resume. Send the message again." };
  }
  const exchange = takeBack(session);
  if (!exchange) return { text: nothingToTakeBack };
  const { input } = exchange;
  return input.startsWith("/") ? callTool(session, input.replace(/^\/\S+\s*/, "")) : { say: input };
}

async function reset<C>(session: ChatSession<C>): Promise<CommandOutcome> {
  await session.store?.clear();
  resetSession(session);
  return { text: `${printable(session.agent.name)} begins again.` };
}
