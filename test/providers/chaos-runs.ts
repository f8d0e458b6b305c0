import { setImmediate } from "node:timers/promises";
import { LLMock } from "@copilotkit/aimock";
import {
  Agent,
  ModelError,
  run,
  tool,
  type Model,
  type RunResult,
  type RunState,
  type ToolContext,
} from "skein";
import { chaosFetch } from "skein/testing/conformance";
import { randomOf, type Random } from "../../src/testing/conformance/random.ts";
import { modelOver, protocols } from "./protocols.ts";

/** What came of many runs against a provider that fails. */
export interface ChaosOutcome {
  /** Orders that did not end as they should, and why; at most ten are kept. */
  readonly broken: string[];
  readonly completed: number;
  /** How often a model failed and the run was resumed from the error's state. */
  readonly failures: number;
  /** How often a run was cancelled and resumed. */
  readonly cancellations: number;
  readonly rejections: readonly unknown[];
}

/** One thing done for an order. */
interface Effect {
  readonly tool: string;
  readonly key: string;
  readonly receipt: string;
}

/** A run that is resumed more often than this makes no progress. */
const mostResumptions = 200;

/** A stretch of a run that takes longer than this hangs, in milliseconds. */
const patience = 30_000;

const usage = { prompt_tokens: 31, completion_tokens: 7 };
const toolNames = ["charge", "ship", "notify"] as const;

/** A server that drops, garbles, refuses and disconnects, and otherwise has an order charged, shipped and told of. */
export function unreliableServer(): LLMock {
  const mock = new LLMock({
    port: 0,
    chunkSize: 6,
    chaos: { dropRate: 0.1, malformedRate: 0.05, rateLimitRate: 0.1, disconnectRate: 0.1 },
    journalMaxEntries: 10,
  });
  const call = (name: string): { id: string; name: string; arguments: string } => ({
    id: `call_${name}`,
    name,
    arguments: '{"amount":12}',
  });
  return mock.addFixtures([
    { match: { toolCallId: "call_notify" }, response: { content: "Your order is on its way.", usage } },
    { match: { toolCallId: "call_ship" }, response: { toolCalls: [call("notify")], usage } },
    {
      match: { userMessage: "order" },
      response: { content: "At once.", toolCalls: [call("charge"), call("ship")], usage },
    },
  ]);
}

/** Plays orders from `first` on, each with chaos of its own, `atOnce` at a time. */
export async function playOrders(url: string, count: number, atOnce: number): Promise<ChaosOutcome> {
  const outcome = {
    broken: [] as string[],
    completed: 0,
    failures: 0,
    cancellations: 0,
    rejections: [] as unknown[],
  };
  const onRejection = (reason: unknown): void => void outcome.rejections.push(reason);
  process.on("unhandledRejection", onRejection);
  let next = 0;
  const worker = async (): Promise<void> => {
    while (next < count) {
      const number = next++;
      const problem = await playOrder(number, url, outcome).catch((error: unknown) => String(error));
      if (problem === undefined) outcome.completed++;
      else if (outcome.broken.length < 10) outcome.broken.push(`order ${number}: ${problem}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await setImmediate();
  process.off("unhandledRejection", onRejection);
  return outcome;
}

async function playOrder(
  number: number,
  url: string,
  counts: { failures: number; cancellations: number },
): Promise<string | undefined> {
  const random = randomOf(number + 1);
  const effects: Effect[] = [];
  const agent = clerk(modelFor(number, url), number, effects, random);
  let input: string | RunState = `Please fulfil order ${number}.`;
  for (let resumption = 0; resumption < mostResumptions; resumption++) {
    const controller = new AbortController();
    const cancelAt = random.next() < 0.3 ? random.integer(0, 25) : Infinity;
    const onEvent = ({ index }: { index: number }): void => {
      if (index === cancelAt) controller.abort();
    };
    try {
      const result: RunResult = await inTime(run(agent, input, { signal: controller.signal, onEvent }));
      if (result.status === "completed") return problemWith(result, effects);
      if (result.status !== "cancelled") return `it ended as ${result.status}`;
      counts.cancellations++;
      input = stored(result.state);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      if (!error.state) return `an error without a state: ${error.message}`;
      counts.failures++;
      input = stored(error.state);
    }
  }
  return "it makes no progress";
}

/** Over the wire the answers are cut and dripped as well. */
function modelFor(number: number, url: string): Model {
  const fetch = chaosFetch({ seed: number, rate: 0.2, kinds: ["cut", "truncated", "drip"] });
  return modelOver(protocols[number % protocols.length] ?? "chat", { url, fetch });
}

function clerk(model: Model, number: number, effects: Effect[], random: Random): Agent {
  const input = { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] } as const;
  const tools = toolNames.map((name) =>
    tool<unknown>({
      name,
      input,
      async execute(_: unknown, { idempotencyKey }: ToolContext) {
        for (let turn = random.integer(0, 3); turn > 0; turn--) await setImmediate();
        const receipt = `R-${number}-${name}`;
        effects.push({ tool: name, key: idempotencyKey, receipt });
        return receipt;
      },
    }),
  );
  return new Agent({ name: "Clerk", model, tools, settings: { maxRetries: 0 } });
}

/** What of a fulfilled order was done twice, forgotten, or told though it was not done. */
function problemWith({ state, text }: RunResult, effects: readonly Effect[]): string | undefined {
  if (text !== "Your order is on its way.") return `the answer is ${JSON.stringify(text)}`;
  const results = state.messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  for (const name of toolNames) {
    const done = effects.filter((effect) => effect.tool === name);
    if (done.length > 1)
      return `${name} was executed ${done.length} times (${done.map(({ key }) => key).join(", ")})`;
    const told = results.filter(({ toolName }) => toolName === name);
    if (told.length !== 1) return `${name} has ${told.length} results`;
    const [{ outcome, content } = { outcome: undefined, content: [] }] = told;
    const [receipt] = done;
    // A call that was under way when the run was cancelled says that it may have taken effect.
    if (receipt && outcome !== "success" && outcome !== "cancelled")
      return `${name} was done, and is told as ${outcome}`;
    if (outcome === "success" && !JSON.stringify(content).includes(receipt?.receipt ?? "nothing was done"))
      return `${name} is told as done without having been`;
  }
  return undefined;
}

function stored(state: RunState): RunState {
  const read: RunState = JSON.parse(JSON.stringify(state));
  return read;
}

async function inTime<T>(running: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it hangs")), patience);
  });
  try {
    return await Promise.race([running, late]);
  } finally {
    clearTimeout(timer);
  }
}
