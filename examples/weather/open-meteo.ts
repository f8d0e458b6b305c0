import { z } from "zod";

/** Where Open-Meteo is asked (https://open-meteo.com/en/docs): its own addresses by default. */
export interface OpenMeteoOptions {
  /** Below it is `/v1/search`, which finds places by name. */
  readonly geocodingURL?: string;
  /** Below it is `/v1/forecast`. */
  readonly forecastURL?: string;
}

/** The weather at a place. */
export interface Weather {
  readonly place: string;
  readonly now: { readonly celsius: number; readonly sky: string; readonly windKmh: number };
  readonly days: readonly {
    readonly date: string;
    readonly sky: string;
    readonly low: number;
    readonly high: number;
    readonly rainMm: number;
  }[];
}

const placesForm = z.object({
  results: z
    .array(
      z.object({
        name: z.string(),
        country: z.string().optional(),
        latitude: z.number(),
        longitude: z.number(),
      }),
    )
    .default([]),
});

const forecastForm = z.object({
  current: z.object({ temperature_2m: z.number(), weather_code: z.number(), wind_speed_10m: z.number() }),
  daily: z.object({
    time: z.array(z.string()),
    weather_code: z.array(z.number()),
    temperature_2m_min: z.array(z.number()),
    temperature_2m_max: z.array(z.number()),
    precipitation_sum: z.array(z.number()),
  }),
});

/**
 * Asks Open-Meteo for the weather in a city.
 * @throws Error for a city that it does not know, a refusal, an answer of another form, and where it cannot be reached.
 */
export async function weatherIn(
  city: string,
  days: number,
  signal: AbortSignal,
  options: OpenMeteoOptions = {},
): Promise<Weather> {
  const {
    geocodingURL = "https://geocoding-api.open-meteo.com",
    forecastURL = "https://api.open-meteo.com",
  } = options;
  const places = await ask(placesForm, signal, `${geocodingURL}/v1/search`, { name: city, count: "1" });
  const [place] = places.results;
  if (!place) throw new Error(`Open-Meteo knows no place called ${JSON.stringify(city)}`);
  const { current, daily } = await ask(forecastForm, signal, `${forecastURL}/v1/forecast`, {
    latitude: String(place.latitude),
    longitude: String(place.longitude),
    current: "temperature_2m,weather_code,wind_speed_10m",
    daily: "weather_code,temperature_2m_min,temperature_2m_max,precipitation_sum",
    timezone: "auto",
    forecast_days: String(days),
  });
  return {
    place: place.country === undefined ? place.name : `${place.name}, ${place.country}`,
    now: {
      celsius: current.temperature_2m,
      sky: skyOf(current.weather_code),
      windKmh: current.wind_speed_10m,
    },
    days: daily.time.map((date, index) => ({
      date,
      sky: skyOf(daily.weather_code[index]),
      low: daily.temperature_2m_min[index] ?? Number.NaN,
      high: daily.temperature_2m_max[index] ?? Number.NaN,
      rainMm: daily.precipitation_sum[index] ?? 0,
    })),
  };
}

async function ask<T>(
  form: z.ZodType<T>,
  signal: AbortSignal,
  address: string,
  query: Readonly<Record<string, string>>,
): Promise<T> {
  const url = new URL(address);
  url.search = new URLSearchParams(query).toString();
  const response = await fetch(url, { signal }).catch((cause: unknown) => {
    signal.throwIfAborted();
    throw new Error(`Open-Meteo cannot be reached at ${url.host}: is there a connection?`, { cause });
  });
  if (response.ok) return form.parse(await response.json());
  const { status } = response;
  // What may pass is tried again, as `retries` of the tool says.
  const isTransient = status === 429 || status >= 500;
  throw Object.assign(new Error(`Open-Meteo refused the request (${status})`), { isTransient });
}

/** What a weather code of the WMO means, as Open-Meteo lists them. */
function skyOf(code = -1): string {
  const skies: readonly (readonly [number, string])[] = [
    [0, "clear"],
    [2, "partly cloudy"],
    [3, "overcast"],
    [48, "fog"],
    [57, "drizzle"],
    [67, "rain"],
    [77, "snow"],
    [82, "rain showers"],
    [86, "snow showers"],
    [99, "thunderstorm"],
  ];
  return (code >= 0 && skies.find(([last]) => code <= last)?.[1]) || "unknown";
}
