/**
 * Open-Meteo on this machine, with a few cities whose weather never changes: for tests, evaluations and days without a
 * connection. `node examples/weather/stand-in.ts` prints what `OPEN_METEO_URL` has to be.
 */
import { once } from "node:events";
import { createServer } from "node:http";

/** A service on this machine. */
export interface StandIn {
  readonly url: string;
  /** What was asked for: paths with their queries. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

const countries: Readonly<Record<string, string>> = {
  Chicago: "United States",
  London: "United Kingdom",
  "New York": "United States",
  Oslo: "Norway",
  Paris: "France",
  Tokyo: "Japan",
};
const cities = Object.keys(countries);

/** Starts it on a free port of 127.0.0.1. It does not keep a process alive. */
export async function startStandIn(): Promise<StandIn> {
  const requests: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    requests.push(url);
    const { pathname, searchParams } = new URL(url, "http://127.0.0.1");
    const answer = pathname === "/v1/search" ? places(searchParams) : forecast(pathname, searchParams);
    response
      .writeHead(answer ? 200 : 400, { "content-type": "application/json" })
      .end(JSON.stringify(answer ?? { error: true, reason: `cannot answer ${url}` }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : undefined;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

function places(query: URLSearchParams): object {
  const search = query.get("name")?.toLowerCase();
  const index = cities.findIndex((city) => city.toLowerCase() === (search === "nyc" ? "new york" : search));
  const name = cities[index];
  if (name === undefined) return { generationtime_ms: 0.1 };
  return { results: [{ id: index, name, country: countries[name], latitude: index, longitude: 10 }] };
}

function forecast(path: string, query: URLSearchParams): object | undefined {
  const at = Number(query.get("latitude"));
  const days = Number(query.get("forecast_days"));
  if (path !== "/v1/forecast" || !cities[at] || !(days >= 1 && days <= 16)) return undefined;
  const each = <T>(value: (day: number) => T): T[] => Array.from({ length: days }, (_, day) => value(day));
  return {
    current: { time: "2026-05-01T12:00", temperature_2m: 10 + at, weather_code: 2, wind_speed_10m: 9.5 },
    daily: {
      time: each((day) => `2026-05-0${day + 1}`),
      weather_code: each((day) => (day === 0 ? 2 : 61)),
      temperature_2m_min: each(() => 5 + at),
      temperature_2m_max: each((day) => 12 + at + day),
      precipitation_sum: each((day) => day * 1.5),
    },
  };
}

if (import.meta.main) console.log(`export OPEN_METEO_URL=${(await startStandIn()).url}`);
