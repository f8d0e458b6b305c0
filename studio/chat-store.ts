import { effect, signal } from "@preact/signals";
import type { RemoteRun } from "../src/client/types.ts";
import { ask, choice, client } from "./api.ts";
import { ChatItems } from "./chat-items.ts";
import { readJson } from "./field-values.ts";
import { announcement, info, runs } from "./state.ts";

/** How the chat stands. */
export type ChatPhase = "idle" | "working" | "waiting";

/** What is announced of ways in which a run stops. */
const endings: Readonly<Record<string, string>> = {
  paused: "The run waits.",
  completed: "The answer is complete.",
  cancelled: "The run was stopped.",
  failed: "The run has failed.",
};

/** The conversation that is open; it outlives the page that shows it. */
class Chat {
  readonly version = signal(0);
  readonly phase = signal<ChatPhase>("idle");
  readonly problem = signal("");
  readonly agent = signal("");
  readonly model = signal(sessionStorage.getItem("model") ?? "");
  readonly context = signal(sessionStorage.getItem("context") ?? "");
  /** Whether nothing was said in it yet: the server does not know it. */
  #isNew = !sessionStorage.getItem("session");
  session = sessionStorage.getItem("session") ?? newId();
  readonly content = signal(new ChatItems());
  /** The run whose message the next one takes the place of. */
  #instead: string | undefined;
  #run: RemoteRun | undefined;
  /** The run that waits, and the last event of it that is shown. */
  #waits: { readonly id: string; readonly after: number } | undefined;
  #frame = 0;

