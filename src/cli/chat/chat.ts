import type { Agent } from "../../agent/agent.ts";
import { keyVariables } from "../../providers/resolution/registry.ts";
import { toolsOf } from "../../agent/agent-tools.ts";
import { reachableAgents } from "../../agent/handoff.ts";
import type { RunState } from "../../message/run-state.ts";
import type { Model } from "../../model/types.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { assertKnownOptions, invalidOption } from "../../base/options/known-options.ts";
import type { CostLimit } from "../../model/model-call.ts";
import type { Compaction } from "../../run/compaction/options.ts";
import { assertRunOptions } from "../../run/options.ts";
import type { Session } from "../../run/session/session.ts";
import type { RunEvent } from "../../run/types.ts";
import { screenOn, shorten } from "../text.ts";
import { answerServers } from "./answer-servers.ts";
import { isCommand, runCommand } from "./commands.ts";
import { complete } from "./complete.ts";
import { modelName } from "./describe.ts";
import { fileHistory, type History, historyFile, memoryHistory } from "./history.ts";
import { type Lines, readLines } from "./lines.ts";
import { createRenderer, type Renderer } from "./render.ts";
import {
  beginExchange,
  isUnfinished,
  newSession,
  resumedSession,
  storedSession,
  type ChatSession,
} from "./session.ts";
import { askingIn, callTool, type Chat, type ChatLimits, echo, goOn, say } from "./turns.ts";
import { signs, words } from "./voice.ts";

