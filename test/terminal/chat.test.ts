/** The chat in a real terminal, which tmux types into and looks at. */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { installTmux, openTerminal, type Terminal } from "./terminal.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const hasTmux = await installTmux();
if (!hasTmux) console.warn("Skipped: there is no tmux, and it cannot be installed here.");

vi.setConfig({ testTimeout: 120_000 });

let folder: string;
const open: Terminal[] = [];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "skein-terminal-"));
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((terminal) => terminal.close()));
  await rm(folder, { recursive: true });
});

interface Options {
  readonly args?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly columns?: number;
  readonly rows?: number;
}

/** A chat in a terminal, once it waits for something to be said. */
async function startChat({ args = "", env = {}, ...size }: Options = {}): Promise<Terminal> {
  const node = `'${process.execPath}' --import ./test/from-source.ts src/cli/bin.ts chat test/fixtures/team.ts`;
  const terminal = await openTerminal(`${node} ${args}; echo "left with $?"; exec cat`, {
    cwd: root,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      XDG_STATE_HOME: join(folder, "state"),
      NODE_COMPILE_CACHE: join(tmpdir(), "skein-compiled"),
      LANG: "C.UTF-8",
      ...env,
    },
    ...size,
  });
  open.push(terminal);
  await terminal.see(args.includes("--plain") ? "You:" : /^>$/m);
  return terminal;
}

async function say(terminal: Terminal, text: string): Promise<void> {
  await terminal.type(text);
  await terminal.press("Enter");
}

