import { expect, test } from "vitest";
import { assertAgentRunOptions } from "./agent-run-options.ts";

const check = (options: object) => () => assertAgentRunOptions(options, "agent.asTool({ ... })");

test.each(["maxTurns", "maxTokens", "timeout"])(
  "a negative %s is refused, and none of it is a limit",
  (name) => {
    expect(check({ [name]: -1 })).toThrow(`${name} must be a number of at least 0, not -1`);
    expect(check({ [name]: 0 })).not.toThrow();
  },
);

test("events are sent or not, and nothing else", () => {
  expect(check({ events: "no" })).toThrow(
    expect.objectContaining({
      code: "invalid-option",
      data: { option: "events" },
      message: 'events of agent.asTool({ ... }) must be true or false, not "no".',
    }),
  );
  for (const events of [true, false, undefined]) expect(check({ events })).not.toThrow();
});

test("an unknown option is refused", () => {
  expect(check({ maxturns: 1 })).toThrow('Did you mean "maxTurns"?');
});
