import type { Agent } from "../../agent/agent.ts";
import { toolsOf } from "../../agent/agent-tools.ts";
import { reachableAgents } from "../../agent/handoff.ts";
import { SkeinError } from "../../errors.ts";
import type { RunState } from "../../message/run-state.ts";
import type { Model } from "../../model/types.ts";
import { stream } from "../../run/run.ts";
import type { ApprovalDecision, RunInput, RunOptions } from "../../run/types.ts";
import { errorMessage } from "../../util/error-message.ts";
import { commandsLike, isCommand, modelName, runCommand } from "./commands.ts";
import { decideAll, type ApprovalRequested } from "./decide.ts";
import { readLines, type Lines } from "./lines.ts";
import { createRenderer, type Renderer } from "./render.ts";
import { advanceSession, keepProgress, newSession, resumedSession, type Session } from "./session.ts";
import { printable, screenOn } from "../text.ts";

/** How to chat. */
export interface ChatOptions<C = unknown> {
  /** Used instead of every agent's own model: a `Model`, or a name such as `"openai:gpt-5.2"`. */
  readonly model?: Model | string;
  /** The application's data, as for `run`; what tools change of it is kept from turn to turn. */
  readonly context?: C;
  /** Goes on where this left off: its agent, found by name from the given one, its messages, and its context. */
  readonly state?: RunState<C>;
  /** The most model calls for one message; 20 by default. */
  readonly maxTurns?: number;
  /** Prints every event of a run, and the stack of every error, to standard error. */
  readonly debug?: boolean;
  /** Where lines come from: standard input by default. */
  readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** Where the conversation is shown: standard output by default. */
  readonly output?: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

/** How a chat went. */
export interface ChatOutcome {
  /** How many messages led to an error instead of an answer. */
  readonly failedTurns: number;
}

const prompt = "> ";
const offlineNotice =
  "Offline stand-in: keyword rules, not a language model. For a real one, set ANTHROPIC_API_KEY or OPENAI_API_KEY.";
const leaveNotice = "(Ctrl-C again leaves; so does /exit)";

/** A running chat. */
interface Chat<C> {
  readonly session: Session<C>;
  readonly renderer: Renderer;
  readonly options: ChatOptions<C>;
  readonly override: Model | undefined;
  /** Stops the turn that runs, if one does. */
  cancel: (() => void) | undefined;
  /** Set by a Ctrl-C: another one leaves, if no key comes between. */
  leaving: boolean;
  failedTurns: number;
}

/**
 * Talks with an agent line by line: on a terminal with a prompt, history and colours, else as a plain transcript.
 * Messages, agent and context are kept between turns; `/help` lists the commands. What a turn did before it failed is
 * kept. Settles when the input ends or the user leaves.
 * @throws ModelNotFoundError if `options.model` is a name that is not understood; AgentNotFoundError if the agent of
 * `options.state` cannot be reached; SchemaNotFoundError and the like if a tool of the team cannot be used.
 */
export async function chat<C = unknown>(agent: Agent<C>, options: ChatOptions<C> = {}): Promise<ChatOutcome> {
  const { input = process.stdin, output = process.stdout } = options;
  const interactive = input.isTTY === true && output.isTTY === true;
  const session = options.state
    ? resumedSession(agent, options.state, options.context)
    : newSession(agent, options.context);
  const running: Chat<C> = {
    session,
    renderer: createRenderer(screenOn(output)),
    options,
    override: await modelOf(options.model),
    cancel: undefined,
    leaving: false,
    failedTurns: 0,
  };
  await assertTools(session);
  greet(running, interactive);
  const lines: Lines = readLines({
    input,
    prompt,
    ...(interactive && {
      terminal: output,
      onInterrupt: (typed: string) => interrupt(running, lines, typed),
      onKey: () => void (running.leaving = false),
      complete: commandsLike,
    }),
  });
  try {
    await converse(running, lines, !interactive);
  } finally {
    lines.close();
  }
  return { failedTurns: running.failedTurns };
}

/** Finds the tools of everybody who may get the lead, so that one which cannot be used is told before anybody speaks. */
async function assertTools<C>({ start, agent, context }: Session<C>): Promise<void> {
  for (const member of reachableAgents([start.agent, agent])) await toolsOf(member, context ?? {});
}

async function modelOf(model: Model | string | undefined): Promise<Model | undefined> {
  if (typeof model !== "string") return model;
  const { modelFromName } = await import("#model-resolution");
  return modelFromName(model);
}

function greet<C>({ renderer, session, override }: Chat<C>, interactive: boolean): void {
  const model = override ?? session.model;
  if (interactive)
    renderer.line(`${session.agent.name} (${modelName(model)}). /help lists the commands.`, "dim");
  const offline = typeof model === "string" ? model === "offline" : model?.provider === "offline";
  if (offline) renderer.line(offlineNotice, "yellow");
}

async function converse<C>(chat: Chat<C>, lines: Lines, echo: boolean): Promise<void> {
  const { state } = chat.session;
  if (state?.approvals) await takeTurns(chat, lines, echo, state);
  for (;;) {
    const next = await lines.next();
    if (next === undefined) return;
    const line = next.text.trim();
    if (line === "") continue;
    chat.leaving = false;
    if (echo || next.early) chat.renderer.line(`${prompt}${printable(line)}`);
    if (!isCommand(line)) await takeTurns(chat, lines, echo, withMessage(chat, line));
    else if (await command(chat, line)) return;
  }
}

/** Does a command; `true` if the chat is over. */
async function command<C>({ session, renderer }: Chat<C>, line: string): Promise<boolean> {
  const { text, leave = false } = await runCommand(line, session);
  if (text !== "") renderer.line(printable(text));
  return leave;
}

function withMessage<C>({ session }: Chat<C>, content: string): RunInput<C> {
  return [...(session.state?.messages ?? []), { role: "user", content }];
}

/** A turn, and as many more as it takes until nothing is left to be approved. */
async function takeTurns<C>(chat: Chat<C>, lines: Lines, echo: boolean, input: RunInput<C>): Promise<void> {
  const { renderer, session } = chat;
  let requests = await takeTurn(chat, input);
  while (requests.length > 0 && session.state) {
    const approvals = await decideAll(requests, {
      lines,
      show: (question) => renderer.line(question, "yellow"),
      echo: (answer, early) => {
        chat.leaving = false;
        if (echo || early) renderer.line(`${prompt}${printable(answer)}`);
      },
      isLeaving: () => chat.leaving,
    });
    if (!approvals) return;
    requests = await takeTurn(chat, session.state, approvals);
  }
}

/** @returns what has to be approved before the turn can go on. */
async function takeTurn<C>(
  chat: Chat<C>,
  input: RunInput<C>,
  approvals?: readonly ApprovalDecision[],
): Promise<readonly ApprovalRequested[]> {
  const { session, renderer, options } = chat;
  const requests: ApprovalRequested[] = [];
  try {
    const run = stream(speaker(chat), input, { ...runOptions(chat), ...(approvals && { approvals }) });
    chat.cancel = () => run.cancel();
    for await (const event of run) {
      renderer.event(event);
      if (event.type === "approval-request") requests.push(event);
    }
    advanceSession(session, await run.result);
    return requests;
  } catch (error) {
    chat.failedTurns += 1;
    renderer.line(`Error: ${printable(errorMessage(error))}`, "red");
    if (error instanceof SkeinError && error.state) keepProgress(session, error.state);
    if (options.debug) process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    return [];
  } finally {
    chat.cancel = undefined;
  }
}

/** The agent that has the lead, with the model that spoke last if it has none of its own. */
function speaker<C>({ session }: Chat<C>): Agent<C> {
  const { agent, model } = session;
  if (agent.model === undefined && model !== undefined) session.agent = agent.with({ model });
  return session.agent;
}

function runOptions<C>({ session, override, options }: Chat<C>): RunOptions<C> {
  const { maxTurns, debug } = options;
  return {
    ...(session.context !== undefined && { context: session.context }),
    ...(override && { model: override }),
    ...(maxTurns !== undefined && { maxTurns }),
    ...(debug !== undefined && { debug }),
  };
}

/** Ctrl-C: stops the turn that runs, drops what is typed, or says how to leave; the second in a row leaves. */
function interrupt<C>(chat: Chat<C>, lines: Lines, typed: string): void {
  if (!chat.cancel && typed !== "") return lines.drop();
  if (chat.leaving) lines.close();
  else if (!chat.cancel) lines.drop(leaveNotice);
  chat.leaving = true;
  chat.cancel?.();
}
