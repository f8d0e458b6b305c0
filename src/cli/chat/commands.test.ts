import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Agent } from "../../agent/agent.ts";
import type { RunState } from "../../message/run-state.ts";
import { tool } from "../../tool/define.ts";
import { commandArguments, isCommand, runCommand } from "./commands.ts";
import { beginExchange, newSession, type ChatSession } from "./session.ts";

const refunds = new Agent({ name: "Refunds" });
const refundItem = tool({
  name: "refundItem",
  description: "Refunds an item.\nOnce only.",
  input: {
    type: "object",
    properties: { itemId: { type: "integer" }, reason: { type: "string" } },
    required: ["itemId"],
  },
  execute: () => "refunded",
});
const triage = new Agent({
  name: "Triage",
  description: "Finds the right agent",
  model: "openai:gpt-5.2",
  tools: [refundItem],
  handoffs: [refunds],
});

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-commands-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** A session in which one message was said and the lead was handed over. */
function usedSession(): ChatSession {
  const session = newSession<unknown>(triage, { user: "ada" });
  session.agent = refunds;
  session.context = { user: "ada", paid: true };
  const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
  session.state = {
    version: 1,
    runId: "run",
    agent: "Refunds",
    messages: [{ role: "user", content: "Hi" }],
    context: session.context,
    turn: 1,
    pending: [],
    usage,
    status: "completed",
  } satisfies RunState;
  return session;
}

test("a line that begins with a slash is a command, any other is something to say", () => {
  expect(isCommand("/help")).toBe(true);
  expect(isCommand("help / me")).toBe(false);
});

test.each(["quit", "exit", "EXIT", "/quit", "/exit"])("%s alone leaves", async (line) => {
  expect(isCommand(line)).toBe(true);
  expect((await runCommand(line, usedSession())).leave).toBe(true);
  expect(isCommand("exit through the gift shop")).toBe(false);
});

test("/help names every command", async () => {
  const { text } = await runCommand("/help", usedSession());
  for (const name of commandArguments.keys()) expect(text).toContain(`  /${name} `);
  expect(text).toContain("/save FILE");
});

test("an unknown command is answered with the nearest, or with all of them", async () => {
  expect((await runCommand("/hlep", usedSession())).text).toBe(
    "There is no command /hlep: did you mean /help?",
  );
  expect((await runCommand("/tool", usedSession())).text).toContain("did you mean /tools?");
  expect((await runCommand("/un", usedSession())).text).toContain("did you mean /undo?");
  expect((await runCommand("/", usedSession())).text).toContain("/help, /agent");
});

test("/agent says who leads, on which model, and to whom it can hand over", async () => {
  const { text } = await runCommand("/agent", newSession(triage, undefined));
  expect(text).toContain("Triage: Finds the right agent");
  expect(text).toContain("openai:gpt-5.2");
  expect(text).toMatch(/hands to: Refunds/);
});

test("/agent of an agent without a model names the one that spoke last", async () => {
  expect((await runCommand("/agent", usedSession())).text).toContain("openai:gpt-5.2");
});

test("/context shows the context as it is now", async () => {
  expect((await runCommand("/context", usedSession())).text).toBe("{ user: 'ada', paid: true }");
});

test("/tools lists names, parameters and descriptions of the agent that leads, handoffs included", async () => {
  const { text } = await runCommand("/tools", newSession(triage, undefined));
  expect(text).toContain("refundItem(itemId: integer, reason?: string)\n  Refunds an item. Once only.");
  expect(text).toContain("transfer_to_");
  expect((await runCommand("/tools", usedSession())).text).toBe("Refunds has no tools.");
});

test("/reset goes back to the first agent and context, and forgets the messages", async () => {
  const session = usedSession();
  await runCommand("/reset", session);
  expect(session).toEqual(newSession(triage, { user: "ada" }));
});

test("/save writes the state as JSON and says what it wrote", async () => {
  const file = join(folder, "new chat.json");
  const session = usedSession();
  const { text } = await runCommand(`/save ${file} `, session);
  expect(text).toBe(`Wrote ${file}: 1 message, the agent Refunds and the context.`);
  expect(JSON.parse(await readFile(file, "utf8"))).toEqual(session.state);
});

test.runIf(process.platform !== "win32")("/save creates a file that other users cannot read", async () => {
  const file = join(folder, "private.json");
  await runCommand(`/save ${file}`, usedSession());
  expect((await stat(file)).mode & 0o077).toBe(0);
});

test("/save reports that it replaced a file", async () => {
  const file = join(folder, "old.json");
  await writeFile(file, "old");
  expect((await runCommand(`/save ${file}`, usedSession())).text).toContain(`Replaced ${file}`);
});

test("/save without a file, without messages, or with an unwritable path reports it and continues", async () => {
  expect((await runCommand("/save", usedSession())).text).toContain("/save chat.json");
  const nothing = await runCommand(`/save ${join(folder, "nothing.json")}`, newSession(triage, undefined));
  expect(nothing.text).toContain("nothing was written");
  expect((await runCommand(`/save ${folder}`, usedSession())).text).toMatch(/^\/save failed: .*EISDIR/);
});

