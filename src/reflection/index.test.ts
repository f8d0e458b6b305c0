import { expect, test } from "vitest";
import { describeFunctions } from "./index.ts";

/**
 * Get the current weather in a city.
 * @param city - City name, such as "Paris"
 */
async function getWeather(city: string, unit: "celsius" | "fahrenheit" = "celsius"): Promise<string> {
  return `18 degrees ${unit} in ${city}`;
}

test("a plain function of a test file is described within vitest", async () => {
  expect(await describeFunctions([getWeather])).toEqual([
    {
      name: "getWeather",
      description: "Get the current weather in a city.",
      inputSchema: {
        type: "object",
        properties: {
          city: { type: "string", description: 'City name, such as "Paris"' },
          unit: { type: "string", enum: ["celsius", "fahrenheit"], default: "celsius" },
        },
        required: ["city"],
        additionalProperties: false,
      },
      parameters: [
        { kind: "property", name: "city" },
        { kind: "property", name: "unit" },
      ],
    },
  ]);
});
