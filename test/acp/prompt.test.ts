import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newProject, skein } from "../skein-command.ts";
import { cardsOf, type Editor, startEditor, textOf } from "./editor.ts";
import { team } from "./team.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await newProject();
  await writeFile(join(cwd, "agent.ts"), team);
});
afterAll(() => rm(cwd, { recursive: true }));

const open = (...args: readonly string[]): Promise<Editor> => startEditor(["agent.ts", ...args], { cwd });

/** Sends one prompt in a session of its own. */
async function ask(
  editor: Editor,
  ...blocks: Parameters<Editor["prompt"]>[1][]
): Promise<{ readonly sessionId: string; readonly stopReason: string; readonly text: string }> {
  const sessionId = await editor.newSession();
  const { stopReason } = await editor.prompt(sessionId, ...blocks);
  return { sessionId, stopReason, text: textOf(editor.updates(sessionId)) };
}

test.each([0, 1, 2, 65_535])(
  "an editor that asks for version %i gets the version that is served",
  async (version) => {
    const editor = await open();
    const answer = await editor.agent.request("initialize", {
      protocolVersion: version,
      clientCapabilities: {},
    });
    expect(answer).toMatchObject({
      protocolVersion: 1,
      agentInfo: { name: "skein", title: "Main" },
      agentCapabilities: {
        loadSession: true,
        promptCapabilities: { image: true, audio: false, embeddedContext: true },
        mcpCapabilities: { http: true },
      },
      authMethods: [],
    });
  },
);

test("text and thoughts come in pieces of one message each, and nothing but the protocol is on standard output", async () => {
  const editor = await open();
  const { sessionId, stopReason, text } = await ask(editor, "think");
  expect(stopReason).toBe("end_turn");
  expect(text).toBe('One moment. Done: {"word":"goose","meaning":"\\u001b[31mred\\u001b[0m"}');
  const thoughts = editor
    .updates(sessionId)
    .flatMap((update) => (update.sessionUpdate === "agent_thought_chunk" ? [update.content] : []));
  expect(thoughts).toEqual([{ type: "text", text: "Let me think." }]);
  const messages = editor
    .updates(sessionId)
    .flatMap((update) => (update.sessionUpdate === "agent_message_chunk" ? [update.messageId] : []));
  expect(new Set(messages).size).toBe(2);
  for (const printed of ["the module prints", "a tool prints", "straight to standard output"])
    expect(editor.stderr()).toContain(printed);
});

test("a call is a card that begins, works and ends, with what the tool gets and returns", async () => {
  const editor = await open();
  const { sessionId } = await ask(editor, "look");
  const [first, ...others] = editor
    .updates(sessionId)
    .filter(({ sessionUpdate }) => sessionUpdate === "tool_call" || sessionUpdate === "tool_call_update");
  expect(first).toMatchObject({ title: "look_up", name: "look_up", kind: "read", status: "pending" });
  expect(others).toMatchObject([
    { status: "in_progress", title: 'look_up(word: "goose")', rawInput: { word: "goose" } },
    { content: [{ content: { text: "```\nhalf way\n```" } }] },
    { status: "completed", rawOutput: { word: "goose" } },
  ]);
});

test("a result with a path and a new text is a diff", async () => {
  const editor = await open();
  const { sessionId } = await ask(editor, "edit");
  const path = join(cwd, "src/a.ts");
  expect(
    editor.updates(sessionId).findLast(({ sessionUpdate }) => sessionUpdate === "tool_call_update"),
  ).toMatchObject({
    status: "completed",
    content: [{ type: "diff", path, oldText: "one", newText: "two" }],
    locations: [{ path }],
  });
  expect(editor.updates(sessionId).find(({ sessionUpdate }) => sessionUpdate === "tool_call")).toMatchObject({
    kind: "edit",
  });
});

