import { Agent, run } from "skein";

/**
 * Get the current weather in a city.
 * @param city - City name, such as "Paris"
 */
function getWeather(city: string) {
  return { city, degrees: 18, unit: "celsius" };
}

const agent = new Agent({ name: "Helper", instructions: "You are a helpful agent.", tools: [getWeather] });

const { text } = await run(agent, "What's the weather in Paris?");
console.log(text);
