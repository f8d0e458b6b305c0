/** Nobody is told that a call was not executed which may have begun: a model would order once more what was delivered. */
import { beforeEach, expect, test } from "vitest";
import { z } from "zod";
import {
  Agent,
  type Journal,
  type RunOptions,
  type RunResult,
  type Session,
  type SessionEntry,
  run,
  SkeinError,
  tool,
  type Tool,
  type ToolResult,
} from "skein";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { memoryJournal } from "./test-journal.ts";

const anything = { type: "object", properties: {} } as const;
const effects: string[] = [];
beforeEach(() => void effects.splice(0));

const ship = tool({ name: "ship", input: anything, execute: () => void effects.push("ship") });
const pay = tool({ name: "pay", input: anything, approval: true, execute: () => void effects.push("pay") });
const order = tool({
  name: "order",
  input: anything,
  execute: async (_: object, { call }) => {
    await call("ship", {});
    await call("pay", {});
    return "ordered";
  },
});
const outside = tool({ name: "outside", input: anything });

/** Calls a tool for the first message, and then believes what it reads. */
function calling(...toolNames: readonly string[]): FunctionModel {
  return new FunctionModel(({ messages }) =>
    messages.some(({ role }) => role === "assistant")
      ? "Done."
      : { toolCalls: toolNames.map((toolName) => ({ toolName })) },
  );
}

function agentCalling(...toolNames: readonly string[]): Agent {
  return new Agent({ name: "A", model: calling(...toolNames), tools: [ship, pay, order, outside] });
}

function results({ state }: Pick<RunResult, "state">): readonly ToolResult[] {
  return state.messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
}

/** What the model and people read of the results. */
function texts(result: Pick<RunResult, "state">): readonly string[] {
  return results(result).map(({ content: [part] }) => (part?.type === "text" ? part.text : ""));
}

const mayHave = "It may or may not have taken effect.";
const cancelled = (name: string): string => `The run was cancelled before ${name} finished. ${mayHave}`;
const wentOn = (name: string): string => `The conversation went on before ${name} finished. ${mayHave}`;
/** Cancels a run as it goes on. */
function stopped(): RunOptions {
  const controller = new AbortController();
  return {
    signal: controller.signal,
    middleware: [
      {
        run(_, next) {
          controller.abort();
          return next();
        },
      },
    ],
  };
}

function approve({ pending }: RunResult): RunOptions {
  return { approvals: pending.map(({ approvalId = "" }) => ({ approvalId, decision: "approve" })) };
}

test.each(["order", "outside"])(
  "a conversation that goes on as a list does not take back %s",
  async (name) => {
    const agent = agentCalling(name);
    const paused = await run(agent, "Order it.");
    const next = await run(agent, [...paused.state.messages, { role: "user", content: "And now?" }]);
    expect(texts(next)).toEqual([wentOn(name)]);
  },
);

test.each([
  ["order", wentOn("order")],
  ["outside", wentOn("outside")],
  ["pay", "pay was not executed: the conversation went on without it."],
])("a session that goes on with a new message says of %s what is certain", async (name, text) => {
  const session = memorySession();
  const agent = agentCalling(name);
  await run(agent, "Order it.", { session });
  expect(texts(await run(agent, "And now?", { session }))).toEqual([text]);
});

test.each(["order", "outside"])(
  "a resumed run that is cancelled as it goes on does not take back %s",
  async (name) => {
    const agent = agentCalling(name);
    const paused = await run(agent, "Order it.");
    const ended = await run(agent, paused.state, {
      ...stopped(),
      ...(name !== "outside" && approve(paused)),
    });
    expect([ended.status, ...texts(ended)]).toEqual(["cancelled", cancelled(name)]);
  },
);

test("a call that still waits for a decision is certainly not executed", async () => {
  const agent = agentCalling("pay");
  const paused = await run(agent, "Pay.");
  expect(texts(await run(agent, paused.state, stopped()))).toEqual([
    "pay was not executed: the run was cancelled.",
  ]);
});

test("a call that may have begun in a process that died is not taken back, by a session", async () => {
  const entries: SessionEntry[] = [];
  const store = (isRecorded: boolean): Session => ({
    load: async () => ({ entries }),
    append: async (added) => void (isRecorded && entries.push(...added)),
    clear: async () => {},
  });
  // What is there when the tool begins is all that the process leaves behind.
  const dying = tool({
    name: "dying",
    input: anything,
    execute: () => void effects.push(JSON.stringify(entries.filter(({ type }) => type !== "claim"))),
  });
  const agent = new Agent({ name: "A", model: calling("dying", "pay"), tools: [dying, pay] });
  await run(agent, "Go.", { session: store(true) });
  entries.splice(0, Infinity, ...(JSON.parse(effects[0] ?? "") as SessionEntry[]));
  entries.forEach((entry, index) => Object.assign(entry, { sequence: index + 1 }));
  const controller = new AbortController();
  const ended = await run(agent, [], {
    session: store(true),
    signal: controller.signal,
    onEvent: ({ type }) => type === "warning" || controller.abort(),
    middleware: [{ run: async (_info, next) => (controller.abort(), next()) }],
  });
  expect(ended.status).toBe("cancelled");
  expect(texts(ended)).toEqual([cancelled("dying"), cancelled("pay")]);
});

