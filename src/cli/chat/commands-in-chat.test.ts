import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import { run } from "../../run/run.ts";
import { FunctionModel } from "../../testing/function-model.ts";
import { ScriptedModel } from "../../testing/scripted-model.ts";
import { tool } from "../../tool/define.ts";
import { result } from "../../tool/result.ts";
import { transcript } from "./test-chat.ts";

const pay = tool({
  name: "pay",
  input: { type: "object", properties: { amount: { type: "integer" } }, required: ["amount"] },
  approval: true,
  execute: ({ amount }: { amount: number }) =>
    result({ value: `paid\n${amount} in all`, context: { paid: amount } }),
});

/** A clerk that says how many messages it was given, and pays when it is told to. */
function clerk(): Agent {
  const model = new FunctionModel(({ messages }) => {
    const last = messages.at(-1);
    const isAsked = last?.role === "user" && last.content === "pay";
    return isAsked
      ? { toolCalls: [{ toolName: "pay", arguments: { amount: 1 } }] }
      : `I know ${messages.length} messages.`;
  });
  return new Agent({ name: "Clerk", model, tools: [pay], handoffs: [new Agent({ name: "Till" })] });
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-chat-commands-"));
});
afterAll(() => rm(folder, { recursive: true }));

test("/call asks for approval, shows the whole result, changes the context, and says nothing to the model", async () => {
  const text = await transcript(clerk(), ["Hi", '/call pay {"amount":2}', "y", "/context", "Hi"]);
  expect(text).toContain(
    "  ? pay(amount: 2)\nApprove pay? (y, or n, or why not)\n> y\n  → pay(amount: 2)\n  ← paid\n    2 in all\n> /context\n{ paid: 2 }\n> Hi\nClerk: I know 3 messages.\n",
  );
});

test("/call answers a wrong name or argument as a model would be answered", async () => {
  const text = await transcript(clerk(), ["/call pey amount=2", "/call pay amount=two"]);
  expect(text).not.toContain("may or may not have taken effect");
  expect(text).toContain('There is no tool named "pey". Did you mean "pay"?');
  expect(text).toContain('$.amount: expected an integer, received a string: "two"');
  expect(text).not.toContain("stopped at");
});

test("/call of a handoff passes the lead, and /undo gives it back", async () => {
  const text = await transcript(clerk(), ["/call transfer_to_till", "Hi", "/undo", "/undo", "Hi"]);
  expect(text).toContain("Clerk → Till\n> Hi\nTill: I know 1 messages.\n");
  expect(text).toContain("Took back: Hi.\n");
  expect(text).toContain(
    "Took back: /call transfer_to_till. What tools did elsewhere stays done.\n> Hi\nClerk: ",
  );
});

test("/call works without any model, and with an agent whose answers have a form", async () => {
  const output = { type: "object", properties: { a: { type: "string" } } } as const;
  const agent = new Agent({ name: "Form", tools: [pay], output });
  expect(await transcript(agent, ["/call pay amount=3", "y"])).toContain("  ← paid\n    3 in all\n");
});

test("/undo takes back a turn with its calls and context, /retry asks the same again", async () => {
  const lines = ["Hi", "pay", "y", "/undo", "/context", "Hello", "/retry"];
  const text = await transcript(clerk(), lines, { context: { user: "ada" } });
  expect(text).toContain(
    "Took back: pay. What tools did elsewhere stays done.\n> /context\n{ user: 'ada' }\n",
  );
  expect(text).toContain(
    "> Hello\nClerk: I know 3 messages.\n> /retry\n> Hello\nClerk: I know 3 messages.\n",
  );
});

test("/retry asks again what failed", async () => {
  const model = new ScriptedModel([{ error: new Error("down") }, "Up."]);
  const text = await transcript(new Agent({ name: "Clerk", model }), ["Hi", "/retry"]);
  expect(text).toContain("Error: ");
  expect(text).toContain("> /retry\n> Hi\nClerk: Up.\n");
  expect(model.requests[1]?.messages).toEqual([{ role: "user", content: "Hi" }]);
});

test("/model sets the model of all agents until each gets its own back", async () => {
  const text = await transcript(clerk(), ["/model offline", "Hi", "/model own", "Hi"]);
  expect(text).toContain("Speaking with offline from now on.\n> Hi\nClerk: Hello.");
  expect(text).toMatch(/with function\.\n> Hi\nClerk: I know 3 messages\.\n$/);
});

test("/cost counts the calls of turns that failed, too", async () => {
  const usage = { inputTokens: 10, outputTokens: 5 };
  const turns = [
    { text: "One.", usage },
    { toolCalls: [{ toolName: "no" }], usage },
    { error: new Error("down") },
  ];
  const agent = new Agent({ name: "Clerk", model: new ScriptedModel(turns) });
  expect(await transcript(agent, ["1", "2", "/cost"])).toContain(
    "> /cost\n2 model calls, 20 tokens in and 10 out, the price of 2 calls is not known\n",
  );
});

test("/load of a conversation that waits for a decision asks for it, and goes on", async () => {
  const file = join(folder, "waiting.json");
  const { state } = await run(clerk(), "pay");
  await writeFile(file, JSON.stringify(state));
  const text = await transcript(clerk(), ["Hi", `/load ${file}`, "y", "Hi"]);
  expect(text).toContain(": 2 messages, the agent Clerk and the context.\n  ? pay(amount: 1)\nApprove pay?");
  expect(text).toContain("> y\n  → pay(amount: 1)\n  ← paid 1 in all\nClerk: I know 3 messages.\n> Hi\n");
  expect(text).toMatch(/Clerk: I know 5 messages\.\n$/);
});

test("a message of several lines is one message, and is shown as such", async () => {
  const model = new ScriptedModel(["Yes.", "No."]);
  const agent = new Agent({ name: "Clerk", model });
  const text = await transcript(agent, ["one\\", "two", "```", "/help", "", "```"]);
  expect(text).toBe("> one\n… two\nClerk: Yes.\n> ```\n… /help\n… \n… ```\nClerk: No.\n");
  expect(model.requests.map(({ messages }) => messages.at(-1))).toEqual(
    ["one\ntwo", "```\n/help\n\n```"].map((content) => ({ role: "user", content })),
  );
});

test("plain, a transcript speaks in words", async () => {
  const text = await transcript(clerk(), ["pay", "y"], { plain: true });
  expect(text).toBe(
    "You: pay\nCalling pay(amount: 1)\nAsks to call pay(amount: 1)\nApprove pay? (y, or n, or why not)\nYou: y\n" +
      "Calling pay(amount: 1)\nResult: paid 1 in all\nClerk: I know 3 messages.\n",
  );
});
