import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newProject } from "../skein-command.ts";
import { allow, cardsOf, type Editor, startEditor, textOf } from "./editor.ts";
import { team } from "./team.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await newProject();
  await writeFile(join(cwd, "agent.ts"), team);
  await writeFile(join(cwd, "second.ts"), team);
});
afterAll(() => rm(cwd, { recursive: true }));

const open = (file = "chats.db", more: Partial<Parameters<typeof startEditor>[1]> = {}): Promise<Editor> =>
  startEditor(["agent.ts", "--sessions", file], { cwd, ...more });

/** Goes on with a run, or begins it again where nothing of it was stored or it had ended. */
function goOn(editor: Editor, sessionId: string): Promise<unknown> {
  return editor.prompt(sessionId, "/continue").catch((error: { data?: { code?: string } }) => {
    if (error.data?.code === "nothing-to-continue") return editor.prompt(sessionId, "tour");
    throw error;
  });
}

test("a conversation goes on in another process, which shows it first", async () => {
  const first = await open();
  const sessionId = await first.newSession();
  await first.prompt(sessionId, "think");
  const before = first.updates(sessionId);
  expect(await first.leave()).toBe(0);

  const second = await open();
  await second.load(sessionId);
  const after = second.updates(sessionId);
  expect(textOf(after)).toBe(textOf(before));
  const ends = (editor: Editor): unknown =>
    [...cardsOf(editor.updates(sessionId))].map(([id, { statuses, title, rawInput, content }]) => ({
      id,
      title,
      rawInput,
      content,
      status: statuses.at(-1),
    }));
  expect(ends(second)).toEqual(ends(first));
  expect(after).toContainEqual(
    expect.objectContaining({
      sessionUpdate: "user_message_chunk",
      content: { type: "text", text: "think" },
    }),
  );
  expect(after).toContainEqual(
    expect.objectContaining({
      sessionUpdate: "agent_thought_chunk",
      content: { type: "text", text: "Let me think." },
    }),
  );
  await second.prompt(sessionId, "hello");
  expect(textOf(second.updates(sessionId))).toContain("Heard 2: hello");
});

test("a session is resumed without being shown", async () => {
  const editor = await open("resumed.db");
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, "hello");
  const count = editor.updates(sessionId).length;
  await editor.agent.request("session/resume", { sessionId, cwd });
  await editor.prompt(sessionId, "again");
  expect(textOf(editor.updates(sessionId).slice(count))).toBe("Heard 2: again");
});

test("a call of a resumed session is another card than an earlier one whose id the model uses again", async () => {
  const first = await open("again.db");
  const sessionId = await first.newSession();
  await first.prompt(sessionId, "look");
  await first.leave();
  const second = await open("again.db");
  await second.agent.request("session/resume", { sessionId, cwd });
  await second.prompt(sessionId, "look");
  const [before = ""] = cardsOf(first.updates(sessionId)).keys();
  expect([...cardsOf(second.updates(sessionId)).keys()]).toEqual([`${before}#2`]);
});

test("sessions with messages are listed, the latest first, those of other agents' files left out", async () => {
  const editor = await open("listed.db");
  await editor.newSession();
  const ids: string[] = [];
  for (const text of ["one", "two", "three"]) {
    const sessionId = await editor.newSession(text === "two" ? { cwd: "/tmp" } : {});
    await editor.prompt(sessionId, text);
    ids.unshift(sessionId);
  }
  const { sessions } = await editor.agent.request("session/list", {});
  expect(sessions.map(({ sessionId, title }) => [sessionId, title])).toEqual(
    ["three", "two", "one"].map((title, index) => [ids[index], title]),
  );
  const within = await editor.agent.request("session/list", { cwd: "/tmp" });
  expect(within.sessions.map(({ title }) => title)).toEqual(["two"]);
  const other = await startEditor(["second.ts", "--sessions", "listed.db"], { cwd });
  expect(await other.agent.request("session/list", {})).toEqual({ sessions: [] });
  await expect(other.load(ids[0] ?? "")).rejects.toMatchObject({ code: -32_002 });
});

test("lists come in pages", async () => {
  const editor = await open("pages.db");
  for (let index = 0; index < 60; index++) await editor.prompt(await editor.newSession(), `number ${index}`);
  const first = await editor.agent.request("session/list", {});
  const second = await editor.agent.request("session/list", { cursor: first.nextCursor ?? null });
  expect([first.sessions.length, second.sessions.length, second.nextCursor]).toEqual([50, 10, undefined]);
  expect(new Set([...first.sessions, ...second.sessions].map(({ sessionId }) => sessionId)).size).toBe(60);
  await expect(editor.agent.request("session/list", { cursor: "1'; --" })).rejects.toMatchObject({
    code: -32_602,
  });
});

