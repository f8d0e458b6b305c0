import type { Agent } from "../../agent/agent.ts";
import { findAgent, reachableAgents } from "../../agent/handoff.ts";
import { AgentNotFoundError } from "../../errors.ts";
import type { RunState } from "../../message/run-state.ts";
import type { Model } from "../../model/types.ts";
import type { RunResult } from "../../run/result-types.ts";
import { readSession } from "../../run/session/read-session.ts";
import type { Session } from "../../run/session/session.ts";
import { withChanges } from "../../run/state/call-changes.ts";
import { frozenChanges, frozenContext } from "../../run/state/frozen-context.ts";
import { storableState } from "../../run/state/storable-state.ts";
import { changesOf } from "../../run/within/context-changes.ts";
import type { Renderer } from "./render.ts";
import { type Spent, nothingSpent } from "./spent.ts";

/** Where a conversation stands. */
interface Standing<C> {
  agent: Agent<C>;
  context: C | undefined;
  /** Where the last turn left off; `undefined` before the first. */
  state: RunState<C> | undefined;
  /** The model that spoke last: an agent without one of its own goes on with it, as within a run. */
  model: Model | string | undefined;
}

/** A message or a call, and where the conversation stood before it. */
export interface Exchange<C = unknown> {
  readonly input: string;
  readonly before: Readonly<Standing<C>>;
}

/** What a conversation keeps between turns. */
export interface ChatSession<C = unknown> extends Standing<C> {
  /** Who began, and who begins again after `/reset`. */
  readonly start: { readonly agent: Agent<C>; readonly context: C | undefined };
  /** Where the conversation is stored, message by message. */
  readonly store: Session | undefined;
  /** Used instead of every agent's own model. */
  override: Model | undefined;
  /** What can be taken back, the latest last. */
  exchanges: readonly Exchange<C>[];
  spent: Spent;
}

/** How many exchanges can be taken back. */
const mostExchanges = 100;

/** A conversation that has not begun. */
export function newSession<C>(agent: Agent<C>, context: C | undefined, store?: Session): ChatSession<C> {
  return {
    start: { agent, context },
    store,
    agent,
    context,
    state: undefined,
    model: agent.model,
    override: undefined,
    exchanges: [],
    spent: nothingSpent,
  };
}

/**
 * A conversation that goes on where `state` left off; `context`, if given, is used instead of the state's.
 * @throws AgentNotFoundError if the agent of the state cannot be reached from `agent`.
 */
export function resumedSession<C>(
  agent: Agent<C>,
  state: RunState<C>,
  context: C | undefined = state.context,
): ChatSession<C> {
  const session = newSession(agent, context);
  resumeSession(session, state, context);
  return session;
}

/**
 * A conversation that is stored, where it stands; `context`, if given, is merged over its own.
 * @throws AgentNotFoundError if its agent cannot be reached from `agent`; SkeinError (`session-unreadable`)
 */
export async function storedSession<C>(
  agent: Agent<C>,
  store: Session,
  context: C | undefined,
): Promise<ChatSession<C>> {
  const session = newSession(agent, context, store);
  await readStore(session, store, context);
  return session;
}

/** Goes on where the store stands: another program may have led the conversation on. */
export async function readStore<C>(
  session: ChatSession<C>,
  store: Session,
  context: C | undefined,
): Promise<void> {
  const { state } = await readSession(store);
  if (!state) return;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the session of this agent
  resumeSession(session, state as RunState<C>, frozenContext(context, state.context) as C);
}

/** Whether a stored run can be resumed: it paused, reached a limit, failed or crashed. */
export function isUnfinished<C>({ store, state }: ChatSession<C>): boolean {
  return store !== undefined && state !== undefined && state.status !== "completed";
}

/**
 * Goes on where `state` left off, within a conversation that may have been another one.
 * @throws AgentNotFoundError if the agent of the state cannot be reached from the one that began.
 */
