import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newProject } from "../skein-command.ts";
import { allow, cardsOf, type Editor, startEditor, textOf } from "./editor.ts";
import { team } from "./team.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await newProject();
  await writeFile(join(cwd, "agent.ts"), team);
});
afterAll(() => rm(cwd, { recursive: true }));

const open = (...args: readonly string[]): Promise<Editor> => startEditor(["agent.ts", ...args], { cwd });

const setOption = (editor: Editor, sessionId: string, configId: string, value: string): Promise<unknown> =>
  editor.agent.request("session/set_config_option", { sessionId, configId, value });

/** What the agent says next. */
async function say(editor: Editor, sessionId: string, text: string): Promise<string> {
  const count = editor.updates(sessionId).length;
  await editor.prompt(sessionId, text);
  return textOf(editor.updates(sessionId).slice(count));
}

test("agents are modes and an option, models are an option", async () => {
  const editor = await open("--models", "offline", "openai:gpt-5.2");
  const session = await editor.agent.request("session/new", { cwd, mcpServers: [] });
  expect(session.modes).toEqual({
    currentModeId: "agent",
    availableModes: [
      { id: "agent", name: "Main" },
      { id: "other", name: "Other", description: "The other one." },
      { id: "short", name: "Short" },
      { id: "typed", name: "Typed" },
    ],
  });
  expect(session.configOptions).toMatchObject([
    { id: "agent", type: "select", category: "mode", currentValue: "agent" },
    {
      id: "model",
      category: "model",
      currentValue: "own",
      options: [{ value: "own" }, { value: "offline" }, { value: "openai:gpt-5.2" }],
    },
  ]);
});

test("one agent without models leaves nothing to choose", async () => {
  const editor = await open("--agent", "other");
  const session = await editor.agent.request("session/new", { cwd, mcpServers: [] });
  expect([session.modes ?? null, session.configOptions ?? null]).toEqual([null, null]);
  expect(await say(editor, session.sessionId, "hello")).toBe("Other heard 1.");
});

test("another agent can be chosen at any time, and has the conversation so far", async () => {
  const editor = await open();
  const sessionId = await editor.newSession();
  expect(await say(editor, sessionId, "hello")).toBe("Heard 1: hello");
  await setOption(editor, sessionId, "agent", "other");
  expect(await say(editor, sessionId, "hello")).toBe("Other heard 3.");
  expect(await say(editor, sessionId, "hello")).toBe("Other heard 5.");
  await editor.agent.request("session/set_mode", { sessionId, modeId: "agent" });
  expect(await say(editor, sessionId, "again")).toBe("Heard 4: again");
  expect(editor.updates(sessionId)).toContainEqual({
    sessionUpdate: "current_mode_update",
    currentModeId: "other",
  });
});

test("/continue goes on with the agent of the run, and the choice is for the next message", async () => {
  let isDismissed = true;
  const editor = await startEditor(["agent.ts"], {
    cwd,
    onPermission: () => (isDismissed ? { outcome: { outcome: "cancelled" } } : allow),
  });
  const sessionId = await editor.newSession();
  await say(editor, sessionId, "pay");
  await setOption(editor, sessionId, "agent", "other");
  isDismissed = false;
  expect(await say(editor, sessionId, "/continue")).toBe("Done: paid 5");
  expect(await say(editor, sessionId, "hello")).toMatch(/^Other heard/);
});

test("an agent that is chosen while another one answers gets the next message", async () => {
  const editor: Editor = await startEditor(["agent.ts"], {
    cwd,
    onPermission: async ({ sessionId }) => {
      await setOption(editor, sessionId, "agent", "other");
      return allow;
    },
  });
  const sessionId = await editor.newSession();
  expect(await say(editor, sessionId, "pay")).toBe("One moment. Done: paid 5");
  expect(await say(editor, sessionId, "hello")).toMatch(/^Other heard/);
});

test("a message that was refused is for the chosen agent when it is sent again", async () => {
  const file = ["agent.ts", "--sessions", "busy.db"];
  const first = await startEditor(file, { cwd });
  const sessionId = await first.newSession();
  await say(first, sessionId, "hello");
  const second = await startEditor(file, { cwd });
  await second.load(sessionId);
  await setOption(second, sessionId, "agent", "other");
  const waiting = first.prompt(sessionId, "wait");
  await expect.poll(() => cardsOf(first.updates(sessionId)).size, { timeout: 20_000 }).toBe(1);
  await expect(second.prompt(sessionId, "hello")).rejects.toMatchObject({ data: { code: "session-busy" } });
  await first.agent.notify("session/cancel", { sessionId });
  await waiting;
  expect(await say(second, sessionId, "hello")).toMatch(/^Other heard/);
});

test("a handover is a change of the mode", async () => {
  const editor = await open();
  const sessionId = await editor.newSession();
  expect(await say(editor, sessionId, "hand over")).toContain("Other heard 3.");
  expect(editor.updates(sessionId)).toContainEqual({
    sessionUpdate: "current_mode_update",
    currentModeId: "other",
  });
  expect(await say(editor, sessionId, "hello")).toMatch(/^Other heard/);
});

test("another model speaks instead of the agents' own", async () => {
  const editor = await open("--models", "offline");
  const sessionId = await editor.newSession();
  await setOption(editor, sessionId, "model", "offline");
  expect(await say(editor, sessionId, "hello")).not.toBe("Heard 1: hello");
  await setOption(editor, sessionId, "model", "own");
  expect(await say(editor, sessionId, "hello")).toBe("Heard 2: hello");
});

test("what was chosen is kept with the session", async () => {
  const file = ["--models", "offline", "--sessions", "chosen.db"];
  const first = await open(...file);
  const sessionId = await first.newSession();
  await say(first, sessionId, "hello");
  await setOption(first, sessionId, "agent", "other");
  await setOption(first, sessionId, "model", "offline");
  await first.leave();
  const second = await open(...file);
  const loaded = await second.load(sessionId);
  expect(loaded.configOptions).toMatchObject([{ currentValue: "other" }, { currentValue: "offline" }]);
  const third = await open("--agent", "agent", "--sessions", "chosen.db");
  const elsewhere = await third.load(sessionId);
  expect(elsewhere.configOptions ?? null).toBeNull();
  expect(await say(third, sessionId, "hello")).toMatch(/heard/i);
});

test.each([
  ["agent", "othr", /must be one of agent, other, short, typed. Did you mean other\?/],
  ["model", "offline", /no option "model"/],
  ["__proto__", "x", /no option/],
] as const)("what is not offered is refused: %s = %s", async (option, value, message) => {
  const editor = await open();
  const sessionId = await editor.newSession();
  await expect(setOption(editor, sessionId, option, value)).rejects.toMatchObject({
    code: -32_602,
    message: expect.stringMatching(message),
  });
});