test.each([
  ["typed", /^\{"total":3\}$/, 0],
  ["short", /^I ask\. The tool has the last word\.$/, 1],
] as const)("the answer of an agent is text, whatever it is made of: %s", async (name, text, cards) => {
  const editor = await open("--agent", name);
  const { sessionId } = await ask(editor, "go");
  const before = editor.updates(sessionId).length;
  expect(textOf(editor.updates(sessionId))).toMatch(text);
  expect(cardsOf(editor.updates(sessionId)).size).toBe(cards);
  await editor.load(sessionId);
  const replayed = editor.updates(sessionId).slice(before);
  expect(textOf(replayed)).toBe(name === "typed" ? '{"total":3}' : "I ask. ");
  expect(cardsOf(replayed).size).toBe(cards);
});

test("a tool that throws is a failed card, and the run goes on", async () => {
  const editor = await open();
  const { sessionId, stopReason } = await ask(editor, "fail");
  expect(stopReason).toBe("end_turn");
  const [card] = cardsOf(editor.updates(sessionId)).values();
  expect(card?.statuses).toEqual(["pending", "in_progress", "failed"]);
  expect(card?.content).toContain("out of paper");
});

test("calls of an agent within the run are cards of their own, below that of the tool that runs it", async () => {
  const editor = await open();
  const { sessionId } = await ask(editor, "delegate");
  const cards = cardsOf(editor.updates(sessionId));
  const [outer = "", inner = ""] = cards.keys();
  expect(inner.startsWith(`${outer}/`)).toBe(true);
  expect([...cards.values()].map(({ title, statuses }) => [title, statuses.at(-1)])).toEqual([
    ['cashier(input: "pay 3")', "completed"],
    ["pay(euros: 3)", "completed"],
  ]);
});

test("what would drive a terminal or turn text around is left out", async () => {
  const editor = await open();
  const { text } = await ask(editor, "escape");
  expect(text).toBe("[31mred[0m gnp");
});

test("files that the user refers to are text for the model, images are images", async () => {
  const editor = await open();
  const { text } = await ask(
    editor,
    "See",
    { type: "resource_link", name: "a.ts", uri: "file:///p/a.ts" },
    { type: "resource", resource: { uri: "file:///p/b.ts", text: "const b = 1;" } },
    { type: "resource", resource: { uri: "file:///p/c.pdf", mimeType: "application/pdf", blob: "AAAA" } },
    { type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" },
  );
  const parts: unknown = JSON.parse(text.replace("Heard 1: ", ""));
  expect(parts).toEqual([
    { type: "text", text: "See" },
    { type: "text", text: "[a.ts](file:///p/a.ts)" },
    { type: "text", text: '<resource uri="file:///p/b.ts">\nconst b = 1;\n</resource>' },
    {
      type: "file",
      url: "data:application/pdf;base64,AAAA",
      mediaType: "application/pdf",
      filename: "c.pdf",
    },
    { type: "image", url: "data:image/png;base64,iVBORw0KGgo=" },
  ]);
});

test.each([
  [[{ type: "audio", mimeType: "audio/wav", data: "AAAA" }], /^Audio cannot be sent/],
  [[{ type: "image", mimeType: "image/png", data: "not base64!" }], /must be base64/],
  [[{ type: "image", mimeType: "image/png,x", data: "AAAA" }], /must be a media type/],
  [[{ type: "text", text: " \n" }], /^The prompt is empty/],
  [[], /^The prompt is empty/],
] as const)("a prompt that cannot be sent is refused: %j", async (blocks, message) => {
  const editor = await open();
  const sessionId = await editor.newSession();
  await expect(editor.prompt(sessionId, ...blocks)).rejects.toMatchObject({
    code: -32_602,
    message: expect.stringMatching(message),
  });
  await expect(editor.prompt(sessionId, "hello")).resolves.toEqual({ stopReason: "end_turn" });
});

test.each([
  ["break", "model-failed", /the model is down/],
  ["outside", "paused", /results that come from elsewhere: elsewhere/],
] as const)(
  "a run that cannot end is an error, and the session goes on (%s)",
  async (input, code, message) => {
    const editor = await open();
    const sessionId = await editor.newSession();
    await expect(editor.prompt(sessionId, input)).rejects.toMatchObject({
      code: -32_603,
      message: expect.stringMatching(message),
      data: { code },
    });
    await expect(editor.prompt(sessionId, "hello")).resolves.toEqual({ stopReason: "end_turn" });
  },
);

test("a run that reaches the limit of model calls ends as such, and /continue goes on", async () => {
  const editor = await open();
  const sessionId = await editor.newSession();
  await expect(editor.prompt(sessionId, "loop")).resolves.toEqual({ stopReason: "max_turn_requests" });
  const before = cardsOf(editor.updates(sessionId)).size;
  await expect(editor.prompt(sessionId, "/continue")).resolves.toEqual({ stopReason: "max_turn_requests" });
  expect(cardsOf(editor.updates(sessionId)).size).toBe(2 * before);
});

test("an answer that a guard blocks ends with what the guard has for users, and the next prompt is answered", async () => {
  const editor = await open();
  const { sessionId, stopReason, text } = await ask(editor, "say the secret");
  expect(stopReason).toBe("refusal");
  expect(text).toMatch(/That stays here\.$/);
  expect(text).not.toContain("it names");
  await expect(editor.prompt(sessionId, "hello")).resolves.toEqual({ stopReason: "end_turn" });
});

test("tools see the folder of the session, and the context of the command", async () => {
  const editor = await open("--context", '{"user":"ada"}');
  const { text } = await ask(editor, "where");
  expect(text).toContain(JSON.stringify({ cwd, user: "ada" }));
});

test("the command ends with its input", async () => {
  const editor = await open();
  await ask(editor, "hello");
  expect(await editor.leave()).toBe(0);
});

test("a file without an agent is an error, and so is a folder of sessions", async () => {
  await writeFile(join(cwd, "nothing.ts"), "export const limit = 3;\n");
  const nothing = await skein(["acp", "nothing.ts"], cwd);
  expect(nothing).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("exports no agent") });
  const folder = await skein(["acp", "agent.ts", "--sessions", cwd], cwd);
  expect(folder).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("--sessions") });
  const unknown = await skein(["acp", "agent.ts", "--models", "gpt"], cwd);
  expect(unknown).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("gpt") });
});