export function resumeSession<C>(
  session: ChatSession<C>,
  state: RunState<C>,
  context: C | undefined = state.context,
): void {
  const { agent } = session.start;
  const activeAgent = findAgent(state.agent, [agent]);
  if (!activeAgent) {
    const names = reachableAgents([agent]).map(({ name }) => name);
    throw new AgentNotFoundError(
      `The agent ${state.agent}, who had the lead, cannot be reached from ${agent.name}: there are ${names.join(", ")}.`,
      { agent: state.agent },
    );
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- agents of one team share their context
  const leader = activeAgent as Agent<C>;
  const model = leader.model ?? agent.model;
  const changes = frozenChanges(changesOf(context, state.context), state.changes);
  const standing = withContext({ ...state, ...(changes.length > 0 && { changes }) }, context);
  goTo(session, { agent: leader, context: latestContext(standing), state: standing, model }, []);
}

/** Forgets everything said and done; the model that was chosen stays. */
export function resetSession<C>(session: ChatSession<C>): void {
  const { agent, context } = session.start;
  goTo(session, { agent, context, state: undefined, model: agent.model }, []);
}

/** Notes where the conversation stands before a message or a call. */
export function beginExchange<C>(session: ChatSession<C>, input: string): void {
  const { agent, context, state, model } = session;
  const exchange = { input, before: { agent, context, state, model } };
  session.exchanges = [...session.exchanges, exchange].slice(-mostExchanges);
}

/** Goes back to before the last exchange. @returns it, unless there was none. */
export function takeBack<C>(session: ChatSession<C>): Exchange<C> | undefined {
  const last = session.exchanges.at(-1);
  if (!last) return undefined;
  goTo(session, last.before, session.exchanges.slice(0, -1));
  return last;
}

function withContext<C>(state: RunState<C>, context: C): RunState<C> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the state itself
  return storableState({ ...state, context }) as RunState<C>;
}

/** The context of a state with what calls have changed of which others are still open. */
function latestContext<C>({ context, changes = [] }: RunState<C>): C {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- tools of the agent have changed it
  return withChanges(context, changes) as C;
}

function goTo<C>(
  session: ChatSession<C>,
  { agent, context, state, model }: Standing<C>,
  exchanges: readonly Exchange<C>[],
): void {
  session.agent = agent;
  session.context = context;
  session.state = state;
  session.model = model;
  session.exchanges = exchanges;
}

/** Takes over what a turn did before it failed, so that the next one knows of it. A turn that did nothing is forgotten. */
export function keepProgress<C>(session: ChatSession<C>, reached: RunState): void {
  if (reached.messages.at(-1)?.role === "user") return;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the state is that of this session's own run
  const state = reached as RunState<C>;
  session.agent = memberOf(session, reached.agent) ?? session.agent;
  session.context = latestContext(state);
  session.state = state;
}

/** Takes over what a turn led to. */
export function advanceSession<C>(session: ChatSession<C>, result: RunResult<C>): void {
  session.agent = result.agent;
  session.context = result.context;
  session.state = result.state;
  session.model = result.agent.model ?? session.model;
}

/** Takes over what a call outside of the conversation led to: context and lead, without a word of it in the messages. */
export function keepEffects<C>(
  session: ChatSession<C>,
  { agent, context }: RunResult<C>,
  renderer: Pick<Renderer, "line">,
): void {
  const changes = changesOf(context, session.context);
  const hasChanged = Object.keys(changes).length > 0;
  session.context = context;
  const { state } = session;
  // Open calls get what this call has changed, and nothing of what other calls of their answer have.
  if (state && hasChanged)
    session.state = withContext(
      state,
      latestContext({ ...state, changes: [{ toolCallId: "", context: changes }] }),
    );
  if (session.store) {
    if (agent.name !== session.agent.name)
      renderer.line(`The lead stays with ${session.agent.name}: the session stores what runs do.`, "dim");
    return;
  }
  session.agent = memberOf(session, agent.name) ?? session.agent;
  session.model = session.agent.model ?? session.model;
  if (session.state)
    session.state = withContext({ ...session.state, agent: session.agent.name }, session.state.context);
}

function memberOf<C>({ agent, start }: ChatSession<C>, name: string): Agent<C> | undefined {
  return findAgent(name, [agent, start.agent]);
}
