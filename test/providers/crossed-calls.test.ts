/** Servers whose parts of several calls come in any order, under names of any kind: each call is executed once, or is an error. */
import { expect, test } from "vitest";
import { randomOf } from "../../src/testing/conformance/random.ts";
import { crossedChat, crossedMessages, crossedResponses } from "./crossed-calls.ts";
import { type HostileOutcome, outcomeOf } from "./hostile-server.ts";

/** What was executed of an answer with these calls, as text; `undefined` where that is right. */
function crossed({ inputs, result }: HostileOutcome, meant: readonly object[]): string | undefined {
  const missing = meant.map((input) => JSON.stringify(input));
  const others = inputs
    .map((input) => JSON.stringify(input))
    .filter((input) => {
      const place = missing.indexOf(input);
      if (place >= 0) missing.splice(place, 1);
      return place < 0;
    });
  const failures = result?.messages.filter((message) => message.role === "tool" && message.result.isError);
  const isReported = result === undefined || (failures?.length ?? 0) > 0;
  if (others.length === 0 && (missing.length === 0 || isReported)) return undefined;
  return `executed ${others.join(" ")}, not ${missing.join(" ")}`;
}

test.each([
  ["responses", crossedResponses, 0.5],
  ["chat", crossedChat, 0.9],
  ["messages", crossedMessages, 0.35],
] as const)("the calls of 1,500 answers of %s do not cross", async (protocol, answerOf, share) => {
  let executed = 0;
  const total = 1_500;
  for (let seed = 0; seed < total; seed++) {
    const { events, inputs, habits } = answerOf(randomOf(seed));
    const outcome = await outcomeOf(protocol, events);
    if (outcome.inputs.length === inputs.length) executed += 1;
    expect.soft(crossed(outcome, inputs), `answer ${seed} of ${JSON.stringify(habits)}`).toBeUndefined();
  }
  expect(executed / total).toBeGreaterThan(share);
});
