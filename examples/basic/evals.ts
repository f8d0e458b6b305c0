import { defineEval, type EvalCase, type Evaluation } from "skein/evals";
import { agent } from "./agent.ts";

/** The weather is looked up, for that city. */
const weather = (input: string, ...cities: readonly string[]): EvalCase => ({
  input,
  calls: { anyOrder: cities.map((city) => ({ tool: "getWeather", arguments: { city } })) },
  agent: "English",
});

/** Nothing is called, and the lead stays where it is. */
const talk = (...inputs: readonly string[]): EvalCase[] =>
  inputs.map((input) => ({ input, calls: [], agent: "English" }));

const spanish = (...inputs: readonly string[]): EvalCase[] =>
  inputs.map((input) => ({ input, calls: [], agent: "Spanish" }));

export const evaluation: Evaluation = defineEval({
  name: "basic",
  agent,
  context: { name: "James", userId: 123 },
  cases: [
    weather("What's the weather in Paris?", "Paris"),
    weather("weather in Oslo please", "Oslo"),
    weather("Is it cold in Reykjavik today?", "Reykjavik"),
    weather("How warm is it in New York?", "New York"),
    weather("I'm flying to Tokyo. Do I need a coat?", "Tokyo"),
    weather("Tell me what the weather is like in London", "London"),
    weather("Should I take an umbrella in Hamburg?", "Hamburg"),
    weather("What is the weather in Rome and in Madrid?", "Rome", "Madrid"),
    weather("Which is warmer: Cairo or Lima?", "Cairo", "Lima"),
    { input: "What's the weather in Paris?", text: "18" },
    { input: "Show my account", calls: ["showAccount"], text: ["James", "123"] },
    { input: "What is my user number?", calls: ["showAccount"], text: "123" },
    { input: "Which name is on my account?", calls: ["showAccount"], text: "James" },
    { input: "Show my account", context: { name: "Ada", userId: 7 }, calls: ["showAccount"], text: /Ada/ },
    {
      input: "Show my account",
      user: ["And the weather in Paris?"],
      calls: ["showAccount", "getWeather"],
    },
    ...talk("Hi!", "Thank you", "Good morning", "Tell me a joke", "What is 2 + 2?", "Who wrote Hamlet?"),
    ...spanish("Hola. ¿Cómo estás?", "¿Habla español?", "Buenos días, necesito ayuda", "Hola, ¿qué tal?"),
    ...spanish("I would like to speak Spanish, please", "No hablo inglés"),
  ],
});
