import { redaction, type Redaction } from "../testing/recording/secrets.ts";
import { uncheckable, type CheckView } from "./check-view.ts";
import type { EvalsSource } from "./evals/evals-source.ts";
import { now } from "./exchange.ts";
import { OwnSecrets } from "./own-secrets.ts";
import type { AgentView, RunSummary, StudioEvent, StudioInfo, ToolView } from "./records.ts";
import type { AgentExports } from "./vitest-case.ts";
import type { Conversation } from "./requests.ts";
import { type RingLimits, RunRing } from "./ring.ts";
import type { RunRecord } from "./run-record.ts";
import { summarizeRun } from "./summarize.ts";
import { Updates } from "./updates.ts";

/** What the command says of the agents that it has loaded. */
export interface AgentsSource extends AgentExports {
  /** What agents without a model of their own speak with. */
  readonly defaultModel?: string;
  /** Where evaluations and their results come from. */
  readonly evals?: EvalsSource;
  /** Finds out where the tools are written, and what is wrong with them. Never rejects. */
  readonly checkTools?: () => Promise<CheckView>;
}

/** What the studio remembers, and what it tells pages of it. */
export class Library {
  readonly ring: RunRing;
  readonly updates: Updates;
  /** The keys of the models. */
  readonly secrets: OwnSecrets = new OwnSecrets();
  /** Where the studio listens. */
  address = "";
  /** Where it receives spans of OpenTelemetry, if it does. */
  otlp: string | undefined;
  readonly #source: AgentsSource;
  #agents: readonly AgentView[] = [];
  #problem: string | undefined;
  #loadedAt = now();

  constructor(limits: RingLimits, source: AgentsSource) {
    this.#source = source;
    this.updates = new Updates((ids) => this.#events(ids));
    this.ring = new RunRing(limits, (id) => this.updates.changed(id));
  }

  /** Where the agents are exported. */
  get exports(): AgentExports {
    return this.#source;
  }

  /** Where the tools are written and what is wrong with them, as far as that can be found out. */
  async check(): Promise<CheckView> {
    const { checkTools } = this.#source;
    if (checkTools) return checkTools();
    return uncheckable(
      "Source lines and findings are there where the studio reads the agents from a file: npx skein studio agents.ts.",
    );
  }

  /** The agents from now on. */
  setAgents(agents: readonly AgentView[]): void {
    this.#agents = agents;
    this.#problem = undefined;
    this.#loadedAt = now();
    this.updates.news();
  }

  /** Why the agents could not be loaded again. */
  setProblem(problem: string): void {
    this.#problem = problem;
    this.updates.news();
  }

  get info(): StudioInfo {
    const { file, defaultModel } = this.#source;
    return {
      agents: this.#agents,
      ...(file !== undefined && { file }),
      loadedAt: this.#loadedAt,
      ...(this.#problem !== undefined && { problem: this.#problem }),
      ...(defaultModel !== undefined && { defaultModel }),
      address: this.address,
      ...(this.otlp !== undefined && { otlp: this.otlp }),
    };
  }

  /** A tool as an agent of the studio has it now. */
  toolOf(agent: string, tool: string): ToolView | undefined {
    const view = this.#agents.find(({ name }) => name === agent);
    return view?.tools.find(({ name }) => name === tool);
  }

  /** The runs of the conversation that a run is in, the oldest first. */
  conversationOf({ conversation }: RunRecord): Conversation {
    if (conversation === undefined) return [];
    return [...this.ring.all].filter((other) => other.conversation === conversation);
  }

  summaries(records: Iterable<RunRecord>): readonly RunSummary[] {
    const redact = this.redact();
    return [...records].map((record) => summarizeRun(record, this.conversationOf(record), redact));
  }

  /** Takes out what looks like a key, those of the models, and the secrets of the environment. */
  redact(): Redaction {
    return redaction(this.secrets.all);
  }

  #events(ids: Iterable<string> | "all"): readonly StudioEvent[] {
    if (ids === "all")
      return [
        { type: "info", info: this.info },
        { type: "runs", runs: this.summaries(this.ring.all), forgotten: [] },
      ];
    const listed = [...ids];
    const records = listed.flatMap((id) => this.ring.get(id) ?? []);
    const forgotten = listed.filter((id) => !this.ring.get(id));
    return [{ type: "runs", runs: this.summaries(records), forgotten }];
  }
}
