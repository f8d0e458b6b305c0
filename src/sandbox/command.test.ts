import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { run } from "skein";
import { sandbox } from "skein/sandbox";
import { callTool, fakeTier, runCall, textOf } from "./test-box.ts";

const folder = mkdtempSync(join(tmpdir(), "skein-command-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const textInput = { type: "object", properties: { text: { type: "string" } }, required: ["text"] } as const;

test("a program is a tool whose arguments the model writes", async () => {
  const tool = sandbox.command("printf", { description: "Print." });
  expect(tool.description).toBe("Print.");
  const result = await callTool(tool, "printf", { args: ["%s|%s", "a b", "$(id); `id`"] });
  expect(result.structuredContent).toEqual({ exitCode: 0, stdout: "a b|$(id); `id`", stderr: "" });
});

test("a program reads what its input says", async () => {
  const result = await callTool(sandbox.command("tr"), "tr", { args: ["a-z", "A-Z"], stdin: "upper" });
  expect(result.structuredContent).toMatchObject({ stdout: "UPPER" });
});

test("an input of its own becomes arguments, each one as it is", async () => {
  const tool = sandbox.command("printf", {
    name: "show",
    input: textInput,
    args: ({ text }: { readonly text: string }) => ["<%s>", text],
  });
  const result = await callTool(tool, "show", { text: "; rm -rf / #" });
  expect(result.structuredContent).toMatchObject({ stdout: "<; rm -rf / #>" });
});

test("files are read and written under their own paths, from where the process is", async () => {
  writeFileSync(join(folder, "in.txt"), "b\na\n");
  const tool = sandbox.command("sort", { write: [folder] });
  const result = await callTool(tool, "sort", {
    args: ["-o", join(folder, "out.txt"), join(folder, "in.txt")],
  });
  expect(result).toMatchObject({ outcome: "success" });
  expect(readFileSync(join(folder, "out.txt"), "utf8")).toBe("a\nb\n");
});

test("a program that fails, and one that is ended, is an error with its output", async () => {
  const failed = await callTool(sandbox.command("ls"), "ls", { args: ["/none"] });
  expect(failed).toMatchObject({ isError: true });
  expect(textOf(failed)).toContain("No such file");
  const tool = sandbox.command("sh", { timeout: 300 });
  const ended = await callTool(tool, "sh", { args: ["-c", "echo begun; sleep 100"] });
  expect(ended).toMatchObject({ isError: true });
  expect(textOf(ended)).toMatch(/begun[^]*timeout/);
});

test.each([
  [{ stdout: "a\n" }, "a\n[exit code 0]"],
  [{}, "[exit code 0]"],
  [{ stdout: "a", stderr: "b", exitCode: 2 }, "a\n[stderr]\nb\n[exit code 2]"],
  [{ stdout: "[exit code 0]", exitCode: 1 }, "[exit code 0]\n[exit code 1]"],
  [{ stdout: "a\n", exitCode: 137, ended: "memory" }, "a\n[ended by the limit: memory]"],
] as const)(
  "a model reads what a program printed, and at last how it ended: %j",
  async (outcome, expected) => {
    const result = await callTool(sandbox.command("ls", { via: fakeTier(outcome).via }), "ls", {});
    expect(textOf(result)).toBe(expected);
  },
);

test("an argument that no program can have is an error for the model", async () => {
  const result = await callTool(sandbox.command("printf"), "printf", { args: ["a\0b"] });
  expect(result).toMatchObject({ isError: true });
  expect(textOf(result)).toContain("U+0000");
});

test("a program with the network waits for an approval, unless its options decide otherwise", async () => {
  const { via, notes } = fakeTier({ stdout: "hi" });
  const waiting = await runCall(sandbox.command("curl", { net: true, via }), "curl", {});
  expect(waiting.status).toBe("paused");
  expect(notes).toEqual([]);
  const agent = waiting.agent;
  const approvals = waiting.pending.map(({ approvalId = "" }) => ({
    approvalId,
    decision: "approve" as const,
  }));
  expect((await run(agent, waiting.state, { approvals })).status).toBe("completed");
  expect(notes).toEqual([{ argv: ["curl"], stdin: undefined }]);
  const free = sandbox.command("curl", { net: true, approval: false, via });
  expect((await runCall(free, "curl", {})).status).toBe("completed");
  expect((await runCall(sandbox.command("ls", { via }), "ls", {})).status).toBe("completed");
});

test("policies of tools hold: a mask, a limit of calls, permission", async () => {
  const { via, notes } = fakeTier({ stdout: "secret" });
  const masked = await runCall(sandbox.command("id", { mask: ["stdout"], via }), "id", {});
  expect(JSON.stringify(masked.messages)).not.toContain("secret");
  const forbidden = await runCall(sandbox.command("id", { allow: () => false, via }), "id", {});
  expect(JSON.stringify(forbidden.messages)).not.toContain("secret");
  expect(notes).toHaveLength(1);
});

test("a tier of one's own has all options, and is closed after each call", async () => {
  const { via, options, closed } = fakeTier();
  await callTool(sandbox.command("ls", { via, read: ["/srv"], memoryMb: 8, env: { A: "1" } }), "ls", {});
  expect(options).toEqual([
    {
      memoryMb: 8,
      processes: 256,
      fileMb: 256,
      outputBytes: 100_000,
      timeout: 60_000,
      folders: [{ source: "/srv", target: "/srv", isWritable: false }],
      cwd: process.cwd(),
      net: false,
      domains: [],
      env: { A: "1" },
    },
  ]);
  expect(closed()).toBe(1);
});

test.each([
  [{ net: "example.com" }, "net of"],
  [{ net: ["https://example.com/"] }, "list host names"],
  [{ net: ["a b"] }, "list host names"],
  [{ net: ["example.com"], via: "bubblewrap" }, "bubblewrap has the whole network or none"],
  [{ memoryMb: 0 }, "memoryMb of"],
  [{ timeout: Infinity }, "timeout of"],
  [{ read: "in" }, "read of"],
  [{ read: ["/"] }, "has its own of"],
  [{ write: ["/proc/1"] }, "has its own of"],
  [{ write: ["work"], read: ["work/in"] }, "which is a part of"],
  [{ read: ["a\0b"] }, "must be a path"],
  [{ env: { A: 1 } }, "env of"],
  [{ env: { "A=B": "1" } }, "env of"],
  [{ via: "docker" }, "via of"],
  [{ via: null }, "via of"],
  [{ via: { container: "docker" } }, "via.image of"],
  [{ via: { container: "docker", image: "--privileged" } }, "via.image of"],
  [{ via: { container: [], image: "a" } }, "via.container of"],
  [{ via: { container: "runsc", image: "a" } }, 'runtime: "runsc"'],
  [{ via: { container: "docker", image: "a", runtime: 1 } }, "via.runtime of"],
  [{ via: { container: "docker", image: "a", network: "host" } }, 'no option "network"'],
  [{ via: "sandbox-runtime", net: true }, "must name hosts"],
  [{ args: () => [] }, "both input and args"],
])("an option that cannot be used is an error: %j", (options, message) => {
  expect(() => sandbox.command("ls", options as never)).toThrow(message);
});

test.each(["", "-c", 1])("a program must have a name: %j", (program) => {
  expect(() => sandbox.command(program as never)).toThrow("must be a program");
});

test.each(["/tmp", "/var/tmp/"])("%s as a folder is refused, for the sandbox has its own", (path) => {
  const fix = `${path.replace(/\/$/, "")}, which is memory in the sandbox. Name a folder within it.`;
  expect(() => sandbox.open({ read: [path] })).toThrow(fix);
  expect(() => sandbox.open({ write: [path] })).toThrow(fix);
});
