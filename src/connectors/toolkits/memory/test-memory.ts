import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { executeToolCalls, type ToolSource } from "skein";
import { afterAll } from "vitest";

const folder = mkdtempSync(join(tmpdir(), "skein-memory-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let count = 0;
/** A path where nothing is yet. */
export const path = (): string => join(folder, `${++count}`);

/** Calls tools one after the other, as a model does, and returns what it reads. */
export async function call(
  source: ToolSource,
  ...calls: readonly (readonly [string, object])[]
): Promise<string[]> {
  const texts: string[] = [];
  for (const [toolName, args] of calls) {
    const request = { toolCallId: "1", toolName, arguments: JSON.stringify(args) };
    const [outcome] = await executeToolCalls([request], [source]);
    texts.push(outcome?.content.map((part) => (part.type === "text" ? part.text : "")).join("\n") ?? "");
  }
  return texts;
}

/** Calls `memory`, command by command. */
export const commands = (source: ToolSource, ...inputs: readonly object[]): Promise<string[]> =>
  call(source, ...inputs.map((input) => ["memory", input] as const));
