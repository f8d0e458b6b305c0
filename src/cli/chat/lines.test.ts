import { PassThrough } from "node:stream";
import { stripVTControlCharacters } from "node:util";
import { expect, test, vi } from "vitest";
import type { Completion } from "./edited-lines.ts";
import { memoryHistory } from "./history.ts";
import type { Line } from "./dispatch-inputs.ts";
import { readLines, type Lines } from "./lines.ts";

async function drain(lines: Lines): Promise<string[]> {
  const all: string[] = [];
  for (let line = await lines.next(); line !== undefined; line = await lines.next()) all.push(line.text);
  return all;
}

test("lines that arrive at once, and the end with them, are taken one by one", async () => {
  const input = new PassThrough();
  const lines = readLines({ input });
  input.end("one\r\ntwo\n\nlast");
  const first = await lines.next();
  await new Promise((resolve) => setImmediate(resolve));
  expect([first?.text, ...(await drain(lines))]).toEqual(["one", "two", "", "last"]);
  expect(await lines.next()).toBeUndefined();
});

test("ten thousand piped lines are neither lost nor kept all at once", async () => {
  const input = new PassThrough();
  const lines = readLines({ input });
  const sent = Array.from({ length: 10_000 }, (_, index) => `line ${index} ${"x".repeat(50)}`);
  const written = (async () => {
    let blocked = false;
    for (const line of sent) {
      if (input.write(`${line}\n`)) continue;
      blocked = true;
      await new Promise((resolve) => input.once("drain", resolve));
    }
    input.end();
    return blocked;
  })();
  expect(await drain(lines)).toEqual(sent);
  expect(await written).toBe(true);
});

test("a line that waits is early, a line that is waited for is not", async () => {
  const input = new PassThrough();
  const lines = readLines({ input });
  const line = lines.next();
  input.write("asked\nearly\n");
  expect(await line).toEqual({ text: "asked", early: false } satisfies Line);
  expect(await lines.next()).toEqual({ text: "early", early: true } satisfies Line);
});

test("closing gives up the wait", async () => {
  const lines = readLines({ input: new PassThrough() });
  const line = lines.next();
  lines.close();
  expect(await line).toBeUndefined();
});

test("on a terminal, lines are edited behind a prompt, and the arrow keys bring back earlier ones", async () => {
  const { input, lines, shown } = editing();
  const first = lines.next();
  input.write("ab\u007Fc\r");
  expect((await first)?.text).toBe("ac");
  const second = lines.next();
  input.write("\u001B[A\r");
  expect((await second)?.text).toBe("ac");
  expect(shown()).toContain("> ");
  lines.close();
});

test("drops an unfinished line with a notice, and reads the next", async () => {
  const input = new PassThrough();
  const terminal = new PassThrough();
  const shown = textOf(terminal);
  const typed: string[] = [];
  let lines: Lines | undefined;
  const onInterrupt = (text: string): void => {
    typed.push(text);
    lines?.drop("hint");
  };
  lines = readLines({ input, terminal, prompt: "> ", onInterrupt });
  const line = lines.next();
  input.write("half a li\u0003");
  input.write("whole\r");
  expect((await line)?.text).toBe("whole");
  expect(typed).toEqual(["half a li"]);
  expect(shown()).toContain("\nhint\n");
  lines.close();
});

test("reports every key except Ctrl-C, until the lines are closed", async () => {
  const input = new PassThrough();
  let keys = 0;
  const lines = readLines({ input, terminal: new PassThrough(), onKey: () => (keys += 1) });
  const line = lines.next();
  input.write("a\u001B[Db\u0003\r");
  expect((await line)?.text).toBe("ba");
  expect(keys).toBe(4);
  lines.close();
  expect(input.listenerCount("keypress")).toBe(0);
});

test("Tab makes of a line what it can become", async () => {
  const input = new PassThrough();
  const complete = async (typed: string): Promise<Completion> => {
    return { typed, matches: ["/save ", "/exit"].filter((text) => text.startsWith(typed)) };
  };
  const terminal = new PassThrough();
  let shown = "";
  terminal.on("data", (data) => (shown += String(data)));
  const lines = readLines({ input, terminal, complete });
  const line = lines.next();
  input.write("/s");
  // Tab within a piece of several keys would be taken for pasted text.
  input.write("\t");
  await vi.waitFor(() => expect(shown).toContain("ave "));
  input.write("chat.json\r");
  expect((await line)?.text).toBe("/save chat.json");
  lines.close();
});

