import { Agent, executeToolCalls, generate, output, run, schemaOf, tool, toolkit } from "skein";
import type { Model, ToolSpec } from "skein";
import { FunctionModel } from "skein/testing";
import { MathKit } from "./kit.js";
import { agentOf, Team } from "./team.js";
import * as everything from "./tools.js";
import { comparePlaces, getWeather, greet, makeTools, weatherTools } from "./tools.js";

/** The tools as a model is sent them. */
async function offered(agent: Agent): Promise<readonly ToolSpec[]> {
  const seen: ToolSpec[] = [];
  const model = new FunctionModel(({ tools = [] }) => {
    seen.push(...tools);
    return "seen";
  });
  await run(agent.with({ model }), "What can you do?", { context: { user: "ada" } });
  return seen;
}

/** Where somebody was. */
interface Visit {
  /** Once a day at most. */
  readonly days: readonly Date[];
  readonly city: string;
}

const tools = [getWeather, comparePlaces];
const config = { name: "Configured", tools: [comparePlaces, getWeather] };
const base = new Agent({ name: "Base" });
const kit = new MathKit(1);
const silent: Model = new FunctionModel(({ tools = [] }) => JSON.stringify(tools));

async function shapes(): Promise<unknown> {
  const team = new Team("kg");
  return {
    inline: await offered(new Agent({ name: "Inline", tools: [getWeather, comparePlaces] })),
    record: await offered(new Agent({ name: "Record", tools: { weather: getWeather, comparePlaces } })),
    edited: await offered(base.with({ tools: [getWeather] })),
    constant: await offered(new Agent({ name: "Constant", tools })),
    imported: await offered(new Agent({ name: "Imported", tools: weatherTools })),
    spread: await offered(
      new Agent({ name: "Spread", tools: [...weatherTools, tool(getWeather, { name: "again" })] }),
    ),
    configured: await offered(new Agent(config)),
    configSpread: await offered(new Agent({ ...config, name: "Spread config" })),
    options: await offered(new Agent({ name: "Options", tools: [tool(getWeather, { timeout: 1_000 })] })),
    context: await offered(new Agent({ name: "Context", tools: [greet] })),
    toolkit: await offered(new Agent({ name: "Kit", tools: [toolkit(kit)] })),
    counters: await offered(team.counters()),
    makers: await offered(team.makers()),
    bag: await offered(new Agent({ name: "Bag", tools: makeTools("kg") })),
    picked: await offered(new Agent({ name: "Picked", tools: [makeTools("kg").round] })),
    passedOn: await offered(agentOf([getWeather])),
    conditional: await offered(
      new Agent({ name: "If", tools: [comparePlaces, ...(kit ? [getWeather] : [])] }),
    ),
    functions: await offered(
      new Agent({
        name: "Functions",
        tools: {
          /** Shout a text. */
          shout: (text: string, times = 1) => text.toUpperCase().repeat(times),
          /** Whisper a text. */
          whisper(text: string, softly?: boolean) {
            return softly ? "" : text.toLowerCase();
          },
        },
      }),
    ),
    twice: await offered(
      new Agent({
        name: "Twice",
        tools: [
          tool((a: number, b?: number) => a + (b ?? 0), { name: "sum" }),
          tool((a: number, b?: number) => a * (b ?? 1), { name: "product" }),
        ],
      }),
    ),
    bound: await schemaOf(getWeather.bind(undefined, "Paris")),
    member: await schemaOf(everything.comparePlaces),
    method: await schemaOf(kit.negate.bind(kit)),
    outputs: await offered(new Agent({ name: "Output", output: output<Visit>() })),
    generated: (await generate(silent, { messages: "Tools?", tools: [getWeather] })).text,
    greeted: await executeToolCalls(
      [{ toolCallId: "1", toolName: "greet", arguments: '{"greeting":"Hello"}' }],
      [greet],
      { context: { user: "ada" } },
    ),
  };
}

void shapes().then((found) => console.log(JSON.stringify(found)));
