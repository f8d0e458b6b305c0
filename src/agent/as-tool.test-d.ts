import { expectTypeOf } from "vitest";
import { z } from "zod";
import { Agent } from "./agent.ts";

const guide = new Agent({ name: "Guide" });

guide.asTool({
  input: z.object({ city: z.string(), days: z.number() }),
  prompt: (input) => {
    expectTypeOf(input).toEqualTypeOf<{ city: string; days: number }>();
    return `${input.days} days in ${input.city}`;
  },
});

guide.asTool({
  input: { type: "object", properties: {} },
  prompt: (input) => {
    expectTypeOf(input).toEqualTypeOf<Record<string, unknown>>();
    return "x";
  },
});

guide.asTool({ maxTurns: 3, events: false });

// @ts-expect-error -- without a schema, there is nothing to write a message from
guide.asTool({ prompt: () => "x" });
// @ts-expect-error -- a message is a text
guide.asTool({ input: z.object({ city: z.string() }), prompt: () => 3 });