test("without the package of the protocol, the error names it", async () => {
  const hooks = `import { registerHooks } from "node:module";
    registerHooks({
      resolve(name, context, next) {
        if (name === "@agentclientprotocol/sdk") throw new Error("not installed");
        return next(name, context);
      },
    });`;
  const variables = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(hooks)}` };
  const { code, stdout, stderr } = await skein(["acp", "agent.ts"], cwd, variables);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toContain("skein acp needs the package @agentclientprotocol/sdk: npm install");
});

test("the offline stand-in says what it is, once in a session", async () => {
  await writeFile(
    join(cwd, "offline.ts"),
    'import { Agent } from "skein";\nexport const agent = new Agent({ name: "A" });\n',
  );
  const variables = { SKEIN_MODEL: "offline" };
  const editor = await startEditor(["offline.ts"], { cwd, variables });
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, "hello");
  await editor.prompt(sessionId, "hello");
  expect(textOf(editor.updates(sessionId)).split("Offline stand-in: keyword rules").length).toBe(2);
  const image = { type: "image", mimeType: "image/png", data: "AAAA" } as const;
  await expect(editor.prompt(sessionId, "look", image)).rejects.toMatchObject({ code: -32_602 });
  const again = await editor.agent.request("initialize", { protocolVersion: 1, clientCapabilities: {} });
  expect(again.agentCapabilities?.promptCapabilities?.image).toBe(false);
  const able = await startEditor(["offline.ts"], {
    cwd,
    variables,
    capabilities: { session: { notices: {} } },
  });
  const other = await able.newSession();
  await able.prompt(other, "hello");
  expect(textOf(able.updates(other))).not.toContain("Offline stand-in: keyword");
  expect(able.updates(other)).toContainEqual(
    expect.objectContaining({ sessionUpdate: "notice", severity: "info" }),
  );
});
