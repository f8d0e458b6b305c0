/** An application with three plain functions, whose schemas are found in its types: `node cold-app.ts http://...`. */
import { Agent, run } from "skein";
import { openai } from "skein/openai";

interface Filter {
  customer?: string;
  isOpen: boolean;
}

/** Adds two numbers. */
function add(left: number, right: number): number {
  return left + right;
}

/** The weather of a city. */
function weather(city: string, unit: "celsius" | "fahrenheit" = "celsius"): string {
  return `20 degrees ${unit} in ${city}`;
}

/**
 * Finds orders.
 * @param limit The most that are returned.
 */
function orders(filter: Filter, limit = 10): string[] {
  return Array.from({ length: limit }, (_, index) => `${filter.customer ?? "anybody"} ${index}`);
}

const baseURL = process.argv[2] ?? "";
const model = openai("gpt", { baseURL, apiKey: "key" });
const agent = new Agent({ name: "Cold", instructions: "Help.", model, tools: [add, weather, orders] });
await run(agent, "go");