test("a deleted session is gone, a closed one can be loaded", async () => {
  const editor = await open("deleted.db");
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, "hello");
  await editor.agent.request("session/close", { sessionId });
  await expect(editor.prompt(sessionId, "hello")).rejects.toMatchObject({
    code: -32_002,
    data: { sessionId },
  });
  await editor.load(sessionId);
  await editor.prompt(sessionId, "again");
  await editor.agent.request("session/delete", { sessionId });
  await expect(editor.load(sessionId)).rejects.toMatchObject({ code: -32_002 });
  expect(await editor.agent.request("session/list", {})).toEqual({ sessions: [] });
});

test("closing a session stops its answer", async () => {
  const editor = await open("closed.db");
  const sessionId = await editor.newSession();
  const waiting = editor.prompt(sessionId, "wait");
  await editor.agent.request("session/close", { sessionId });
  await expect(waiting).resolves.toEqual({ stopReason: "cancelled" });
});

test("without a file, sessions last as long as the process", async () => {
  const editor = await startEditor(["agent.ts"], { cwd });
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, "hello");
  const count = editor.updates(sessionId).length;
  await editor.load(sessionId);
  expect(textOf(editor.updates(sessionId).slice(count))).toBe("Heard 1: hello");
  const next = await startEditor(["agent.ts"], { cwd });
  await expect(next.load(sessionId)).rejects.toMatchObject({ code: -32_002 });
});

test("two processes that answer in one session: the second is refused", async () => {
  const first = await open("shared.db");
  const sessionId = await first.newSession();
  await first.prompt(sessionId, "hello");
  const second = await open("shared.db");
  await second.load(sessionId);
  const waiting = first.prompt(sessionId, "wait");
  await expect.poll(() => cardsOf(first.updates(sessionId)).size, { timeout: 20_000 }).toBe(1);
  await expect(second.prompt(sessionId, "hello")).rejects.toMatchObject({
    message: "Another process answers in this session. Try again when it has ended.",
    data: { code: "session-busy" },
  });
  await first.agent.notify("session/cancel", { sessionId });
  await waiting;
  await expect(second.prompt(sessionId, "hello")).resolves.toEqual({ stopReason: "end_turn" });
});

test("a killed call may have taken effect, one that waits for the user has not", async () => {
  for (const [text, end, expected] of [
    ["wait", "SIGKILL", "It may or may not have taken effect."],
    ["wait", "SIGHUP", "It may or may not have taken effect."],
    ["pay", "SIGKILL", "It was not executed."],
  ] as const) {
    const file = `killed-call-${text}-${end}.db`;
    const first = await open(file, { onPermission: () => new Promise(() => {}) });
    const sessionId = await first.newSession();
    const answer = first.prompt(sessionId, text).catch(() => undefined);
    const isOpen = (): boolean => {
      const [card] = cardsOf(first.updates(sessionId)).values();
      return text === "pay" ? first.permissions.length > 0 : card?.statuses.at(-1) === "in_progress";
    };
    await expect.poll(isOpen, { timeout: 20_000 }).toBe(true);
    first.child.kill(end);
    await answer;
    const second = await open(file);
    await second.load(sessionId);
    const [card] = cardsOf(second.updates(sessionId)).values();
    expect([card?.statuses.at(-1), card?.content]).toEqual(["failed", expect.stringContaining(expected)]);
  }
});

test(
  "a process that is killed at any update leaves a session that goes on",
  { timeout: 300_000 },
  async () => {
    let outcome = "killed";
    let at = 1;
    while (outcome === "killed") {
      at++;
      let count = 0;
      const file = `killed-${at}.db`;
      const first = await open(file, {
        onUpdate: () => {
          count++;
          if (count === at) first.child.kill("SIGKILL");
        },
        onPermission: () => allow,
      });
      const sessionId = await first.newSession();
      outcome = await first.prompt(sessionId, "tour").then(
        () => "ended",
        () => "killed",
      );
      const second = await open(file);
      await second.load(sessionId);
      const cards = [...cardsOf(second.updates(sessionId)).values()];
      const openCards = cards.filter(({ statuses }) => !/completed|failed/.test(statuses.at(-1) ?? ""));
      expect(openCards, `at ${at}`).toEqual([]);
      await expect(goOn(second, sessionId), `at ${at}`).resolves.toEqual({ stopReason: "end_turn" });
      expect(textOf(second.updates(sessionId)), `at ${at}`).toContain("The tour is over.");
    }
    expect(at).toBeGreaterThan(20);
  },
);

