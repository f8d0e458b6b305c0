import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { readLines, type Line, type Lines } from "./lines.ts";

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
  const asked = lines.next();
  input.write("asked\nearly\n");
  expect(await asked).toEqual({ text: "asked", early: false } satisfies Line);
  expect(await lines.next()).toEqual({ text: "early", early: true } satisfies Line);
});

test("closing gives up the wait", async () => {
  const lines = readLines({ input: new PassThrough() });
  const asked = lines.next();
  lines.close();
  expect(await asked).toBeUndefined();
});

test("on a terminal, lines are edited behind a prompt, and the arrow keys bring back earlier ones", async () => {
  const input = new PassThrough();
  const terminal = new PassThrough();
  const lines = readLines({ input, terminal, prompt: "> " });
  const first = lines.next();
  input.write("ab\u007Fc\r");
  expect((await first)?.text).toBe("ac");
  const second = lines.next();
  input.write("\u001B[A\r");
  expect((await second)?.text).toBe("ac");
  expect(String(terminal.read())).toContain("> ");
  lines.close();
});

test("a notice drops what was being typed and asks again", async () => {
  const input = new PassThrough();
  const terminal = new PassThrough();
  let lines: Lines | undefined;
  lines = readLines({ input, terminal, prompt: "> ", onInterrupt: () => lines?.notice("hint") });
  const line = lines.next();
  input.write("half a li\u0003");
  input.write("whole\r");
  expect((await line)?.text).toBe("whole");
  expect(String(terminal.read())).toContain("\nhint\n");
  lines.close();
});
