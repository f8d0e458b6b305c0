import type { Message, Usage, UserMessage } from "../message/messages.ts";
import type { ApprovalDecision, PendingCall, RunStatus, VisibleBlock } from "../message/run-state.ts";
import type { DurableStatus } from "../durable/stored-run.ts";
import type { ExternalResult, RunEvent } from "../run/types.ts";

/** How to reach a server. Durations are milliseconds. */
export interface ConnectOptions {
  /** Sent with every request, such as `{ authorization: "Bearer ..." }`: an object, or a function that is called for each request. */
  readonly headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>);
  /** Sends the requests; the platform's `fetch` by default. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Whether a browser sends cookies to a server of another origin (`"include"`); the platform's own choice by default. */
  readonly credentials?: RequestCredentials;
  /**
   * For how long to try again without any progress while the server does not answer; 60,000 by default. 0 for never, `Infinity` for without end.
   */
  readonly retryFor?: number;
  /**
   * After how long without a byte a connection counts as broken; 45,000 by default. It must be longer than the server's `keepAlive` (15,000).
   */
  readonly idleTimeout?: number;
}

/** Headers by their names. */
export type RequestHeaders = Readonly<Record<string, string>>;

/** What the user says: a text, a message or several. The server has the rest of the conversation. */
export type RemoteInput = string | UserMessage | readonly UserMessage[];

/** How to start a run. */
export interface StartOptions {
  /** The conversation that the run goes on with: 1 to 100 letters, digits and `. : @ = + ~ _ -`, not `.` or `..` alone. Without it the run is a conversation by itself. */
  readonly session?: string;
  /** The id of the run: started again with it, it is the same run. A random one by default. */
  readonly id?: string;
  /** Ends the reading, of what follows a pause as well. The run goes on: `cancel()` ends it. */
  readonly signal?: AbortSignal;
}

/** How to follow a run. */
export interface FollowOptions {
  /** The index of the last event that is not wanted any more; all events by default. */
  readonly after?: number;
  /** Ends the reading, of what follows a pause as well. The run goes on: `cancel()` ends it. */
  readonly signal?: AbortSignal;
}

/** A Skein server, as its clients see it. */
export interface Client {
  /**
   * Starts a run, at once. It goes on when this page or program is left.
   * @param agent - The name by which the server has the agent.
   * @throws SkeinClientError (`invalid-option`). Everything else rejects `result`.
   */
  stream(agent: string, input: RemoteInput, options?: StartOptions): RemoteRun;
  /**
   * Starts a run and waits until it has stopped: the `result` of `stream()`.
   * @throws SkeinClientError if the run fails or cannot be started.
   */
  run(agent: string, input: RemoteInput, options?: StartOptions): Promise<RemoteResult>;
  /** A run that was started before: its events, those under way and those to come. To go on after a reload. */
  follow(runId: string, options?: FollowOptions): RemoteRun;
  /** A conversation: its messages, the calls that wait, and its run. One that has not begun is empty. */
  session(session: string): Promise<RemoteSession>;
  /** The agents that may be used. */
  agents(): Promise<readonly RemoteAgent[]>;
}

/**
 * A run on a server, until it pauses or ends. Iterate it for its events from the first on; as many readers as like may do so, at any time.
 * Leaving a loop does not stop the run: `cancel()` does. When a connection breaks it goes on over another, behind the last event that it has.
 */
export interface RemoteRun extends AsyncIterable<RemoteEvent> {
  /** The id of the run; that of another one if the server has passed the message on to a run under way (`busy: "steer"`). */
  readonly id: string;
  /**
   * What the run came to when it paused or ended.
   * Rejects with a SkeinClientError if the run has failed or cannot be followed, and with the reason of the `signal`.
   */
  readonly result: Promise<RemoteResult>;
  /**
   * The events after the one with index `after`: to go on where a reader left. All where that is left out.
   * A reader that falls 16,384 events behind misses some, and gets an `events-dropped` event.
   * @throws SkeinClientError (`invalid-option`)
   */
  events(options?: { readonly after?: number | undefined }): AsyncIterable<RemoteEvent>;
  /**
   * The pieces of text alone, of all agents, as they come.
   * @throws SkeinClientError: `events-dropped` for a reader that has fallen 16,384 events behind; `turn-restart` where the process that answered has
   * died and another answers with other words. `result` has the whole text.
   */
  text(): AsyncGenerator<string, void>;
  /**
   * Decides on calls that wait, and has the run go on.
   * @returns what follows, as a run of its own, once the server has the decisions.
   * @throws SkeinClientError (`nothing-waits`) if no call waits for any of them.
   */
  decide(decisions: readonly ApprovalDecision[]): Promise<RemoteRun>;
  /**
   * Passes on the result of a call that the client has executed, and has the run go on.
   * @returns what follows, as `decide` does. Where other calls wait, the run pauses again.
   * @throws SkeinClientError (`nothing-waits`)
   */
  resolve(toolCallId: string, content: unknown, options?: { readonly isError?: boolean }): Promise<RemoteRun>;
  /** Passes on the results of several calls. */
  resolve(results: readonly ExternalResult[]): Promise<RemoteRun>;
  /**
   * The page of the app (MCP Apps) that shows a call: another party's program, for a sandboxed frame.
   * @param index - The `index` of an event that the run has emitted, and whose `ui` names the page; of an `agent-event`, that of the event around.
   * @throws SkeinClientError (`not-found`) if the event names none, or the server does not list the MCP server in `apps`; `app-failed`.
   */
  app(index: number): Promise<RemoteApp>;
  /**
   * Has the agent read a message of the user before its next model call. It is not repeated if the connection breaks, since the agent could then read
   * it twice.
   * @throws SkeinClientError (`run-ended`, `connection-lost`)
   */
  steer(message: string | UserMessage): Promise<void>;
  /**
   * Has the agent answer a message of the user once it has answered what came before.
   * @throws as `steer` does.
   */
  queue(message: string | UserMessage): Promise<void>;
  /** Ends the run: its status is `cancelled`, and what was finished is kept. One that has ended stays as it is. */
  cancel(reason?: string): Promise<void>;
}

