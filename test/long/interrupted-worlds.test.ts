/**
 * Runs whose processes die while a call is under way, and that fail again and again before they come to anything: whatever a tool with
 * `interrupted` does is done once, and what a person has approved is done unless it may have been done before.
 */
import {
  Agent,
  InvalidInputError,
  type Journal,
  type JsonObject,
  type Middleware,
  run,
  type RunOptions,
  type RunResult,
  type SessionEntry,
  SkeinError,
  tool,
} from "skein";
import { guard } from "skein/guards";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { randomOf } from "../../src/testing/conformance/random.ts";

const shapes = [
  "pay",
  "pay and ship",
  "ship and pay",
  "pay later",
  "pay what is scanned",
  "order",
  "scanned order",
  "clerk",
  "clerk that orders",
  "clerk that ships",
  "manager",
] as const;
const troubles = [
  "toolset",
  "run",
  "step",
  "guard",
  "guards of a clerk",
  "limit",
  "idle",
  "cancelled",
] as const;
const modes = ["tell", "ask"] as const;
const keepers = ["session", "journal"] as const;
const empty = { type: "object", properties: {} } as const;

const copyOf = <T>(value: T): T => JSON.parse(JSON.stringify(value));

/** What keeps a run: all that another process finds of it. */
class Keeper {
  readonly #what: (typeof keepers)[number];
  #session = memorySession();
  #steps = new Map<string, unknown>();
  /** What the next process resumes. */
  input: Parameters<typeof run>[1] = "Go.";

  constructor(what: (typeof keepers)[number]) {
    this.#what = what;
  }

  get isJournal(): boolean {
    return this.#what === "journal";
  }

