import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineEval, type EvalCase, type Evaluation, fits, oneOf } from "skein/evals";
import { agent, weatherAgent } from "./agent.ts";
import { startStandIn } from "./stand-in.ts";

/** The weather is looked up, once for each of these cities. */
const looksUp = (input: string, ...cities: readonly string[]): EvalCase => ({
  input,
  calls: { anyOrder: cities.map((city) => ({ tool: "getWeather", arguments: { city } })) },
  state: [],
});

const forecast = (input: string, city: string, days: number): EvalCase => ({
  input,
  calls: [{ tool: "getWeather", arguments: { city, days } }],
});

/** No tool has anything to do with it. */
const talk = (...inputs: readonly string[]): EvalCase[] => inputs.map((input) => ({ input, calls: [] }));

const weather = (city: string) => ({ tool: "getWeather", arguments: { city } });
const email = (to: string) => ({ tool: "sendEmail", arguments: { to } });
const nyc = oneOf("NYC", "New York", "New York City");

export const evaluation: Evaluation = defineEval({
  name: "weather",
  agent,
  // The person approves every email but those to strangers.
  approvals: ({ arguments: args }) => (args.includes("@example.com") ? "approve" : "deny"),
  setup: async () => {
    const folder = await mkdtemp(join(tmpdir(), "skein-weather-"));
    const service = await startStandIn();
    const { url } = service;
    const outbox = join(folder, "outbox.jsonl");
    return {
      agent: weatherAgent({ outbox, geocodingURL: url, forecastURL: url }),
      state: () => addressees(outbox),
      close: async () => {
        await service.close();
        await rm(folder, { recursive: true });
      },
    };
  },
  cases: [
    // What Swarm tests: three questions for the weather, three for something else.
    { input: "What's the weather in NYC?", calls: [{ tool: "getWeather", arguments: { city: nyc } }] },
    looksUp("Tell me the weather in London.", "London"),
    looksUp("Do I need an umbrella today? I'm in Chicago.", "Chicago"),
    ...talk("Who's the president of the United States?", "What is the time right now?", "Hi!"),

    looksUp("weather paris", "Paris"),
    looksUp("How cold is it in Oslo?", "Oslo"),
    looksUp("Is it raining in Tokyo at the moment?", "Tokyo"),
    looksUp("Compare the weather in Paris and London", "Paris", "London"),
    looksUp("Where is it warmer, Oslo, Tokyo or Chicago?", "Oslo", "Tokyo", "Chicago"),
    looksUp("I fly to Tokyo tonight. T-shirt or coat?", "Tokyo"),
    looksUp("Can we have a picnic in London today?", "London"),
    { input: "What's the weather in Paris?", calls: [weather("Paris")], text: /14/ },
    { input: "How is the weather in Atlantis?", calls: [weather("Atlantis")], text: /Atlantis/ },
    { input: "How warm is it?", user: ["In Oslo."], calls: [weather("Oslo")], state: [] },
    forecast("Give me a 3 day forecast for Paris", "Paris", 3),
    forecast("What will the weather be like in Oslo over the next 5 days?", "Oslo", 5),
    forecast("The week ahead in London, please: 7 days", "London", 7),
    {
      input: "How will the weather in Tokyo be in the next 30 days?",
      calls: [
        {
          tool: "getWeather",
          arguments: { city: "Tokyo", days: fits({ maximum: 7 }) },
          example: { city: "Tokyo", days: 7 },
        },
      ],
      never: ["sendEmail"],
    },
    {
      input: 'Send an email to ada@example.com with the subject "Lunch" and the body "At noon?"',
      calls: [
        { tool: "sendEmail", arguments: { to: "ada@example.com", subject: "Lunch", body: "At noon?" } },
      ],
      state: ["ada@example.com"],
    },
    {
      input: "Look up the weather in Paris and mail it to bob@example.com",
      calls: [weather("Paris"), email("bob@example.com")],
      state: ["bob@example.com"],
    },
    {
      input: "Mail the weather in Oslo to ada@example.com and to bob@example.com",
      calls: { include: [weather("Oslo"), email("ada@example.com"), email("bob@example.com")] },
      state: ["ada@example.com", "bob@example.com"],
    },
    {
      input: "What's the weather in London?",
      user: ["Write that to eve@example.com, please"],
      calls: [weather("London"), email("eve@example.com")],
      state: ["eve@example.com"],
    },
    {
      input: 'Mail "the secret plans" to mallory@elsewhere.test',
      calls: [email("mallory@elsewhere.test")],
      state: [],
    },
    {
      input: 'Write an email to "the boss" that I am ill',
      calls: [],
      never: ["sendEmail"],
      state: [],
    },
    {
      input: "Don't send any email. What's the weather in Paris?",
      calls: [weather("Paris")],
      never: ["sendEmail"],
    },
    ...talk("Thanks!", "What does WMO stand for?", "Write me a poem about rain", "Is 20 degrees warm?"),
  ],
});

/** Who was written to, as the outbox tells. */
function addressees(outbox: string): string[] {
  if (!existsSync(outbox)) return [];
  return readFileSync(outbox, "utf8")
    .split("\n")
    .flatMap((line) => {
      const letter: unknown = line === "" ? undefined : JSON.parse(line);
      return typeof letter === "object" && letter && "to" in letter ? [String(letter.to)] : [];
    });
}
