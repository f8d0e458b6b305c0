import { Agent, run, type RunOptions, type ToolSource } from "skein";
import { codeMode, type CodeModeOptions } from "skein/code";
import { FunctionModel } from "skein/testing";

/** An agent that runs these programs one after the other, and then answers "Done.". */
export function programmer(
  programs: readonly string[],
  tools: readonly ToolSource[],
  options: CodeModeOptions = { check: false },
): Agent {
  const model = new FunctionModel(({ messages }) => {
    const count = messages.filter(({ role }) => role === "tool").length;
    const code = programs[count];
    return code === undefined
      ? "Done."
      : { toolCalls: [{ toolName: options.name ?? "execute_typescript", arguments: { code } }] };
  });
  return new Agent({ name: "Programmer", model, tools: [codeMode(tools, options)] });
}

/** What the model reads of one program. */
export async function textOf(
  program: string,
  tools: readonly ToolSource[] = [],
  options?: CodeModeOptions,
  runOptions: Partial<RunOptions> = {},
): Promise<string> {
  const [text = ""] = await textsOf([program], tools, options, runOptions);
  return text;
}

/** What the model reads of each program. */
export async function textsOf(
  programs: readonly string[],
  tools: readonly ToolSource[] = [],
  options?: CodeModeOptions,
  runOptions: Partial<RunOptions> = {},
): Promise<readonly string[]> {
  const { messages } = await run(programmer(programs, tools, options), "Go.", {
    maxCorrections: Infinity,
    maxTurns: programs.length + 1,
    ...runOptions,
  });
  return messages.flatMap((message) =>
    message.role === "tool"
      ? [
          message.result.content
            .map((part) => (part.type === "text" ? part.text : `[${part.type}]`))
            .join("\n"),
        ]
      : [],
  );
}
