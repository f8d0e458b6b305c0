/** A team on a model that follows rules, and waits where a test wants to look. */
import { existsSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { Agent, type Model, result, tool } from "skein";
import { FunctionModel } from "skein/testing";

const answer = `# Weather
It is **18 degrees** with \`wind\`, see [the map](https://example.com/map).

- sunny
- \u001B[31mwarm\u001B]0;owned\u0007

\`\`\`ts
const degrees = 18;
\`\`\`
東京タワー`;

const rules = new FunctionModel(({ messages, signal }) => {
  const last = messages.at(-1);
  if (last?.role === "tool") {
    return { text: last.result.toolName === "getWeather" ? answer : "All done.", chunkSize: 7 };
  }
  const said = last?.role === "user" && typeof last.content === "string" ? last.content : "";
  if (said.startsWith("weather")) {
    const city = said.slice("weather ".length) || "Paris";
    return { toolCalls: [{ toolName: "getWeather", arguments: { city } }], chunkSize: 4 };
  }
  if (said === "pay") return { toolCalls: [{ toolName: "pay", arguments: { amount: 5 } }] };
  if (said !== "wait") return `Heard ${JSON.stringify(said)} after ${messages.length} messages.`;
  return new Promise((_resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
});

/** Stops in the middle of arguments until the file is there that `GATE` names, if it names one. */
const model: Model = {
  provider: "rules",
  modelId: "rules",
  async *stream(request) {
    let text = "";
    for await (const event of rules.stream(request)) {
      yield event;
      if (event.type !== "tool-input-delta") continue;
      text += event.text;
      while (text.includes("Par") && !isOpen()) await wait(20);
    }
  },
};

function isOpen(): boolean {
  const gate = process.env["GATE"];
  return gate === undefined || existsSync(gate);
}

const getWeather = tool({
  name: "getWeather",
  description: "Tells the weather.",
  input: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  execute: ({ city }: { city: string }) => result({ value: `18 degrees in ${city}`, context: { city } }),
});

const pay = tool({
  name: "pay",
  input: { type: "object", properties: { amount: { type: "number" } }, required: ["amount"] },
  approval: true,
  execute: ({ amount }: { amount: number }) => `${amount} paid`,
});

const till = new Agent({ name: "Till", description: "Takes payments", tools: [pay] });

export const desk: Agent = new Agent({ name: "Desk", model, tools: [getWeather, pay], handoffs: [till] });