/** The options of `chat`. */
export interface ChatOptions<C = unknown> {
  /** Used instead of every agent's own model: a `Model`, or a name such as `"openai:gpt-5.2"`. */
  readonly model?: Model | string;
  /** The application's data, as for `run`; changes by tools last from turn to turn. */
  readonly context?: C;
  /** Continues from this state: its messages, its context and its agent, found by name among `agent` and its handoffs. */
  readonly state?: RunState<C>;
  /**
   * Stores the conversation: the chat continues it with its agent, and `context` is merged over its own. A session keeps all that was
   * said, so there is no `/undo` and no `/load`; `/retry` goes on with a run that did not finish, and `/reset` clears the session.
   */
  readonly session?: Session;
  /** The most model calls for one message; 20 by default. */
  readonly maxTurns?: number;
  /** The most calls of tools for one message; no limit by default. */
  readonly maxToolCalls?: number;
  /** The most tokens for one message, by all agents together: also of models that have no price. */
  readonly maxTokens?: number;
  /** The most money for one message: `dollars(0.5)` of `skein/models`. */
  readonly maxCost?: CostLimit;
  /** Shortens the history before it becomes too long for the model. */
  readonly compaction?: Compaction;
  /** Called with every event of every run, in order. What it throws becomes a warning. */
  readonly onEvent?: (event: RunEvent) => void;
  /** Prints every event of a run, and the stack of every error, to standard error. */
  readonly debug?: boolean;
  /**
   * For screen readers: words instead of signs and colours, and no line editing. Off by default, except on a terminal that
   * supports nothing else (`TERM=dumb`).
   */
  readonly plain?: boolean;
  /**
   * The file of the input history, for the arrow keys; `false` for none. By default a file in the user's state folder, if
   * `input` is standard input.
   */
  readonly history?: string | false;
  /** Where lines come from: standard input by default. */
  readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Where the conversation is shown: standard output by default. */
  readonly output?: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

/** The outcome of a chat. */
export interface ChatOutcome {
  /** How many messages ended in an error instead of an answer. */
  readonly failedTurns: number;
}

const optionNames = {
  model: true,
  context: true,
  state: true,
  session: true,
  maxTurns: true,
  maxToolCalls: true,
  maxTokens: true,
  maxCost: true,
  compaction: true,
  onEvent: true,
  debug: true,
  plain: true,
  history: true,
  input: true,
  output: true,
} satisfies Record<keyof ChatOptions, true>;

const offlineNotice = `Offline stand-in: keyword rules, not a language model. For a real one, set ${keyVariables}.`;
const keptNotice = "Entered before this was asked, and kept as your next message:";
const leaveNotice = "(Ctrl-C again leaves; so does /exit)";

/**
 * Talks with an agent: on a terminal with a prompt, history and colours, else as a plain transcript. Messages, agent and
 * context are kept between turns, also those of a turn that failed; `/help` lists the commands. Settles when the
 * input ends or the user leaves.
 * @throws ModelNotFoundError if `options.model` is an unknown name; AgentNotFoundError if the agent of
 * `options.state` or `options.session` cannot be reached; ConfigurationError for an invalid option; SchemaNotFoundError and the like
 * if a tool of the team cannot be used; SkeinError (`session-unreadable`).
 */
export async function chat<C = unknown>(agent: Agent<C>, options: ChatOptions<C> = {}): Promise<ChatOutcome> {
  const limits = limitsOf(options);
  const { input = process.stdin, output = process.stdout, debug = false } = options;
  const isInteractive = input.isTTY === true && output.isTTY === true;
  const plain = options.plain ?? (isInteractive && process.env["TERM"] === "dumb");
  const session = await sessionOf(agent, options);
  session.override = await modelOf(options.model);
  const renderer = createRenderer(screenOn(output, { plain }), plain ? words : signs);
  const running: Chat<C> = {
    session,
    renderer,
    limits,
    debug,
    isEchoing: !isInteractive,
    cancel: undefined,
    leaving: false,
    failedTurns: 0,
  };
  let listening: Lines | undefined;
  // A connection declares that there is a person to ask, and opens when its tools are first listed: set the host before that.
  const endAnswers = answerServers(
    () => listening && { inputs: listening, askingIn: (questions) => askingIn(running, questions) },
  );
  try {
    await assertTools(session);
    greet(running, isInteractive);
    await listen(running, options, { isInteractive, plain, onLines: (lines) => (listening = lines) });
  } finally {
    endAnswers();
  }
  return { failedTurns: running.failedTurns };
}

/** @throws ConfigurationError for the first invalid option. */
function limitsOf<C>(options: ChatOptions<C>): ChatLimits {
  assertKnownOptions(options, optionNames, "chat()");
  const { state, session, model, maxTurns, maxToolCalls, maxTokens, maxCost, compaction, onEvent } = options;
  if (state && session)
    throw invalidOption("chat() takes a state or a session, not both. Leave out options.state.", {
      option: "state",
    });
  const limits: ChatLimits = {
    ...(maxTurns !== undefined && { maxTurns }),
    ...(maxToolCalls !== undefined && { maxToolCalls }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(maxCost !== undefined && { maxCost }),
    ...(compaction !== undefined && { compaction }),
    ...(onEvent !== undefined && { onEvent }),
  };
  assertRunOptions(
    { ...limits, ...(model !== undefined && { model }), ...(session !== undefined && { session }) },
    "chat()",
  );
  return limits;
}

async function sessionOf<C>(agent: Agent<C>, options: ChatOptions<C>): Promise<ChatSession<C>> {
  const { state, session, context } = options;
  if (session) return storedSession(agent, session, context);
  return state ? resumedSession(agent, state, context) : newSession(agent, context);
}

/** Reads the person's lines until the input ends. */
async function listen<C>(
  chat: Chat<C>,
  options: ChatOptions<C>,
  way: { readonly isInteractive: boolean; readonly plain: boolean; readonly onLines: (lines: Lines) => void },
): Promise<void> {
  const { input = process.stdin, output = process.stdout } = options;
  const { isInteractive, plain, onLines } = way;
  const { prompt, furtherPrompt } = chat.renderer.voice;
  const lines: Lines = readLines({
    input,
    isTyped: input.isTTY === true,
    onKept: (text) => chat.renderer.line(`${keptNotice} ${shorten(text, 60)}`, "dim"),
    prompt,
    furtherPrompt,
    ...(isInteractive && plain && { asking: output }),
    ...(isInteractive && !plain && { terminal: output, ...editing(chat, options, () => lines) }),
  });
  onLines(lines);
  // Nobody reads any more.
  const onBroken = (): void => {
    chat.cancel?.();
    lines.close();
  };
  surviveErrors(output);
  output.on("error", onBroken);
  const onSignal = (): void => interrupt(chat, lines, "");
  // On a terminal whose lines are not edited here, Ctrl-C is a signal.
  const isSignalled = isInteractive && plain && input === process.stdin;
  if (isSignalled) process.on("SIGINT", onSignal);
  try {
    await converse(chat, lines);
  } finally {
    process.off("SIGINT", onSignal);
    output.off("error", onBroken);
    lines.close();
  }
}

/** Outputs whose errors do not end the process. */
const survived = new WeakSet<NodeJS.WritableStream>();

/** The error of what a chat wrote last may come when the chat is over. */
function surviveErrors(output: NodeJS.WritableStream): void {
  if (survived.has(output)) return;
  survived.add(output);
  output.on("error", () => undefined);
}

/** How lines are edited on a terminal. */
function editing<C>(
  chat: Chat<C>,
  options: ChatOptions<C>,
  lines: () => Lines,
): Pick<Parameters<typeof readLines>[0], "history" | "onInterrupt" | "onKey" | "complete"> {
  return {
    history: historyOf(options, chat.renderer),
    onInterrupt: (typed) => interrupt(chat, lines(), typed),
    onKey: () => void (chat.leaving = false),
    complete: (typed) => complete(typed, chat.session),
  };
}

function historyOf<C>({ history, input = process.stdin }: ChatOptions<C>, renderer: Renderer): History {
  const file = history ?? (input === process.stdin ? historyFile() : false);
  if (file === false) return memoryHistory();
  return fileHistory(file, (error) => {
    renderer.line(`The input history is not saved: ${errorMessage(error)}`, "dim");
  });
}

/** Finds the tools of every agent that may get the lead, so that an unusable one is reported before the chat begins. */
async function assertTools<C>({ start, agent, context }: ChatSession<C>): Promise<void> {
  for (const member of reachableAgents([start.agent, agent])) await toolsOf(member, context ?? {});
}

async function modelOf(model: Model | string | undefined): Promise<Model | undefined> {
  if (typeof model !== "string") return model;
  const { modelFromName } = await import("#model-resolution");
  return modelFromName(model);
}

function greet<C>({ renderer, session }: Chat<C>, isInteractive: boolean): void {
  const model = session.override ?? session.model;
  if (isInteractive)
    renderer.line(`${session.agent.name} (${modelName(model)}). /help lists the commands.`, "dim");
  const offline = typeof model === "string" ? model === "offline" : model?.provider === "offline";
  if (offline) renderer.line(offlineNotice, "yellow");
}

async function converse<C>(chat: Chat<C>, lines: Lines): Promise<void> {
  const { session, renderer } = chat;
  if (session.state?.approvals) await goOn(chat, lines, session.state);
  else if (isUnfinished(session))
    renderer.line("The last run of this session did not finish. /retry goes on with it.", "dim");
  for (;;) {
    const next = await lines.next();
    if (next === undefined) return;
    const text = next.text.trim();
    if (text === "") continue;
    chat.leaving = false;
    if (chat.isEchoing || next.early) echo(chat, text);
    if (!isCommand(text)) await begin(chat, text, () => say(chat, lines, text));
    else if (await command(chat, lines, text)) return;
  }
}

/** Runs a turn that `/undo` can take back. */
async function begin<C>({ session }: Chat<C>, input: string, work: () => Promise<void>): Promise<void> {
  beginExchange(session, input);
  await work();
}

/** Runs a command; `true` if the chat is over. */
async function command<C>(chat: Chat<C>, lines: Lines, input: string): Promise<boolean> {
  const { session, renderer } = chat;
  const { text = "", leave = false, say: again, call, isResumed, goesOn } = await runCommand(input, session);
  if (text !== "") renderer.line(text);
  if (session.state && (goesOn || (isResumed && session.state.approvals)))
    await goOn(chat, lines, session.state);
  if (again !== undefined) {
    echo(chat, again);
    await begin(chat, again, () => say(chat, lines, again));
  }
  if (call) {
    const args = call.arguments === "{}" ? "" : ` ${call.arguments}`;
    await begin(chat, `/call ${call.toolName}${args}`, () => callTool(chat, lines, call));
  }
  return leave;
}

/** Ctrl-C: stops the running turn, drops the typed line, or shows how to leave; the second in a row leaves. */
function interrupt<C>(chat: Chat<C>, lines: Lines, typed: string): void {
  if (!chat.cancel && typed !== "") return lines.drop();
  if (chat.leaving) lines.close();
  else if (!chat.cancel) lines.drop(leaveNotice);
  chat.leaving = true;
  chat.cancel?.();
}
