import type { AnyAgent } from "../agent/agent.ts";
import type { Message, Usage } from "../message/messages.ts";
import type { PendingCall, RunStatus } from "../message/run-state.ts";
import type { Model } from "../model/types.ts";
import type { ModelCall } from "../model/model-call.ts";
import type { InputMessage, RunOptions } from "../run/types.ts";
import type { JsonValue } from "../base/util/json.ts";
import type { ExpectedCalls, ExpectedText, ExpectedValue } from "./expectations.ts";
import type { MadeCall, RunCall } from "./made-calls.ts";

/**
 * One request of a user, and its expected outcome. Each expectation that is set becomes a scorer;
 * others are not checked.
 */
export interface EvalCase {
  /** The beginning of the input by default. */
  readonly name?: string;
  /** What the user says first, or a whole history. Left out where `user` has a goal and begins. */
  readonly input?: string | readonly InputMessage[];
  /** What the user says after each answer. Without one, the first answer is the last. */
  readonly user?: SimulatedUser;
  /** The context of the run, merged over that of the evaluation and of `setup`. */
  readonly context?: object;
  /**
   * The expected calls, in this order; `[]` for none. `{ anyOrder }` allows any order, `{ include }` allows other calls, too.
   * These are the model's own calls, under the names that it wrote. Handoffs count only if one is named; calls with invalid arguments never do.
   */
  readonly calls?: ExpectedCalls;
  /** Tools that nobody must call: no model, no tool, no agent within the run, under whatever name. */
  readonly never?: readonly string[];
  /** The agent that is active at the end. */
  readonly agent?: string;
  /** A text that the last answer contains, ignoring case, or a pattern that it matches. */
  readonly text?: ExpectedText;
  /** The typed output, or the part of it that matters. */
  readonly output?: ExpectedValue;
  /** The whole state at the end, or a function that compares it with the state before. */
  readonly state?: ExpectedState;
  /** The criteria that a judge applies to the conversation. */
  readonly rubric?: string;
  /** Further scorers, in addition to those of the evaluation. */
  readonly scorers?: readonly AnyScorer[];
  /** Words to group cases by in reports. */
  readonly tags?: readonly string[];
  /** Makes a model that does it right, where `perfectModel` cannot derive one from the case. */
  readonly perfect?: () => Model;
  /** Makes a model that gets it wrong, where `wrongModel` cannot derive one. */
  readonly wrong?: () => Model;
}

/** The expected state, or a function that checks it. */
export type ExpectedState = JsonValue | ((after: JsonValue, before: JsonValue) => boolean);

/** The simulated user: a list of messages, a function that returns the next one, or a goal for a model to pursue. */
export type SimulatedUser = readonly string[] | UserFunction | UserGoal;

/** Says what the user says next, or nothing once there is nothing left to say. */
export type UserFunction = (turn: UserTurn) => string | undefined | Promise<string | undefined>;

/** What a simulated user has to go by. */
export interface UserTurn {
  /** The agent's last answer; empty if the user begins. */
  readonly text: string;
  readonly messages: readonly Message[];
  readonly signal: AbortSignal | undefined;
}

/** What a model that plays the user wants. */
export interface UserGoal {
  /** Said to the model that plays: `"You want your flight to Boston cancelled. You will not pay for it."` */
  readonly goal: string;
  /** Who the user is and what is known: name, order number, temper. */
  readonly persona?: string;
  /** The judge's model by default. */
  readonly model?: Model | string;
  /** The most messages of the user before the goal counts as given up; 10 by default. */
  readonly maxMessages?: number;
}

/** How a simulated user with a goal saw it end. */
export type GoalOutcome = "met" | "given-up";

/** What one run of a case happens in, made by `setup` and thrown away afterwards. */
export interface World {
  /** In place of the evaluation's. */
  readonly agent?: AnyAgent;
  readonly context?: object;
  readonly user?: SimulatedUser;
  /** What the run may change: asked for before and after. Anything that JSON can carry. */
  readonly state?: () => unknown;
  /** Called once the run is over. */
  readonly close?: () => void | Promise<void>;
}

