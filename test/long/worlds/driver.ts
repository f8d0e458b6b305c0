/** Drives a world from pause to pause, and disturbs it: what a program, its users and its stores do. */
import {
  SkeinError,
  stream,
  type ApprovalDecision,
  type ExternalResult,
  type PendingCall,
  type RunEvent,
  type RunResult,
} from "skein";
import { readSession } from "skein/sessions";
import { randomOf, type Random } from "../../../src/testing/conformance/random.ts";
import { changing } from "./changes.ts";
import { compactionOf } from "./compaction.ts";
import { isCode, readInput, thawedPath } from "./inspect.ts";
import { checkHistory } from "./log.ts";
import type { Goal } from "./plan.ts";
import type { Ending, Scenario, Step } from "./scenario.ts";
import { checkEvents, followStream } from "./readers.ts";
import { WorldSession } from "./sessions.ts";
import { Faults, rewriting, someOf, unreliableJournal, unreliableStep } from "./stores.ts";
import { Team } from "./team.ts";

const copyJson = <T>(value: T): T => JSON.parse(JSON.stringify(value));
const first = (goal: Goal): Step => ({ input: `do ${goal.id}`, options: {} });

export async function play(scenario: Scenario): Promise<Ending> {
  return new Driver(scenario).play();
}

class Driver {
  readonly #scenario: Scenario;
  readonly #random: Random;
  readonly #team: Team;
  readonly #faults: Faults;
  readonly #problems: string[] = [];
  readonly #warnings: string[] = [];
  readonly #steps = new Map<string, string>();
  readonly #session: WorldSession;
  /** From when a session has failed and the run goes on from the error's state. */
  #isByState: boolean;
  readonly #hasJournal: boolean;
  #events = 0;
  #pauses = 0;
  #hasMovedOn = false;
  /** The approvals that a person has decided on. */
  readonly #decided = new Set<string>();
  #disturbances = 0;
  /** Carried out since the last idle resumption. */
  readonly #decisions: ApprovalDecision[] = [];
  #last: RunResult | undefined;
  #next: Step;

