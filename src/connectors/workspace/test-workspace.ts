import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Agent, run, type Message, type RunResult, type ToolSource } from "skein";
import { ScriptedModel, type ScriptedToolCall } from "skein/testing";
import type { WorkspaceOptions } from "skein/toolkits";

/** Where the projects of tests are, until their process ends: several files share it. */
export const folder: string = realpathSync(mkdtempSync(join(tmpdir(), "skein-workspace-")));
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
let count = 0;

/** The options of workspaces that every promise of the files' tools holds for. */
export const kinds: readonly (readonly [name: string, options: Omit<WorkspaceOptions, "root">])[] = [
  ["without a box", {}],
  ["in a box", { sandbox: true, approval: false }],
];

/** A folder with these files. */
export function project(files: Readonly<Record<string, string>> = {}): string {
  const root = join(folder, `project-${++count}`);
  mkdirSync(root);
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

export const use = (toolName: string, args: object): ScriptedToolCall => ({
  toolName,
  arguments: JSON.stringify(args),
});
export const textIn = (root: string, path: string): string => readFileSync(join(root, path), "utf8");

/** A run in which the model makes these calls, one after the other. */
export function runCalls(tools: ToolSource, ...calls: readonly ScriptedToolCall[]): Promise<RunResult> {
  const model = new ScriptedModel([...calls.map((call) => ({ toolCalls: [call] })), "Done."]);
  return run(new Agent({ name: "A", model, tools: [tools] }), "Go.", { maxTurns: 100 });
}

/** What the model reads of each call. */
export function textsOf({ messages }: { readonly messages: readonly Message[] }): readonly string[] {
  return messages.flatMap((message) =>
    message.role === "tool"
      ? [message.result.content.map((part) => (part.type === "text" ? part.text : "")).join("\n---\n")]
      : [],
  );
}