test("a call that may have begun in a process that died is not taken back, by a journal", async () => {
  const journal = memoryJournal();
  const agent = agentCalling("ship");
  // The process dies before it has stored what came of the call.
  const dying: Journal = {
    step: async (key, perform) =>
      key.includes("/tool/")
        ? (await perform(), Promise.reject(new Error("dead")))
        : journal.step(key, perform),
  };
  await run(agent, "Go.", { journal: dying }).catch(() => undefined);
  expect(effects).toEqual(["ship"]);
  const controller = new AbortController();
  const ended = await run(agent, "Go.", {
    signal: controller.signal,
    journal: {
      step: async (key, perform) => {
        if (key.includes("/tool/")) controller.abort();
        return journal.step(key, perform);
      },
    },
  });
  expect([ended.status, ...texts(ended), effects.length]).toEqual(["cancelled", cancelled("ship"), 1]);
});

test("a call of an answer that has just come and is not executed is certainly not executed", async () => {
  const controller = new AbortController();
  const ended = await run(agentCalling("ship"), "Go.", {
    signal: controller.signal,
    journal: memoryJournal(),
    middleware: [{ tool: (call, _info, next) => (controller.abort(), next(call)) }],
  });
  expect([texts(ended), effects]).toEqual([["ship was not called: the run was cancelled."], []]);
});

test("a second attempt that is refused before it begins does not take back the first", async () => {
  let isSlow = false;
  const order = tool({
    name: "order",
    input: z.object({}).refine(() => !isSlow || new Promise<boolean>(() => {})),
    timeout: 300,
    execute: async (_: object, { call }) => {
      await call("ship", {});
      await call("pay", {});
      return "ordered";
    },
  });
  const agent = new Agent({ name: "A", model: calling("order"), tools: [ship, pay, order] });
  const paused = await run(agent, "Order it.");
  isSlow = true;
  const ended = await run(agent, paused.state, approve(paused));
  expect(effects).toEqual(["ship"]);
  expect(texts(ended)).toEqual([
    "order was not finished: the check of its arguments did not finish within 300 ms. It may or may not have taken effect before.",
  ]);
});

/** Resumes a run within whose call of `order` one waits, where the tools have changed meanwhile. */
async function resumeWith(...tools: readonly Tool[]) {
  const paused = await run(agentCalling("order"), "Order it.");
  const changed = new Agent({ name: "A", model: new FunctionModel(() => "Done."), tools });
  return run(changed, paused.state, approve(paused));
}

test("a call that has begun and whose tool is gone waits for a program that has it", async () => {
  await expect(resumeWith(ship, pay)).rejects.toMatchObject({
    code: "tool-missing",
    state: { decisions: [{ decision: "approve" }], pending: [{ toolName: "pay" }] },
  });
});

test("a call that has begun and whose tool has changed is not taken back", async () => {
  const other = tool({
    name: "order",
    input: { type: "object", properties: { id: { type: "integer" } }, required: ["id"] },
    execute: () => "ordered",
  });
  const ended = await resumeWith(ship, pay, other);
  expect(results(ended)[0]?.outcome).toBe("cancelled");
  expect(texts(ended)[0]).toMatch(/^order was not finished\. It may or may not have taken effect before\.\n/);
});

test("a policy that fails after the tool was called, in a run that is cancelled, does not take the call back", async () => {
  const controller = new AbortController();
  const shipOnce: Tool = {
    ...tool({
      name: "shipOnce",
      input: anything,
      execute: () => {
        effects.push("ship");
        return { n: 1 };
      },
      validateOutput: true,
    }),
    outputSchema: {
      jsonSchema: {},
      validate: () => {
        controller.abort();
        throw new Error("The check is broken.");
      },
    },
  };
  const agent = new Agent({ name: "A", model: calling("shipOnce"), tools: [shipOnce] });
  const ended = await run(agent, "Go.", { signal: controller.signal });
  expect(effects).toEqual(["ship"]);
  expect(texts(ended)).toEqual([cancelled("shipOnce")]);
});

test("a middleware reads of a call that waits for one within it that it may have taken effect", async () => {
  const read: string[] = [];
  await run(agentCalling("order"), "Order it.", {
    middleware: [
      {
        tool: async (call, _info, next) => {
          const result = await next(call);
          const [part] = result.content;
          if (call.toolName !== "ship")
            read.push(`${result.outcome}: ${part?.type === "text" ? part.text : ""}`);
          return result;
        },
      },
    ],
  });
  expect(read).toEqual([
    "not-executed: pay was not executed: it needs a person's approval.",
    `not-executed: The run paused before order finished. ${mayHave}`,
  ]);
});

test("a middleware's mistake around a call that waits for one within it does not have that made again", async () => {
  const agent = agentCalling("order");
  const mistaken: RunOptions = {
    middleware: [
      {
        tool: async (call, _info, next) => {
          const result = await next(call);
          return call.toolName === "order" ? (undefined as never) : result;
        },
      },
    ],
  };
  const error = await run(agent, "Order it.", mistaken).catch((thrown: unknown) => thrown);
  const state = error instanceof SkeinError ? error.state : undefined;
  const paused = await run(agent, state ?? "Go on.");
  const done = await run(agent, paused.state, approve(paused));
  expect([done.status, effects]).toEqual(["completed", ["ship", "pay"]]);
});