test("piped lines that belong together are one input, also when the last of them is missing", async () => {
  const input = new PassThrough();
  const lines = readLines({ input });
  input.end("one\\\ntwo\nthree\n```\nfour\n");
  expect(await drain(lines)).toEqual(["one\ntwo", "three", "```\nfour"]);
});

test("on a terminal, an input of several lines has its own prompt, and comes back as one to be edited", async () => {
  const { input, lines, shown } = editing();
  const first = lines.next();
  input.write("one\\\r");
  await vi.waitFor(() => expect(shown()).toContain("… "));
  input.write("two\r");
  expect((await first)?.text).toBe("one\ntwo");
  const second = lines.next();
  input.write("\u001B[A!\r");
  expect((await second)?.text).toBe("one\ntwo!");
  expect(shown()).toContain("one⏎two");
  lines.close();
});

test("pasted text is one input, which waits for Enter", async () => {
  const { input, lines } = editing();
  let text: string | undefined;
  const line = lines.next().then((each) => (text = each?.text));
  input.write("see: \u001B[200~one\r\ntwo\\\n\nthree\n\u001B[201~");
  await new Promise((resolve) => setImmediate(resolve));
  expect(text).toBeUndefined();
  input.write("four\r");
  await line;
  expect(text).toBe("see: one\ntwo\\\n\nthree\nfour");
  lines.close();
});

test("the terminal marks pasted text only while lines are read", () => {
  const { lines, shown } = editing();
  expect(shown()).toContain("\u001B[?2004h");
  lines.close();
  expect(shown().endsWith("\u001B[?2004l")).toBe(true);
});

test("what is typed is kept in the history, an answer is not", async () => {
  const history = memoryHistory(["earlier"]);
  const { input, lines } = editing(history);
  const said = lines.next();
  input.write("said\r");
  await said;
  const answer = lines.ask(() => void setImmediate(() => input.write("y\r")));
  await answer;
  expect(history.entries).toEqual(["said", "earlier"]);
  const again = lines.next();
  input.write("\u001B[A\u001B[A\r");
  expect((await again)?.text).toBe("earlier");
  lines.close();
});

test("what is typed of a message comes back behind the question that came between, in its place on the screen", async () => {
  const { input, lines, shown } = editing();
  const message = lines.next();
  input.write("one\\\r");
  await vi.waitFor(() => expect(shown()).toContain("… "));
  input.write("two");
  const { signal } = new AbortController();
  const type = (): void => void setImmediate(() => input.write("three\\\rfour\r"));
  const answer = lines.interject(({ ask }) => ask(type), { signal, onWithdrawn: () => undefined });
  expect((await answer)?.text).toBe("three\nfour");
  await vi.waitFor(() => expect(stripVTControlCharacters(shown())).toMatch(/… two$/));
  input.write("!\r");
  expect((await message)?.text).toBe("one\ntwo!");
  lines.close();
});

test("an input of several piped lines goes on where a question comes between", async () => {
  const input = new PassThrough();
  const lines = readLines({ input });
  const message = lines.next();
  input.write("```\n");
  await new Promise((resolve) => setImmediate(resolve));
  const { signal } = new AbortController();
  const answer = lines.interject(({ ask }) => ask(() => undefined), { signal, onWithdrawn: () => undefined });
  input.end("y\n```\nhello\n");
  expect((await answer)?.text).toBe("```\ny\n```");
  expect((await message)?.text).toBe("hello");
});

test("dropping forgets the lines that were begun", async () => {
  const { input, lines, shown } = editing();
  const line = lines.next();
  input.write("one\\\r");
  await vi.waitFor(() => expect(shown()).toContain("… "));
  lines.drop();
  input.write("two\r");
  expect((await line)?.text).toBe("two");
  lines.close();
});

test("reads unedited lines where a person can answer", async () => {
  const input = new PassThrough();
  const asking = new PassThrough();
  const shown = textOf(asking);
  const lines = readLines({ input, asking, prompt: "You: ", furtherPrompt: "More: " });
  const line = lines.next();
  input.write("one\\\ntwo\n");
  expect((await line)?.text).toBe("one\ntwo");
  expect(shown()).toBe("You: More: ");
  lines.close();
});

/** Lines that are edited on a terminal, and what it shows. */
function editing(history = memoryHistory()): {
  readonly input: PassThrough;
  readonly lines: Lines;
  shown(): string;
} {
  const input = new PassThrough();
  const terminal = new PassThrough();
  const shown = textOf(terminal);
  return { input, lines: readLines({ input, terminal, prompt: "> ", furtherPrompt: "… ", history }), shown };
}

/** All that is written to a stream. */
function textOf(stream: PassThrough): () => string {
  let text = "";
  stream.on("data", (data) => (text += String(data)));
  return () => text;
}
