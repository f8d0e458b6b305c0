/**
 * A process that runs its first program: `node code-app.ts MS`, with a model that takes so many milliseconds to its answer. It prints how
 * long TypeScript takes to its first check, or how long the program takes from the answer of the model to its result.
 */
import { Agent, run, type Tool, tool } from "skein";
import { codeMode } from "skein/code";
import { FunctionModel } from "skein/testing";

const get: Tool = tool({
  name: "get",
  input: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
  output: { type: "number" },
  execute: ({ n }: { n: number }) => n,
});
const code = "return await tools.get({ n: 1 });";

async function firstCheck(): Promise<number> {
  const interpreter = { execute: () => Promise.reject(new Error("nothing is run")) };
  const startedAt = performance.now();
  const context = { context: {}, agent: undefined, messages: [] };
  const [programs] = await codeMode([get], { interpreter }).tools(context);
  await programs?.inputSchema.validateAsync?.({ code });
  return performance.now() - startedAt;
}

async function firstProgram(ms: number): Promise<number> {
  const model = new FunctionModel(async ({ messages }) => {
    if (messages.length > 1) return "Done.";
    await new Promise((resolve) => setTimeout(resolve, ms));
    return { toolCalls: [{ toolName: "execute_typescript", arguments: { code } }] };
  });
  let answeredAt = 0;
  let endedAt = 0;
  await run(new Agent({ name: "First", model, tools: [codeMode([get])] }), "Go.", {
    onEvent: (event) => {
      if (event.type === "model-end") answeredAt ||= performance.now();
      if (event.type === "tool-end" && event.parentToolCallId === undefined) endedAt = performance.now();
    },
  });
  return endedAt - answeredAt;
}

const [what = "0"] = process.argv.slice(2);
console.log(what === "check" ? await firstCheck() : await firstProgram(Number(what)));
