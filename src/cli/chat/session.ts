import type { Agent } from "../../agent/agent.ts";
import { findAgent, reachableAgents } from "../../agent/handoff.ts";
import { AgentNotFoundError } from "../../errors.ts";
import type { RunState } from "../../message/run-state.ts";
import type { Model } from "../../model/types.ts";
import type { RunResult } from "../../run/types.ts";

/** What a conversation keeps between turns. */
export interface Session<C = unknown> {
  /** Who began, and who begins again after `/reset`. */
  readonly start: { readonly agent: Agent<C>; readonly context: C | undefined };
  agent: Agent<C>;
  context: C | undefined;
  /** Where the last turn left off; `undefined` before the first. */
  state: RunState<C> | undefined;
  /** The model that spoke last: an agent without one of its own goes on with it, as within a run. */
  model: Model | string | undefined;
}

/** A conversation that has not begun. */
export function newSession<C>(agent: Agent<C>, context: C | undefined): Session<C> {
  return { start: { agent, context }, agent, context, state: undefined, model: agent.model };
}

/**
 * A conversation that goes on where `state` left off; `context`, if given, is used instead of the state's.
 * @throws AgentNotFoundError if the agent of the state cannot be reached from `agent`.
 */
export function resumedSession<C>(
  agent: Agent<C>,
  state: RunState<C>,
  context: C | undefined = state.context,
): Session<C> {
  const found = findAgent(state.agent, [agent]);
  if (!found) {
    const names = reachableAgents([agent]).map(({ name }) => name);
    throw new AgentNotFoundError(
      `The agent ${state.agent}, who had the lead, cannot be reached from ${agent.name}: there are ${names.join(", ")}.`,
      { agent: state.agent },
    );
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- agents of one team share their context
  const leader = found as Agent<C>;
  return { ...newSession(agent, context), agent: leader, state, model: leader.model ?? agent.model };
}

/** Forgets everything said and done. */
export function resetSession<C>(session: Session<C>): void {
  const { agent, context } = session.start;
  Object.assign(session, { agent, context, state: undefined, model: agent.model });
}

/** Takes over what a turn did before it failed, so that the next one knows of it. A turn that did nothing is forgotten. */
export function keepProgress<C>(session: Session<C>, reached: RunState): void {
  if (reached.messages.at(-1)?.role === "user") return;
  const found = findAgent(reached.agent, [session.agent, session.start.agent]);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the state is that of this session's own run
  const state = reached as RunState<C>;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- and so is the agent
  session.agent = (found as Agent<C> | undefined) ?? session.agent;
  session.context = state.context;
  session.state = state;
}

/** Takes over what a turn led to. */
export function advanceSession<C>(session: Session<C>, result: RunResult<C>): void {
  session.agent = result.agent;
  session.context = result.context;
  session.state = result.state;
  session.model = result.agent.model ?? session.model;
}
