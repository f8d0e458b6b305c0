import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CreateElicitationRequest } from "@agentclientprotocol/sdk";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { mcpRequest, serveMcp } from "skein/mcp";
import { tool } from "skein";
import { fromSources, newProject } from "../skein-command.ts";
import { cardsOf, startEditor, textOf } from "./editor.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await newProject();
  await writeFile(join(cwd, "agent.ts"), callAll);
  await writeFile(join(cwd, "tools.ts"), tools);
});
afterAll(() => rm(cwd, { recursive: true }));

/** Agents that call each tool they have, and name their results. They hand over to each other. */
const callAll = `import { Agent } from "skein";
import { FunctionModel } from "skein/testing";

/**
 * Doubles.
 * @param value - A number
 */
function double(value: number) {
  return 2 * value;
}

const model = new FunctionModel(({ messages, tools }) => {
  const last = messages.at(-1);
  if (last.role === "tool") return messages.filter(({ role }) => role === "tool").map(({ result }) => result.content[0].text).join(", ");
  const names = tools.map(({ name }) => name).filter((name) => !name.startsWith("transfer_to_"));
  if (last.content.includes("names")) return names.join(" ");
  return { toolCalls: names.map((toolName) => ({ toolName, arguments: toolName === "twice" ? { value: 21 } : {} })) };
});

export const agent: Agent = new Agent({ name: "One", model, tools: { twice: double }, handoffs: () => [second] });
export const second: Agent = new Agent({ name: "Two", model, handoffs: () => [agent] });
`;

const tools = `console.log(process.env.SECRET);

/** Says where it is. */
export function whereAmI() {
  return process.cwd() + " " + process.env.TOKEN;
}
`;

/** A server that is a program of the project. */
const program = {
  name: "local",
  command: process.execPath,
  args: [...fromSources, "mcp", "tools.ts"],
  env: [{ name: "TOKEN", value: "t-1" }],
};

test("tools of the editor's servers are there for all agents, besides their own", async () => {
  const serving = await serveMcp(
    {
      tools: [
        tool({
          name: "remote",
          description: "Is remote.",
          input: { type: "object" },
          execute: () => "remote",
        }),
      ],
    },
    { transport: { http: { port: 0 } } },
  );
  onTestFinished(() => serving.close());
  const url = serving.url ?? "";
  const editor = await startEditor(["agent.ts"], { cwd });
  const sessionId = await editor.newSession({
    mcpServers: [program, { type: "http", name: "far", url, headers: [] }],
  });
  await editor.prompt(sessionId, "call");
  expect(textOf(editor.updates(sessionId))).toBe(`42, ${cwd} t-1, remote`);
  expect([...cardsOf(editor.updates(sessionId)).values()].map(({ title }) => title.split("(")[0])).toEqual([
    "twice",
    "whereAmI",
    "remote",
  ]);
  const count = editor.updates(sessionId).length;
  await editor.agent.request("session/set_mode", { sessionId, modeId: "second" });
  await editor.prompt(sessionId, "names");
  expect(textOf(editor.updates(sessionId).slice(count))).toBe("whereAmI remote");
  const other = await editor.newSession();
  await editor.prompt(other, "names");
  expect(textOf(editor.updates(other))).toBe("twice");
  await editor.agent.request("session/close", { sessionId });
  expect(await editor.leave()).toBe(0);
});

test("a server that does not start is left out, and reported once", async () => {
  const editor = await startEditor(["agent.ts"], { cwd, capabilities: { session: { notices: {} } } });
  const sessionId = await editor.newSession({
    mcpServers: [{ name: "gone", command: "/no/such/program", args: [], env: [] }],
  });
  await editor.prompt(sessionId, "names");
  await editor.prompt(sessionId, "names");
  expect(textOf(editor.updates(sessionId))).toBe("twicetwice");
  const notices = editor.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate === "notice");
  expect(notices).toMatchObject([{ severity: "warning", title: expect.stringContaining("gone") }]);
  expect(editor.stderr()).toContain("gone");
});

