export { cached, type CacheOptions } from "./cached.ts";
export { costOf, dollars, priceOf } from "./cost.ts";
export { fallback, type FallbackOptions } from "./fallback.ts";
export { logged, type ModelLog, type ModelLogEntry } from "./logged.ts";
export type { ModelStore } from "./model-store.ts";
export { type Price, prices, type Prices } from "./prices.ts";
export { type ModelLimits, rateLimited } from "./rate-limited.ts";
export { retry, type RetryOptions } from "./retry.ts";
export { type OwnSettings, withSettings } from "./with-settings.ts";
