import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent, run } from "skein";
import type { ExecResult, SandboxTier, TierOptions } from "skein/sandbox";
import { skills, type SkillScriptOptions } from "skein/skills";
import { ScriptedModel } from "skein/testing";
import { describe, expect, test } from "vitest";
import { callTool, textOf } from "../sandbox/test-box.ts";
import { folderOf, listing, skillText } from "./test-skills.ts";

const desk = fileURLToPath(new URL("fixtures/desk", import.meta.url));

/** A tier without a machine, and what it was asked for. */
function noteTier(outcome: Partial<ExecResult> = {}): {
  readonly via: SandboxTier;
  readonly options: readonly TierOptions[];
  readonly runs: readonly (readonly string[])[];
} {
  const options: TierOptions[] = [];
  const runs: (readonly string[])[] = [];
  const via: SandboxTier = (each) => {
    options.push(each);
    return {
      exec: async (argv) => {
        runs.push(argv);
        return { exitCode: 0, stdout: "", stderr: "", ...outcome };
      },
      read: async () => new Uint8Array(),
      write: async () => {},
      close: async () => {},
    };
  };
  return { via, options, runs };
}

const sum = { name: "invoices", path: "scripts/sum.sh", args: ["1", "2"] };

describe("scripts of skills", () => {
  test("run in a sandbox, where they have their skill and nothing else", async () => {
    const set = skills(desk, { functions: true, sandbox: true });
    expect(await callTool(set, "run_skill_script", sum)).toMatchObject({
      structuredContent: { exitCode: 0, stdout: "3\n" },
    });
    const code = `cat "$1" references/guide.md; touch here; pwd; cat ${desk}/invoices/SKILL.md; cat`;
    const folder = await folderOf({
      "one/SKILL.md": skillText("one", "One."),
      "one/references/guide.md": "the guide\n",
      "one/scripts/look.sh": code,
    });
    const look = { name: "one", path: "scripts/look.sh", args: ["/etc/passwd"], stdin: "the input" };
    const { structuredContent, isError } = await callTool(
      skills(folder, { sandbox: true }),
      "run_skill_script",
      look,
    );
    expect(isError).toBe(false);
    expect(structuredContent).toMatchObject({ stdout: "the guide\n/skill\nthe input" });
    expect(
      String(Object(structuredContent).stderr).match(/No such file|Read-only file system/g),
    ).toHaveLength(3);
  });

  test("are not there without one", async () => {
    const result = await callTool(skills(desk, { functions: true }), "run_skill_script", sum);
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining("run_skill_script")]);
    const text = textOf(
      await callTool(skills(desk, { functions: true, sandbox: true }), "load_skill", { name: "invoices" }),
    );
    expect(text).toContain("Its scripts run with run_skill_script.");
  });

  test("are started with what their extension says", async () => {
    const paths = ["a.py", "b.sh", "c.mjs", "d.rb", "e", "deep/scripts/f.PL"];
    const files = paths.map((path) => [`one/scripts/${path}`, "x"]);
    const folder = await folderOf({ "one/SKILL.md": skillText("one", "One."), ...Object.fromEntries(files) });
    const { via, runs, options } = noteTier();
    const set = skills(folder, { sandbox: { via, memoryMb: 64 } });
    for (const path of paths)
      await callTool(set, "run_skill_script", { name: "one", path: `scripts/${path}`, args: ["-x"] });
    expect(runs).toEqual([
      ["true"],
      ["python3", "/skill/scripts/a.py", "-x"],
      ["bash", "/skill/scripts/b.sh", "-x"],
      ["node", "/skill/scripts/c.mjs", "-x"],
      ["ruby", "/skill/scripts/d.rb", "-x"],
      ["/skill/scripts/e", "-x"],
      ["perl", "/skill/scripts/deep/scripts/f.PL", "-x"],
    ]);
    expect(options[1]).toMatchObject({
      memoryMb: 64,
      net: false,
      cwd: "/skill",
      folders: [{ source: join(folder, "one"), target: "/skill", isWritable: false }],
    });
  });

  test.each([
    ["references/vat.md", "is not a script of the skill invoices"],
    ["SKILL.md", "is not a script of the skill invoices"],
    ["../template/SKILL.md", "leads out of the skill's folder"],
    ["scripts/../references/vat.md", "leads out of the skill's folder"],
    ["scripts/absent.sh", "has no file"],
  ])("are not what %s is", async (path, problem) => {
    const { via, runs } = noteTier();
    const result = await callTool(skills(desk, { functions: true, sandbox: { via } }), "run_skill_script", {
      ...sum,
      path,
    });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(problem)]);
    expect(runs).toEqual([["true"]]);
  });

  test("are what they are, not what a link calls them", async () => {
    const folder = await folderOf({
      "one/SKILL.md": skillText("one", "One.", "allowed-tools: Bash(scripts/a.sh:*)\n"),
      "one/scripts/b.sh": "echo b",
      "one/notes.sh": "echo notes",
    });
    await symlink("b.sh", join(folder, "one/scripts/a.sh"));
    await symlink("../notes.sh", join(folder, "one/scripts/c.sh"));
    const { via, runs } = noteTier();
    const set = skills(folder, { sandbox: { via } });
    const linked = await callTool(set, "run_skill_script", { name: "one", path: "scripts/a.sh" });
    expect(textOf(linked)).toContain("allowed-tools of the skill one does not allow scripts/b.sh");
    const outside = await callTool(set, "run_skill_script", { name: "one", path: "scripts/c.sh" });
    expect(textOf(outside)).toContain("is not a script of the skill one");
    expect(runs).toEqual([["true"]]);
  });

  test("are those that the skill's own list allows", async () => {
    const folder = await folderOf({
      "none/SKILL.md": skillText("none", "None.", "allowed-tools: Read\n"),
      "none/scripts/a.sh": "x",
      "some/SKILL.md": skillText("some", "Some.", "allowed-tools: Bash(bash scripts/a.sh:*)\n"),
      "some/scripts/a.sh": "x",
      "some/scripts/b.sh": "x",
    });
    const { via, runs } = noteTier();
    const set = skills(folder, { sandbox: { via } });
    const outcomes: boolean[] = [];
    for (const [name, path] of [
      ["none", "a"],
      ["some", "a"],
      ["some", "b"],
    ])
      outcomes.push((await callTool(set, "run_skill_script", { name, path: `scripts/${path}.sh` })).isError);
    expect(outcomes).toEqual([true, false, true]);
    expect(runs).toHaveLength(2);
    expect(textOf(await callTool(set, "load_skill", { name: "none" }))).toContain(
      "Its scripts can be read here, but not run.",
    );
  });

  test("that fail are errors with their output, and odd arguments are refused", async () => {
    const { via } = noteTier({ exitCode: 2, stderr: "no such column" });
    const set = skills(desk, { functions: true, sandbox: { via } });
    const failed = await callTool(set, "run_skill_script", sum);
    expect([failed.isError, textOf(failed)]).toEqual([true, "[stderr]\nno such column\n[exit code 2]"]);
    const odd = await callTool(set, "run_skill_script", { ...sum, args: ["a\0b"] });
    expect(textOf(odd)).toContain("U+0000");
  });
});

