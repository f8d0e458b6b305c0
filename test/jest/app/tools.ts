/**
 * Get the weather of a city.
 * @param days - How far ahead @minimum 1
 */
export const getWeather = (city: string, unit: "celsius" | "fahrenheit" = "celsius", days?: number): string =>
  [city, unit, days].join();
