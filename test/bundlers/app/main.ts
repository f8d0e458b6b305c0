import { distance, makeBox } from "#tool-box";
import {
  Agent,
  executeToolCalls,
  generate,
  output,
  run,
  schemaOf,
  tool,
  toolkit,
  type Model,
  type ToolCall,
  type ToolSource,
  type ToolSpec,
} from "skein";
import { FunctionModel } from "skein/testing";
import { makeTools, MathKit } from "./factories.ts";
import * as everything from "./weather.ts";
import { comparePlaces, getWeather, weatherTools } from "./weather.ts";

/** The tools as a model is told of them. */
async function told(agent: Agent): Promise<readonly ToolSpec[]> {
  const seen: ToolSpec[] = [];
  const model = new FunctionModel(({ tools = [] }) => {
    seen.push(...tools);
    return "seen";
  });
  await run(agent.with({ model }), "What can you do?");
  return seen;
}

/** An agent of any tools: its callers pass them. */
function agentOf(tools: readonly ToolSource[]): Agent {
  return new Agent({ name: "Passed on", tools });
}

/** Where somebody was. */
interface Visit {
  /** Once a day at most. */
  readonly days: readonly Date[];
  readonly city: string;
}

/** A type with other names than the function that runs. */
type Move = (from: string, to: string) => string;

const define = (move: Move): Move => move;
const moveBack = define(function moveBack(to, from) {
  return `from ${from} to ${to}`;
});

const tools = [getWeather, comparePlaces];
const config = { name: "Configured", tools: [comparePlaces, getWeather] };
const base = new Agent({ name: "Base" });
const kit = new MathKit(1);
const silent: Model = new FunctionModel(({ tools = [] }) => JSON.stringify(tools));

const call = (toolName: string, args: unknown): ToolCall => ({
  toolCallId: toolName,
  toolName,
  arguments: JSON.stringify(args),
});

const shapes = {
  inline: await told(new Agent({ name: "Inline", tools: [getWeather, comparePlaces] })),
  record: await told(new Agent({ name: "Record", tools: { weather: getWeather, comparePlaces } })),
  edited: await told(base.with({ tools: [getWeather] })),
  constant: await told(new Agent({ name: "Constant", tools })),
  imported: await told(new Agent({ name: "Imported", tools: weatherTools })),
  spread: await told(
    new Agent({ name: "Spread", tools: [...weatherTools, tool(getWeather, { name: "again" })] }),
  ),
  configured: await told(new Agent(config)),
  configSpread: await told(new Agent({ ...config, name: "Spread config" })),
  withOptions: await told(new Agent({ name: "Options", tools: [tool(getWeather, { timeout: 1_000 })] })),
  toolkit: await told(new Agent({ name: "Kit", tools: [toolkit(kit)] })),
  clash: (await told(new Agent({ name: "Clash", tools: [toolkit(kit), toolkit(new MathKit(2))] }))).map(
    ({ name }) => name,
  ),
  bag: await told(new Agent({ name: "Bag", tools: makeTools("kg") })),
  picked: await told(new Agent({ name: "Picked", tools: [makeTools("kg").round] })),
  passedOn: await told(agentOf([getWeather])),
  conditional: await told(new Agent({ name: "If", tools: [comparePlaces, ...(kit ? [getWeather] : [])] })),
  inlineFunction: await told(
    new Agent({
      name: "Arrow",
      tools: {
        /** Shout a text. */
        shout: (text: string) => text.toUpperCase(),
      },
    }),
  ),
  typedByHelper: await told(new Agent({ name: "Helper", tools: { moveBack } })),
  bound: await schemaOf(getWeather.bind(undefined, "Paris")),
  member: await schemaOf(everything.comparePlaces),
  method: await schemaOf(kit.add.bind(kit)),
  outputs: await told(new Agent({ name: "Output", output: output<Visit>() })),
  generated: (await generate(silent, { messages: "Tools?", tools: [getWeather] })).text,
  executed: (
    await executeToolCalls(
      [
        call("getWeather", { city: "Nice" }),
        call("comparePlaces", { places: [{ city: "A" }] }),
        call("moveBack", { from: "A", to: "B" }),
      ],
      [getWeather, comparePlaces, moveBack],
    )
  ).map(({ content, isError }) => ({ content, isError })),
  kitResults: (
    await executeToolCalls([call("add", { a: 1, b: 2 }), call("negate", { value: 3 })], [toolkit(kit)])
  ).map(({ content }) => content),
};

/** What only a package's declarations tell; nothing but a build sees it. */
const declared = {
  function: await told(new Agent({ name: "Declared", tools: [distance] })),
  bag: await told(new Agent({ name: "Declared bag", tools: makeBox("kg") })),
};

console.log(JSON.stringify({ shapes, declared }));
