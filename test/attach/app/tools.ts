import type { ToolContext } from "skein";

/** What a place is like. */
export interface Place {
  /** Its name, such as "Paris" */
  readonly city: string;
  readonly country?: string;
}

/**
 * Get the weather in a city.
 * @param city - The city's name
 * @param days - How many days from today @minimum 0 @maximum 14
 */
export async function getWeather(
  city: string,
  days: number,
  unit: "celsius" | "fahrenheit" = "celsius",
): Promise<string> {
  return `18 degrees ${unit} in ${city} in ${days ?? 0} days`;
}

/** Compare places. */
export const comparePlaces = (places: Place[], by: keyof Place = "city"): string =>
  places.map((place) => place[by] ?? "nowhere").join();

/** Whose turn it is. */
export interface Session {
  readonly user: string;
}

/** Greet somebody. */
export function greet(greeting: string, context: ToolContext<Session>): string {
  return `${greeting}, ${context.context.user}`;
}

/** Wait until a day. */
export default function waitUntil(day: Date): number {
  return day.getTime();
}

/** Tools that another module lists. */
export const weatherTools = [getWeather, comparePlaces];

/** Tools about one unit. */
export function makeTools(unit: string) {
  const prefix = unit.slice(0, 1);
  /** Look a key up. */
  async function lookUp(key: string, limit = 10): Promise<string> {
    return `${key}${unit}${limit}`;
  }
  return {
    lookUp,
    /** Round an amount. */
    round: (amount: number, digits = 2): string => `${amount.toFixed(digits)} ${prefix}`,
  };
}