  get options(): RunOptions {
    if (this.#what === "session") return { session: this.#session };
    const steps = this.#steps;
    const journal: Journal = {
      async step<T>(key: string, perform: () => Promise<T>): Promise<T> {
        if (!steps.has(key)) steps.set(key, copyOf((await perform()) ?? null));
        return copyOf(steps.get(key)) as T;
      },
    };
    return { journal, ...(this.input === "Go." && { runId: "r" }) };
  }

  /** What there is at this moment stays; what the process does from now on is lost. */
  async die(isDead: () => void): Promise<void> {
    this.#steps = new Map(this.#steps);
    const { entries } = await this.#session.load();
    isDead();
    if (this.#what === "session") this.input = [];
    const left = entries.filter(({ type }) => type !== "claim");
    this.#session = memorySession();
    await this.#session.append(left.map((entry, index): SessionEntry => ({ ...entry, sequence: index + 1 })));
  }

  /** A run has ended, or failed, with this state. */
  end(state: RunResult["state"] | undefined): void {
    if (this.#what === "session") this.input = [];
    else if (state) this.input = copyOf(state);
  }
}

class World {
  readonly #random;
  readonly #shape;
  readonly #mode;
  readonly #keeper;
  readonly #needsApproval: boolean;
  readonly #concurrency: number;
  #trouble: (typeof troubles)[number] | undefined;
  /** Whether the process dies once it pays. */
  #isDying = false;
  #isDead = false;
  #stop = new AbortController();
  #deaths = 0;
  #paid = 0;
  #shipped = 0;
  readonly #asked = new Set<string>();
  #answers: Pick<RunOptions, "approvals" | "results"> = {};
  readonly log: string[];

  constructor(seed: number) {
    this.#random = randomOf(seed);
    this.#shape = this.#one(shapes);
    this.#mode = this.#one(modes);
    this.#needsApproval = this.#random.integer(0, 1) === 0;
    this.#concurrency = this.#random.integer(1, 2);
    const keeper = this.#one(keepers);
    this.#keeper = new Keeper(keeper);
    this.log = [
      `${seed}: ${this.#shape}, ${this.#mode}, approval ${this.#needsApproval}, ${keeper}, ${this.#concurrency} at once`,
    ];
  }

  #one<T>(list: readonly T[]): T {
    return list[this.#random.integer(0, list.length - 1)] as T;
  }

  /** @returns what is wrong with what came of it. */
  async play(): Promise<string | undefined> {
    const rounds = this.#random.integer(1, 6);
    let result: RunResult | undefined;
    for (let round = 0; round < rounds + 6 && result?.status !== "completed"; round++) {
      const isTroubled = round < rounds;
      this.#trouble = isTroubled && this.#random.integer(0, 2) > 0 ? this.#one(troubles) : undefined;
      this.#isDying = isTroubled && this.#random.integer(0, 2) === 0;
      this.#isDead = false;
      result = await this.#attempt();
    }
    return this.#problem(result);
  }

  async #attempt(): Promise<RunResult | undefined> {
    const { input, options } = this.#keeper;
    // A program that starts a dead run again has the answers that there were, and one that only looks what waits has none.
    const answers = this.#trouble === "idle" ? {} : this.#answers;
    this.#stop = new AbortController();
    const running = run(this.#agent(), input, {
      ...options,
      ...answers,
      concurrency: this.#concurrency,
      // Within a call, what is beyond a limit is refused.
      ...(this.#trouble === "limit" && this.#shape.startsWith("pay") && { maxToolCalls: 0 }),
      middleware: this.#middleware(),
      signal: this.#stop.signal,
    });
    const ended = running.then(
      (result) => ({ result }),
      (error: unknown) => ({ error }),
    );
    const outcome = await ended;
    if (this.#isDead) {
      this.log.push("died");
      return undefined;
    }
    const { results } = this.#answers;
    // A run that fails has decisions, but no results.
    if (this.#trouble !== "idle") this.#answers = results ? { results } : {};
    if ("error" in outcome) {
      if (!(outcome.error instanceof SkeinError)) throw outcome.error;
      this.log.push(`failed by ${this.#trouble}: ${outcome.error.message}`);
      this.#keeper.end(outcome.error.state);
      // The run had it before it failed, or its process died.
      if (outcome.error instanceof InvalidInputError) this.#answers = {};
      return undefined;
    }
    const { result } = outcome;
    this.log.push(result.status);
    this.#keeper.end(result.state);
    const { pending } = result;
    const ids = pending.flatMap(({ approvalId }) => approvalId ?? []);
    for (const id of ids) this.#asked.add(id);
    const scans = pending.filter(({ toolName }) => toolName === "scan" || toolName === "context.waitFor");
    this.#answers = {
      ...(ids.length > 0 && { approvals: ids.map((approvalId) => ({ approvalId, decision: "approve" })) }),
      ...(scans.length > 0 && {
        results: scans.map(({ toolCallId }) => ({ toolCallId, content: "scanned" })),
      }),
    };
    return result;
  }

  #problem(result: RunResult | undefined): string | undefined {
    if (result?.status !== "completed") return "It has not ended.";
    const isAsked = this.#mode === "ask";
    // Approved before, such a call is repeated: the person knows that.
    const calls = this.#shape.includes("ship") ? 2 : 1;
    const asking = isAsked ? calls - Number(this.#needsApproval) : 0;
    const mostAsked = asking * this.#deaths + Number(this.#needsApproval);
    if (this.#asked.size > mostAsked) return `A person was asked ${this.#asked.size} times.`;
    const mostPaid = isAsked ? 1 + this.#deaths : 1;
    // One that was approved before is repeated.
    if (isAsked && !this.#needsApproval && this.#paid > 1 && this.#asked.size === 0)
      return `It paid ${this.#paid} times, and no person was asked.`;
    if (this.#paid > mostPaid) return `It paid ${this.#paid} times.`;
    if (this.#paid === 0) return "It never paid.";
    const text = JSON.stringify(result.state.messages);
    if (this.#shape.includes("ship")) {
      // Side by side with what dies, it may have begun as well.
      const isTold = this.#shape === "clerk that ships" || text.includes("ship was interrupted");
      const mayBeLost = this.#deaths > 0 && this.#concurrency !== 1 && isTold;
      const mostShipped = isAsked ? 1 + this.#deaths : 1;
      if (this.#shipped > mostShipped || (this.#shipped === 0 && !mayBeLost))
        return `It shipped ${this.#shipped} times.`;
    }
    if (this.#deaths === 0 && text.includes("may or may not"))
      return "A call that never began was told as interrupted.";
    return undefined;
  }

  #middleware(): readonly Middleware[] {
    const isNow = (trouble: (typeof troubles)[number]): boolean => this.#trouble === trouble;
    const check = (): undefined => {
      if (isNow("guard")) throw new Error("The guard is down.");
    };
    return [
      {
        run: (_info, next) => (isNow("run") ? Promise.reject(new Error("run")) : next()),
        step: async (key, next) => {
          if (isNow("step") && key.kind === "tool") throw new Error("step");
          const value = await next();
          // A journal has the answer then, and the state has not.
          const isAnswer = key.kind === "model" && key.parent === undefined && key.turn === 1;
          if (isNow("cancelled") && isAnswer && this.#keeper.isJournal) this.#stop.abort();
          return value;
        },
      },
      guard({ tool: check }),
    ];
  }

  #agent(): Agent {
    const pay = tool({
      name: "pay",
      input: { type: "object", properties: { code: {} } },
      interrupted: this.#mode,
      ...(this.#needsApproval && { approval: true }),
      execute: async (_: object, { waitFor }) => {
        if (this.#shape === "pay later") await waitFor("the day");
        return this.#pay();
      },
    });
    const ship = tool({
      name: "ship",
      input: empty,
      interrupted: this.#mode,
      execute: () => {
        // What a dead process does has not been.
        if (!this.#isDead) this.#shipped++;
        return "shipped";
      },
    });
    const order = tool({ name: "order", input: empty, execute: (_: object, { call }) => call("pay", {}) });
    const scan = tool({ name: "scan", input: empty });
    const scanned = tool({
      name: "scanned_order",
      input: empty,
      execute: async (_: object, { call }) => {
        await call("scan", {});
        return call("pay", {});
      },
    });
    const check = (): undefined => {
      if (this.#trouble === "guards of a clerk") throw new Error("The guard of the clerk is down.");
    };
    const clerk = new Agent({
      name: "Clerk",
      description: "Pays.",
      model: calling(
        ...callsOfClerk[
          this.#shape === "clerk that orders" || this.#shape === "clerk that ships" ? this.#shape : "clerk"
        ],
      ),
      tools: [pay, ship, order],
      middleware: [guard({ tool: check })],
    });
    const manager = new Agent({
      name: "Manager",
      description: "Has it paid.",
      model: calling("clerk"),
      tools: [clerk.asTool()],
    });
    const trouble = this.#trouble;
    const set = {
      name: "set",
      tools: () => (trouble === "toolset" ? Promise.reject(new Error("The toolset is down.")) : []),
    };
    return new Agent({
      name: "Boss",
      model: calling(...callsOf[this.#shape]),
      tools: [pay, ship, order, scan, scanned, clerk.asTool(), manager.asTool(), set],
    });
  }

  async #pay(): Promise<string> {
    this.#paid++;
    if (this.#isDying) {
      this.#deaths++;
      // What comes of the call is lost.
      await this.#keeper.die(() => (this.#isDead = true));
    }
    return "paid";
  }
}

/** What the model calls at first. */
const callsOf = {
  pay: ["pay"],
  "pay and ship": ["pay", "ship"],
  "ship and pay": ["ship", "pay"],
  "pay later": ["pay"],
  "pay what is scanned": ["scan", "pay"],
  "scanned order": ["scanned_order"],
  order: ["order"],
  clerk: ["clerk"],
  "clerk that orders": ["clerk"],
  "clerk that ships": ["clerk"],
  manager: ["manager"],
} as const;

const callsOfClerk = {
  clerk: ["pay"],
  "clerk that orders": ["order"],
  "clerk that ships": ["pay", "ship"],
} as const;

function argumentsOf(toolName: string, all: readonly string[]): JsonObject {
  if (toolName === "clerk" || toolName === "manager") return { input: "Pay." };
  return toolName === "pay" && all.includes("scan") ? { code: { $result: "scan" } } : {};
}

/** Calls tools once, and answers. */
function calling(...names: readonly string[]): FunctionModel {
  const toolCalls = names.map((toolName) => ({
    toolName,
    arguments: argumentsOf(toolName, names),
  }));
  return new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "assistant") ? "Done." : { toolCalls },
  );
}

test("3,000 runs that die and fail pay once, and pay what was approved", async () => {
  const first = Number(process.env["SEED"] ?? 0);
  const problems: string[] = [];
  for (let seed = first; seed < first + Number(process.env["WORLDS"] ?? 3_000); seed++) {
    const world = new World(seed);
    const problem = await world.play();
    if (problem !== undefined) problems.push([problem, ...world.log].join("\n  "));
  }
  expect(problems.slice(0, 5)).toEqual([]);
});
