import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Agent } from "skein";
import { sandbox } from "skein/sandbox";
import { skills } from "skein/skills";
import { memory, todo, workspace } from "skein/toolkits";
import { author, newProject } from "./sample.ts";

/**
 * Commands that look around or run the tests: one program, and no character by which a shell does more. All others wait for a person.
 * That is for what a person wants to see; what commands cannot do is up to the box.
 */
const harmless = /^(ls|cat|git (status|diff|log|show)|node --test)( [\w./=%-]+)*$/;

/**
 * An agent that mends bugs in a folder, with an explorer and a reviewer as its tools. What it remembers from one conversation to the next
 * is beside the folder: in it, programs that it has written could change that.
 */
export function coder(folder: string): Agent {
  const root = resolve(folder);
  const files = workspace({
    root,
    sandbox: withNode(root),
    approval: ({ command }) => !harmless.test(command),
  });
  const readOnly = files.filtered(["read", "glob", "grep"]);
  const diff = sandbox.command("bash", {
    name: "diff",
    description:
      "Show what has changed since the last commit. Of new files (??) it shows the names: read them.",
    input: { type: "object", properties: {}, additionalProperties: false },
    args: () => ["-c", 'cd "$1" && git status --short && git diff HEAD', "bash", root],
    read: [root],
  });

  const explorer = new Agent({
    name: "Explorer",
    description:
      "Finds out how the code works, and where. It changes nothing. Ask it one question, complete in itself.",
    instructions:
      "You find out how a project works. Search, read only what you need, and answer in a few lines, with file names and lines.",
    tools: [readOnly],
  });
  const reviewer = new Agent({
    name: "Reviewer",
    description: "Reviews what has changed since the last commit. Say what the change is for.",
    instructions:
      'You review a change: read the diff and the code around it. Answer "Good." or with the mistakes that you are sure of, with lines.',
    tools: [diff, readOnly],
  });

  return new Agent({
    name: "Coder",
    instructions: `You mend bugs in the project in your folder. Where that takes several steps, keep a list of them with write_todos.
1. Run the tests (node --test) to see what fails.
2. Ask the explorer about code that you do not know, rather than reading all of it yourself.
3. Make the smallest change that mends the cause, then run the tests again.
4. Have the reviewer look at it. Commit once the tests pass and the review is good.
If a person denies a command, do without it. Keep in your memory what will help with the next bug of this project. End with a sentence or two on what was wrong and what you have changed.`,
    tools: [
      files,
      todo(),
      memory({ sqlite: `${root}.memory.db` }),
      skills(fileURLToPath(new URL("skills", import.meta.url)), { sandbox: true }),
      explorer.asTool({ maxTurns: 15, maxTokens: 200_000 }),
      reviewer.asTool({ maxTurns: 10, maxTokens: 200_000 }),
    ],
  });
}

/** The Node of this process for programs in the box, which has that of the system alone, if there is one. */
export function withNode(root: string): {
  readonly read: readonly string[];
  readonly env: Readonly<Record<string, string>>;
} {
  const path = relative(root, process.execPath);
  const isInRoot = !path.startsWith("..");
  const folder = dirname(isInRoot ? join("/work", path) : process.execPath);
  return {
    read: isInRoot ? [] : [process.execPath],
    env: { ...author, PATH: `${folder}:/usr/local/bin:/usr/bin:/bin` },
  };
}

/** Where to work: the folder of `CODER_FOLDER`, or a copy of the sample project. */
export const folder: string = resolve(process.env["CODER_FOLDER"] ?? (await newProject()));

export const agent: Agent = coder(folder);
