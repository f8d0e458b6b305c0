/** A body as JSON without the marks of the cache, which move with each request and are not part of what the provider caches. */
export function unmarkedJson(body: unknown): string {
  return JSON.stringify(body, (name, value: unknown) => (name === "cache_control" ? undefined : value));
}
