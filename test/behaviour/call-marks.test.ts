/** What remembers steps has a mark of each call of a tool with `interrupted`: nothing else says what was under way when a process died. */
import {
  Agent,
  type Journal,
  run,
  type RunEvent,
  type RunOptions,
  type Session,
  tool,
  type Tool,
} from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { beforeEach, describe, expect, test } from "vitest";

const effects: string[] = [];
beforeEach(() => void effects.splice(0));

const empty = { type: "object", properties: {} } as const;
const once = (name: string, execute: () => unknown = () => "done"): Tool =>
  tool({
    name,
    input: empty,
    interrupted: "tell",
    execute: () => {
      effects.push(name);
      return execute();
    },
  });

function desk(tools: readonly Tool[]): Agent {
  const toolCalls = tools.map(({ name }) => ({ toolCallId: name, toolName: name, arguments: {} }));
  return new Agent({
    name: "Desk",
    tools,
    model: new FunctionModel(({ messages }) => (messages.length > 1 ? "Done." : { toolCalls })),
  });
}

/** Something that keeps a run, and what another process finds of it now. */
interface Keeper {
  readonly options: RunOptions;
  readonly runId?: string;
  /** What the run begins with, or goes on. */
  readonly input: Parameters<typeof run>[1];
  readonly copy: () => Promise<Keeper>;
}

function journalKeeper(steps: ReadonlyMap<string, unknown> = new Map()): Keeper {
  const kept = new Map(steps);
  const journal: Journal = {
    async step<T>(key: string, perform: () => Promise<T>): Promise<T> {
      if (!kept.has(key)) kept.set(key, await perform());
      return kept.get(key) as T;
    },
  };
  return {
    options: { journal },
    runId: "r",
    input: "Go.",
    copy: async () => journalKeeper(kept),
  };
}

/** The options of a run that begins, or is started again. */
const startOf = ({ options, runId }: Keeper): RunOptions => ({
  ...options,
  ...(runId !== undefined && { runId }),
});

function sessionKeeper(session: Session = memorySession(), input: Parameters<typeof run>[1] = "Go."): Keeper {
  const copy = async (): Promise<Keeper> => {
    const { entries } = await session.load();
    const next = memorySession();
    await next.append(
      entries
        .filter(({ type }) => type !== "claim")
        .map((entry, index) => ({ ...entry, sequence: index + 1 })),
    );
    return sessionKeeper(next, []);
  };
  return { options: { session }, input, copy };
}

describe.each([
  ["a session", sessionKeeper],
  ["a journal", journalKeeper],
] as const)("with %s", (_, keeperOf) => {
  test("of two calls one after the other, only that which was under way counts as interrupted", async () => {
    const first: Keeper = keeperOf();
    const dead = Promise.withResolvers<Keeper>();
    const pay = once("pay", async () => {
      dead.resolve(await first.copy());
      return new Promise(() => {});
    });
    const controller = new AbortController();
    const dying = run(desk([pay, once("ship")]), first.input, {
      ...startOf(first),
      concurrency: 1,
      signal: controller.signal,
    });
    const second = await dead.promise;
    controller.abort();
    await dying;
    expect(effects).toEqual(["pay"]);
    const { status, messages } = await run(desk([once("pay"), once("ship")]), second.input, startOf(second));
    expect(status).toBe("completed");
    expect(effects).toEqual(["pay", "ship"]);
    const text = JSON.stringify(messages);
    expect(text).toContain("pay was interrupted: it may or may not have taken effect.");
    expect(text).not.toContain("ship was interrupted");
  });

  test("a call whose mark cannot be stored is not made, and is made once it can be", async () => {
    const keeper: Keeper = keeperOf();
    let isFull = true;
    const middleware: RunOptions["middleware"] = [
      {
        step: (key, next) => {
          if (isFull && key.kind === "step") throw new Error("The disk is full.");
          return next();
        },
      },
    ];
    const agent = desk([once("pay")]);
    const ended: string[] = [];
    const onEvent = ({ type }: RunEvent): unknown => ended.push(type);
    await expect(run(agent, keeper.input, { ...startOf(keeper), middleware, onEvent })).rejects.toThrow(
      "The disk is full.",
    );
    expect(effects).toEqual([]);
    expect(ended).not.toContain("tool-end");
    isFull = false;
    const next = await keeper.copy();
    const { status, messages } = await run(agent, next.input, { ...startOf(next), middleware });
    expect(status).toBe("completed");
    expect(effects).toEqual(["pay"]);
    expect(JSON.stringify(messages)).not.toContain("may or may not");
  });

  test("a call that waits does not count as interrupted, however often it goes on", async () => {
    const keeper: Keeper = keeperOf();
    const patient = tool({
      name: "wait",
      input: empty,
      interrupted: "tell",
      execute: async (_: object, { waitFor }) => {
        const all = [await waitFor("first"), await waitFor("second"), await waitFor("third")];
        effects.push(all.join(" "));
        return "done";
      },
    });
    const agent = desk([patient]);
    let result = await run(agent, keeper.input, startOf(keeper));
    for (const word of ["one", "two", "three"]) {
      const results = result.pending.map(({ toolCallId }) => ({ toolCallId, content: word }));
      const input = keeper.options.session ? [] : result.state;
      result = await run(agent, input, { ...keeper.options, results });
    }
    expect(result.status).toBe("completed");
    expect(effects).toEqual(["one two three"]);
  });

  test("a call that has waited and was under way when its process died counts as interrupted", async () => {
    const keeper: Keeper = keeperOf();
    const dead = Promise.withResolvers<Keeper>();
    const patientWith = (work: () => unknown): Agent =>
      desk([
        tool({
          name: "wait",
          input: empty,
          interrupted: "tell",
          execute: async (_: object, { waitFor }) => {
            effects.push(String(await waitFor("first")));
            return work();
          },
        }),
      ]);
    const paused = await run(
      patientWith(() => "done"),
      keeper.input,
      keeper.options,
    );
    const results = paused.pending.map(({ toolCallId }) => ({ toolCallId, content: "came" }));
    const inputOf = ({ options }: Keeper): Parameters<typeof run>[1] => (options.session ? [] : paused.state);
    const controller = new AbortController();
    const dies = async (): Promise<unknown> => {
      dead.resolve(await keeper.copy());
      return new Promise(() => {});
    };
    const { signal } = controller;
    const dying = run(patientWith(dies), inputOf(keeper), { ...keeper.options, results, signal });
    const next = await dead.promise;
    controller.abort();
    await dying;
    const { messages } = await run(
      patientWith(() => "done"),
      inputOf(next),
      { ...next.options, results },
    );
    expect(JSON.stringify(messages)).toContain("wait was interrupted: it may or may not have taken effect.");
    expect(effects).toEqual(["came"]);
  });

  test("a middleware that makes a call twice does not find the first one interrupted", async () => {
    const keeper: Keeper = keeperOf();
    const middleware: RunOptions["middleware"] = [
      {
        tool: async (call, _info, next) => {
          await next(call);
          return next(call);
        },
      },
    ];
    const { messages } = await run(desk([once("pay")]), keeper.input, { ...startOf(keeper), middleware });
    expect(effects).toEqual(["pay", "pay"]);
    expect(JSON.stringify(messages)).not.toContain("may or may not");
  });
});