  constructor() {
    effect(() => this.#goOn());
  }

  /** The run that is shown last, under the id that the list has it by. */
  get lastRun(): string | undefined {
    const id = this.content.peek().lastRun;
    return id === undefined ? undefined : `studio/${id}`;
  }

  /** Opens a conversation of before. */
  async open(session: string): Promise<void> {
    if (session === this.session && (this.#isNew || this.content.peek().items.length > 0)) return;
    this.#leave();
    this.#isNew = false;
    this.session = session;
    sessionStorage.setItem("session", session);
    const content = new ChatItems();
    this.content.value = content;
    try {
      const { messages, pending, run, after } = await client.session(session);
      if (this.session !== session) return;
      if (!run) return this.#changed();
      content.readMessages(messages, run.id);
      const approvals = pending.filter(({ approvalId }) => approvalId !== undefined);
      for (const { toolCallId, parentToolCallId, approvalId = "" } of approvals)
        content.wait(parentToolCallId ?? toolCallId, approvalId);
      this.agent.value = this.#hasAgent(content.lead) ? (content.lead ?? run.agent) : run.agent;
      if (run.status === "paused") this.#pause(run.id, after ?? -1);
      else if (run.status === "running" || run.status === "queued")
        this.#follow(client.follow(run.id, after === undefined ? {} : { after }));
      this.#changed();
    } catch (error) {
      this.problem.value = messageOf(error);
    }
  }

  /** Begins another conversation. */
  begin(agent?: string): void {
    this.#leave();
    this.session = newId();
    this.#isNew = true;
    sessionStorage.removeItem("session");
    this.content.value = new ChatItems();
    if (agent !== undefined) this.agent.value = agent;
    this.#changed();
  }

  /** Says something: it starts a run, or is read by the one that works. */
  async say(text: string, when: "steer" | "queue" = "steer"): Promise<boolean> {
    this.problem.value = "";
    if (this.phase.peek() === "working" && this.#run) {
      try {
        await this.#run[when](text);
        announcement.value = when === "steer" ? "Passed on to the run." : "Read after the answer.";
        return true;
      } catch (error) {
        this.problem.value = messageOf(error);
        return false;
      }
    }
    const agent = this.agent.peek() || info.peek()?.agents[0]?.name;
    if (agent === undefined) return false;
    if (!(await this.#choose())) return false;
    const instead = this.#instead;
    this.#instead = undefined;
    // A branch is a conversation of its own: the one before stays as it was.
    if (instead !== undefined) this.session = newId();
    this.#isNew = false;
    sessionStorage.setItem("session", this.session);
    const id = `${this.session}.${Date.now().toString(36)}`;
    const content = this.content.peek();
    content.add({ kind: "user", text, runId: id });
    this.phase.value = "working";
    this.#changed();
    try {
      if (instead === undefined) this.#follow(client.stream(agent, text, { id, session: this.session }));
      else {
        const body = { instead, agent, id, session: this.session, message: text, choice: choice.id };
        await ask("/studio/branch", { body });
        this.#follow(client.follow(id));
      }
      return true;
    } catch (error) {
      this.#fail(id, error);
      return true;
    }
  }

  /** Ends the run that works. */
  async stop(): Promise<void> {
    await this.#run
      ?.cancel("Stopped in the studio.")
      .catch((error: unknown) => (this.problem.value = messageOf(error)));
  }

  /** Takes the last message back, and returns it: what is said next takes its place. */
  undo(): string | undefined {
    if (this.phase.peek() === "working") return undefined;
    const content = this.content.peek();
    const run = content.lastRun;
    const text = run === undefined ? undefined : content.removeFrom(run);
    if (run === undefined || text === undefined) return undefined;
    this.#instead = run;
    this.#waits = undefined;
    this.phase.value = "idle";
    if (content.lead !== undefined) this.agent.value = content.lead;
    announcement.value = "The last message was taken back.";
    this.#changed();
    return text;
  }

  #hasAgent(agent: string | undefined): boolean {
    return info.peek()?.agents.some(({ name }) => name === agent) ?? false;
  }

  /** Has the server keep the model and the context of the next run. */
  async #choose(): Promise<boolean> {
    const model = this.model.peek().trim();
    const text = this.context.peek().trim();
    sessionStorage.setItem("model", model);
    sessionStorage.setItem("context", text);
    choice.id = undefined;
    if (model === "" && text === "") return true;
    try {
      const context = readJson(text);
      if ("issue" in context) throw new Error(`The context: ${context.issue}`);
      const body = { model, context: context.value };
      choice.id = (await ask<{ id: string }>("/studio/choices", { body })).id;
      return true;
    } catch (error) {
      this.problem.value = messageOf(error);
      return false;
    }
  }

  #follow(run: RemoteRun): void {
    this.#run = run;
    this.#waits = undefined;
    this.phase.value = "working";
    void this.#read(run);
  }

  async #read(run: RemoteRun): Promise<void> {
    const content = this.content.peek();
    let last = -1;
    let hasEnded = false;
    try {
      for await (const event of run) {
        last = event.index;
        content.apply(event, run.id);
        this.#changed();
        hasEnded = event.type === "run-end";
        if (event.type !== "run-end" || this.#run !== run) continue;
        const agent = event.result?.agent ?? event.agent;
        if (this.#hasAgent(agent)) this.agent.value = agent;
        announcement.value = endings[event.status] ?? `The run ended: ${event.status}.`;
        if (event.status === "paused") this.#pause(run.id, last);
        else this.phase.value = "idle";
      }
      await run.result.catch(() => {});
    } catch (error) {
      // How a run has failed, its last event says.
      if (this.#run === run && !hasEnded) this.#fail(run.id, error);
    }
    if (this.#run === run && this.phase.peek() === "working") this.phase.value = "idle";
  }

  #fail(id: string, error: unknown): void {
    this.content.peek().add({ kind: "note", text: messageOf(error), isBad: true, runId: id });
    announcement.value = endings["failed"] ?? "";
    this.phase.value = "idle";
    this.#changed();
  }

  #pause(id: string, after: number): void {
    this.#run = undefined;
    this.#waits = { id, after };
    this.phase.value = "waiting";
  }

  /** Follows a run that waited, once somebody has decided, wherever that was. */
  #goOn(): void {
    const all = runs.value;
    const waits = this.#waits;
    if (!waits || this.phase.peek() !== "waiting") return;
    const run = all.get(`studio/${waits.id}`);
    if (!run || run.status === "paused") return;
    this.#follow(client.follow(waits.id, { after: waits.after }));
  }

  #leave(): void {
    this.#run = undefined;
    this.#waits = undefined;
    this.#instead = undefined;
    this.problem.value = "";
    this.phase.value = "idle";
  }

  /** Draws once in a frame, however many events come. */
  #changed(): void {
    if (this.#frame !== 0) return;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      this.version.value++;
    });
  }
}

function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(6));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export const chat: Chat = new Chat();