  constructor(scenario: Scenario) {
    this.#scenario = scenario;
    this.#random = randomOf(scenario.seed);
    this.#team = new Team([scenario.goal, scenario.later], scenario);
    this.#faults = new Faults(scenario.faults, ({ place, at, deadly }) => {
      if (deadly) this.#team.isDead = true;
      this.#disturb(`${deadly ? "dies" : "fails"} at ${place} ${at}`);
    });
    this.#session = new WorldSession(this.#faults, scenario);
    this.#isByState = scenario.keep !== "session" && scenario.keep !== "both";
    this.#hasJournal = scenario.keep === "journal" || scenario.keep === "both";
    this.#next = first(scenario.goal);
  }

  async play(): Promise<Ending> {
    const limit = 100 + 10 * this.#scenario.goal.turns.flat().length;
    for (let round = 0; this.#problems.length === 0; round++) {
      if (round > limit) this.#problems.push(`The world has not ended after ${limit} runs.`);
      else if (await this.#goOn()) {
        if (this.#scenario.idles.length > 0 && this.#last?.status === "completed") await this.#repeat();
        break;
      }
    }
    const ending = await this.#ending();
    this.#session.remove();
    return ending;
  }

  /** Runs once, or twice at once; `true` once the world has ended. */
  async #goOn(): Promise<boolean> {
    const decides = this.#next.options.approvals !== undefined;
    if (decides && this.#scenario.idles.includes(this.#pauses)) await this.#idle();
    const isTwice = decides && this.#scenario.twice.includes(this.#pauses);
    // While one still reads its file, the other one can have ended: a state that is resumed again later.
    const { store } = this.#scenario;
    const isByState = this.#isByState || (store === "memory" && this.#random.integer(0, 1) === 0);
    const started = [this.#start(this.#next)];
    if (isTwice) started.push(this.#startAgain(isByState));
    const outcomes = await Promise.allSettled(started);
    if (outcomes[1]?.status === "fulfilled") this.#isByState = isByState;
    const results = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
    const errors = outcomes.flatMap((each) => (each.status === "rejected" ? [each.reason as unknown] : []));
    if (this.#faults.isDead) return this.#revive();
    if (results.length > 1) this.#problems.push("Two resumptions of one pause were both carried out.");
    const [result] = results;
    const refused = isTwice ? errors.filter((error) => isCode(error, ["session-busy", "invalid-input"])) : [];
    const error = errors.find((each) => !refused.includes(each));
    if (error !== undefined && result === undefined) return this.#recover(error);
    if (result === undefined) {
      this.#problems.push(`Both of two resumptions were refused: ${String(refused[0])}`);
      return true;
    }
    return this.#follow(result);
  }

  /** A resumption without a decision finds the same calls waiting; decisions that were carried out are refused. */
  async #idle(): Promise<void> {
    const old = this.#decisions.splice(0);
    if (old.length > 0 && !this.#isByState) {
      const refused = await this.#start({ input: [], options: { approvals: old } }).catch(
        (error: unknown) => error,
      );
      if (!isCode(refused, ["invalid-input"]))
        this.#problems.push(`Decisions that were carried out were accepted again: ${String(refused)}`);
    }
    const expected = JSON.stringify(this.#last?.pending);
    const { pending } = await this.#start({ ...this.#next, options: {} });
    if (JSON.stringify(pending) !== expected)
      this.#problems.push(
        `After a resumption without decisions waits ${JSON.stringify(pending)}, not ${expected}`,
      );
  }

  /** A run that has completed returns its answer again, and calls nothing. */
  async #repeat(): Promise<void> {
    const before = this.#team.log.events.length;
    const { text } = await this.#start(this.#next);
    if (text !== this.#last?.text) this.#problems.push(`A completed run returns ${text} when it is resumed.`);
    if (this.#team.log.events.length > before)
      this.#problems.push("A completed run went on when it was resumed.");
  }

  async #start({ input, options }: Step, isByState = this.#isByState): Promise<RunResult> {
    const { keep, isSigned, follows, rewrites, concurrency, compacts, changes } = this.#scenario;
    const controller = new AbortController();
    const agent = follows && this.#last ? this.#last.agent : this.#team.desk;
    const isFirst = typeof input === "string" && this.#pauses === 0;
    const heard: RunEvent[] = [];
    const running = stream(agent, input, {
      ...options,
      agents: this.#team.all,
      maxTurns: 500,
      concurrency,
      maxCorrections: 500,
      signal: controller.signal,
      onEvent: (event) => {
        heard.push(event);
        this.#observe(event, controller);
      },
      middleware: [
        unreliableStep(this.#faults),
        ...(rewrites ? [rewriting] : []),
        ...(changes ? [changing] : []),
      ],
      ...(compacts > 0 && { compaction: compactionOf(compacts) }),
      ...(isSigned && { stateSecret: "a secret of this world" }),
      ...(this.#hasJournal && { journal: unreliableJournal(this.#faults, this.#steps) }),
      ...(keep === "journal" && isFirst && { runId: `run-${this.#scenario.seed}` }),
      ...(!isByState && { session: this.#session.open() }),
    });
    const problems = this.#scenario.reads ? await followStream(running, heard, this.#random) : [];
    const [outcome] = await Promise.allSettled([running.result]);
    const result = outcome.status === "fulfilled" ? outcome.value : undefined;
    if (!this.#faults.isDead)
      this.#problems.push(...problems, ...checkEvents(heard, result, this.#scenario.hasShortIds));
    return running.result;
  }

  /** The same resumption in another place of the program: by the session, or by the state. */
  #startAgain(isByState: boolean): Promise<RunResult> {
    this.#disturb("resumes twice at once");
    const { state } = this.#last ?? {};
    const input = isByState && state ? copyJson(state) : this.#next.input;
    return this.#start({ ...this.#next, input }, isByState);
  }

  #observe(event: RunEvent, controller: AbortController): void {
    this.#events++;
    const thawed = thawedPath(event);
    if (thawed !== undefined) this.#problems.push(`The event ${event.type} is not frozen: ${thawed}`);
    if (event.type === "run-end" || !this.#scenario.cancels.includes(this.#events)) return;
    this.#disturb(`cancels at event ${this.#events}, ${event.type}`);
    controller.abort();
  }

  #disturb(text: string): void {
    this.#disturbances++;
    this.#team.log.add({ what: "disturbance", text });
  }

  /** Another process goes on from what the store has. */
  async #revive(): Promise<boolean> {
    this.#team.isDead = false;
    this.#faults.isDead = false;
    return this.#restart();
  }

  async #restart(): Promise<boolean> {
    const { keep, goal, later } = this.#scenario;
    const entries = await this.#session.entriesAfterDeath();
    const stored = JSON.stringify(entries) + [...this.#steps.values()].join("\n");
    this.#team.log.add({ what: "restart", stored });
    if (keep === "journal" || this.#isByState) return false;
    const isStored = entries.some(({ type }) => type === "state");
    this.#next = isStored ? { input: [], options: {} } : first(goal);
    if (isStored && this.#scenario.movesOn && !this.#hasMovedOn) this.#moveOn();
    // A message that was not stored is sent again.
    const isSent = entries.some((entry) => JSON.stringify(entry).includes(`do ${later.id}`));
    if (this.#hasMovedOn && !isSent) this.#next = first(later);
    return false;
  }

  /** After an error of a store: from the error's state, or from what the store has. */
  async #recover(error: unknown): Promise<boolean> {
    const isFault = error instanceof Error && /FAULT/.test(`${error.message} ${String(error.cause)}`);
    if (!isFault || !(error instanceof SkeinError)) {
      this.#problems.push(`An unexpected error: ${String(error)}`);
      return true;
    }
    const { keep } = this.#scenario;
    const { state } = error;
    // Once a run has gone on from a state, its session is behind.
    const hasStore = keep === "journal" || !this.#isByState;
    if (hasStore && (state === undefined || this.#random.integer(0, 1) === 0)) return this.#restart();
    if (state === undefined) {
      this.#problems.push(`The error has no state: ${error.message}`);
      return true;
    }
    this.#problems.push(...checkHistory(state.messages).map((problem) => `The error's state: ${problem}`));
    this.#isByState = true;
    this.#next = { input: copyJson(state), options: {} };
    this.#last = undefined;
    return false;
  }

  #follow(result: RunResult): boolean {
    this.#last = result;
    this.#decisions.push(...(this.#next.options.approvals ?? []));
    this.#warnings.push(...result.warnings);
    this.#problems.push(...checkHistory(result.state.messages).map((problem) => `The state: ${problem}`));
    const input = this.#isByState ? copyJson(result.state) : ([] as const);
    this.#next = { input, options: {} };
    if (result.status === "cancelled") return false;
    if (result.status !== "paused") {
      if (result.status !== "completed") this.#problems.push(`The world ended as ${result.status}.`);
      return true;
    }
    this.#pauses++;
    if (this.#scenario.messageAt === this.#pauses && !this.#hasMovedOn) return this.#changeGoal(result);
    for (const call of result.pending) this.#checkPending(call);
    // Others wait for the results of these.
    const open = result.pending.filter(
      (call) =>
        call.approvalId !== undefined || (call.toolName.endsWith("outside") && call.input !== undefined),
    );
    if (open.length === 0) this.#problems.push(`Nothing can be decided: ${JSON.stringify(result.pending)}`);
    const pending = this.#scenario.decidesInParts ? someOf(this.#random, open) : open;
    const approvals = pending.flatMap((call) => (call.approvalId === undefined ? [] : [this.#decide(call)]));
    const results = pending.flatMap((call) => (call.approvalId === undefined ? [this.#answer(call)] : []));
    this.#next = { input, options: { approvals, results } };
    return false;
  }

  /** The user begins with another goal, in the session if there is one. */
  #moveOn(): string {
    const { goal, later } = this.#scenario;
    this.#disturb("the user goes on to another goal");
    this.#hasMovedOn = true;
    this.#team.log.add({ what: "abandoned", goal: goal.id });
    this.#next = first(later);
    // A journal is that of one run.
    this.#steps.clear();
    return `do ${later.id}`;
  }

  #changeGoal({ state }: RunResult): boolean {
    const content = this.#moveOn();
    if (this.#isByState)
      this.#next = { input: [...copyJson(state.messages), { role: "user", content }], options: {} };
    return false;
  }

  #checkPending(call: PendingCall): void {
    const { id } = readInput(call);
    const plan = this.#team.call(id);
    if (!plan || !call.toolName.endsWith(plan.tool))
      this.#problems.push(`Waits for an unknown call: ${JSON.stringify(call)}`);
    const callers = this.#team.log.events.flatMap((event) =>
      event.what === "call" && event.id === id ? [event.agent] : [],
    );
    const isWithin = id.split("-").length > 2;
    if (isWithin ? !callers.includes(call.agent ?? "") : call.agent !== undefined)
      this.#problems.push(`The pending call ${id} names ${call.agent}, but was made by ${callers.join()}.`);
  }

  #decide(call: PendingCall): ApprovalDecision {
    const { id, n, x } = readInput(call);
    const { approvalId = "" } = call;
    // A state has what was decided; a store may have died before it had.
    if (this.#scenario.keep === "state" && this.#decided.has(approvalId))
      this.#problems.push(`A person is asked twice about ${id}.`);
    this.#decided.add(approvalId);
    const decision = this.#team.call(id)?.decision ?? "deny";
    // A middleware adds to it once more, and the person sees that.
    const edited = decision === "edit" && n < 1000 ? n + 1000 : n;
    this.#team.log.add({ what: "decision", id, decision, n: edited, x: JSON.stringify(x) });
    if (decision === "deny") return { approvalId, decision, reason: "The person says no." };
    if (edited === n) return { approvalId, decision: "approve" };
    return { approvalId, decision: "approve", arguments: { ...readInput(call), n: edited } };
  }

  #answer(call: PendingCall): ExternalResult {
    const { id, n } = readInput(call);
    const isError = this.#team.call(id)?.decision === "deny";
    return { toolCallId: call.toolCallId, content: isError ? "impossible" : `done:${id}:${n}`, isError };
  }

  async #ending(): Promise<Ending> {
    const { log } = this.#team;
    const problems = [
      ...this.#problems,
      ...log.check((id) => this.#team.call(id)),
      ...this.#unusedDecisions(),
    ];
    if (!this.#isByState) {
      const { messages } = await readSession(this.#session.open());
      problems.push(...checkHistory(messages).map((problem) => `The session: ${problem}`));
    }
    const context: unknown = this.#last?.context ?? {};
    return {
      problems,
      text: this.#last?.text ?? "",
      context: JSON.stringify(Object.entries(context ?? {}).toSorted(([a], [b]) => a.localeCompare(b))),
      effects: log.effectNames(),
      contexts: [...log.contexts].toSorted(),
      pauses: this.#pauses,
      disturbances: this.#disturbances,
    };
  }

  /** A decision is carried out, or a warning says that it was not. */
  #unusedDecisions(): readonly string[] {
    const { events } = this.#team.log;
    if (this.#disturbances > 0 || this.#warnings.length > 0) return [];
    const executed = new Set(
      events.flatMap((event) => (event.what === "effect" || event.what === "execution" ? event.id : [])),
    );
    return events.flatMap((event) =>
      event.what === "decision" && event.decision !== "deny" && !executed.has(event.id)
        ? [`The decision on ${event.id} was not carried out, without a warning.`]
        : [],
    );
  }
}
