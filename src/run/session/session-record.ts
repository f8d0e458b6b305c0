import { InvalidInputError, SkeinError } from "../../errors.ts";
import type { Message } from "../../message/messages.ts";
import { printStep, type StepKey } from "../../message/step-key.ts";
import { answerAbandonedCalls } from "../../message/unanswered-calls.ts";
import { findAgent } from "../../agent/handoff.ts";
import { withoutSecrets } from "../../model/secrets.ts";
import { safeMessage } from "../../base/util/error-message.ts";
import { frozenCopy } from "../../base/util/snapshot.ts";
import { warn } from "../events/emit.ts";
import type { ActiveRun } from "../state/active-run.ts";
import { approvalsOf, statusOf } from "../state/report.ts";
import { storedContext } from "../state/stored-context.ts";
import type { SessionRecorder } from "../state/run-config.ts";
import type { Middleware } from "../steps/middleware.ts";
import { withFinishedCalls } from "./finished-calls.ts";
import { readEntries, stateOfSession } from "./read-session.ts";
import type { StoredConversation } from "./stored-conversation.ts";
import type { Session, SessionEntry, SessionEntryBody, SessionState } from "./session.ts";
import { agentOfState, assertPending, contextOf } from "../start.ts";

/**
 * Has a run go on with the conversation of its session, and keep there what it does. With something new to say it is a
 * new run, and calls that an earlier one left open are given up; with nothing, it resumes that one.
 * @throws InvalidInputError, AgentNotFoundError, ConfigurationError, and SkeinError (`session-failed`)
 */
export async function openSession(run: ActiveRun, session: Session): Promise<void> {
  if (run.config.resumed)
    throw new InvalidInputError(
      "Both a state and options.session were passed. Pass one of them: a run continues from one.",
    );
  const { entries, warnings = [] } = await run.config.scope.race(orFail("read", () => session.load()));
  const conversation = readEntries(entries);
  for (const warning of warnings) warn(run, `The session: ${warning}`);
  const record = new SessionRecord(run, session, conversation);
  if (run.conversation.messages.length > 0) takeUp(run, withFinishedCalls(conversation));
  else resume(run, conversation);
  assertPending(run, run.config.options.results ?? []);
  const { middlewares, options, stepFailures = new Map() } = run.config;
  // A journal is outside of it: what that remembers need not be kept once more.
  const journals = options.journal ? 1 : 0;
  const around = middlewares.toSpliced(journals, 0, record.middleware);
  run.configure({ record, middlewares: around, stepFailures });
  await record.save();
}

/** A new run in an old conversation. */
function takeUp(run: ActiveRun, { view, state }: StoredConversation): void {
  const { conversation } = run;
  conversation.restart(answerAbandonedCalls([...view, ...conversation.messages]));
  if (!state) return;
  run.replaceContext(frozenCopy(contextOf(run.config.options.context, state.context)));
  const agent = findAgent(state.agent, run.config.roots);
  if (agent) run.activate(agent);
  else warn(run, `The agent "${state.agent}" had the lead and cannot be found; ${run.agent.name} goes on.`);
}

/** The last run once more, from where it was left. */
function resume(run: ActiveRun, { view, state }: StoredConversation): void {
  if (view.length === 0 || !state)
    throw new InvalidInputError("The session has nothing to go on with yet: give the first message.");
  const resumed = stateOfSession(view, state);
  run.conversation.restart(view, resumed.pending);
  run.configure({ resumed, runId: resumed.runId });
  run.meters.addEarlier(resumed);
  run.activate(agentOfState(resumed.agent, run.config.roots));
  run.replaceContext(frozenCopy(contextOf(run.config.options.context, resumed.context)));
}

