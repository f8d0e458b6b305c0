import { expect, test } from "vitest";
import { ConfigurationError, tool, toolkit, type ToolPolicy } from "skein";
import { policyOf } from "./policy-of.ts";

/** Each is a mistake, and what the error has to say of it. */
const mistakes: readonly (readonly [policy: object, message: RegExp])[] = [
  [{ timeout: 0 }, /^timeout of tool\(\.\.\.\) must be milliseconds above 0, .*, not 0\.$/],
  [{ timeout: -1 }, /timeout/],
  [{ timeout: Number.NaN }, /timeout/],
  [{ timeout: "1s" }, /timeout of .* must be .*, not 1s/],
  [{ timeout: null }, /timeout of .* must be .*, not null/],
  [{ strict: 1 }, /strict of .* true or false/],
  [{ retries: -1 }, /retries of .* 0 or more, or \{ times, delay, when \}/],
  [{ retries: Number.NaN }, /retries/],
  [{ retries: true }, /retries/],
  [{ retries: null }, /^retries of tool\(\.\.\.\) must be 0 or more, or .*, not null\.$/],
  [{ retries: { times: -1 } }, /times of retries of tool/],
  [{ retries: { delay: Number.NaN } }, /delay of retries/],
  [{ retries: { when: true } }, /when of retries of .* a function/],
  [{ retries: { time: 1 } }, /retries of .* has no option "time"\. Did you mean "times"/],
  [{ concurrency: 0 }, /concurrency/],
  [{ concurrency: 1.5 }, /a whole number above 0/],
  [{ concurrency: {} }, /limit of concurrency of .* must be .*, not undefined/],
  [{ serialize: "user" }, /serialize of .* true or false, or a function/],
  [{ rateLimit: 5 }, /rateLimit of .* \{ calls, per \}/],
  [{ rateLimit: { calls: 5 } }, /per of rateLimit of .* must be .*, not undefined/],
  [{ rateLimit: { per: 5 } }, /calls of rateLimit of .* must be .*, not undefined/],
  [{ rateLimit: { calls: 0.5, per: 5 } }, /calls of rateLimit/],
  [{ rateLimit: { calls: 5, per: Infinity } }, /per of rateLimit/],
  [{ cache: 60 }, /cache of .* true or false, or \{ ttl,/],
  [{ cache: { ttl: 0 } }, /ttl of cache/],
  [{ cache: { maxEntries: -1 } }, /maxEntries of cache/],
  [{ cache: { maxChars: "1 MB" } }, /maxChars of cache/],
  [{ cache: { key: "id" } }, /key of cache of .* a function/],
  [{ cache: { scope: "global" } }, /scope of cache of .* "run" or "shared"/],
  [{ cache: { maxAge: 5 } }, /cache of .* has no option "maxAge"/],
  [{ approval: "always" }, /approval/],
  [{ allow: true }, /allow of .* a function/],
  [{ requires: "login" }, /requires of .* a list of names/],
  [{ requires: [1] }, /requires/],
  [{ maxResultChars: 0 }, /maxResultChars/],
  [{ mask: "password" }, /mask/],
  [{ final: "yes" }, /final/],
  [{ validateOutput: 1 }, /validateOutput/],
];

test.each(mistakes)("%o is a mistake", (policy, message) => {
  expect(() => policyOf(policy)).toThrow(ConfigurationError);
  expect(() => policyOf(policy)).toThrow(message);
});

test("the error of an option has the option's name among its data", () => {
  const errorOf = (policy: object) => expect.objectContaining({ code: "invalid-tool", data: policy });
  expect(() => policyOf({ timeout: 0 })).toThrow(errorOf({ option: "timeout" }));
  expect(() => policyOf({ retries: { times: -1 } })).toThrow(errorOf({ option: "times" }));
  const open: object = { allow: undefined };
  expect(() => policyOf(open)).toThrow(errorOf({ option: "allow" }));
});

test.each([
  ["approval", "approval: false"],
  ["allow", "allow: () => true"],
])("%s that is written and undefined is a mistake: nothing would guard the tool", (name, open) => {
  const message = `${name} of tool(...) is undefined, which would let every call through. Leave it out, or write ${open}.`;
  expect(() => policyOf({ [name]: undefined })).toThrow(message);
  class Desk {
    pay(amount: number): number {
      return amount;
    }
  }
  const unguarded = { methods: { pay: { [name]: undefined } } };
  expect(() => toolkit(new Desk(), { approval: true, ...unguarded })).toThrow(
    `${name} of pay of toolkit(Desk) is undefined`,
  );
});

const whole: Required<ToolPolicy> = {
  timeout: Infinity,
  strict: true,
  interrupted: "tell",
  retries: { times: 0, delay: 0, when: () => true },
  concurrency: 8,
  serialize: () => "key",
  maxCalls: 1,
  rateLimit: { calls: 1, per: 0.5 },
  cache: { ttl: 1, maxEntries: 1, maxChars: Infinity, key: () => "key", scope: "shared" },
  approval: false,
  allow: () => true,
  callers: "tools",
  requires: [],
  maxResultChars: 1_000,
  mask: ["password"],
  final: false,
  validateOutput: true,
};

test("a policy has the options that were given, and no others", () => {
  const policy = policyOf({ ...whole, name: "other" } as ToolPolicy);
  expect(policy).toEqual(whole);
  const partly: object = { timeout: undefined, retries: 2 };
  expect(Object.entries(policyOf(partly))).toEqual([["retries", 2]]);
});

test("the error says whose option it is", () => {
  const definition = { name: "work", input: { type: "object" }, execute: () => 1 };
  expect(() => tool({ ...definition, timeout: 0 })).toThrow(/timeout of the tool work must be .*, not 0/);
  expect(() => tool(function work() {}, { timeout: 0 })).toThrow(
    /timeout of tool\(work, \{ \.\.\. \}\) must be .*, not 0/,
  );
});

test.each([
  [{ description: 5 }, "description of the tool pay must be a text, not 5."],
  [{ deprecated: 5 }, "deprecated of the tool pay must be true or false, or a text, or { use }, not 5."],
  [{ deprecated: { use: 5 } }, "use of deprecated of the tool pay must be a text, not 5."],
  [{ tags: "money" }, "tags of the tool pay must be a list of names, not money."],
  [{ readOnlyHint: "yes" }, "readOnlyHint of the tool pay must be true or false, not yes."],
])("a description that makes no sense is refused: %j", (options: object, message) => {
  const define = (): unknown => tool({ name: "pay", input: { type: "object" }, ...options });
  expect(define).toThrow(ConfigurationError);
  expect(define).toThrow(message);
  expect(() => tool(function pay() {}, options)).toThrow(ConfigurationError);
});
