/** What waits within a step of a tool: the step has no outcome until that has come. */
import { Agent, run as runOnce, type RunState, tool, type ToolContext } from "skein";
import type { RunHandle, Runs } from "skein/durable";
import { memorySession } from "skein/sessions";
import { FunctionModel } from "skein/testing";
import { expect, test } from "vitest";
import { newFile, testRuns } from "./test-runs.ts";

const any = { type: "object", properties: {}, additionalProperties: true } as const;

interface World {
  readonly agents: readonly [desk: Agent, cashier: Agent];
  readonly effects: string[];
}

/** Agents of which one has a tool `order` that does this. */
function worldWith(
  execute: (context: ToolContext, cashier: Agent, effects: string[]) => unknown,
  options: { readonly retries?: number } = {},
): World {
  const effects: string[] = [];
  const pay = tool({
    name: "pay",
    input: any,
    approval: true,
    execute: ({ to = "" }: { readonly to?: string }) => {
      effects.push(`pay ${to}`.trim());
      return `paid ${to}`.trim();
    },
  });
  const cashier = new Agent({
    name: "Cashier",
    tools: [pay],
    model: new FunctionModel(({ messages }) =>
      messages.length === 1 ? { toolCalls: [{ toolName: "pay", arguments: {} }] } : "paid",
    ),
  });
  const { retries } = options;
  const order = tool({
    name: "order",
    input: any,
    ...(retries !== undefined && { retries: { times: retries, delay: 0, when: () => true } }),
    execute: async (_: unknown, context) => JSON.stringify(await execute(context, cashier, effects)),
  });
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== "tool") return { toolCalls: [{ toolName: "order", arguments: {} }] };
    const [part] = last.result.content;
    return part?.type === "text" ? part.text : "";
  });
  return { agents: [new Agent({ name: "Desk", model, tools: [order, pay] }), cashier], effects };
}

/** Decides on what a durable run and those within it wait for, one after the other, until it ends. */
async function ended(app: Runs, handle: RunHandle): Promise<string> {
  for (;;) {
    const result = await handle.result({ timeout: 100, until: "end" }).catch(() => undefined);
    if (result) return result.text;
    for (const { id, status } of await app.list()) {
      if (status !== "paused") continue;
      const run = app.get(id);
      const { pending } = await run.state();
      const [call] = pending;
      if (call?.approvalId !== undefined)
        await run.decide([{ approvalId: call.approvalId, decision: "approve" }]);
      else if (call) await run.resolve(call.toolCallId, "40 euros");
    }
  }
}

type Keep = (world: World) => Promise<string>;

const durable: Keep = async ({ agents }) => {
  const app = testRuns(newFile(), { agents });
  void app.work();
  return ended(app, await app.start(agents[0], "Order."));
};

const inState: Keep = async ({ agents: [desk] }) => {
  let result = await runOnce(desk, "Order.");
  while (result.status === "paused") {
    const state: RunState = JSON.parse(JSON.stringify(result.state));
    result = await runOnce(desk, state, answerTo(result.pending[0]));
  }
  return result.text;
};

const inSession: Keep = async ({ agents: [desk] }) => {
  const session = memorySession();
  let result = await runOnce(desk, "Order.", { session });
  while (result.status === "paused")
    result = await runOnce(desk, [], { session, ...answerTo(result.pending[0]) });
  return result.text;
};

function answerTo({ approvalId, toolCallId }: { readonly approvalId?: string; readonly toolCallId: string }) {
  return approvalId === undefined
    ? { results: [{ toolCallId, content: "40 euros" }] }
    : { approvals: [{ approvalId, decision: "approve" as const }] };
}

const keepers: readonly (readonly [string, Keep])[] = [
  ["a state", inState],
  ["a session", inSession],
  ["a durable run", durable],
];

const forms: Readonly<Record<string, (context: ToolContext, cashier: Agent) => Promise<unknown>>> = {
  call: ({ call }) => call("pay", {}),
  runAgent: ({ runAgent }, cashier) => runAgent(cashier, "Pay."),
};