/** The page of an app, and who it is from. */
export interface RemoteApp {
  /** The name of the MCP server. */
  readonly server: string;
  readonly resourceUri: string;
  /** The page, with the policy in it that it is to be shown under: for `srcdoc` of an `<iframe sandbox="allow-scripts">`. */
  readonly html: string;
  /** What it would like to use: `camera`, `microphone`, `geolocation`, `clipboardWrite`. The frame's `allow` decides. */
  readonly permissions: readonly string[];
  /** Whether it would like a border around it. */
  readonly prefersBorder?: boolean;
}

/** What a run came to when it paused or ended. */
export interface RemoteResult {
  readonly runId: string;
  readonly status: RunStatus;
  /** The last answer's text. */
  readonly text: string;
  /** The answer as data, where the agent has an `output` schema. */
  readonly output?: unknown;
  /** Why the last model call stopped. */
  readonly finishReason: string;
  /** Tokens since the run was last resumed, or begun by another process of the server. */
  readonly usage: Usage;
  /** Turns since then. */
  readonly turns: number;
  /** Calls that wait: for a decision those with an `approvalId`, the others for a result. */
  readonly pending: readonly PendingCall[];
  /** The name of the agent that was active last. */
  readonly agent: string;
  /** Set where the status is `"blocked"`: what was wrong, and the message for the user, if there is one. */
  readonly blocked?: Pick<VisibleBlock, "stage" | "message">;
  /** Set where a decision, or a result, was not carried out: why. Its call waits still. */
  readonly error?: { readonly code: string; readonly message: string };
}

/** Events that stay on the server. */
export type ServerEvent = "model-start" | "model-end" | "retry" | "compaction" | "warning";

/**
 * An event of a run on a server: those of `stream()` as far as the server shows them, as JSON. `index` counts up, and skips numbers.
 */
export type RemoteEvent =
  | Exclude<RunEvent, { readonly type: ServerEvent | "run-end" }>
  | RemoteRunEnd
  | TurnRestart;

/** The run has stopped: it paused, ended or failed. One that goes on later has more events behind it. */
export interface RemoteRunEnd {
  readonly type: "run-end";
  readonly index: number;
  readonly agent: string;
  /** `"stuck"`: the server's program lacks the agent, or a tool, and another one goes on. */
  readonly status: RunStatus | "failed" | "stuck";
  readonly result?: Omit<RemoteResult, "runId">;
  readonly error?: { readonly code: string; readonly message: string };
}

/** A process has died, and another does the model call of this turn once more: forget the events from index `from` on. */
export interface TurnRestart {
  readonly type: "turn-restart";
  readonly index: number;
  readonly agent: string;
  readonly turn: number;
  readonly from: number;
}

/** A conversation. */
export interface RemoteSession {
  readonly session: string;
  /** Without instructions; of calls and their results what the server shows. */
  readonly messages: readonly Message[];
  /** Calls that wait: for a decision those with an `approvalId`, the others for a result. */
  readonly pending: readonly PendingCall[];
  /** The run that works or waits, else the last one; `undefined` for a conversation that has not begun. */
  readonly run?: RemoteRunInfo;
  /**
   * The index of the last event of that run whose outcome `messages` have: `follow(run.id, { after })` has the rest, an answer under way from its
   * beginning.
   */
  readonly after?: number;
}

/** How a run stands. */
export interface RemoteRunInfo {
  readonly id: string;
  /** The name of the agent that it was started with. */
  readonly agent: string;
  readonly status: DurableStatus;
  readonly session?: string;
  /** A date in ISO 8601. */
  readonly createdAt: string;
  /** A date in ISO 8601. */
  readonly updatedAt: string;
  readonly cancelReason?: string;
  readonly error?: { readonly code: string; readonly message: string };
}

/** An agent of a server. */
export interface RemoteAgent {
  readonly name: string;
  readonly description?: string;
}
