/** What the page reads of recorded runs: plain JSON. Times are milliseconds since 1970, with fractions. */
import type { FinishReason, ToolCall, ToolOutcome, Usage } from "../message/messages.ts";
import type { RunStatus } from "../message/run-state.ts";
import type { JsonSchema } from "../schema/types.ts";

/** How a recorded run stands. */
export type RecordedStatus = RunStatus | "running" | "failed";

/** Where a run comes from that this process has not executed: a store of durable runs, a recording, or a trace of OpenTelemetry. */
export type RunSource = "store" | "recording" | "trace";

/** For how long an agent was active; `agent` is `undefined` while the run waited for a person. */
export interface FlightSegment {
  readonly agent: string | undefined;
  /** Milliseconds since the run began. */
  readonly start: number;
  readonly end: number;
}

/** A moment at which something went wrong, or cost more than it had to. */
export interface FlightTick {
  readonly kind: "wrong" | "prefix";
  /** Milliseconds since the run began. */
  readonly at: number;
}

/** A run as the list shows it. */
export interface RunSummary {
  readonly id: string;
  /** Changes whenever the run does. */
  readonly revision: number;
  /** The conversation, for runs of the chat. */
  readonly session?: string;
  readonly agent: string;
  /** The agent that was active last. */
  readonly lastAgent: string;
  readonly status: RecordedStatus;
  readonly startedAt: number;
  readonly endedAt?: number;
  /** The beginning of what the user said. */
  readonly input: string;
  readonly error?: string;
  readonly turns: number;
  readonly toolCalls: number;
  readonly tools: readonly string[];
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedTokens: number;
  /** In US dollars, if the prices of all its models are known. */
  readonly cost?: number;
  /** Milliseconds that it worked, and waited for a person. */
  readonly worked: number;
  readonly waited: number;
  /** Requests whose prefix differs from that of the request before. */
  readonly breaks: number;
  readonly flight: readonly FlightSegment[];
  readonly ticks: readonly FlightTick[];
  readonly source?: RunSource;
  /** Set for a replay: the run that it repeats, and from which turn on. */
  readonly replayOf?: { readonly runId: string; readonly turn: number };
}

/** A run with all its steps. */
export interface RunDetail extends RunSummary {
  /** What the user said, whole. */
  readonly question: string;
  readonly steps: readonly Step[];
}

/** What every step has. */
interface StepBase {
  readonly id: number;
  /** The step that this one is within. */
  readonly parent?: number;
  readonly agent: string;
  /** The model call of the run, counted from 1. */
  readonly turn: number;
  readonly start: number;
  readonly end?: number;
}

/** A call of a model. */
export interface ModelStep extends StepBase {
  readonly kind: "model";
  readonly provider: string;
  readonly modelId: string;
  /** When the first piece of the answer came. */
  readonly firstToken?: number;
  readonly usage?: Usage;
  readonly cost?: number;
  readonly finishReason?: FinishReason;
  readonly text: string;
  /** How many characters the text has, where only its beginning is here. */
  readonly textLength?: number;
  readonly reasoning: string;
  readonly calls: readonly ToolCall[];
  readonly error?: string;
  /** Attempts that failed, and after which another one followed. */
  readonly failures?: readonly FailedAttempt[];
  /** The numbers of its requests, counted from 1 within the run. */
  readonly requests: readonly number[];
  /** Set where its prefix differs from that of the request before: the place, and the tokens that were paid again. */
  readonly break?: PrefixBreak;
}

/** An attempt at an answer that failed. */
export interface FailedAttempt {
  readonly at: number;
  readonly error: string;
  /** Milliseconds until the next attempt. */
  readonly delay: number;
}

