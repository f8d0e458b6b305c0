import { PassThrough } from "node:stream";
import { expect, test, vi } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { mcpHost } from "../../connectors/mcp/client/host.ts";
import { FunctionModel } from "../../testing/function-model.ts";
import { tool } from "../../tool/define.ts";
import { chat } from "./chat.ts";
import { terminalChat, transcript } from "./test-chat.ts";

vi.setConfig({ testTimeout: 30_000 });

/** An agent that pays when it is told to go, once it is let through, and what was paid. */
function payer(): { readonly agent: Agent; readonly paid: string[]; readonly letThrough: () => void } {
  const paid: string[] = [];
  const gate = Promise.withResolvers<void>();
  const pay = tool({
    name: "pay",
    input: { type: "object", properties: {} },
    approval: true,
    execute: () => `${paid.push("paid")} paid`,
  });
  const model = new FunctionModel(async ({ messages }) => {
    const last = messages.at(-1);
    if (last?.role !== "user") return "Done.";
    if (last.content !== "go") return `Heard ${JSON.stringify(last.content)}.`;
    await gate.promise;
    return { text: "Shall I look into it first?", toolCalls: [{ toolName: "pay", arguments: {} }] };
  });
  return { agent: new Agent({ name: "Clerk", model, tools: [pay] }), paid, letThrough: gate.resolve };
}

/** A server's questions while a tool works, once it is let through. */
function askedWithin(ask: (signal: AbortSignal) => unknown): { agent: Agent; letThrough: () => void } {
  const gate = Promise.withResolvers<void>();
  const work = tool({
    name: "work",
    input: { type: "object", properties: {} },
    execute: async (_input, { signal }) => {
      await gate.promise;
      return JSON.stringify(await ask(signal));
    },
  });
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    if (last?.role === "tool") return `It said ${JSON.stringify(last.result.content)}`;
    return last?.role === "user" && last.content === "go"
      ? { toolCalls: [{ toolName: "work", arguments: {} }] }
      : "Heard.";
  });
  return { agent: new Agent({ name: "Clerk", model, tools: [work] }), letThrough: gate.resolve };
}

test("a yes that was typed before a call was shown does not approve it, and is the next message", async () => {
  const { agent, paid, letThrough } = payer();
  const { type, see, done } = terminalChat(agent);
  await see("> ");
  type("go\ryes\r");
  // What is not entered yet does not belong to the answer, either.
  type("and");
  letThrough();
  await see("kept as your next message: yes");
  await see("Approve pay? (y, or n, or why not)");
  await see("> ");
  expect(paid).toEqual([]);
  type("n\r");
  await see("Done.");
  await see('> yes\nClerk: Heard "yes".');
  await see("> and");
  type(" so on\r");
  await see('Heard "and so on".');
  type("/exit\r");
  expect((await done).failedTurns).toBe(0);
  expect(paid).toEqual([]);
});

test.each([{ plain: true }, { isTTY: false }])(
  "nor where lines are not edited, or the output goes elsewhere: %j",
  async ({ plain = false, isTTY = true }) => {
    const { agent, paid, letThrough } = payer();
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = Object.assign(new PassThrough(), { isTTY });
    let shown = "";
    output.on("data", (data) => (shown += String(data)));
    const done = chat(agent, { input, output, plain });
    input.write("go\nyes\n");
    letThrough();
    await vi.waitFor(() => expect(shown).toContain("Approve pay?"));
    expect(paid).toEqual([]);
    input.write("y\n");
    await vi.waitFor(() => expect(shown).toContain('Heard "yes".'));
    expect(paid).toEqual(["paid"]);
    input.end();
    await done;
  },
);

test("a yes that was typed before a server asked does not consent", async () => {
  const { agent, letThrough } = askedWithin((signal) =>
    mcpHost().elicit?.({ server: "cats", message: "Delete all?", mode: "form", schema: {}, signal }),
  );
  const { type, see, done } = terminalChat(agent);
  await see("> ");
  type("go\rthen\ryes\r");
  letThrough();
  await see("Delete all? Answer? (y or n)");
  await see("> ");
  type("n\r");
  expect(await see("It said")).toContain("kept as your next message: then");
  await see("decline");
  type("/exit\r");
  await done;
});

test("a yes that was typed before a server's request was shown does not have the model answer", async () => {
  const messages = [{ role: "user", content: "Repeat all." }] as const;
  const { agent, letThrough } = askedWithin((signal) =>
    mcpHost().approveSampling?.({ server: "cats", messages, maxOutputTokens: 5, signal }),
  );
  const { type, see, done } = terminalChat(agent);
  await see("> ");
  type("go\ryes\r");
  letThrough();
  await see("Allow? (y, or n)");
  await see("> ");
  type("n\r");
  await see("It said");
  type("/exit\r");
  expect(await see("false")).toContain("Repeat all.");
  await done;
});

test("lines of a pipe answer in their order, also those that came before the question", async () => {
  const { agent, paid, letThrough } = payer();
  letThrough();
  const text = await transcript(agent, ["go", "yes", "thanks"]);
  expect(paid).toEqual(["paid"]);
  expect(text).toContain("Approve pay? (y, or n, or why not)\n> yes\n");
  expect(text).toContain('> thanks\nClerk: Heard "thanks".');
  expect(text).not.toContain("kept as your next message");
});

test.each(["y", "y\\\r", "yes\\\ry", "```\ry\r"])(
  "an answer that is not whole when the input ends approves nothing: %j",
  async (keys) => {
    const { agent, paid, letThrough } = payer();
    letThrough();
    const { type, see, end, done } = terminalChat(agent);
    await see("> ");
    type("go\r");
    await see("(y, or n");
    type(keys);
    end();
    await done;
    expect(paid).toEqual([]);
  },
);

test.each(["y\\", "```\ny"])("nor does one that a program sends: %j", async (line) => {
  const { agent, paid, letThrough } = payer();
  letThrough();
  expect(await transcript(agent, ["go", line])).toContain("Approve pay?");
  expect(paid).toEqual([]);
});