/** Keeps in a session what a run does, once only and in order. */
class SessionRecord implements SessionRecorder {
  readonly #run: ActiveRun;
  readonly #session: Session;
  readonly #writer = crypto.randomUUID();
  #sequence: number;
  /** How many of the run's messages are kept. */
  #saved: number;
  #state: string | undefined;
  #context: unknown;
  readonly #queue: SessionEntryBody[] = [];
  #writing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  readonly #steps: ReadonlyMap<string, unknown>;
  /** Has what came of each of several calls kept as soon as it is there, and what is done within a call. */
  readonly middleware: Middleware = { step: (key, next) => this.#step(key, next) };

  constructor(run: ActiveRun, session: Session, { view, steps, last }: StoredConversation) {
    this.#run = run;
    this.#session = session;
    this.#sequence = last;
    this.#saved = view.length;
    this.#steps = new Map(steps);
  }

  /**
   * Keeps what is new: messages, and where the run stands.
   * @throws SessionConflictError if another run has written meanwhile; SkeinError (`session-failed`)
   */
  async save(): Promise<void> {
    this.#collect(this.#run.conversation.messages);
    const { context, ...state } = stateEntry(this.#run);
    const text = JSON.stringify(state);
    if (text !== this.#state || context !== this.#context)
      this.#queue.push(
        context === this.#context ? state : { ...state, context: storedContext(this.#run, context) },
      );
    this.#state = text;
    this.#context = context;
    await this.#write();
  }

  /** Notes that the run goes on with other messages than it had `before`. */
  compacted(before: readonly Message[]): void {
    this.#collect(before);
    const { messages } = this.#run.conversation;
    this.#queue.push({ type: "compaction", messages: changes(before, messages) });
    this.#saved = messages.length;
  }

  #collect(messages: readonly Message[]): void {
    for (const message of messages.slice(this.#saved)) this.#queue.push({ type: "message", message });
    this.#saved = messages.length;
  }

  async #step<T>(step: StepKey, perform: () => Promise<T>): Promise<T> {
    const key = printStep(step);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- what stands under a key is what was put there
    if (this.#steps.has(key)) return this.#steps.get(key) as T;
    const value = await perform();
    // A model's answer and a single call have their messages at once.
    const hasMessage =
      step.parent === undefined && (step.kind !== "tool" || this.#run.conversation.pending.length < 2);
    if (hasMessage) return value;
    this.#queue.push({ type: "step", key, value });
    // Should it fail, so does the next `save`: a batch of calls is never interrupted.
    this.#write().catch(() => {});
    return value;
  }

  /** One entry after another, however many ask at once. */
  #write(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure.error);
    if (this.#writing || this.#queue.length === 0) return this.#writing ?? Promise.resolve();
    return (this.#writing = this.#drain());
  }

  async #drain(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        const entries = this.#queue.splice(0).map((body): SessionEntry => {
          this.#sequence++;
          return { sequence: this.#sequence, writer: this.#writer, ...body };
        });
        await orFail("written", () => this.#session.append(entries));
      }
      // At once: what is noted a moment later is another's to write.
      this.#writing = undefined;
    } catch (error) {
      // Nobody knows what is kept now.
      this.#failure = { error };
      throw error;
    }
  }
}

function stateEntry(run: ActiveRun): SessionState {
  const { agent, config, context, meters } = run;
  return {
    type: "state",
    runId: config.runId,
    agent: agent.name,
    turn: meters.turn,
    status: statusOf(run),
    usage: meters.totalUsage,
    approvals: approvalsOf(run),
    context,
  };
}

/** The messages of now, those that were there before by their places. */
function changes(
  before: readonly Message[],
  now: readonly Message[],
): readonly (Message | readonly [number, number])[] {
  const places = new Map(before.map((message, index) => [message, index]));
  const items: (Message | [number, number])[] = [];
  let range: [number, number] | undefined;
  for (const message of now) {
    const place = places.get(message);
    if (range && place === range[1]) range[1]++;
    else items.push((range = place === undefined ? undefined : [place, place + 1]) ?? message);
  }
  return items;
}

async function orFail<T>(what: "read" | "written", work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof SkeinError) throw error;
    throw new SkeinError(`The session could not be ${what}: ${safeMessage(error)}`, {
      code: "session-failed",
      cause: withoutSecrets(error),
    });
  }
}
