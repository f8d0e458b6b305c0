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

/** A tool that waits for a word, notes it and does its work. */
const waiting = (work: () => unknown = () => "done"): Tool =>
  tool({
    name: "wait",
    input: empty,
    interrupted: "tell",
    execute: async (_: object, { waitFor }) => {
      effects.push(String(await waitFor("word")));
      return work();
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
  const entries = new Map(steps);
  const journal: Journal = {
    async step<T>(key: string, perform: () => Promise<T>): Promise<T> {
      if (!entries.has(key)) entries.set(key, await perform());
      return entries.get(key) as T;
    },
  };
  return {
    options: { journal },
    runId: "r",
    input: "Go.",
    copy: async () => journalKeeper(entries),
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
    const patientWith = (work: () => unknown): Agent => desk([waiting(work)]);
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

  test.each([
    ["ask", "approve"],
    ["ask", "deny"],
    ["tell", "approve"],
  ] as const)(
    'a call that has waited, with interrupted: "%s", is not made again once what it waited for was decided: %s',
    async (interrupted, decision) => {
      const keeper: Keeper = keeperOf();
      const dead = Promise.withResolvers<Keeper>();
      const agentWith = (work: () => unknown): Agent => {
        const outer = tool({
          name: "order",
          input: empty,
          interrupted,
          execute: async (_: object, { call }) => {
            await call("reserve", {}).catch((error: Error) => {
              if ("code" in error) throw error;
            });
            effects.push("ordered");
            return work();
          },
        });
        const toolCalls = [{ toolCallId: "order", toolName: "order", arguments: {} }];
        return new Agent({
          name: "Desk",
          tools: [outer, tool({ name: "reserve", input: empty, approval: true, execute: () => "reserved" })],
          model: new FunctionModel(({ messages }) => (messages.length > 1 ? "Done." : { toolCalls })),
        });
      };
      const paused = await run(
        agentWith(() => "done"),
        keeper.input,
        startOf(keeper),
      );
      const approvals = paused.pending.map(({ approvalId = "" }) => ({ approvalId, decision }));
      const inputOf = ({ options }: Keeper): Parameters<typeof run>[1] =>
        options.session ? [] : paused.state;
      const controller = new AbortController();
      const { signal } = controller;
      const dies = async (): Promise<unknown> => {
        dead.resolve(await keeper.copy());
        return new Promise(() => {});
      };
      const dying = run(agentWith(dies), inputOf(keeper), { ...keeper.options, approvals, signal });
      const next = await dead.promise;
      controller.abort();
      await dying;
      const last = await run(
        agentWith(() => "done"),
        inputOf(next),
        { ...next.options, approvals },
      );
      expect(last.status).toBe("completed");
      expect(JSON.stringify(last.messages)).toContain(
        "order was interrupted: it may or may not have taken effect.",
      );
      expect(effects).toEqual(["ordered"]);
    },
  );

  test("a call that waits goes on though its process died before it had begun", async () => {
    const first: Keeper = keeperOf();
    const dead = Promise.withResolvers<Keeper>();
    const agent = desk([waiting()]);
    const controller = new AbortController();
    const dying = run(agent, first.input, {
      ...startOf(first),
      signal: controller.signal,
      middleware: [
        {
          tool: async () => {
            dead.resolve(await first.copy());
            return new Promise(() => {});
          },
        },
      ],
    });
    const second = await dead.promise;
    controller.abort();
    await dying;
    const { state, pending } = await run(agent, second.input, startOf(second));
    const results = pending.map(({ toolCallId }) => ({ toolCallId, content: "came" }));
    const input = second.options.session ? [] : state;
    const { status } = await run(agent, input, { ...second.options, results });
    expect(status).toBe("completed");
    expect(effects).toEqual(["came"]);
  });
});

/** An agent that makes one call first. */
function calling(name: string, tools: readonly Tool[], args: Readonly<Record<string, string>> = {}): Agent {
  return new Agent({
    name: `Who calls ${name}`,
    description: "Calls.",
    tools,
    model: new FunctionModel(({ messages }) =>
      messages.length > 1 ? "Done." : { toolCalls: [{ toolName: name, arguments: args }] },
    ),
  });
}

const takers = ["context.waitFor", "scan", "scan for an agent"] as const;

test.each(takers)("the result of %s is not asked for again once a tool has taken it", async (what) => {
  const dead = Promise.withResolvers<Keeper>();
  const keeper = sessionKeeper();
  let isDying = false;
  const order = tool({
    name: "order",
    input: empty,
    execute: async (_: object, { call, step, waitFor }) => {
      effects.push(String(await (what === "context.waitFor" ? waitFor("word") : call("scan", {}))));
      if (!isDying) return "done";
      // What was noted before is stored once this is.
      await step("order", () => "ordered");
      dead.resolve(await keeper.copy());
      return new Promise(() => {});
    },
  });
  const clerk = calling("order", [order, tool({ name: "scan", input: empty })]);
  const agent =
    what === "scan for an agent"
      ? calling("clerk", [clerk.asTool({ name: "clerk" })], { input: "Go." })
      : clerk;
  const { pending } = await run(agent, keeper.input, keeper.options);
  const results = pending.map(({ toolCallId }) => ({ toolCallId, content: "came" }));
  isDying = true;
  const controller = new AbortController();
  const dying = run(agent, [], { ...keeper.options, results, signal: controller.signal });
  const next = await dead.promise;
  controller.abort();
  await dying;
  isDying = false;
  expect(await run(agent, [], next.options)).toMatchObject({ status: "completed", warnings: [] });
  expect(effects).toEqual(["came", "came"]);
});

test("a mark of a stop that cannot be stored interrupts nothing: its session says that the call waits", async () => {
  const keeper = sessionKeeper();
  let isFull = true;
  const middleware: RunOptions["middleware"] = [
    {
      step: (key, next) => {
        if (isFull && key.id.startsWith("context.stopped")) throw new Error("The disk is full.");
        return next();
      },
    },
  ];
  const agent = desk([waiting()]);
  const failed: unknown = await run(agent, keeper.input, { ...startOf(keeper), middleware }).catch(
    (error: unknown) => error,
  );
  const { state } = Object(failed);
  expect(state.pending).toMatchObject([{ toolName: "context.waitFor" }]);
  isFull = false;
  const results = [{ toolCallId: state.pending[0].toolCallId, content: "came" }];
  const { status } = await run(agent, [], { ...keeper.options, middleware, results });
  expect(status).toBe("completed");
  expect(effects).toEqual(["came"]);
});
