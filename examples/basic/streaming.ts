import { Agent, stream } from "skein";

/**
 * Get the current weather in a city.
 * @param city - City name, such as "Paris"
 */
function getWeather(city: string) {
  return { city, degrees: 18, unit: "celsius" };
}

const agent = new Agent({ name: "Helper", instructions: "You are a helpful agent.", tools: [getWeather] });

const running = stream(agent, "What's the weather in Paris?");
for await (const event of running) {
  if (event.type === "tool-start") console.log(`${event.toolCall.toolName}(${event.toolCall.arguments})`);
  if (event.type === "text-delta") process.stdout.write(event.text);
}
const { usage } = await running.result;
console.log(`\n${usage.totalTokens ?? 0} tokens`);