describe("an approval of scripts", () => {
  const statusWith = async (sandbox: Omit<SkillScriptOptions, "via">): Promise<string> => {
    const { via } = noteTier();
    const model = new ScriptedModel([
      { toolCalls: [{ toolName: "run_skill_script", arguments: sum }] },
      "Done.",
    ]);
    const tools = [skills(desk, { functions: true, sandbox: { via, ...sandbox } })];
    return (await run(new Agent({ name: "Clerk", model, tools }), "Go.")).status;
  };

  test.each<[string, Omit<SkillScriptOptions, "via">, string]>([
    ["is not asked for where they only read", {}, "completed"],
    ["is asked for with a network", { net: true }, "paused"],
    ["is asked for with folders to write", { write: ["/srv/out"] }, "paused"],
    ["is asked for where the program wants it", { approval: true }, "paused"],
    ["is left out where the program wants none", { net: true, approval: false }, "completed"],
    ["is asked for by the call", { approval: ({ args = [] }) => args.includes("2") }, "paused"],
  ])("%s", async (_, sandbox, status) => {
    expect(await statusWith(sandbox)).toBe(status);
  });
});

describe("before a model is called", () => {
  test("a machine without sandboxes is an error", async () => {
    const via: SandboxTier = () => {
      throw new Error("no box here");
    };
    await expect(skills(desk, { functions: true, sandbox: { via } }).tools(listing())).rejects.toThrow(
      "no box here",
    );
    // Where nothing could run, nothing is tried.
    const folder = await folderOf({ "one/SKILL.md": skillText("one", "One.") });
    expect(await skills(folder, { sandbox: { via } }).tools(listing())).toHaveLength(2);
  });

  test("so is a skill that its own scripts could change", async () => {
    const { via } = noteTier();
    await expect(
      skills(desk, { functions: true, sandbox: { via, write: [desk] } }).tools(listing()),
    ).rejects.toThrow(`names ${desk}/invoices, which is a part of ${desk}, and programs may write that`);
  });
});
