/** What a place is like. */
export interface Place {
  /** Its name, such as "Paris" */
  readonly city: string;
  readonly country?: string;
}

/**
 * Get the weather in a city, even if it's "Côte d'Azur" \ on the coast.
 * @param city - The city's name
 * @param unit - How to measure
 */
export async function getWeather(city: string, unit: "celsius" | "fahrenheit" = "celsius"): Promise<string> {
  return `18 degrees ${unit} in ${city}`;
}

/** Compare places. */
export const comparePlaces = (places: Place[], by: keyof Place = "city"): string =>
  places.map((place) => place[by]).join();

/** Tools that another module lists. */
export const weatherTools = [getWeather, comparePlaces];