test("/agents lists the team, each once, and says who leads", async () => {
  const session = newSession<unknown>(triage, undefined);
  expect((await runCommand("/agents", session)).text).toBe(
    "Triage (has the lead): Finds the right agent\nRefunds",
  );
  session.agent = refunds.with({ model: "offline" });
  expect((await runCommand("/agents", session)).text).toBe(
    "Triage: Finds the right agent\nRefunds (has the lead)",
  );
});

test("/undo goes back to where the conversation stood before: lead, context, messages and model", async () => {
  const session = newSession<unknown>(triage, { user: "ada" });
  const before = { ...session };
  beginExchange(session, "Hi");
  Object.assign(session, { ...usedSession(), exchanges: session.exchanges, model: "offline" });
  expect((await runCommand("/undo", session)).text).toBe("Took back: Hi.");
  expect(session).toEqual(before);
  expect((await runCommand("/undo", session)).text).toBe("There is nothing to take back yet.");
});

test("/undo says where a tool was called, which may have done something", async () => {
  const session = newSession<unknown>(triage, undefined);
  beginExchange(session, "Refund it");
  const content = [{ type: "text", text: "refunded" }] as const;
  const outcome = {
    toolCallId: "1",
    toolName: "refundItem",
    content,
    isError: false,
    outcome: "success",
  } as const;
  const { state } = usedSession();
  session.state = state && { ...state, messages: [...state.messages, { role: "tool", result: outcome }] };
  expect((await runCommand("/undo", session)).text).toContain("What tools did elsewhere stays done.");
});

test("a hundred exchanges can be taken back, not more", () => {
  const session = newSession<unknown>(triage, undefined);
  for (let index = 0; index < 150; index += 1) beginExchange(session, String(index));
  expect(session.exchanges).toHaveLength(100);
  expect(session.exchanges[0]?.input).toBe("50");
});

test("/retry takes back and says the same again, or calls the same", async () => {
  const session = newSession<unknown>(triage, undefined);
  expect((await runCommand("/retry", session)).text).toContain("There is nothing to take back yet");
  beginExchange(session, "Hi\nthere");
  expect(await runCommand("/retry", session)).toEqual({ say: "Hi\nthere" });
  beginExchange(session, '/call refundItem {"itemId":1}');
  const { call } = await runCommand("/retry", session);
  expect(call).toMatchObject({ toolName: "refundItem", arguments: '{"itemId":1}' });
  expect(session.exchanges).toEqual([]);
});

test("/model chooses a model, `own` gives each agent its own again, and a wrong name changes nothing", async () => {
  const session = newSession<unknown>(triage, undefined);
  expect((await runCommand("/model", session)).text).toBe("Speaking with openai:gpt-5.2.");
  expect((await runCommand("/model offline", session)).text).toBe("Speaking with offline from now on.");
  expect((await runCommand("/model opnai:x", session)).text).toMatch(
    /^\/model failed: .*Did you mean openai:x\?/,
  );
  expect(session.override?.provider).toBe("offline");
  expect((await runCommand("/agent", session)).text).toContain("model:    offline");
  expect((await runCommand("/model own", session)).text).toContain("Triage with openai:gpt-5.2");
  expect(session.override).toBeUndefined();
});

test("/call needs a tool's name", async () => {
  expect((await runCommand("/call", usedSession())).text).toContain("Say which");
  const { call } = await runCommand("/call refundItem itemId=3", usedSession());
  expect(call).toMatchObject({ toolName: "refundItem", arguments: '{"itemId":3}' });
});

test("/load goes on with what /save wrote, and leaves everything as it is where it cannot", async () => {
  const file = join(folder, "loaded.json");
  await runCommand(`/save ${file}`, usedSession());
  const session = newSession<unknown>(triage, undefined);
  beginExchange(session, "before");
  expect(await runCommand(`/load ${file}`, session)).toEqual({
    text: `Going on with ${file}: 1 message, the agent Refunds and the context.`,
    isResumed: true,
  });
  expect(session).toMatchObject({ agent: refunds, context: { user: "ada", paid: true }, exchanges: [] });
  expect(session.state).toEqual(usedSession().state);
  const loaded = { ...session };
  expect((await runCommand("/load missing.json", session)).text).toMatch(
    /^\/load failed: missing.json cannot be/,
  );
  expect((await runCommand("/load", session)).text).toContain("Say which");
  await writeFile(file, JSON.stringify({ ...usedSession().state, agent: "Cook" }));
  expect((await runCommand(`/load ${file}`, session)).text).toContain(
    "The agent Cook, who had the lead, cannot",
  );
  expect(session).toEqual(loaded);
});

test("/exit leaves, other commands do not", async () => {
  expect((await runCommand("/exit", usedSession())).leave).toBe(true);
  expect((await runCommand("/help", usedSession())).leave).toBeUndefined();
});
