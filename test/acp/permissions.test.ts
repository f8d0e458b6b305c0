import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newProject } from "../skein-command.ts";
import { allow, cardsOf, type Editor, type EditorOptions, reject, startEditor, textOf } from "./editor.ts";
import { team } from "./team.ts";

let cwd: string;
beforeAll(async () => {
  cwd = await newProject();
  await writeFile(join(cwd, "agent.ts"), team);
});
afterAll(() => rm(cwd, { recursive: true }));

const open = (onPermission: EditorOptions["onPermission"]): Promise<Editor> =>
  startEditor(["agent.ts"], { cwd, ...(onPermission && { onPermission }) });

test("the user sees the call and its arguments, and decides once", async () => {
  const editor = await open(() => allow);
  const sessionId = await editor.newSession();
  await expect(editor.prompt(sessionId, "pay")).resolves.toEqual({ stopReason: "end_turn" });
  expect(editor.permissions).toMatchObject([
    {
      sessionId,
      toolCall: {
        title: "pay(euros: 5)",
        status: "pending",
        rawInput: { euros: 5 },
        content: [{ content: { text: "```\neuros: 5\n```" } }],
      },
      options: [
        { optionId: "allow", kind: "allow_once" },
        { optionId: "reject", kind: "reject_once" },
      ],
    },
  ]);
  const cards = cardsOf(editor.updates(sessionId));
  const id = editor.permissions[0]?.toolCall.toolCallId ?? "";
  expect(cards.get(id)?.statuses.at(-1)).toBe("completed");
  expect(textOf(editor.updates(sessionId))).toBe("One moment. Done: paid 5");
});

test("a rejected call fails, and the model goes on", async () => {
  const editor = await open(() => reject);
  const sessionId = await editor.newSession();
  await expect(editor.prompt(sessionId, "pay")).resolves.toEqual({ stopReason: "end_turn" });
  const [card] = cardsOf(editor.updates(sessionId)).values();
  expect(card?.statuses.at(-1)).toBe("failed");
  expect(textOf(editor.updates(sessionId))).not.toContain("paid");
});

test("an answer that is not one of the options is a denial", async () => {
  const editor = await open(() => ({ outcome: { outcome: "selected", optionId: "allow_always" } }));
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, "pay");
  expect(textOf(editor.updates(sessionId))).not.toContain("paid");
});

test.each([
  { outcome: { outcome: "rejected", optionId: "allow" } },
  { outcome: { outcome: "allowed", optionId: "allow" } },
  { outcome: { optionId: "allow" } },
  { outcome: "selected" },
  {},
  null,
  "allow",
])("an answer that cannot be read decides nothing: %j", async (answer) => {
  // @ts-expect-error -- an editor may answer anything
  const editor = await open(() => answer);
  const sessionId = await editor.newSession();
  await expect(editor.prompt(sessionId, "pay")).rejects.toMatchObject({
    code: -32_603,
    message: expect.stringMatching(/^The editor's answer .* could not be read: .* \/continue asks again\.$/),
    data: { code: "permission-failed" },
  });
  expect(textOf(editor.updates(sessionId))).not.toContain("paid");
});

test("calls of one answer are asked about at once, each with its own decision", async () => {
  const editor = await open(({ toolCall }) => (toolCall.title === "pay(euros: 2)" ? reject : allow));
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, "two payments");
  const cards = [...cardsOf(editor.updates(sessionId)).values()];
  expect(cards.map(({ title, statuses }) => [title, statuses.at(-1)])).toEqual([
    ["pay(euros: 1)", "completed"],
    ["pay(euros: 2)", "failed"],
  ]);
});

test("a question that is dismissed ends the turn, and stays open for /continue", async () => {
  let isDismissed = true;
  const editor = await open(() => (isDismissed ? { outcome: { outcome: "cancelled" } } : allow));
  const sessionId = await editor.newSession();
  await expect(editor.prompt(sessionId, "pay")).resolves.toEqual({ stopReason: "cancelled" });
  const [first] = cardsOf(editor.updates(sessionId)).values();
  expect(first?.statuses.at(-1)).toBe("failed");
  expect(first?.content).toContain("It was not executed.");
  isDismissed = false;
  await expect(editor.prompt(sessionId, "/continue")).resolves.toEqual({ stopReason: "end_turn" });
  expect(textOf(editor.updates(sessionId))).toBe("One moment. Done: paid 5");
});

test("what was allowed beside a question that is dismissed is done once, and the other is asked again", async () => {
  let isDismissed = true;
  const dismissed = { outcome: { outcome: "cancelled" } } as const;
  const editor = await open(({ toolCall }) =>
    isDismissed && toolCall.title === "pay(euros: 2)" ? dismissed : allow,
  );
  const sessionId = await editor.newSession();
  await expect(editor.prompt(sessionId, "two payments")).resolves.toEqual({ stopReason: "cancelled" });
  const endsOf = (): unknown =>
    [...cardsOf(editor.updates(sessionId)).values()].map(({ title, statuses }) => [title, statuses.at(-1)]);
  expect(endsOf()).toEqual([
    ["pay(euros: 1)", "completed"],
    ["pay(euros: 2)", "failed"],
  ]);
  expect(editor.permissions).toHaveLength(2);
  isDismissed = false;
  await expect(editor.prompt(sessionId, "/continue")).resolves.toEqual({ stopReason: "end_turn" });
  expect(editor.permissions.map(({ toolCall }) => toolCall.title)).toEqual([
    "pay(euros: 1)",
    "pay(euros: 2)",
    "pay(euros: 2)",
  ]);
  expect(endsOf()).toEqual([
    ["pay(euros: 1)", "completed"],
    ["pay(euros: 2)", "failed"],
    ["pay(euros: 2)", "completed"],
  ]);
});

test("another message gives up a question that is open", async () => {
  const editor = await open(() => ({ outcome: { outcome: "cancelled" } }));
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, "pay");
  await expect(editor.prompt(sessionId, "hello")).resolves.toEqual({ stopReason: "end_turn" });
  await expect(editor.prompt(sessionId, "/continue")).rejects.toMatchObject({
    code: -32_600,
    data: { code: "nothing-to-continue" },
  });
});

test("an editor that cannot ask decides nothing", async () => {
  const editor = await open(() => {
    throw new Error("no window");
  });
  const sessionId = await editor.newSession();
  await expect(editor.prompt(sessionId, "pay")).rejects.toMatchObject({
    code: -32_603,
    data: { code: "permission-failed" },
  });
  expect(textOf(editor.updates(sessionId))).toBe("One moment. ");
});

test("an agent within the run asks, too", async () => {
  const editor = await open(() => allow);
  const sessionId = await editor.newSession();
  await editor.prompt(sessionId, "delegate");
  const cards = cardsOf(editor.updates(sessionId));
  expect(editor.permissions.map(({ toolCall }) => cards.get(toolCall.toolCallId)?.title)).toEqual([
    "pay(euros: 3)",
  ]);
  expect([...cards.values()].map(({ statuses }) => statuses.at(-1))).toEqual(["completed", "completed"]);
});