test("a server with a wrong address is left out, and reported once", async () => {
  const editor = await startEditor(["agent.ts"], { cwd, capabilities: { session: { notices: {} } } });
  const far = { type: "http" as const, name: "far", headers: [] };
  const sessionId = await editor.newSession({
    mcpServers: [
      { ...far, url: "ftp://files.acme.test" },
      { ...far, name: "wide", url: "no address" },
    ],
  });
  await editor.prompt(sessionId, "names");
  await editor.prompt(sessionId, "names");
  expect(textOf(editor.updates(sessionId))).toBe("twicetwice");
  const notices = editor.updates(sessionId).filter(({ sessionUpdate }) => sessionUpdate === "notice");
  expect(notices).toMatchObject([
    { severity: "warning", title: expect.stringContaining('"far" is left out') },
    { severity: "warning", title: expect.stringContaining('"wide" is left out') },
  ]);
});

const silent = {
  name: "silent",
  command: process.execPath,
  args: ["-e", "setInterval(() => {}, 1000)"],
  env: [],
};

const waitingWords = expect.stringMatching(/^Waiting for the MCP server "silent" to answer\.\s*$/);
test.each([
  [{ session: { notices: {} } }, { sessionUpdate: "notice", severity: "info", title: waitingWords }],
  [{}, { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: waitingWords } }],
])("the user reads which server a prompt waits for: %j", async (capabilities, update) => {
  const editor = await startEditor(["agent.ts"], { cwd, capabilities });
  const sessionId = await editor.newSession({
    mcpServers: [silent, { ...silent, name: "gone", command: "/no/such/program" }],
  });
  const waiting = editor.prompt(sessionId, "names");
  await expect
    .poll(() => editor.updates(sessionId), { timeout: 20_000 })
    .toContainEqual(expect.objectContaining(update));
  expect(editor.stderr()).toContain('Waiting for the MCP server "silent" to answer.');
  await editor.agent.notify("session/cancel", { sessionId });
  await expect(waiting).resolves.toEqual({ stopReason: "cancelled" });
});

test("a prompt can be cancelled while a server starts", async () => {
  const editor = await startEditor(["agent.ts"], { cwd });
  const sessionId = await editor.newSession({ mcpServers: [silent] });
  const waiting = editor.prompt(sessionId, "names");
  await editor.agent.notify("session/cancel", { sessionId });
  await expect(waiting).resolves.toEqual({ stopReason: "cancelled" });
  expect(await editor.leave()).toBe(0);
});

const asking = tool({
  name: "ask",
  description: "Asks the user.",
  input: { type: "object" },
  execute: async (_, context) => {
    const schema = { type: "object", properties: { city: { type: "string" } }, required: ["city"] } as const;
    const { action, content } = await mcpRequest(context).elicit("where", { message: "Where to?", schema });
    return `${action} ${JSON.stringify(content ?? {})}`;
  },
});

test.each([
  [
    { elicitation: { form: {} } },
    { action: "accept", content: { city: "Paris" } },
    'accept {"city":"Paris"}',
  ],
  [{ elicitation: { form: {} } }, { action: "decline" }, "decline {}"],
  [{ elicitation: { form: {} } }, { action: "unheard-of" }, "cancel {}"],
] as const)("an editor that has forms (%j) answers servers: %j", async (capabilities, answer, text) => {
  const serving = await serveMcp({ tools: [asking] }, { transport: { http: { port: 0 } } });
  onTestFinished(() => serving.close());
  const questions: CreateElicitationRequest[] = [];
  const editor = await startEditor(["agent.ts", "--agent", "second"], {
    cwd,
    capabilities,
    onQuestion: (request) => {
      questions.push(request);
      return answer;
    },
  });
  const url = serving.url ?? "";
  const sessionId = await editor.newSession({
    mcpServers: [{ type: "http", name: "asker", url, headers: [] }],
  });
  await editor.prompt(sessionId, "call");
  expect(textOf(editor.updates(sessionId))).toBe(text);
  expect(questions).toMatchObject([
    {
      mode: "form",
      sessionId,
      message: "The server asker asks: Where to?",
      requestedSchema: { properties: { city: { type: "string" } } },
    },
  ]);
});

test("servers of one name are refused", async () => {
  const editor = await startEditor(["agent.ts"], { cwd });
  await expect(editor.newSession({ mcpServers: [program, program] })).rejects.toMatchObject({
    code: -32_602,
  });
});
