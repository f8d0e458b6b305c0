import type { Agent } from "../../agent/agent.ts";
import { SkeinError } from "../../errors.ts";
import type { ToolCall } from "../../message/messages.ts";
import type { ApprovalDecision, RunState } from "../../message/run-state.ts";
import { noUsage } from "../../message/usage.ts";
import { inputMessages } from "../../run/resume/input.ts";
import { stream } from "../../run/run.ts";
import type { ModelCall } from "../../model/model-call.ts";
import type { RunResult } from "../../run/result-types.ts";
import { readSession } from "../../run/session/read-session.ts";
import { changesOf } from "../../run/within/context-changes.ts";
import { isPlainObject } from "../../base/util/json.ts";
import { SessionBusyError } from "../../run/session/busy.ts";
import type { RunEvent, RunInput, RunOptions } from "../../run/types.ts";
import { errorMessage } from "../../base/util/error-message.ts";
import { printable } from "../text.ts";
import { type Asking, decideAll } from "./decide.ts";
import type { ApprovalRequested } from "./request-text.ts";
import type { Questions } from "./dispatch-inputs.ts";
import type { Lines } from "./lines.ts";
import type { Renderer } from "./render.ts";
import { advanceSession, keepEffects, keepProgress, type ChatSession } from "./session.ts";
import { addSpent } from "./spent.ts";

/** The options of every run of a chat. */
export type ChatLimits = Pick<
  RunOptions,
  "maxTurns" | "maxToolCalls" | "maxTokens" | "maxCost" | "compaction" | "onEvent"
>;
/** A chat that is going on. */
export interface Chat<C> {
  readonly session: ChatSession<C>;
  readonly renderer: Renderer;
  readonly limits: ChatLimits;
  readonly debug: boolean;
  /** Whether what is read has to be shown: nobody has seen it being typed. */
  readonly isEchoing: boolean;
  /** Stops the turn that runs, if one does. */
  cancel: (() => void) | undefined;
  /** Set by a Ctrl-C: another one leaves, if no key comes between. */
  leaving: boolean;
  failedTurns: number;
}

/** What a turn begins with. */
interface Beginning<C> {
  readonly input: RunInput<C>;
  readonly approvals?: readonly ApprovalDecision[];
  /** Whether a person called a tool: the model is not called, and the messages stay as they are. */
  readonly isOutside: boolean;
}

/** What a turn needs to go on: decisions, and what they are about. */
interface Paused<C> {
  readonly requests: readonly ApprovalRequested[];
  readonly state: RunState<C>;
}

/** Shows what was read, on as many lines as it has. */
export function echo({ renderer }: Pick<Chat<unknown>, "renderer">, text: string): void {
  const { prompt, furtherPrompt } = renderer.voice;
  renderer.line(prompt + printable(text).replaceAll("\n", `\n${furtherPrompt}`));
}

/** A text of which no line but the first passes for one of the chat's own. */
function indentFurther(text: string): string {
  return text.replaceAll("\n", "\n    ");
}

/** Says something to the agent that has the lead. */
export async function say<C>(chat: Chat<C>, lines: Lines, content: string): Promise<void> {
  const { store, state } = chat.session;
  // A session has the messages before this one.
  const messages = store ? [] : (state?.messages ?? []);
  await takeTurns(chat, lines, { input: [...messages, { role: "user", content }], isOutside: false });
}

/** Goes on with a turn that waits for decisions. */
export async function goOn<C>(chat: Chat<C>, lines: Lines, state: RunState<C>): Promise<void> {
  await takeTurns(chat, lines, { input: chat.session.store ? [] : state, isOutside: false });
}

