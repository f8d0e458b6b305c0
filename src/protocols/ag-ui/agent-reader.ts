import type { PendingCall } from "../../message/run-state.ts";
import type { AgentRunEvent } from "../../run/types.ts";
import { publicError } from "../../run/public/public-error.ts";
import { likeness } from "../kit/match-pending.ts";
import { Lane, type LaneEvent } from "./lane.ts";
import { type LaneCall, ownerField } from "./lane-call.ts";
import type { Wire } from "./wire.ts";

/** A run of an agent within the run. */
interface Invocation {
  readonly subagentRunId: string;
  readonly parentToolCallId: string;
  readonly reader: AgentReader;
  /** The active agent. */
  agent: string;
  /** The index of its last event: runs of one call are told apart by their numbering. */
  last: number;
  /** Why it does not go on: it has ended, or waits. */
  end: "ended" | "suspended" | undefined;
}

/** A call that waits, as the client has it. */
export interface LocatedCall {
  readonly call: LaneCall;
  readonly lane: Lane;
}

/** A call that may be one that waits. */
interface Candidate extends LocatedCall {
  /** The agent that made it, unless it is the run's own. */
  readonly agent: string | undefined;
}

/** The events of one agent and, for each level, of the agents that its tools run. */
export class AgentReader {
  readonly lane: Lane;
  readonly #wire: Wire;
  readonly #invocations: Invocation[] = [];
  readonly #counts = new Map<string, number>();

  constructor(wire: Wire, subagentRunId?: string) {
    this.#wire = wire;
    this.lane = new Lane(wire, subagentRunId);
  }

  read(event: LaneEvent): void {
    if (event.type === "agent-event") return this.#readWithin(event.parentToolCallId, event.event);
    if (event.type === "handoff") return this.#handOff(event);
    // Its tool has ended, so the agents that it ran have, too.
    if (event.type === "tool-end") this.#endOf(event.result.toolCallId);
    this.lane.read(event);
  }

  /**
   * Closes everything that is open, the agents within first. Returns the calls of an answer that was cut.
   * @param isPaused - Whether agents that wait go on in a later run.
   */
  close(isPaused = false): readonly LaneCall[] {
    for (const each of this.#invocations)
      if (each.end === undefined || (each.end === "suspended" && !isPaused)) this.#abandon(each);
    return this.lane.close();
  }

  /** Forgets the current answer and what came of it. */
  restart(): void {
    this.close();
    this.lane.restart();
  }

  /** The lanes of this agent and of all within it. */
  *lanes(): Generator<Lane, void> {
    yield this.lane;
    for (const { reader } of this.#invocations) yield* reader.lanes();
  }

  /**
   * Finds a call that waits. One that has made calls, or has run agents, waits for those only.
   * @param others - Calls of other pending ones: agents number theirs alike, at each depth.
   */
  locate(pending: PendingCall, others: ReadonlySet<LaneCall>): LocatedCall | undefined {
    let best: LocatedCall | undefined;
    let most = 0;
    for (const { agent, ...located } of this.#candidates(pending)) {
      const score = others.has(located.call) ? 0 : likeness(pending, { ...located.call, agent });
      if (score > most) [best, most] = [located, score];
    }
    return best;
  }

  /** Closes the agents that wait: they go on in a later run. */
  suspend(interruptIds: ReadonlyMap<string, readonly string[]>): void {
    for (const { end, subagentRunId, reader } of this.#invocations) {
      reader.suspend(interruptIds);
      if (end !== "suspended") continue;
      const outcome = { type: "suspended", interruptIds: interruptIds.get(subagentRunId) ?? [] } as const;
      this.#wire.send({ type: "SUBAGENT_FINISHED", subagentRunId, outcome });
    }
  }

  *#candidates({ toolCallId, parentToolCallId }: PendingCall): Generator<Candidate, void> {
    const isOwn = parentToolCallId === undefined;
    for (const each of this.#invocations)
      if (each.parentToolCallId === parentToolCallId && each.end !== "ended")
        yield* each.reader.#waitingWithin(toolCallId, each.agent);
    for (const call of this.#waiting())
      if (call.toolCallId === toolCallId && (isOwn || call.subagentRunId !== this.lane.subagentRunId))
        yield { call, lane: this.lane, agent: undefined };
  }

  /** @param toolCallId - For a result, the id stands behind the steps that lead to it. */
  *#waitingWithin(toolCallId: string, agent: string): Generator<Candidate, void> {
    for (const call of this.#waiting())
      if (call.toolCallId === toolCallId || toolCallId.endsWith(`/${call.toolCallId}`))
        yield { call, lane: this.lane, agent };
    for (const each of this.#invocations)
      if (each.end !== "ended") yield* each.reader.#waitingWithin(toolCallId, each.agent);
  }

  *#waiting(): Generator<LaneCall, void> {
    for (const call of this.lane.calls.values()) if (!call.isAnswered && !call.hasWork) yield call;
  }

  #handOff({
    agent,
    to,
    toolCallId,
  }: {
    readonly agent: string;
    readonly to: string;
    readonly toolCallId: string;
  }): void {
    const call = this.lane.calls.get(toolCallId);
    const value = { from: agent, to, ...(call?.isVisible && { toolCallId: call.wireId }) };
    this.#wire.send({ type: "CUSTOM", name: "handoff", value, ...ownerField(this.lane) });
  }

  #readWithin(parentToolCallId: string, event: AgentRunEvent): void {
    const invocation = this.#find(parentToolCallId, event) ?? this.#begin(parentToolCallId, event.agent);
    invocation.last = event.index;
    invocation.agent = event.type === "handoff" ? event.to : event.agent;
    if (event.type !== "run-end") return invocation.reader.read(event);
    if (event.status === "paused") {
      invocation.reader.close(true);
      invocation.end = "suspended";
    } else this.#end(invocation, event);
  }