/** A call of a tool. */
export interface ToolStep extends StepBase {
  readonly kind: "tool";
  readonly toolCallId: string;
  readonly toolName: string;
  /** As the model wrote them. */
  readonly arguments: string;
  readonly outcome?: ToolOutcome;
  /** What the model reads. */
  readonly result?: string;
  /** How many characters the result has, where only its beginning is here. */
  readonly resultLength?: number;
  readonly error?: string;
  /** Set where an equal call had the result already. */
  readonly cached?: true;
  /** Set in a replay where the result is that of the run before, and the tool was not called. */
  readonly replayed?: true;
  /** Set for a call that waits for a person's decision. */
  readonly waits?: true;
  /** Set for a call that has waited: it was made again after the decision, or its run ended without one. */
  readonly wasAsked?: true;
  /** Set for a call that a person has approved or denied. */
  readonly decided?: true;
  /** The arguments that a person has approved it with, where these are others. */
  readonly edited?: string;
  /** Set where the result came from outside the run: the program, or a cancellation. */
  readonly answered?: true;
}

/** An agent that a tool runs. */
export interface AgentStep extends StepBase {
  readonly kind: "agent";
  readonly status?: RecordedStatus;
}

/** A time in which a run was paused. */
export interface WaitStep extends StepBase {
  readonly kind: "wait";
  /** The calls that wait. */
  readonly calls: readonly WaitingCall[];
}

/** A step of a run. */
export type Step = ModelStep | ToolStep | AgentStep | WaitStep;

/** A call that waits. */
export interface WaitingCall {
  readonly toolCallId: string;
  readonly toolName: string;
  /** Set where a person decides. */
  readonly approvalId?: string;
}

/** A call that waits for a person's decision. */
export interface Approval {
  readonly runId: string;
  /** Set for a run of a store. */
  readonly isStored?: true;
  readonly session?: string;
  readonly approvalId: string;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly agent: string;
  readonly arguments: string;
  /** The arguments as the tool would get them. */
  readonly input: unknown;
  readonly description?: string;
  readonly schema?: JsonSchema;
  readonly since: number;
  /** The beginning of what the user said. */
  readonly question: string;
}

/** Where the prefix of a request differs from that of the one before. */
export interface PrefixBreak {
  /** Such as `system[0].text`. */
  readonly path: string;
  /** The first character that differs, counted from 0; `undefined` where no text differs from another. */
  readonly character?: number;
  /** The tokens that were paid again, as far as usage tells. */
  readonly tokens?: number;
  /** What they cost more than from the cache, in US dollars, if the price is known. */
  readonly cost?: number;
}

/** A part of a request's prefix beside the same part of the one before. */
export interface PrefixSegment {
  readonly path: string;
  /**
   * `same`: equal, and so is all before it. `cut`: the first difference. `lost`: equal, but behind the difference. `new`: not in the request before,
   * or different and behind the difference. `gone`: only in the request before.
   */
  readonly state: "same" | "cut" | "lost" | "new" | "gone";
  readonly label: string;
  /** Characters of its JSON. */
  readonly size: number;
  /** Of the first difference: what stands around it, before and now. */
  readonly before?: Excerpt;
  readonly after?: Excerpt;
}

/** A piece of a text around a difference. */
export interface Excerpt {
  readonly start: string;
  readonly differs: string;
  readonly end: string;
}

/** What became of a request's prefix. */
export interface PrefixView {
  /** The number of the request that it is compared with, and the run that has it, if that is another one. */
  readonly with?: { readonly request: number; readonly runId: string };
  readonly segments: readonly PrefixSegment[];
  readonly break?: PrefixBreak;
}

/** A request as the list of a run's requests shows it. */
export interface RequestSummary {
  readonly number: number;
  readonly step: number;
  readonly agent: string;
  readonly turn: number;
  readonly model: string;
  /** `false` for a model without a wire: the request is that of Skein to the model. */
  readonly isWire: boolean;
  readonly sentAt: number;
  readonly size: number;
  readonly status?: number;
  readonly failure?: string;
  readonly pieces: number;
  readonly inputTokens?: number;
  readonly cachedTokens?: number;
  /** Tokens of the input that the request before had, too, and that were not read from a cache. */
  readonly paidAgain?: number;
  readonly break?: PrefixBreak;
}