for (const [form, wait] of Object.entries(forms))
  test.each(keepers)(`${form} in a step is carried out once it is approved, with %s`, async (_, keep) => {
    const world = worldWith((context, cashier, effects) =>
      context.step("the payment", async () => {
        effects.push("step");
        const value = await wait(context, cashier);
        effects.push("after");
        return value;
      }),
    );
    expect(await keep(world)).toBe('"paid"');
    expect(world.effects).toEqual(["step", "step", "pay", "after"]);
  });

test.each(keepers)("waitFor in a step returns what came, with %s", async (_, keep) => {
  const world = worldWith(({ step, waitFor }) => step("the bank", () => waitFor("bank")));
  expect(await keep(world)).toBe('"40 euros"');
});

test("the answer of a detached agent comes to a step", async () => {
  const world = worldWith(({ step, runAgent }, cashier) =>
    step("the payment", () => runAgent(cashier, "Pay.", { detached: true })),
  );
  expect(await durable(world)).toBe('"paid"');
  expect(world.effects).toEqual(["pay"]);
});

test("a sleep in a step ends", async () => {
  const world = worldWith(({ step, sleep }) =>
    step("later", async () => {
      await sleep("a while", 1_050);
      return "slept";
    }),
  );
  expect(await durable(world)).toBe('"slept"');
});

test.each(keepers)("a step in a step, and what was finished beside it, with %s", async (_, keep) => {
  const world = worldWith(({ step, call }, _cashier, effects) =>
    step("outer", async () => {
      const first = await step("first", () => effects.push("first"));
      const paid = await step("inner", async () => [
        await call("pay", { to: "a" }),
        await call("pay", { to: "b" }),
      ]);
      const last = await step("last", () => effects.push("last"));
      return [first, paid, last];
    }),
  );
  expect(await keep(world)).toBe('[1,["paid a","paid b"],4]');
  expect(world.effects).toEqual(["first", "pay a", "pay b", "last"]);
});

test.each(keepers)(
  "steps side by side, of which each waits, decided one by one, with %s",
  async (_, keep) => {
    const world = worldWith(async ({ step, call }, _cashier, effects) => {
      const slow = async (): Promise<unknown> => {
        await new Promise((resolve) => setTimeout(resolve, 20));
        return step("slow", () => call("pay", { to: "slow" }));
      };
      const all = await Promise.all([
        step("b", () => call("pay", { to: "b" })),
        step("a", () => call("pay", { to: "a" })),
        step("c", () => effects.push("c")),
        slow(),
      ]);
      return all;
    });
    expect(JSON.parse(await keep(world))).toEqual(["paid b", "paid a", 1, "paid slow"]);
    expect(world.effects.toSorted()).toEqual(["c", "pay a", "pay b", "pay slow"]);
  },
);

test.each(keepers)(
  "an error that a step makes of what waits within it is not its outcome, with %s",
  async (_, keep) => {
    const world = worldWith(({ step, call }) =>
      step("the payment", async () => {
        try {
          return await call("pay", {});
        } catch {
          throw new Error("It could not be paid.");
        }
      }),
    );
    expect(await keep(world)).toBe('"paid"');
    expect(world.effects).toEqual(["pay"]);
  },
);

test.each(keepers)("a tool that is tried again waits within its step, with %s", async (_, keep) => {
  let attempts = 0;
  const world = worldWith(
    ({ step, call }, _cashier, effects) =>
      step("the payment", async () => {
        const value = await call("pay", {});
        attempts += 1;
        if (attempts === 1) throw new Error("It fails once.");
        effects.push("done");
        return value;
      }),
    { retries: 2 },
  );
  expect(await keep(world)).toBe('"paid"');
  expect(world.effects).toEqual(["pay", "done"]);
});

test.each(keepers)("a step that fails is not performed again once it has, with %s", async (_, keep) => {
  const world = worldWith(async ({ step, call }, _cashier, effects) => {
    const failed = await step("failing", () => {
      effects.push("failing");
      throw new Error("no");
    }).catch((error: Error) => error.message);
    return [failed, await call("pay", {})];
  });
  expect(await keep(world)).toBe('["no","paid"]');
  expect(world.effects).toEqual(["failing", "pay"]);
});
