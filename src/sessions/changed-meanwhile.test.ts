import { rm } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { Agent, run, tool } from "../index.ts";
import { ScriptedModel } from "../testing/index.ts";
import { fileSession, SessionConflictError } from "./index.ts";
import { storesIn, temporaryFolder } from "./test-stores.ts";
import type { Session } from "../run/session/session.ts";

const folder = temporaryFolder();

/** The error of a run in a session, whose tool changes that. */
async function errorOf(session: Session, change: () => Promise<unknown>): Promise<unknown> {
  const input = { type: "object", properties: {} } as const;
  const changing = tool({ name: "change", input, execute: async () => (await change(), "changed") });
  const model = new ScriptedModel([{ toolCalls: [{ toolName: "change", arguments: {} }] }, "Done."]);
  return run(new Agent({ name: "A", model, tools: [changing] }), "Go.", { session }).catch(
    (error: unknown) => error,
  );
}

describe.each(storesIn(folder))("a run in a %s", (_, newSession) => {
  test("that is cleared meanwhile fails with that, and has its work in the state", async () => {
    const session = newSession();
    const error = await errorOf(session, async () => session.clear?.());
    expect(error).toBeInstanceOf(SessionConflictError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^The session was cleared while this run worked in it/),
      data: { cause: "cleared" },
      state: { messages: [{ role: "user" }, { role: "assistant" }, { role: "tool" }] },
    });
  });

  test("in which another run has written meanwhile names its entry", async () => {
    const session = newSession();
    const error = await errorOf(session, async () => {
      const sequence = ((await session.load()).entries.at(-1)?.sequence ?? 0) + 1;
      const message = { role: "user", content: "Hello." } as const;
      await session.append([{ type: "message", sequence, writer: "other", message }]);
    });
    expect(error).toMatchObject({ message: expect.stringMatching(/its entry \d+ is another run's/) });
  });
});

test("a run whose file is deleted meanwhile fails with that", async () => {
  const path = join(folder, "deleted.jsonl");
  const error = await errorOf(fileSession(path), () => rm(path));
  expect(error).toBeInstanceOf(SessionConflictError);
  expect(error).toMatchObject({
    message: expect.stringMatching(/^The session was deleted or shortened while this run worked in it/),
    data: { cause: "shortened" },
  });
});
