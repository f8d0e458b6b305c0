import { describe, expect, test } from "vitest";
import type { SessionEntry } from "../run/session/session.ts";
import { SessionConflictError } from "./index.ts";
import { storesIn, temporaryFolder } from "./test-stores.ts";

function said(sequence: number, writer: string, content = `${sequence}`): SessionEntry {
  return { type: "message", sequence, writer, message: { role: "user", content } };
}

describe.each(storesIn(temporaryFolder()))("%s", (_, newSession) => {
  test("has nothing in it at first", async () => {
    expect(await newSession().load()).toEqual({ entries: [] });
  });

  test("returns the entries in order, and later changes of them do not affect it", async () => {
    const session = newSession();
    const entries = [said(1, "a"), said(2, "a", 'line\nbreak " \u2028 🪿')];
    await session.append(entries);
    await session.append([said(3, "b")]);
    const { entries: kept } = await session.load();
    expect(kept).toEqual([...entries, said(3, "b")]);
    Object.assign(kept[0]!, { writer: "changed" });
    expect((await session.load()).entries[0]?.writer).toBe("a");
  });

  test("a repetition changes nothing, also one of the last entries only", async () => {
    const session = newSession();
    const entries = [said(1, "a"), said(2, "a")];
    await session.append(entries);
    await session.append(entries);
    await session.append([said(2, "a")]);
    await session.append([said(3, "a")]);
    expect((await session.load()).entries.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
  });

  test("nothing to add is nothing added", async () => {
    const session = newSession();
    await session.append([]);
    expect(await session.load()).toEqual({ entries: [] });
  });

  test.each([
    ["another writer's entry is there", [said(1, "b")]],
    ["a part of them is there already", [said(2, "a"), said(3, "a")]],
    ["some are missing before them", [said(4, "a")]],
  ])("is a conflict where %s, and nothing is added", async (_, entries) => {
    const session = newSession();
    const before = [said(1, "a"), said(2, "a")];
    await session.append(before);
    const conflict = await session.append(entries).catch((error: unknown) => error);
    expect(conflict).toBeInstanceOf(SessionConflictError);
    expect(conflict).toMatchObject({ code: "session-conflict" });
    expect((await session.load()).entries).toEqual(before);
  });

  test("of two who add at the same time one succeeds", async () => {
    const session = newSession();
    await session.append([said(1, "a")]);
    const both = await Promise.allSettled([
      session.append([said(2, "a"), said(3, "a")]),
      session.append([said(2, "b"), said(3, "b")]),
    ]);
    expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    const winner = both[0].status === "fulfilled" ? "a" : "b";
    expect((await session.load()).entries.map(({ writer }) => writer)).toEqual(["a", winner, winner]);
  });

  test("what cannot be written as JSON is an error, and nothing of it is kept", async () => {
    const session = newSession();
    const value = { toJSON: () => 1n };
    const unwritable: SessionEntry = { type: "step", key: "k", value, sequence: 2, writer: "a" };
    await expect(session.append([said(1, "a"), unwritable])).rejects.toThrow("BigInt");
    expect(await session.load()).toEqual({ entries: [] });
    await session.append([said(1, "a")]);
    expect((await session.load()).entries).toHaveLength(1);
  });

  test("cleared, it forgets everything, and numbers go on: who wrote before notices", async () => {
    const session = newSession();
    await session.append([said(1, "a", "secret"), said(2, "a")]);
    await session.clear();
    const { entries } = await session.load();
    expect(entries).toMatchObject([{ type: "clear", sequence: 3 }]);
    const conflict = await session.append([said(3, "a")]).catch((error: unknown) => error);
    expect(conflict).toBeInstanceOf(SessionConflictError);
    expect(conflict).toHaveProperty(
      "message",
      expect.stringMatching(/^The session was cleared while this run/),
    );
    await session.append([said(4, "c")]);
    expect((await session.load()).entries.map(({ sequence }) => sequence)).toEqual([3, 4]);
    await session.clear();
    expect((await session.load()).entries).toMatchObject([{ type: "clear", sequence: 5 }]);
  });
});