/** What is evaluated, and how. */
export interface EvalOptions {
  /** The agent's name by default. */
  readonly name?: string;
  /** Whom the cases are tried on. */
  readonly agent: AnyAgent | ((evalCase: EvalCase) => AnyAgent);
  readonly cases: readonly EvalCase[];
  /** Applied to every case, beside what the case states. */
  readonly scorers?: readonly AnyScorer[];
  /** How often each case is run; once by default. */
  readonly runs?: number;
  readonly context?: object;
  /** Called before each run: opens the database afresh, say. Runs side by side need a world each. */
  readonly setup?: (evalCase: EvalCase) => World | void | Promise<World | void>;
  /** What a run may change, where all runs share it: they happen one after another then. */
  readonly state?: () => unknown;
  /** The most runs at once, even if more are requested. */
  readonly concurrency?: number;
  /** What to answer to requests for approval. Without it, the run ends where somebody would have to decide. */
  readonly approvals?: "approve" | "deny" | ((call: PendingCall) => "approve" | "deny");
  /** Asked by judges, and plays users: a `Model` or its name. The one that the environment names by default. */
  readonly judge?: Model | string;
  /** For every run of the agent: `{ maxTurns: 1, executeTools: false }` for the first choice of a tool alone. */
  readonly run?: EvalRunOptions;
}

/** The options of the agent's runs. */
export type EvalRunOptions = Pick<
  RunOptions,
  | "maxTurns"
  | "maxTokens"
  | "maxCost"
  | "maxToolCalls"
  | "maxCorrections"
  | "maxRepeats"
  | "executeTools"
  | "timeout"
  | "concurrency"
>;

/** What happened in one run of a case: all that a scorer can look at. */
export interface Transcript {
  readonly case: EvalCase;
  /** The whole conversation, the input included. */
  readonly messages: readonly Message[];
  /** Every call that the model made, in order. */
  readonly calls: readonly MadeCall[];
  /**
   * Every call that reached a tool, in order: also those of tools (`context.call`) and of agents within the run, at any depth. One
   * that waited for a decision is here again when it goes on.
   */
  readonly allCalls: readonly RunCall[];
  /** The last answer. */
  readonly text: string;
  readonly output: unknown;
  /** Who had the lead at the end. */
  readonly agent: string;
  /** Everybody who had the lead, in order. */
  readonly agents: readonly string[];
  readonly status: RunStatus;
  /** Model calls of the agents. */
  readonly turns: number;
  readonly usage: Usage;
  readonly modelCalls: readonly ModelCall[];
  /** How long the agent took, in milliseconds: without the user and the judges. */
  readonly durationMs: number;
  readonly context: unknown;
  /** What the run may have changed, where there is a `state` to ask. */
  readonly state?: { readonly before: JsonValue; readonly after: JsonValue };
  readonly goal?: GoalOutcome;
}

/** What a scorer may use besides. */
export interface ScorerTools {
  /** The model that judges; `undefined` if only the environment can name it. */
  readonly judge: Model | string | undefined;
  readonly signal: AbortSignal | undefined;
}

/** What a scorer found. */
export interface Score {
  /** From 0 to 1. */
  readonly score: number;
  readonly pass: boolean;
  /** Why, in a sentence. */
  readonly reason?: string;
}

/** The value that a scorer returns. A number of 0.5 or more passes. */
export type Verdict = boolean | number | Score;

/** Scores a transcript. */
export type ScorerFunction = (transcript: Transcript, tools: ScorerTools) => Verdict | Promise<Verdict>;

/** A scorer with a name for reports. */
export interface Scorer {
  readonly name: string;
  readonly score: ScorerFunction;
}

/** A scorer, or a plain function whose name appears in reports. */
export type AnyScorer = Scorer | ScorerFunction;