/** A request, its answer, and how it compares with the one before. */
export interface RequestDetail extends RequestSummary {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** As it was sent, without secrets; `undefined` if it was dropped to save memory. */
  readonly body?: string;
  /** How many characters it has, where only its beginning is here. */
  readonly bodyLength?: number;
  /** Whether secrets were taken out of it. */
  readonly isRedacted: boolean;
  readonly answer?: {
    readonly headers: Readonly<Record<string, string>>;
    /** Those that came first; `pieces` of the request says how many there are. */
    readonly pieces: readonly AnswerPiece[];
    /** How it ended, if not in order. */
    readonly end?: "cut" | "left";
  };
  readonly prefix: PrefixView;
}

/** A piece of an answer as the network gave it. */
export interface AnswerPiece {
  /** Milliseconds since the request was sent. */
  readonly at: number;
  readonly text: string;
  readonly bytes: number;
}

/** Arguments of a call beside the schema of its tool. */
export interface ArgumentsView {
  /** As the model wrote them. */
  readonly text: string;
  /** What was read of them: undefined where nothing could be. */
  readonly read?: unknown;
  /** Whether they were not JSON as they stand, and were mended. */
  readonly isMended: boolean;
  /** What the tool gets; missing where they do not fit. */
  readonly value?: unknown;
  readonly issues: readonly { readonly path: readonly (string | number)[]; readonly message: string }[];
  readonly schema?: JsonSchema;
  readonly description?: string;
}

/** What came of a call that a person had executed again. */
export interface CallAgainResult {
  readonly outcome: ToolOutcome;
  readonly text: string;
  /** Milliseconds. */
  readonly duration: number;
}

/** What a replay begins with. */
export interface ReplayView {
  readonly step: number;
  readonly turn: number;
  readonly agent: string;
  /** Whether the studio has an agent of that name. */
  readonly isServed: boolean;
  /** Set for a recording that does not say which agent it is of. */
  readonly isUnnamed?: true;
  /** The model that answered before. */
  readonly model: string;
  readonly instructions?: string;
  readonly messages: readonly ReplayMessage[];
  readonly tools: readonly ReplayTool[];
}

/** A message of the history that a replay begins with. */
export interface ReplayMessage {
  readonly index: number;
  readonly role: "system" | "user" | "assistant" | "tool";
  /** The tool that answered, or the agent that said it. */
  readonly about?: string;
  readonly text: string;
  readonly isEditable: boolean;
}

/** A tool whose calls a replay answers from the run before, or executes. */
export interface ReplayTool {
  readonly name: string;
  /** How many calls of the run have results. */
  readonly calls: number;
  readonly policies: readonly string[];
}

/** An agent, as the page shows it. */
export interface AgentView {
  readonly name: string;
  readonly description?: string;
  readonly model?: string;
  /** The text, if they do not depend on the run. */
  readonly instructions?: string;
  readonly hasDynamicInstructions: boolean;
  readonly handoffs: readonly string[];
  readonly tools: readonly ToolView[];
  /** Set until its tools are listed: those of plain functions are derived from their types. */
  readonly isIncomplete?: true;
  /** Why its tools are not known. */
  readonly problem?: string;
}

/** A tool, as the page shows it. */
export interface ToolView {
  readonly name: string;
  readonly description?: string;
  readonly schema: JsonSchema;
  /** Its policies, such as `approval` or `timeout 10 s`. */
  readonly policies: readonly string[];
  readonly handsOffTo?: string;
  /** Set for one that is marked as changing nothing. */
  readonly isReadOnly?: true;
}

/** What the page is sent first, and whenever the agents change. */
export interface StudioInfo {
  readonly agents: readonly AgentView[];
  /** The file of the agents, if they come from one. */
  readonly file?: string;
  readonly loadedAt: number;
  /** Why the file could not be loaded again. */
  readonly problem?: string;
  /** What agents without a model of their own speak with. */
  readonly defaultModel?: string;
  readonly address: string;
  /** Where spans of OpenTelemetry are received, if they are. */
  readonly otlp?: string;
}

/** A message of the stream that keeps the page up to date. */
export type StudioEvent =
  | { readonly type: "info"; readonly info: StudioInfo }
  /** Runs that are new or have changed, and those that were forgotten. */
  | { readonly type: "runs"; readonly runs: readonly RunSummary[]; readonly forgotten: readonly string[] };