  /**
   * Two agents side by side in one call have numberings of their own: the next event of each has the next number, or one soon after. It is
   * rather of an agent of its name.
   */
  #find(parentToolCallId: string, { index, agent }: AgentRunEvent): Invocation | undefined {
    const open = this.#invocations.filter(
      (each) => each.parentToolCallId === parentToolCallId && each.end === undefined && each.last < index,
    );
    const named = open.filter((each) => each.agent === agent);
    const candidates = named.length > 0 ? named : open;
    return candidates.reduce<Invocation | undefined>(
      (best, each) => (best && best.last >= each.last ? best : each),
      undefined,
    );
  }

  #begin(parentToolCallId: string, name: string): Invocation {
    const call = this.lane.calls.get(parentToolCallId);
    if (call) call.hasWork = true;
    const parent = this.lane.subagentRunId;
    const owner = call?.wireId ?? `${parent === undefined ? "" : `${parent}/`}${parentToolCallId}`;
    const count = (this.#counts.get(owner) ?? 0) + 1;
    this.#counts.set(owner, count);
    const isSeen = call?.isVisible && (this.#wire.show.toolCalls || !call.isEarlier);
    // The same in the run that goes on with it.
    const subagentRunId = `${owner}/agent-${count}`;
    this.#wire.send({
      type: "SUBAGENT_STARTED",
      subagentRunId,
      name,
      ...(parent !== undefined && { parentSubagentRunId: parent }),
      ...(isSeen && { parentToolCallId: call.wireId }),
    });
    const reader = new AgentReader(this.#wire, subagentRunId);
    const invocation: Invocation = {
      subagentRunId,
      parentToolCallId,
      reader,
      agent: name,
      last: -1,
      end: undefined,
    };
    this.#invocations.push(invocation);
    return invocation;
  }

  #end(
    invocation: Invocation,
    { status, error }: Extract<AgentRunEvent, { readonly type: "run-end" }>,
  ): void {
    const { subagentRunId } = invocation;
    this.#finish(invocation);
    if (status === "completed")
      return this.#wire.send({ type: "SUBAGENT_FINISHED", subagentRunId, outcome: { type: "success" } });
    const failure =
      status === "failed"
        ? publicError(error)
        : { code: status, message: `The agent ended without an answer. (${status})` };
    this.#wire.send({ type: "SUBAGENT_ERROR", subagentRunId, ...failure });
  }

  #endOf(parentToolCallId: string): void {
    for (const each of this.#invocations)
      if (each.parentToolCallId === parentToolCallId && each.end !== "ended") this.#abandon(each);
  }

  #abandon(invocation: Invocation): void {
    const { subagentRunId } = invocation;
    this.#finish(invocation);
    this.#wire.send({
      type: "SUBAGENT_ERROR",
      subagentRunId,
      message: "The agent was stopped.",
      code: "cancelled",
    });
  }

  #finish(invocation: Invocation): void {
    const { calls } = invocation.reader.lane;
    for (const call of invocation.reader.close()) calls.giveUp(call);
    invocation.end = "ended";
  }
}
