import type { SettledCall } from "../executor/types.ts";
import type { Message } from "../message/messages.ts";
import type { ToolSpec } from "../model/types.ts";
import type { Exchange } from "./exchange.ts";
import type { AgentStep, ModelStep, RecordedStatus, RunSource, Step, ToolStep, WaitStep } from "./records.ts";

/** A step that may still change. */
export type Open<T> = { -readonly [Name in keyof T]: T[Name] };

/** The fields that each kind of step has of its own. */
type Unnumbered<T extends Step> = Omit<T, "id">;

/** Any step before it has its number. */
export type NewStep =
  | Unnumbered<ModelStep>
  | Unnumbered<ToolStep>
  | Unnumbered<AgentStep>
  | Unnumbered<WaitStep>;

/** What a model call was asked, before middlewares changed it. */
export interface Prompt {
  readonly instructions?: string | undefined;
  readonly messages: readonly Message[];
}

/** The run that a replay repeats, and from which of its model calls on. */
export interface ReplayOrigin {
  readonly runId: string;
  readonly turn: number;
}

/** A run that is being recorded, or was. */
export class RunRecord {
  readonly id: string;
  /** The conversation that it is part of, where it has one. */
  readonly conversation: string | undefined;
  /** The agent that it began with; of a recording as far as later messages name it. */
  agent: string;
  readonly startedAt: number;
  readonly steps: Open<Step>[] = [];
  readonly exchanges: Exchange[] = [];
  /** The tools that each agent was offered last. */
  readonly tools: Map<string, readonly ToolSpec[]> = new Map();
  /** What the model calls of the run itself were asked, by their steps. */
  readonly prompts: Map<number, Prompt> = new Map();
  /** What came of calls, by their steps. */
  readonly outcomes: Map<number, SettledCall> = new Map();
  /** The application's data as the run began. */
  context: unknown;
  /** Where it comes from, if this process has not executed it. */
  source: RunSource | undefined;
  /** Set for a replay. */
  replayOf: ReplayOrigin | undefined;
  endedAt: number | undefined;
  status: RecordedStatus = "running";
  /** What the user said; empty until the first model call. */
  question = "";
  error: string | undefined;
  revision = 0;
  /** About how many bytes it holds. */
  size = 1_000;
  /** How many messages of its last request were counted. */
  countedMessages = 0;

  constructor(id: string, conversation: string | undefined, agent: string, startedAt: number) {
    this.id = id;
    this.conversation = conversation;
    this.agent = agent;
    this.startedAt = startedAt;
  }

  /** Adds a step, and returns it under its number. */
  add<T extends NewStep>(step: T): T & { readonly id: number } {
    const numbered = { ...step, id: this.steps.length + 1 };
    this.steps.push(numbered);
    return numbered;
  }

  /** Forgets the bytes of the wire, and what a replay needs: the run itself stays. */
  dropWire(): number {
    let freed = 0;
    this.prompts.clear();
    this.outcomes.clear();
    for (const exchange of this.exchanges) freed += exchange.drop();
    this.size -= freed;
    return freed;
  }
}
