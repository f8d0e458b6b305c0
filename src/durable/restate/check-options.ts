import { describeValue, invalidOption, readOptions } from "../../base/options/known-options.ts";
import { assertConcurrency, checkCommonOptions, checkStartOptions, commonOptions } from "../check-options.ts";
import type { StartRunOptions } from "../types.ts";
import type { RestateRunsOptions } from "./types.ts";

const place = "restateRuns()";

const restateOptions = {
  ...commonOptions,
  ingress: true,
  admin: true,
  headers: true,
  name: true,
  concurrency: true,
} satisfies Record<keyof RestateRunsOptions, true>;

/** @throws ConfigurationError (`invalid-option`), NameClashError */
export function checkRestateOptions(input: RestateRunsOptions): RestateRunsOptions {
  const options = readOptions(input, restateOptions, place, { url: "ingress", adminUrl: "admin" });
  checkCommonOptions(options, place);
  const { ingress, admin, headers, name, concurrency } = options;
  assertAddress("ingress", ingress, "http://127.0.0.1:8080");
  if (admin !== undefined) assertAddress("admin", admin, "http://127.0.0.1:9070");
  if (headers !== undefined) assertHeaders(headers);
  if (name !== undefined && !(typeof name === "string" && /^[a-z][a-z0-9]{0,99}$/i.test(name)))
    throw invalidOption(
      `The option name of ${place} must be 1 to 100 letters and digits, a letter first, not ${describeValue(name)}.`,
      { option: "name" },
    );
  if (concurrency !== undefined) assertConcurrency(concurrency, place);
  return options;
}

/** @throws ConfigurationError (`invalid-option`) */
export function checkRestateStart(input: StartRunOptions): StartRunOptions {
  const options = checkStartOptions(input);
  const { session } = options;
  // A part of an address, where these two mean something else.
  if (session === "." || session === "..")
    throw invalidOption(`The option session of start() cannot be "${session}" with ${place}.`, {
      option: "session",
    });
  if (options.here !== true) return options;
  throw invalidOption(
    `The option here of start() does not go with ${place}: Restate chooses the process. Leave it out.`,
    { option: "here" },
  );
}

function assertAddress(option: string, value: unknown, example: string): void {
  const url = typeof value === "string" && URL.canParse(value) ? new URL(value) : undefined;
  // Credentials would be in errors, and fetch refuses them.
  const isPlain = url?.username === "" && url.password === "" && url.search === "" && url.hash === "";
  if (url && isPlain && /^https?:$/.test(url.protocol)) return;
  throw invalidOption(
    `The option ${option} of ${place} must be an address without credentials, such as "${example}", not ${typeof value === "string" ? "another text" : describeValue(value)}. Pass credentials as headers.`,
    { option },
  );
}

function assertHeaders(headers: unknown): void {
  const entries = Object.entries(Object(headers));
  for (const [name, value] of entries)
    if (!isHeader(name, value))
      throw invalidOption(
        `The header ${JSON.stringify(name)} of ${place} must have a name and a text that HTTP can carry.`,
        { option: "headers" },
      );
}

function isHeader(name: string, value: unknown): boolean {
  try {
    return typeof value === "string" && new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}