/** Calls a tool of the agent that has the lead, as if its model had. */
export async function callTool<C>(chat: Chat<C>, lines: Lines, call: ToolCall): Promise<void> {
  const { agent, context, state } = chat.session;
  const asking = { role: "assistant", content: [], toolCalls: [call], agent: agent.name } as const;
  const input: RunState<unknown> = {
    version: 1,
    runId: crypto.randomUUID(),
    agent: agent.name,
    messages: [...inputMessages(state?.messages ?? []), asking],
    context: context ?? {},
    turn: 0,
    pending: [call],
    usage: noUsage,
    // Nobody has begun the call.
    status: "paused",
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as within a run, where no context is an empty one
  await takeTurns(chat, lines, { input: input as RunState<C>, isOutside: true });
}

/** How to ask the person in a chat. */
export function askingIn<C>(chat: Chat<C>, questions: Questions): Asking {
  return {
    questions,
    show: (question) => chat.renderer.line(indentFurther(printable(question)), "yellow"),
    echo: (answer, early) => {
      chat.leaving = false;
      if (chat.isEchoing || early) echo(chat, answer);
    },
    isLeaving: () => chat.leaving,
  };
}

/** A turn, and as many more as it takes until nothing is left to be approved. */
async function takeTurns<C>(chat: Chat<C>, lines: Lines, beginning: Beginning<C>): Promise<void> {
  let paused = await takeTurn(chat, beginning);
  while (paused) {
    const approvals = await decideAll(paused.requests, askingIn(chat, lines));
    if (!approvals) return;
    const input = chat.session.store && !beginning.isOutside ? [] : paused.state;
    paused = await takeTurn(chat, { ...beginning, input, approvals });
  }
}

async function takeTurn<C>(chat: Chat<C>, beginning: Beginning<C>): Promise<Paused<C> | undefined> {
  const { session, renderer } = chat;
  const { input, approvals, isOutside } = beginning;
  const requests: ApprovalRequested[] = [];
  const calls: ModelCall[] = [];
  try {
    const context = await contextOf(session, beginning);
    const options = {
      ...runOptions(chat),
      ...(context !== undefined && { context }),
      ...(isOutside ? { maxTurns: 0 } : storeOptions(session)),
    };
    // Whether the agent needs a context, the program that chats has seen to.
    const agent: Agent = speaker(chat);
    const run = stream(agent, input, { ...options, ...(approvals && { approvals }) });
    chat.cancel = () => run.cancel();
    for await (const event of run) {
      show(renderer, event, isOutside);
      if (event.type === "approval-request") requests.push(event);
      if (event.type === "turn-end") calls.push({ provider: "", modelId: "", usage: event.usage });
    }
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the context of the session's agent
    const result = (await run.result) as RunResult<C>;
    // Those of `onEvent` are not events. The others were shown.
    for (const [index, message] of result.warnings.entries())
      show(renderer, { type: "warning", agent: result.agent.name, message, index }, isOutside);
    session.spent = await addSpent(session.spent, result.modelCalls);
    if (isOutside) keepEffects(session, result, renderer);
    else advanceSession(session, result);
    return requests.length > 0 ? { requests, state: result.state } : undefined;
  } catch (error) {
    chat.failedTurns += 1;
    renderer.line(`Error: ${errorMessage(error)}`, "red");
    if (session.store && !isOutside && session.state?.approvals)
      renderer.line("A call still waits for your decision. /retry asks again.", "dim");
    session.spent = await addSpent(session.spent, calls);
    // A run that was refused has done nothing: what waits for a decision still waits.
    const hasWorked = !isOutside && !(error instanceof SessionBusyError);
    if (hasWorked && error instanceof SkeinError && error.state) keepProgress(session, error.state);
    if (chat.debug)
      process.stderr.write(`${printable(String(error instanceof Error ? error.stack : error))}\n`);
    return undefined;
  } finally {
    chat.cancel = undefined;
  }
}

/** A tool called by hand is shown with its whole result, and needs no model. */
function show(renderer: Renderer, event: RunEvent, isOutside: boolean): void {
  if (isOutside && event.type === "run-end" && event.status === "max-turns") return;
  renderer.event(event, isOutside);
}

/** The agent that has the lead, with the model that spoke last if it has none of its own. */
function speaker<C>({ session }: Chat<C>): Agent<C> {
  const { agent, model } = session;
  if (agent.model === undefined && model !== undefined) session.agent = agent.with({ model });
  return session.agent;
}

/**
 * Where the conversation is stored. Its agent is found among all that began, wherever another program has led it, and so is that of calls
 * that wait.
 */
function storeOptions<C>({ store, start }: ChatSession<C>): Pick<RunOptions<C>, "session" | "agents"> {
  return { agents: [start.agent], ...(store && { session: store }) };
}

/**
 * The context to pass to a run. One that goes on has its own, as its open calls are to see it; of that a store has what JSON can carry.
 */
async function contextOf<C>(
  { store, state, context }: ChatSession<C>,
  { input, isOutside }: Beginning<C>,
): Promise<C | undefined> {
  const goesOn = Array.isArray(input) ? input.length === 0 : typeof input === "object";
  if (!goesOn) return context;
  if (!store || isOutside || !state) return undefined;
  if (!isPlainObject(state.context)) return state.context;
  const { state: stored } = await readSession(store);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- merged over what the store has of it
  return changesOf(state.context, stored?.context) as C;
}

function runOptions<C>({ session, limits, debug }: Chat<C>): RunOptions<C> {
  const { override } = session;
  return {
    ...(override && { model: override }),
    ...limits,
    ...(debug && { debug }),
  };
}
