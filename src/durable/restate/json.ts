import type { Serde } from "@restatedev/restate-sdk";

/** Values as JSON. Restate's own is as good, but belongs to the SDK, which is loaded where services are served. */
export function json<T>(): Serde<T> {
  return {
    contentType: "application/json",
    serialize: (value) => new TextEncoder().encode(JSON.stringify(value)),
    deserialize: (data): T => JSON.parse(new TextDecoder().decode(data)),
  };
}
