import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newProject } from "../skein-command.ts";
import { allow, cardsOf, startEditor, textOf } from "./editor.ts";
import { team } from "./team.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await newProject();
  await writeFile(join(cwd, "agent.ts"), team);
});
afterAll(() => rm(cwd, { recursive: true }));

/** How many updates a tour has, which thinks, calls a tool, asks twice, and runs an agent. */
async function lengthOfTour(): Promise<number> {
  const editor = await startEditor(["agent.ts"], { cwd });
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, "tour");
  expect(textOf(editor.updates(sessionId))).toContain("The tour is over.");
  return editor.updates(sessionId).length;
}

test("a turn can be cancelled at each of its updates, and the session goes on", async () => {
  const length = await lengthOfTour();
  expect(length).toBeGreaterThan(20);
  const counts = new Map<string, number>();
  let at = 0;
  const editor = await startEditor(["agent.ts"], {
    cwd,
    onUpdate: (sessionId) => {
      const count = (counts.get(sessionId) ?? 0) + 1;
      counts.set(sessionId, count);
      if (count === at) void editor.agent.notify("session/cancel", { sessionId });
    },
  });
  const reasons: string[] = [];
  for (at = 1; at <= length; at++) {
    const sessionId = await editor.newSession();
    const { stopReason } = await editor.prompt(sessionId, "tour");
    reasons.push(stopReason);
    const updates = editor.updates(sessionId);
    const end = updates.length;
    const statuses = [...cardsOf(updates).values()].map(({ statuses: all }) => all.at(-1));
    expect(
      statuses.filter((status) => status !== "completed" && status !== "failed"),
      `at ${at}`,
    ).toEqual([]);
    await expect(editor.prompt(sessionId, "hello"), `at ${at}`).resolves.toEqual({ stopReason: "end_turn" });
    const later = updates.slice(end);
    expect(textOf(later), `at ${at}`).toMatch(/^Heard \d: hello$/);
    expect(cardsOf(later).size, `at ${at}`).toBe(0);
  }
  expect(new Set(reasons)).toContain("cancelled");
  expect(reasons.filter((reason) => reason === "cancelled").length).toBeGreaterThan(length / 3);
});

test("a cancelled turn takes back the question that is open", async () => {
  let takenBack = 0;
  const editor = await startEditor(["agent.ts"], {
    cwd,
    onPermission: ({ sessionId }, signal) => {
      void editor.agent.notify("session/cancel", { sessionId });
      return new Promise((answer) =>
        signal.addEventListener("abort", () => {
          takenBack++;
          answer({ outcome: { outcome: "cancelled" } });
        }),
      );
    },
  });
  const sessionId = await editor.newSession();
  await expect(editor.prompt(sessionId, "two payments")).resolves.toEqual({ stopReason: "cancelled" });
  await expect(editor.prompt(sessionId, "hello")).resolves.toEqual({ stopReason: "end_turn" });
  expect(takenBack).toBe(2);
  expect(textOf(editor.updates(sessionId))).not.toContain("paid");
});

test("an answer that comes with the cancelling decides nothing", async () => {
  const editor = await startEditor(["agent.ts"], {
    cwd,
    onPermission: async ({ sessionId }) => {
      await editor.agent.notify("session/cancel", { sessionId });
      return allow;
    },
  });
  const sessionId = await editor.newSession();
  await expect(editor.prompt(sessionId, "pay")).resolves.toEqual({ stopReason: "cancelled" });
  expect(textOf(editor.updates(sessionId))).not.toContain("paid");
});

test("a tool that waits is stopped, also by the request's own cancelling", async () => {
  const stop = new AbortController();
  const editor = await startEditor(["agent.ts"], {
    cwd,
    onUpdate: (_, update) => {
      if (update.sessionUpdate === "tool_call_update" && update.status === "in_progress") stop.abort();
    },
  });
  const sessionId = await editor.newSession();
  const prompt = [{ type: "text", text: "wait" } as const];
  const options = { cancellationSignal: stop.signal };
  await expect(editor.agent.request("session/prompt", { sessionId, prompt }, options)).resolves.toEqual({
    stopReason: "cancelled",
  });
});

test("a session answers one prompt at a time, and others meanwhile", async () => {
  const editor = await startEditor(["agent.ts"], { cwd });
  const [busy, free] = [await editor.newSession(), await editor.newSession()];
  const waiting = editor.prompt(busy, "wait");
  await expect(editor.prompt(busy, "hello")).rejects.toMatchObject({
    code: -32_600,
    data: { code: "session-busy" },
  });
  await expect(editor.load(busy)).rejects.toMatchObject({ code: -32_600 });
  await expect(editor.prompt(free, "hello")).resolves.toEqual({ stopReason: "end_turn" });
  expect(textOf(editor.updates(free))).toBe("Heard 1: hello");
  await editor.agent.notify("session/cancel", { sessionId: busy });
  await expect(waiting).resolves.toEqual({ stopReason: "cancelled" });
});

test("cancelling where nothing is under way changes nothing", async () => {
  const editor = await startEditor(["agent.ts"], { cwd });
  const sessionId = await editor.newSession();
  await editor.agent.notify("session/cancel", { sessionId });
  await editor.agent.notify("session/cancel", { sessionId: "unknown" });
  await expect(editor.prompt(sessionId, "hello")).resolves.toEqual({ stopReason: "end_turn" });
});

test("an editor that leaves at any update ends the process", { timeout: 300_000 }, async () => {
  const length = await lengthOfTour();
  for (let at = 1; at <= length; at++) {
    let count = 0;
    const editor = await startEditor(["agent.ts"], {
      cwd,
      onUpdate: () => {
        count++;
        if (count === at) editor.child.stdin?.end();
      },
      onPermission: () => (count >= at ? new Promise(() => undefined) : allow),
    });
    const sessionId = await editor.newSession();
    await editor.prompt(sessionId, "tour").catch(() => undefined);
    expect(await editor.leave(), `at ${at}`).toBe(0);
    expect(editor.stderr(), `at ${at}`).not.toContain("Error");
  }
});
