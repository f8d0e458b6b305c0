/** A server that reports a failure within its stream: nothing is executed, and the error has the server's words. */
import { describe, expect, test } from "vitest";
import { endingEvents, googleEnding } from "./answer-endings.ts";
import { meant, meantText, outcomeOfBody } from "./hostile-server.ts";
import type { Protocol } from "./protocols.ts";

const protocols = ["chat", "messages", "responses", "google"] as const satisfies readonly Protocol[];

const reasons = { chat: "tool_calls", messages: "tool_use", responses: "completed" } as const;

/** The events of an answer with one whole call, as the server frames them. */
function framesOf(protocol: Protocol): string[] {
  const events =
    protocol === "google"
      ? googleEnding(meant, "STOP")
      : endingEvents(protocol, { text: meantText, reason: reasons[protocol] });
  return events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`);
}

const words = "the model crashed";

const forms: readonly (readonly [string, string])[] = [
  ["event: error with a code and a message", `event: error\ndata: {"code":500,"message":"${words}"}\n\n`],
  ["event: error with a detail", `event: error\ndata: {"detail":"${words}"}\n\n`],
  ["event: error with text", `event: error\ndata: ${words}\n\n`],
  ["an error object", `data: {"error":{"message":"${words}"}}\n\n`],
  ["an error text", `data: {"error":"${words}"}\n\n`],
  ["a code and a message", `data: {"code":"internal","message":"${words}"}\n\n`],
  ["the type error", `data: {"type":"error","message":"${words}"}\n\n`],
];

describe.each(protocols)("%s", (protocol) => {
  test.each(forms)("%s: executes no call before it, whatever ends the stream", async (_title, failure) => {
    const frames = framesOf(protocol);
    const bodies = [
      failure,
      [...frames.slice(0, -1), failure, ...frames.slice(-1)].join(""),
      [...frames.slice(0, -2), failure, "data: [DONE]\n\n"].join(""),
    ];
    for (const body of bodies) {
      const { inputs, error } = await outcomeOfBody(protocol, body, "text/event-stream");
      expect(inputs).toEqual([]);
      expect(error).toHaveProperty("message", expect.stringContaining(words));
    }
  });

  test("an event: error after the end, too, executes nothing", async () => {
    for (const [, failure] of forms.slice(0, 3)) {
      const body = [...framesOf(protocol), failure].join("");
      const { inputs, error } = await outcomeOfBody(protocol, body, "text/event-stream");
      expect(inputs).toEqual([]);
      expect(error).toHaveProperty("message", expect.stringContaining(words));
    }
  });

  test("a whole call without a failure is executed", async () => {
    const { inputs } = await outcomeOfBody(protocol, framesOf(protocol).join(""), "text/event-stream");
    expect(inputs).toEqual([meant]);
  });
});

test.each([undefined, ""])(
  "a whole call with the finish reason %j is executed with a warning",
  async (reason) => {
    const events = endingEvents("chat", { text: meantText, reason });
    const body = events.map(
      (event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`,
    );
    const { inputs, result } = await outcomeOfBody("chat", body.join(""), "text/event-stream");
    expect(inputs).toEqual([meant]);
    expect(result?.warnings).toEqual([
      expect.stringContaining("ended without a finish reason: something may be missing"),
    ]);
  },
);
