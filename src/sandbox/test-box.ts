import { Agent, executeToolCalls, run, type RunResult, type ToolResult, type ToolSource } from "skein";
import type { ExecOptions, ExecResult, Sandbox, SandboxTier, TierOptions } from "skein/sandbox";
import { ScriptedModel } from "skein/testing";

/** What a sandbox was asked for. */
export interface Note {
  readonly argv: readonly string[];
  readonly stdin: ExecOptions["stdin"];
}

/** A tier, and what became of its sandboxes. */
export interface FakeTier {
  readonly via: SandboxTier;
  readonly notes: readonly Note[];
  readonly options: readonly TierOptions[];
  readonly closed: () => number;
}

/** A tier without a machine, which notes what it is asked for. */
export function fakeTier(outcome: Partial<ExecResult> = {}): FakeTier {
  const notes: Note[] = [];
  const options: TierOptions[] = [];
  let closed = 0;
  const via: SandboxTier = (each): Sandbox => {
    options.push(each);
    return {
      exec: async (argv, { stdin } = {}) => {
        notes.push({ argv, stdin });
        return { exitCode: 0, stdout: "", stderr: "", ...outcome };
      },
      read: async () => new Uint8Array(),
      write: async () => {},
      close: async () => void (closed += 1),
    };
  };
  return { via, notes, options, closed: () => closed };
}

/** Calls a tool once, as a model does. */
export async function callTool(source: ToolSource, toolName: string, args: object): Promise<ToolResult> {
  const call = { toolCallId: "c1", toolName, arguments: JSON.stringify(args) };
  const [result] = await executeToolCalls([call], [source]);
  if (!result) throw new Error("There is no result.");
  return result;
}

/** What the model reads of a result. */
export function textOf({ content }: ToolResult): string {
  return content.map((part) => (part.type === "text" ? part.text : `[${part.type}]`)).join("\n");
}

/** A run whose model makes one call. */
export function runCall(source: ToolSource, toolName: string, args: object): Promise<RunResult> {
  const model = new ScriptedModel([{ toolCalls: [{ toolName, arguments: { ...args } }] }, "Done."]);
  return run(new Agent({ name: "A", model, tools: [source] }), "Go.");
}
