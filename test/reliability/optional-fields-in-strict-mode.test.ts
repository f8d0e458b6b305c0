import { expect, test } from "vitest";
import { tool } from "skein";
import { streamed } from "../providers/answers.ts";
import { resultOf, runOver } from "./kit.ts";

test.each(["chat", "responses"] as const)(
  "an optional argument that strict mode makes null is absent for the tool: %s",
  async (protocol) => {
    const seen: unknown[] = [];
    const find = tool<{ days?: number }>({
      name: "find",
      strict: true,
      input: {
        type: "object",
        properties: {
          city: { type: "string" },
          days: { type: "integer" },
          note: { type: "string" },
          near: {
            type: "object",
            properties: { place: { type: "string" }, miles: { type: "number" } },
            required: ["place"],
          },
          nothing: { type: ["string", "null"] },
        },
        required: ["city"],
      },
      execute: ({ days = 3, ...rest }) => `${seen.push({ days, ...rest })} times`,
    });
    const input = {
      city: "Rome",
      days: null,
      note: null,
      near: { place: "Tiber", miles: null },
      nothing: null,
    };
    const replies = [
      streamed(protocol, { id: "a", calls: [{ id: "one", name: "find", arguments: JSON.stringify(input) }] }),
      streamed(protocol, { id: "b", text: "Done." }),
    ];
    const { outcome, received } = await runOver(protocol, replies, [find]);
    expect(resultOf(outcome)).toMatchObject({ text: "Done.", warnings: [] });
    expect(received[0]?.text).toMatch(/"strict":true/);
    expect(received[0]?.text).toContain('"required":["city","days","note","near","nothing"]');
    expect(seen).toEqual([{ city: "Rome", days: 3, near: { place: "Tiber" }, nothing: null }]);
  },
);