describe("a session that another process deletes", () => {
  const notFound = { code: -32_002, data: { code: "session-not-found" } };
  const isListed = async (editor: Editor, sessionId: string): Promise<boolean> => {
    const { sessions } = await editor.agent.request("session/list", {});
    return sessions.some((session) => session.sessionId === sessionId);
  };
  const wordsIn = async (file: string): Promise<boolean> => {
    const files = (await readdir(cwd)).filter((name) => name.startsWith(file));
    const texts = await Promise.all(files.map((name) => readFile(join(cwd, name), "latin1")));
    return texts.join("").includes("PRIVATE");
  };

  test("is gone for the one that works in it, also once the turn has ended", async () => {
    const [first, second] = [await open("gone.db"), await open("gone.db")];
    const sessionId = await first.newSession();
    await first.prompt(sessionId, "PRIVATE");
    const turn = first.prompt(sessionId, "wait");
    await expect.poll(() => textOf(first.updates(sessionId))).toContain("One moment.");
    await second.agent.request("session/delete", { sessionId });
    await first.agent.notify("session/cancel", { sessionId });
    await expect(turn).resolves.toEqual({ stopReason: "cancelled" });
    await expect(first.prompt(sessionId, "hello")).rejects.toMatchObject(notFound);
    await expect(first.prompt(sessionId, "/continue")).rejects.toMatchObject(notFound);
    const chosen = first.agent.request("session/set_mode", { sessionId, modeId: "other" });
    await expect(chosen).rejects.toMatchObject(notFound);
    await expect(first.load(sessionId)).rejects.toMatchObject(notFound);
    expect(await isListed(second, sessionId)).toBe(false);
    expect(await wordsIn("gone.db")).toBe(false);
  });

  test.each(["hello", "/continue", "mode", "close", "delete"])(
    "is gone at the next request (%s), and a turn in it is stopped",
    async (request) => {
      const file = `stopped-${request.replace("/", "")}.db`;
      const [first, second] = [await open(file), await open(file)];
      const sessionId = await first.newSession();
      await first.prompt(sessionId, "PRIVATE");
      const turn = first.prompt(sessionId, "wait");
      await expect.poll(() => textOf(first.updates(sessionId))).toContain("One moment.");
      await second.agent.request("session/delete", { sessionId });
      const requests: Readonly<Record<string, () => Promise<unknown>>> = {
        mode: () => first.agent.request("session/set_mode", { sessionId, modeId: "other" }),
        // The official client takes this error for success here: what is gone is closed.
        close: () =>
          first.agent
            .request("session/close", { sessionId })
            .then(async () => first.prompt(sessionId, "hello")),
        delete: () =>
          first.agent
            .request("session/delete", { sessionId })
            .then(async () => first.prompt(sessionId, "hello")),
      };
      const send = requests[request] ?? (() => first.prompt(sessionId, request));
      await expect(send()).rejects.toMatchObject(notFound);
      await expect(turn).resolves.toEqual({ stopReason: "cancelled" });
      expect(await isListed(second, sessionId)).toBe(false);
      expect(await wordsIn(file)).toBe(false);
    },
  );

  test("has a turn in it stopped without another request", async () => {
    const [first, second] = [await open("looked.db"), await open("looked.db")];
    const sessionId = await first.newSession();
    await first.prompt(sessionId, "PRIVATE");
    const turn = first.prompt(sessionId, "wait");
    await expect.poll(() => textOf(first.updates(sessionId))).toContain("One moment.");
    await second.agent.request("session/delete", { sessionId });
    await expect(turn).resolves.toEqual({ stopReason: "cancelled" });
    expect(await wordsIn("looked.db")).toBe(false);
  });

  test("is gone for a turn that waits for the user", async () => {
    const second = await open("asked.db");
    const first = await open("asked.db", {
      onPermission: async ({ sessionId }) => {
        await second.agent.request("session/delete", { sessionId });
        return allow;
      },
    });
    const sessionId = await first.newSession();
    await expect(first.prompt(sessionId, "pay PRIVATE")).rejects.toMatchObject(notFound);
    expect(textOf(first.updates(sessionId))).not.toContain("paid");
    expect(await isListed(second, sessionId)).toBe(false);
    expect(await wordsIn("asked.db")).toBe(false);
  });
});