describe.skipIf(!hasTmux)("in a terminal", () => {
  test("an answer is laid out, and nothing in it drives the terminal", async () => {
    const terminal = await startChat();
    await say(terminal, "weather");
    const shown = await terminal.see("東京タワー\n>");
    expect(shown).toContain(
      [
        "> weather",
        '  → getWeather(city: "Paris")',
        "  ← 18 degrees in Paris",
        "Desk: Weather",
        "It is 18 degrees with wind, see the map (https://example.com/map).",
        "",
        "• sunny",
        "• [31mwarm]0;owned",
        "",
        "  ts",
        "  const degrees = 18;",
        "東京タワー",
      ].join("\n"),
    );
    const styled = await terminal.styledScreen();
    expect(styled).toContain("\u001B[1m18 degrees");
    expect(styled).toContain("\u001B[36mwind");
    expect(styled).not.toContain("\u001B[31m");
  });

  test("a call is shown as its arguments form, and once when it is made", async () => {
    const gate = join(folder, "gate");
    const terminal = await startChat({ env: { GATE: gate } });
    await say(terminal, "weather");
    await terminal.see('→ getWeather({"city":"Par');
    await writeFile(gate, "");
    const shown = await terminal.see("東京タワー\n>");
    expect(shown.match(/getWeather/g)).toHaveLength(1);
    expect(shown).toContain('> weather\n  → getWeather(city: "Paris")\n');
  });

  test("lines that end in a backslash, a fenced block and pasted text are one message each", async () => {
    const terminal = await startChat();
    await say(terminal, "one\\");
    await terminal.see("> one\\\n…");
    await say(terminal, "two");
    await terminal.see('Heard "one\\ntwo" after 1 messages.');
    // What is said comes back within what is shown as code, without the marks.
    for (const line of ["```", "a", "```"]) await say(terminal, line);
    await terminal.see('Heard "\\na\\n" after 3 messages.');
    await terminal.paste("red\ngreen\nblue");
    await terminal.see("> red\n… green\n… blue");
    await say(terminal, "!");
    const shown = await terminal.see('Heard "red\\ngreen\\nblue!" after 5 messages.');
    expect(shown.match(/Heard/g)).toHaveLength(3);
  });

  test("Tab completes commands, tools, their parameters and files", async () => {
    const terminal = await startChat();
    await terminal.type("/ca");
    await terminal.press("Tab");
    await terminal.see("> /call");
    await terminal.type("getW");
    await terminal.press("Tab");
    await terminal.see("> /call getWeather");
    await terminal.type("ci");
    await terminal.press("Tab");
    await terminal.see("> /call getWeather city=");
    await say(terminal, "Oslo");
    await terminal.see("← 18 degrees in Oslo");
    await terminal.type("/load packa");
    await terminal.press("Tab");
    await terminal.see("> /load package");
    await terminal.press("C-c");
    await terminal.type("/un");
    await terminal.press("Tab");
    await terminal.see("> /undo");
    await terminal.press("Enter");
    const shown = await terminal.see('Took back: /call getWeather {"city":"Oslo"}. What tools did elsewhere');
    expect(shown).not.toContain("There is no command");
  });

  test("what was typed comes back, in the next chat too; answers to questions do not", async () => {
    const first = await startChat();
    await say(first, "hello");
    await first.see('Heard "hello"');
    await say(first, "pay");
    await first.see("Approve pay? (y, or n, or why not)\n>");
    await say(first, "y");
    await first.see("All done.");
    await first.press("C-d");
    await first.see("left with 0");
    const second = await startChat();
    await second.press("Up");
    await second.see("> pay");
    await second.press("Up");
    await second.see("> hello");
    await second.press("Enter");
    const shown = await second.see('Heard "hello" after 1 messages.');
    expect(shown).not.toContain("> y");
  });

  test("asks for approval in place, and passes a reason to the model", async () => {
    const terminal = await startChat();
    await say(terminal, "pay");
    await terminal.see("  ? pay(amount: 5)\nApprove pay? (y, or n, or why not)\n>");
    await say(terminal, "too much");
    await terminal.see("✗ pay was not called: it was not approved.");
    await say(terminal, "/call pay amount=two");
    await terminal.see("$.amount: expected a number");
    await say(terminal, "/call pay amount=2");
    await terminal.see("? pay(amount: 2)");
    await say(terminal, "y");
    expect(await terminal.see("← 2 paid")).not.toContain("5 paid");
  });

  test("takes the last message back, and sends it again", async () => {
    const terminal = await startChat();
    await say(terminal, "one");
    await terminal.see('Heard "one" after 1 messages.');
    await say(terminal, "two");
    await terminal.see('Heard "two" after 3 messages.');
    await say(terminal, "/undo");
    await terminal.see("Took back: two.");
    await say(terminal, "/retry");
    await terminal.see(/> \/retry\n> one\nDesk: Heard "one" after 1 messages\./);
    await say(terminal, "three");
    const shown = await terminal.see('Heard "three" after 3 messages.');
    expect(shown).not.toContain("after 5 messages");
  });

  test("a conversation is saved, loaded and resumed, and the model is changed", async () => {
    const file = join(folder, "chat.json");
    const first = await startChat({ columns: 120 });
    await say(first, "one");
    await first.see('Heard "one"');
    await say(first, `/save ${file}`);
    await first.see("2 messages, the agent Desk and the context.");
    expect(JSON.parse(await readFile(file, "utf8"))).toMatchObject({ agent: "Desk" });
    await say(first, "/reset");
    await say(first, `/load ${file}`);
    await first.see("Going on with");
    await say(first, "/model offline");
    await first.see("Speaking with offline from now on.");
    await say(first, "/modle");
    await first.see("did you mean /model?");
    await say(first, "/agents");
    await first.see("Desk (has the lead)\nTill: Takes payments");
    await say(first, "/exit");
    await first.see("left with 0");
    const second = await startChat({ args: `--resume ${file}` });
    await say(second, "two");
    await second.see('Heard "two" after 3 messages.');
  });

  test("Ctrl-C stops the turn and keeps the conversation; twice, it leaves", async () => {
    const terminal = await startChat();
    await say(terminal, "one");
    await terminal.see('Heard "one"');
    await say(terminal, "wait");
    await terminal.see("Well,");
    await terminal.press("C-c");
    await terminal.see("(cancelled)\n>");
    await say(terminal, "two");
    await terminal.see(/Heard "two" after \d messages/);
    await terminal.press("C-c");
    await terminal.see("(Ctrl-C again leaves; so does /exit)\n>");
    await terminal.press("C-c");
    expect(await terminal.see("left with 0")).not.toContain("Error");
  });

  test("plain, it speaks in words, without colours and without moving the cursor", async () => {
    const terminal = await startChat({ args: "--plain" });
    await say(terminal, "weather");
    const shown = await terminal.see("東京タワー\nYou:");
    expect(shown).toContain(
      'Calling getWeather(city: "Paris")\nResult: 18 degrees in Paris\nDesk: Weather\nIt is 18 degrees',
    );
    expect(shown).toContain("Code in ts:\n  const degrees = 18;\nEnd of code.");
    expect(await terminal.styledScreen()).not.toContain("\u001B");
    await say(terminal, "wait");
    await terminal.see("Well,");
    await terminal.press("C-c");
    await terminal.see("Note: cancelled.\nYou:");
    await say(terminal, "one");
    await terminal.see(/Heard "one".*\nYou:/);
    await terminal.press("C-c");
    await terminal.see("Ctrl-C again leaves");
    await terminal.press("C-c");
    await terminal.see("left with 0");
  });

  test("with NO_COLOR, the answer is shown as it was written", async () => {
    const terminal = await startChat({ env: { NO_COLOR: "1" } });
    await say(terminal, "weather");
    expect(await terminal.see("東京タワー\n>")).toContain("It is **18 degrees** with `wind`");
    expect(await terminal.styledScreen()).not.toContain("\u001B");
  });

  test("in a narrow terminal, calls and results keep to their line, wide characters too", async () => {
    const terminal = await startChat({ columns: 30 });
    await say(terminal, "weather 東京都千代田区丸の内一丁目");
    const shown = await terminal.see(/東京タワー\n>/);
    expect(shown).toMatch(/^ {2}→ getWeather\(city: "東京…\)$/m);
    expect(shown).toMatch(/^ {2}← 18 degrees in 東京都千代…$/m);
    await terminal.resize(50, 40);
    // The program learns of its new size by a signal, which may come after the line.
    await vi.waitFor(
      async () => {
        await say(terminal, "weather 東京都千代田区丸の内一丁目");
        expect(await terminal.screen()).toMatch(/^ {2}← 18 degrees in 東京都千代田区丸の内一丁目$/m);
      },
      { timeout: 45_000, interval: 1_000 },
    );
  });
});
