import { appendFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, tool, type ToolContext } from "skein";
import { type OpenMeteoOptions, weatherIn } from "./open-meteo.ts";

/** Where the weather comes from, and where letters go. */
export interface WeatherOptions extends OpenMeteoOptions {
  /** The file that emails are written to, a line of JSON each. Nothing is ever sent. */
  readonly outbox: string;
}

/** Knows the weather, and writes emails that a person has to approve. */
export function weatherAgent({ outbox, ...service }: WeatherOptions): Agent {
  /**
   * Get the weather in a city: now, and the forecast for the next days.
   * @param city - Name of the city, such as "Paris"
   * @param days - How many days of forecast @integer @minimum 1 @maximum 7
   */
  function getWeather(city: string, { signal }: ToolContext, days = 1) {
    return weatherIn(city, days, signal, service);
  }

  /**
   * Send an email to one person, once the user has approved of it.
   * @param to - Address of the recipient @format email
   * @param subject - What it is about
   * @param body - The text
   */
  function sendEmail(to: string, subject: string, body: string, { idempotencyKey }: ToolContext) {
    appendFileSync(outbox, `${JSON.stringify({ id: idempotencyKey, to, subject, body })}\n`);
    return `The email to ${to} is in the outbox.`;
  }

  return new Agent({
    name: "Weather",
    instructions: "You are a helpful agent. Look the weather up before you speak or write about it.",
    tools: [
      tool(getWeather, { timeout: 15_000, retries: 2, cache: true }),
      tool(sendEmail, { approval: true }),
    ],
  });
}

const { OPEN_METEO_URL: url, WEATHER_OUTBOX: outbox = join(tmpdir(), "skein-weather-outbox.jsonl") } =
  process.env;

export const agent: Agent = weatherAgent({
  outbox,
  ...(url !== undefined && { geocodingURL: url, forecastURL: url }),
});
